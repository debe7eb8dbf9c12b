// What the command has put into the page.
import type { LiveData } from "./live";

/** A program that the command wrote: straight-line code over numbers. */
export interface Program {
  inputs: number;
  parameters: number;
  outputs: number;
  held: number;
  prologue(parameters: Float64Array, held: Float64Array): void;
  body(inputs: Float64Array, held: Float64Array, outputs: Float64Array): void;
}

export type ShapeKind = "box" | "sphere" | "cylinder" | "disk" | "wheel" | "rod" | "line" | "spring" | "ground" | "mesh" | "marker" | "point" | "axes";

/** Numbers such as `at` of a place, `size`, `factor` are where outputs of the scene's program begin. */
export interface PlaceData {
  name: string;
  at: number;
  turn?: number;
}
export interface ShapeData {
  kind: ShapeKind;
  name: string;
  at: number;
  to?: number;
  size?: number;
  axis?: number;
  colour?: number;
  mesh?: number;
}
export interface ArrowData {
  name: string;
  at: number;
  couple: boolean;
  parts: { column: number; factor: number }[];
}
export interface SceneData {
  places: PlaceData[];
  shapes: ShapeData[];
  arrows: ArrowData[];
  /** Corners as little-endian floats in base64, nine a triangle. */
  meshes: string[];
  traced: number[];
  normal: number | null;
  up: [number, number, number];
  remark: string;
  inputs: number[];
}
export interface EventData {
  name: string;
  kind: string;
  t: number;
  state: string;
  impulse?: number;
}
export interface MotionData {
  columns: string[];
  rows: number;
  computed: number;
  /** A column each, as doubles; as floats where `single` says so. */
  data: string[];
  single?: boolean;
  status: string;
  message: string;
  summary: string;
  events: EventData[];
  plot: string[];
}
/** `value`: which output of the terms' program it is, where it has a number. */
export interface TermData {
  latex: string;
  negative: boolean;
  value?: number;
  /** The same of a vector's components. */
  vector?: number[] | null;
}
export interface LineData {
  section: string;
  name: string;
  left: TermData[];
  /** Empty where there is no formula short enough to read. */
  right: TermData[];
  /** In words. */
  remark?: string;
}
/** `text` says all of it without formulas set, alone where there is nothing else. */
export interface TabData {
  title: string;
  text: string;
  words?: string;
  table?: { head: string[]; rows: string[][] };
  lines?: LineData[];
}
/** A second motion, with the columns that the scene reads of it. */
export interface BesideData {
  title: string;
  parameters: number[];
  inputs: number[];
  motion: MotionData;
}
export interface PageData {
  name: string;
  about: string;
  parameters: { name: string; value: number; fixed: boolean }[];
  motion: MotionData;
  scene: SceneData;
  tabs: TabData[];
  live: LiveData;
  beside?: BesideData;
  /** Where the page is not live: the columns that the terms' program reads, -1 where there is none. */
  termInputs?: number[];
  /** An engine is behind the page, and this is which of its pages it is. */
  served?: number;
}

/** Doubles from little-endian bytes in base64. */
export function decodeNumbers(text: string): Float64Array {
  const bytes = atob(text);
  const view = new DataView(new ArrayBuffer(bytes.length));
  for (let i = 0; i < bytes.length; ++i) view.setUint8(i, bytes.charCodeAt(i));
  const numbers = new Float64Array(bytes.length / 8);
  for (let i = 0; i < numbers.length; ++i) numbers[i] = view.getFloat64(8 * i, true);
  return numbers;
}

/** Floats from little-endian bytes in base64. */
export function decodeFloats(text: string): Float32Array {
  const bytes = atob(text);
  const view = new DataView(new ArrayBuffer(bytes.length));
  for (let i = 0; i < bytes.length; ++i) view.setUint8(i, bytes.charCodeAt(i));
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

/** A program with its parameters set. */
export class Evaluator {
  readonly outputs: Float64Array;
  private readonly held: Float64Array;

  constructor(private readonly program: Program, parameters: ArrayLike<number>) {
    this.outputs = new Float64Array(program.outputs);
    this.held = new Float64Array(program.held);
    this.setParameters(parameters);
  }
  setParameters(parameters: ArrayLike<number>): void {
    this.program.prologue(Float64Array.from(parameters), this.held);
  }
  /** The outputs stay the evaluator's own: they change at the next call. */
  at(inputs: Float64Array): Float64Array {
    this.program.body(inputs, this.held, this.outputs);
    return this.outputs;
  }
}
