import assert from "node:assert/strict";
import { test } from "node:test";
import type { Program, SceneData } from "../src/data";
import { Motion } from "../src/motion";
import { tracePaths } from "../src/paths";
import { Pose } from "../src/pose";

const scene: SceneData = { places: [{ name: "P", at: 0 }], shapes: [], arrows: [], meshes: [], traced: [0], normal: 2, up: [0, 1, 0], remark: "", inputs: [0, 1] };
const onCircle: Program = { inputs: 2, parameters: 0, outputs: 3, held: 0, prologue: () => undefined, body: (x, _, y) => y.set([Math.cos(x[1] ?? 0), Math.sin(x[1] ?? 0), 0]) };
const onLine: Program = { ...onCircle, body: (x, _, y) => y.set([x[0] ?? 0, x[1] ?? 0, 0]) };

/** How far from the origin the straight parts of a path come, and how many points it has. */
function nearest(points: Float32Array): { distance: number; count: number } {
  const count = points.length / 3;
  let distance = Infinity;
  for (let i = 1; i < count; ++i) {
    const [x, y] = [0, 1].map((k) => ((points[3 * i + k] ?? NaN) + (points[3 * i + k - 3] ?? NaN)) / 2);
    distance = Math.min(distance, Math.hypot(x ?? NaN, y ?? NaN));
  }
  return { distance, count };
}

test("a path of many turns stays on its circle, whether its rows are many or few", () => {
  for (const [turns, rows] of [[1000, 20_000], [50, 500], [1, 3]] as const) {
    const times = Float64Array.from({ length: rows }, (_, i) => i / (rows - 1));
    const rate = 2 * Math.PI * turns;
    const motion = new Motion(["t", "q", "q'"], [times, times.map((t) => rate * t), times.map(() => rate)]);
    const [points] = tracePaths(new Pose(scene, onCircle, motion, []), [0], 0.002);
    const { distance, count } = nearest(points ?? new Float32Array());
    assert.ok(distance > 0.99, `${turns} turns in ${rows} rows: a chord comes as near as ${distance}`);
    assert.ok(count <= 50_000, `${count} points`);
  }
});

test("a path has the corner of an impact between two rows", () => {
  const impact = { name: "floor", kind: "impact", t: 0.5003, state: Float64Array.of(0.5003, -1, 0) };
  const motion = new Motion(["t", "q", "q'"], [Float64Array.of(0, 1), Float64Array.of(0, 0), Float64Array.of(0, 0)], [impact]);
  const [points] = tracePaths(new Pose(scene, onLine, motion, []), [0], 0.002);
  assert.equal(Math.min(...(points ?? []).filter((_, i) => i % 3 === 1)), -1);
});
