import assert from "node:assert/strict";
import { test } from "node:test";
import { Timeline } from "../src/timeline";

test("time goes by the reader's seconds and speed, and only while it plays", () => {
  const timeline = new Timeline(2, 12);
  timeline.advance(1);
  assert.equal(timeline.time, 2);
  timeline.toggle();
  timeline.speed = 2;
  timeline.advance(1.5);
  assert.equal(timeline.time, 5);
});

test("at the end it begins again, or stops there", () => {
  const timeline = new Timeline(0, 10);
  timeline.toggle();
  timeline.seek(9);
  timeline.advance(3);
  assert.equal(timeline.time, 2);
  timeline.loop = false;
  timeline.advance(30);
  assert.equal(timeline.time, 10);
  assert.equal(timeline.playing, false);
  timeline.toggle();
  assert.equal(timeline.time, 0, "playing again starts over");
});

test("no time outside the motion can be sought, and speeds end at the slowest and fastest", () => {
  const timeline = new Timeline(0, 1);
  timeline.seek(7);
  assert.equal(timeline.time, 1);
  timeline.seek(-7);
  assert.equal(timeline.time, 0);
  for (let i = 0; i < 20; ++i) timeline.changeSpeed(1);
  assert.equal(timeline.speed, 10);
  for (let i = 0; i < 40; ++i) timeline.changeSpeed(-1);
  assert.equal(timeline.speed, 0.01);
});

test("a motion of one instant can be played without harm", () => {
  const timeline = new Timeline(3, 3);
  timeline.toggle();
  timeline.advance(1);
  assert.equal(timeline.time, 3);
});
