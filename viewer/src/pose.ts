// Where everything of the scene is at a time, as numbers.
import { decodeFloats, Evaluator, type ArrowData, type Program, type SceneData } from "./data";
import type { Motion } from "./motion";

export type Vector = [number, number, number];

export const length = (v: Vector): number => Math.hypot(v[0], v[1], v[2]);
export const plus = (a: Vector, b: Vector, factor = 1): Vector => [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];

export class Pose {
  /** Where the world is drawn: a second motion may stand beside the first. */
  offset: Vector = [0, 0, 0];
  readonly row: Float64Array;
  values: Float64Array;
  private readonly evaluator: Evaluator;
  private readonly inputs: Float64Array;

  constructor(
    readonly scene: SceneData,
    program: Program,
    public motion: Motion,
    parameters: number[],
  ) {
    this.evaluator = new Evaluator(program, parameters);
    this.inputs = new Float64Array(program.inputs);
    this.row = new Float64Array(motion.columns.length);
    this.values = this.evaluator.outputs;
  }
  setParameters(parameters: ArrayLike<number>): void {
    this.evaluator.setParameters(parameters);
  }
  moveTo(t: number): void {
    this.motion.sample(t, this.row);
    this.scene.inputs.forEach((column, i) => (this.inputs[i] = this.row[column] ?? NaN));
    this.evaluator.at(this.inputs);
  }

  vector(offset: number): Vector {
    return [this.values[offset] ?? NaN, this.values[offset + 1] ?? NaN, this.values[offset + 2] ?? NaN];
  }
  number(offset: number): number {
    return this.values[offset] ?? NaN;
  }
  position(place: number): Vector {
    return plus(this.vector(this.scene.places[place]?.at ?? NaN), this.offset);
  }
  /** Rows of the matrix to the world's axes, or none. */
  rotation(place: number): [Vector, Vector, Vector] | undefined {
    const turn = this.scene.places[place]?.turn;
    return turn === undefined ? undefined : [this.vector(turn), this.vector(turn + 3), this.vector(turn + 6)];
  }
  /** The force of an arrow: multipliers of the row times their factors. A missing multiplier makes it not a number. */
  force(arrow: ArrowData): Vector {
    const sum: Vector = [0, 0, 0];
    for (const part of arrow.parts) {
      const multiplier = this.row[part.column] ?? NaN;
      this.vector(part.factor).forEach((factor, k) => (sum[k] = (sum[k] ?? 0) + (factor === 0 ? 0 : multiplier * factor)));
    }
    return sum;
  }
}

/** Velocities and angular velocities at the pose's time, by differences over a ten-thousandth of the motion. */
export class Flow {
  velocities: Vector[] = [];
  spins: Vector[] = [];
  fastest = 1e-300;
  fastestSpin = 1e-300;

  look(pose: Pose, places: number[]): void {
    const { motion } = pose;
    const t = pose.row[0] ?? 0;
    const step = (motion.until - motion.from) / 1e4;
    const see = (time: number): { t: number; at: Vector[]; turn: ([Vector, Vector, Vector] | undefined)[] } => {
      pose.moveTo(Math.min(motion.until, Math.max(motion.from, time)));
      return { t: pose.row[0] ?? t, at: places.map((place) => pose.position(place)), turn: places.map((place) => pose.rotation(place)) };
    };
    const ahead = see(t + step);
    const behind = see(t - step);
    pose.moveTo(t);
    const by = ahead.t - behind.t;
    this.velocities = places.map((_, i) => difference(ahead.at[i], behind.at[i]).map((part) => part / by) as Vector);
    this.spins = places.map((place, i) => spin(behind.turn[i], pose.rotation(place), ahead.turn[i], by));
    this.fastest = Math.max(this.fastest, ...this.velocities.map(length).filter(Number.isFinite));
    this.fastestSpin = Math.max(this.fastestSpin, ...this.spins.map(length).filter(Number.isFinite));
  }
}
type Turn = [Vector, Vector, Vector] | undefined;
const difference = (a: Vector | undefined, b: Vector | undefined): Vector => [0, 1, 2].map((k) => (a?.[k] ?? NaN) - (b?.[k] ?? NaN)) as Vector;
/** The vector of R' R^T, world axes. */
function spin(before: Turn, here: Turn, after: Turn, by: number): Vector {
  if (!before || !here || !after) return [0, 0, 0];
  const entry = (i: number, j: number): number => [0, 1, 2].reduce((sum, k) => sum + (((after[i]?.[k] ?? NaN) - (before[i]?.[k] ?? NaN)) / by) * (here[j]?.[k] ?? NaN), 0);
  return [(entry(2, 1) - entry(1, 2)) / 2, (entry(0, 2) - entry(2, 0)) / 2, (entry(1, 0) - entry(0, 1)) / 2];
}

/** How far a mesh reaches from its origin. */
function meshReach(scene: SceneData): number[] {
  return scene.meshes.map((corners) => {
    const numbers = decodeFloats(corners);
    let reach = 0;
    for (let i = 0; i < numbers.length; i += 3) reach = Math.max(reach, length([numbers[i] ?? 0, numbers[i + 1] ?? 0, numbers[i + 2] ?? 0]));
    return reach;
  });
}

/** What has to be seen: all places that something is drawn at, over the motion. */
export interface Bounds {
  least: Vector;
  largest: Vector;
  centre: Vector;
  radius: number;
  force: number;
  /** Half of what the mechanism takes up at one time, at most. */
  mechanism: number;
}

const boundSamples = 200;

/** Arrows of forces, of which no more than the longest length has to be seen. */
export interface ArrowReach {
  scale: number;
  longest: number;
}

export function findBounds(pose: Pose, arrows?: ArrowReach): Bounds {
  const { scene, motion } = pose;
  const reaches = meshReach(scene);
  const used = new Set<number>(scene.traced);
  for (const shape of scene.shapes) {
    if (shape.kind === "axes") continue;
    used.add(shape.at);
    if (shape.to !== undefined) used.add(shape.to);
  }
  const least: Vector = [Infinity, Infinity, Infinity];
  const largest: Vector = [-Infinity, -Infinity, -Infinity];
  let force = 0;
  let margin = 0;
  let mechanism = 0;
  const include = (v: Vector): void =>
    v.forEach((part, k) => {
      if (!Number.isFinite(part)) return;
      least[k] = Math.min(least[k] ?? part, part);
      largest[k] = Math.max(largest[k] ?? part, part);
    });
  for (let i = 0; i <= boundSamples; ++i) {
    pose.moveTo(motion.from + ((motion.until - motion.from) * i) / boundSamples);
    const here = [...used].map((place) => pose.position(place));
    here.forEach(include);
    const first = here[0];
    for (const at of here) if (first) mechanism = Math.max(mechanism, length([at[0] - first[0], at[1] - first[1], at[2] - first[2]]) || 0);
    for (const arrow of scene.arrows) {
      const vector = pose.force(arrow);
      const size = length(vector);
      if (arrow.couple || !Number.isFinite(size)) continue;
      force = Math.max(force, size);
      if (arrows && size > 0) include(plus(pose.position(arrow.at), vector, Math.min(arrows.scale, arrows.longest / size)));
    }
    for (const shape of scene.shapes) {
      const size = shape.size === undefined || shape.kind === "ground" ? 0 : pose.number(shape.size);
      const reach = shape.kind === "mesh" ? size * (reaches[shape.mesh ?? 0] ?? 0) : size / (shape.kind === "box" ? 2 : 1);
      if (Number.isFinite(reach)) margin = Math.max(margin, reach);
    }
  }
  if (!least.every((part, k) => part <= (largest[k] ?? part))) return { least: [-1, -1, -1], largest: [1, 1, 1], centre: [0, 0, 0], radius: 1, force, mechanism: 1 };
  for (let k = 0; k < 3; ++k) {
    least[k] = (least[k] ?? 0) - margin;
    largest[k] = (largest[k] ?? 0) + margin;
  }
  return { ...boxBetween(least, largest), force, mechanism: mechanism + margin };
}
function boxBetween(least: Vector, largest: Vector): Pick<Bounds, "least" | "largest" | "centre" | "radius"> {
  const centre = least.map((part, k) => (part + (largest[k] ?? part)) / 2) as Vector;
  const radius = length(least.map((part, k) => ((largest[k] ?? part) - part) / 2) as Vector);
  return { least, largest, centre, radius: radius > 0 ? radius : 1 };
}
/** What has to be seen of two motions. */
export function joinBounds(a: Bounds, b: Bounds): Bounds {
  const least = a.least.map((part, k) => Math.min(part, b.least[k] ?? part)) as Vector;
  const largest = a.largest.map((part, k) => Math.max(part, b.largest[k] ?? part)) as Vector;
  return { ...boxBetween(least, largest), force: a.force, mechanism: Math.max(a.mechanism, b.mechanism) };
}
