import assert from "node:assert/strict";
import { test } from "node:test";
import { hermite, Motion } from "../src/motion";

const times = Float64Array.from({ length: 11 }, (_, i) => i / 10);
const cubic = (t: number): number => 2 - 3 * t + 4 * t * t - 5 * t * t * t;
const slope = (t: number): number => -3 + 8 * t - 15 * t * t;

test("coordinates between rows are exact for cubics, since rates are known", () => {
  const motion = new Motion(["t", "x", "x'", "energy"], [times, times.map(cubic), times.map(slope), times]);
  const row = new Float64Array(4);
  for (const t of [0, 0.05, 0.123, 0.777, 1]) {
    motion.sample(t, row);
    assert.ok(Math.abs((row[1] ?? NaN) - cubic(t)) < 1e-14);
    assert.ok(Math.abs((row[3] ?? NaN) - t) < 1e-15, "other columns are straight lines");
  }
});

test("a sine's cubic errs by h^4/384 of its fourth derivative at most", () => {
  const h = 0.1;
  for (let s = 0.05; s < 1; s += 0.05) {
    const got = hermite(s, h, Math.sin(1), Math.sin(1 + h), Math.cos(1), Math.cos(1 + h));
    assert.ok(Math.abs(got - Math.sin(1 + s * h)) <= (h ** 4 / 384) * 1.0001);
  }
});

test("rows are found at, before and after their times", () => {
  const motion = new Motion(["t"], [times]);
  assert.equal(motion.rowAt(-1), 0);
  assert.equal(motion.rowAt(0.25), 2);
  assert.equal(motion.rowAt(times[7] ?? 0), 7);
  assert.equal(motion.rowAt(99), 10);
});

test("an impact between two rows is a corner, not a smooth curve", () => {
  const impact = { name: "floor", kind: "impact", t: 0.5, state: Float64Array.of(0.5, 0, 0) };
  const motion = new Motion(["t", "y", "y'"], [Float64Array.of(0, 1), Float64Array.of(1, 1), Float64Array.of(-2, 2)], [impact]);
  const row = new Float64Array(3);
  assert.equal(motion.sample(0.25, row)[1], 0.5);
  assert.equal(motion.sample(0.5, row)[1], 0);
  assert.equal(motion.sample(0.75, row)[1], 0.5);
});

test("a value that does not exist stays so, and spoils no other", () => {
  const motion = new Motion(["t", "a", "b"], [Float64Array.of(0, 1), Float64Array.of(1, NaN), Float64Array.of(1, 2)]);
  const row = motion.sample(0.5, new Float64Array(3));
  assert.ok(Number.isNaN(row[1]));
  assert.equal(row[2], 1.5);
});
