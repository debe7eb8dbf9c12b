import assert from "node:assert/strict";
import { test } from "node:test";
import { solveLinear } from "../src/linear";
import { largestDifference } from "../src/live";

test("linear systems that need their rows exchanged are solved", () => {
  // (0 2; 1 1) and a saddle point (M A^T; A 0) with a singular M
  const a = Float64Array.of(0, 2, 1, 1);
  const b = Float64Array.of(4, 5);
  assert.ok(solveLinear(a, b, 2));
  assert.deepEqual([...b], [3, 2]);
  const saddle = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 1, 0);
  const right = Float64Array.of(7, 8, 9);
  assert.ok(solveLinear(saddle, right, 3));
  assert.deepEqual([...right], [7, 9, 8]);
});

test("a singular system is said to be one", () => {
  assert.equal(solveLinear(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 1), 2), false);
  assert.equal(solveLinear(Float64Array.of(NaN), Float64Array.of(1), 1), false);
});

test("differences are relative to a column's size, and a missing number is no agreement", () => {
  const names = ["t", "x", "residual", "energy"];
  const base = [Float64Array.of(0, 1), Float64Array.of(10, 20), Float64Array.of(0, 1e-16), Float64Array.of(0, 1e-12)];
  const other = [Float64Array.of(0, 1), Float64Array.of(10, 20.002), Float64Array.of(0, 5), Float64Array.of(0, 1e-9)];
  assert.ok(Math.abs(largestDifference(base, other, names) - 1e-4) < 1e-12);
  other[1]![0] = NaN;
  assert.equal(largestDifference(base, other, names), Infinity);
});
