import assert from "node:assert/strict";
import { test } from "node:test";
import { viewingSide } from "../src/cameras";
import { decodeNumbers, type Program, type SceneData } from "../src/data";
import { Motion } from "../src/motion";
import { firstPanels, showRange } from "../src/plots";
import { findBounds, Flow, length, Pose, type Vector } from "../src/pose";

test("doubles come through base64 to the last bit", () => {
  const numbers = Float64Array.of(Math.PI, -0, 5e-324, Infinity, NaN);
  const text = Buffer.from(numbers.buffer).toString("base64");
  const got = decodeNumbers(text);
  numbers.forEach((number, i) => assert.ok(Object.is(got[i], number)));
});

// A mass on a rod of length p turning by q, and the force 2 lambda r on it.
const program: Program = {
  inputs: 3, parameters: 1, outputs: 9, held: 1,
  prologue: (parameters, held) => held.set(parameters),
  body(x, h, y) {
    const [q, l] = [x[1] ?? 0, h[0] ?? 0];
    y.set([0, 0, 0, l * Math.cos(q), l * Math.sin(q), 0, 2 * l * Math.cos(q), 2 * l * Math.sin(q), 0]);
  },
};
const scene: SceneData = {
  places: [{ name: "world", at: 0 }, { name: "P", at: 3 }],
  shapes: [{ kind: "rod", name: "P", at: 0, to: 1 }],
  arrows: [{ name: "rod", at: 1, couple: false, parts: [{ column: 3, factor: 6 }] }],
  meshes: [],
  traced: [1], normal: 2, up: [0, 1, 0], remark: "", inputs: [0, 1, 2],
};
const times = Float64Array.from({ length: 101 }, (_, i) => i / 100);
const motion = new Motion(["t", "q", "q'", "reaction(rod)"], [times, times.map((t) => 2 * Math.PI * t), times.map(() => 2 * Math.PI), times.map(() => -3)]);

test("forces are multipliers times their factors, and follow parameters", () => {
  const pose = new Pose(scene, program, motion, [2]);
  pose.moveTo(0.25);
  assert.ok(Math.abs(pose.position(1)[1] - 2) < 1e-12);
  assert.ok(Math.abs(pose.force(scene.arrows[0]!)[1] + 12) < 1e-12);
  pose.setParameters([1]);
  pose.moveTo(0.25);
  assert.ok(Math.abs(pose.force(scene.arrows[0]!)[1] + 6) < 1e-12);
});

test("a pose that stands beside another is the same, elsewhere", () => {
  const [here, there] = [new Pose(scene, program, motion, [2]), new Pose(scene, program, motion, [2])];
  there.offset = [5, 0, 0];
  here.moveTo(0.3);
  there.moveTo(0.3);
  assert.deepEqual(there.position(1), [here.position(1)[0] + 5, here.position(1)[1], here.position(1)[2]]);
  assert.deepEqual(there.force(scene.arrows[0]!), here.force(scene.arrows[0]!));
  assert.ok(Math.abs(findBounds(there).centre[0] - findBounds(here).centre[0] - 5) < 1e-12);
});

test("everything that is drawn lies within the bounds", () => {
  const bounds = findBounds(new Pose(scene, program, motion, [2]));
  assert.ok(Math.abs(bounds.force - 12) < 1e-12);
  assert.deepEqual(bounds.centre.map((part) => Math.round(part * 1e6) / 1e6 + 0), [0, 0, 0]);
  assert.ok(Math.abs(bounds.radius - Math.hypot(2, 2)) < 1e-3);
});

test("arrows of forces lie within the bounds that ask for them, no further than the longest", () => {
  const pose = new Pose(scene, program, motion, [2]); // a force of 12 towards the pivot
  const reach = (scale: number, longest: number): number => Math.max(...findBounds(pose, { scale, longest }).largest);
  assert.ok(Math.abs(reach(0.1, 10) - 2) < 1e-3, "it ends inside");
  assert.ok(Math.abs(reach(0.5, 10) - 4) < 1e-3, "six long, across the pivot");
  assert.ok(Math.abs(reach(0.5, 5) - 3) < 1e-3, "five of it");
});

test("planes are seen from the side where the axis to the right is positive", () => {
  const right = (up: Vector, side: Vector): Vector => [up[1] * side[2] - up[2] * side[1], up[2] * side[0] - up[0] * side[2], up[0] * side[1] - up[1] * side[0]];
  assert.deepEqual(right([0, 1, 0], viewingSide(2, [0, 1, 0])).map((part) => part + 0), [1, 0, 0]);
  assert.deepEqual(right([0, 0, 1], viewingSide(1, [0, 0, 1])).map((part) => part + 0), [1, 0, 0]);
  assert.deepEqual(right([0, 0, 1], viewingSide(0, [0, 0, 1])).map((part) => part + 0), [0, 1, 0]);
});

test("plots begin with what was asked for, else with coordinates, reactions and energy", () => {
  const columns = ["t", "q", "q'", "reaction(rod)", "energy"];
  assert.deepEqual(firstPanels(columns, ["energy", "q"]), [[4, 1]]);
  assert.deepEqual(firstPanels(columns, []), [[1], [3], [4]]);
});

test("what is constant but for rounding is drawn as constant", () => {
  assert.deepEqual(showRange(-10 - 1e-9, -10 + 1e-9).map((part) => Math.round(10 * part)), [-110, -90]);
  const [least, largest] = showRange(1, 2);
  assert.ok(least < 1 && largest > 2 && largest - least < 1.2);
  assert.deepEqual(showRange(NaN, NaN), [0, 1]);
});

test("velocities and angular velocities are those of the motion", () => {
  // A frame that turns about (0, 0.6, 0.8) by q = 1.5 t, with its origin on a circle of radius 2.
  const [b, c] = [0.6, 0.8];
  const turning: Program = {
    inputs: 2, parameters: 0, outputs: 12, held: 0,
    prologue: () => undefined,
    body(x, _, y) {
      const q = x[1] ?? 0;
      const [s, k] = [Math.sin(q), Math.cos(q)];
      const v = 1 - k;
      y.set([2 * k, 2 * s, 0, k, -c * s, b * s, c * s, k + b * b * v, b * c * v, -b * s, b * c * v, k + c * c * v]);
    },
  };
  const data: SceneData = { places: [{ name: "frame", at: 0, turn: 3 }], shapes: [], arrows: [], meshes: [], traced: [], normal: null, up: [0, 0, 1], remark: "", inputs: [0, 1] };
  const angles = times.map((t) => 1.5 * t);
  const pose = new Pose(data, turning, new Motion(["t", "q", "q'"], [times, angles, times.map(() => 1.5)]), []);
  pose.moveTo(0.4);
  const flow = new Flow();
  flow.look(pose, [0]);
  const velocity = flow.velocities[0] ?? [0, 0, 0];
  const spin = flow.spins[0] ?? [0, 0, 0];
  assert.ok(Math.abs(length(velocity) - 3) < 1e-6);
  [0, 1.5 * b, 1.5 * c].forEach((part, i) => assert.ok(Math.abs((spin[i] ?? NaN) - part) < 1e-6, String(spin)));
  assert.equal(pose.row[0], 0.4, "the pose is where it was");
});

test("a column at other times lies on straight lines between its rows, and nowhere outside of them", () => {
  const line = new Motion(["t", "x"], [Float64Array.of(0, 1, 3), Float64Array.of(0, 2, 6)]);
  assert.deepEqual([...line.columnAt(1, Float64Array.of(0, 0.5, 1, 2, 3, 4))], [0, 1, 2, 4, 6, NaN]);
});
