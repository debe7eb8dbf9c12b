import assert from "node:assert/strict";
import { test } from "node:test";
import { findRoom, type Box } from "../src/labels";

test("labels at one place stand over each other, the first one where it belongs, and further ones nowhere", () => {
  const wanted: Box = { left: 10, top: 50, width: 30, height: 16 };
  const taken: Box[] = [];
  for (let i = 0; i < 9; ++i) {
    const box = findRoom(taken, wanted);
    if (box) taken.push(box);
  }
  assert.deepEqual(taken.map((box) => box.top), [50, 34, 66, 18, 82, 2, 98]);
  assert.ok(taken.every((box) => box.left === 10));
  assert.deepEqual(findRoom(taken, { ...wanted, left: 40 }), { ...wanted, left: 40 }, "beside them there is room");
});
