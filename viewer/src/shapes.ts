// Shapes as solids: however many there are, each kind of solid is one draw call.
import * as THREE from "three";
import { decodeFloats, type ShapeData } from "./data";
import { Instances } from "./instances";
import { length, plus, type Pose, type Vector } from "./pose";

const palette = [0x3b7dd8, 0xd8703b, 0x3ba55d, 0x9b59b6, 0xc0a030, 0x2aa5a5, 0xd84b7d, 0x7f8c3b];
const colours = { rod: 0x8a94a6, marker: 0x8a94a6, mark: 0x20242c, ground: 0xaab2bf };
const axisColours = [0xe05050, 0x40a040, 0x4070e0];
const coilParts = 12;
const mostCoils = 60;
const springCapacity = coilParts * mostCoils + 2;

const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export function pathColour(index: number): number {
  return palette[index % palette.length] ?? 0;
}

/** What is drawn, how large the drawing is, and how far it reaches. */
interface Setting {
  unit: number;
  reach: number;
  opacity: number;
}

/** Sides of what is round: of many things each is small, and fewer are enough. */
const roundness = (shapes: number): number => (shapes <= 60 ? 36 : shapes <= 600 ? 16 : 8);

export class ShapeSet {
  readonly cylinders: Instances;
  private readonly spheres: Instances;
  private readonly boxes: Instances;
  private readonly meshes: Instances[];
  private readonly colourOf = new Map<string, number>();

  /** `arrows`: how many cylinders are wanted beside the shapes. */
  constructor(parent: THREE.Object3D, private readonly pose: Pose, private readonly setting: Setting, arrows: number) {
    const { shapes, places } = pose.scene;
    const { opacity } = setting;
    const springs = shapes.filter((shape) => shape.kind === "spring").length;
    const sides = roundness(shapes.length);
    this.spheres = new Instances(parent, new THREE.SphereGeometry(1, sides, Math.ceil(0.6 * sides)), shapes.length, opacity);
    this.boxes = new Instances(parent, new THREE.BoxGeometry(1, 1, 1), 3 * shapes.length, opacity);
    this.cylinders = new Instances(parent, new THREE.CylinderGeometry(1, 1, 1, sides), 2 * shapes.length + springCapacity * springs + arrows + 5 * places.length, opacity);
    this.meshes = pose.scene.meshes.map((corners, i) => new Instances(parent, meshGeometry(corners), shapes.filter((shape) => shape.mesh === i).length, opacity));
    for (const shape of shapes) if (!this.colourOf.has(shape.name)) this.colourOf.set(shape.name, pathColour(this.colourOf.size));
  }
  private get all(): Instances[] {
    return [this.spheres, this.boxes, this.cylinders, ...this.meshes];
  }
  begin(): void {
    for (const solid of this.all) solid.begin();
  }
  end(): void {
    for (const solid of this.all) solid.end();
  }

  put(shape: ShapeData, showAxes: boolean): void {
    const { pose } = this;
    const { unit } = this.setting;
    const at = pose.position(shape.at);
    const turn = pose.rotation(shape.at);
    const colour = shape.colour ?? this.colourOf.get(shape.name) ?? 0;
    const size = (k: number, otherwise = NaN): number => (shape.size === undefined ? otherwise : pose.number(shape.size + k));
    const to = pose.position(shape.to ?? shape.at);
    switch (shape.kind) {
      case "marker": return this.putBall(at, 0.014 * unit, colours.marker);
      case "point": return this.putBall(at, 0.035 * unit, colour);
      case "sphere": {
        this.spheres.put(at, turn, [size(0), size(0), size(0)], colour);
        return this.boxes.put(at, turn, [2.01 * size(0) * 0.9, 2.01 * size(0) * 0.42, 2.01 * size(0) * 0.15], colours.mark);
      }
      case "box": return this.boxes.put(at, turn, [size(0), size(1), size(2)], colour);
      case "cylinder":
      case "disk":
      case "wheel": return this.putRound(shape, at, size(0), size(1), colour);
      case "rod": return this.cylinders.span(at, to, size(0, 0.009 * unit), shape.colour ?? colours.rod);
      case "line": return this.cylinders.span(at, to, 0.004 * unit, shape.colour ?? colours.rod);
      case "spring": return this.putSpring(at, to, size(0, 0.04 * unit), size(1, 8), shape.colour ?? colours.rod);
      case "ground": return this.putGround(shape, at, size(0, 2.4 * this.setting.reach), size(1, 2.4 * this.setting.reach));
      case "mesh": return this.meshes[shape.mesh ?? 0]?.put(at, turn, [size(0), size(0), size(0)], colour);
      case "axes": if (showAxes) this.putAxes(at, turn);
    }
  }
  putBall(at: Vector, radius: number, colour: number): void {
    this.spheres.put(at, undefined, [radius, radius, radius], colour);
  }
  private axisOf(shape: ShapeData, k: number): Vector {
    const turn = this.pose.rotation(shape.at);
    if (turn) return [turn[0][k] ?? 0, turn[1][k] ?? 0, turn[2][k] ?? 0];
    const unit: Vector = [0, 0, 0];
    unit[k] = 1;
    return unit;
  }
  private putRound(shape: ShapeData, at: Vector, radius: number, width: number, colour: number): void {
    const axis = shape.axis ?? 2;
    const along = this.axisOf(shape, axis);
    this.cylinders.span(plus(at, along, -width / 2), plus(at, along, width / 2), radius, colour);
    if (shape.kind === "cylinder") return;
    for (const across of [(axis + 1) % 3, (axis + 2) % 3]) {
      const spoke: Vector = [0.12 * radius, 0.12 * radius, 0.12 * radius];
      spoke[axis] = 1.04 * width;
      spoke[across] = 1.8 * radius;
      this.boxes.put(at, this.pose.rotation(shape.at), spoke, colours.mark);
      if (shape.kind === "disk") return; // one mark is enough to see it turn
    }
  }
  /** Coils between two straight ends. */
  private putSpring(from: Vector, to: Vector, radius: number, coils: number, colour: number): void {
    const way = plus(to, from, -1);
    const size = length(way);
    if (!(size > 0) || !(radius >= 0)) return;
    const along: Vector = [way[0] / size, way[1] / size, way[2] / size];
    const aside = cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]);
    const across = aside.map((part) => part / length(aside)) as Vector;
    const third = cross(along, across);
    const parts = coilParts * Math.max(1, Math.min(mostCoils, Math.round(coils) || 1));
    const thickness = Math.max(0.12 * radius, 0.003 * this.setting.unit);
    let before = from;
    for (let i = 0; i <= parts; ++i) {
      const angle = (2 * Math.PI * i) / coilParts;
      const middle = plus(from, way, 0.1 + (0.8 * i) / parts);
      const next = plus(plus(middle, across, radius * Math.cos(angle)), third, radius * Math.sin(angle));
      this.cylinders.span(before, next, thickness, colour);
      before = next;
    }
    this.cylinders.span(before, to, thickness, colour);
  }
  /** A slab whose upper side is the plane. */
  private putGround(shape: ShapeData, at: Vector, first: number, second: number): void {
    const axis = shape.axis ?? 2;
    const thickness = 0.03 * this.setting.unit;
    const lengths: Vector = [thickness, thickness, thickness];
    lengths[(axis + 1) % 3] = first;
    lengths[(axis + 2) % 3] = second;
    this.boxes.put(plus(at, this.axisOf(shape, axis), -thickness / 2), this.pose.rotation(shape.at), lengths, shape.colour ?? colours.ground);
  }
  private putAxes(at: Vector, turn: [Vector, Vector, Vector] | undefined): void {
    for (let k = 0; k < 3; ++k) {
      const along: Vector = turn ? [turn[0][k] ?? 0, turn[1][k] ?? 0, turn[2][k] ?? 0] : [0, 0, 0];
      this.cylinders.span(at, plus(at, along, 0.18 * this.setting.unit), 0.006 * this.setting.unit, axisColours[k] ?? 0);
    }
  }
}

function meshGeometry(corners: string): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(decodeFloats(corners), 3));
  geometry.computeVertexNormals(); // corners are not shared: each triangle has its own normal
  return geometry;
}
