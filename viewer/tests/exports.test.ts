import assert from "node:assert/strict";
import { test } from "node:test";
import { axisName, curvePath, rangeOf, roundTicks, toCsv, toSvg } from "../src/exports";
import { formatNumber } from "../src/text";
import { splitWords } from "../src/formulas";

test("CSV reads back as the same numbers, with absent ones empty and names quoted", () => {
  const text = toCsv([{ name: "t", values: [0.1, 1 / 3] }, { name: 'a,"b"', values: [NaN, 5e-324] }]);
  assert.equal(text, `t,"a,""b"""\n0.1,\n0.3333333333333333,5e-324\n`);
  assert.equal(Number(text.split("\n")[2]?.split(",")[0]), 1 / 3);
});

test("names are text in an SVG, whatever they hold", () => {
  const svg = toSvg({ name: "</svg><script>", values: [0, 1] }, [{ name: '<img onerror="x">', values: [0, 1] }], ["#000"], { background: "#fff", ink: "#000" });
  assert.ok(!svg.includes("<script") && !svg.includes("<img"));
  assert.ok(svg.includes("&lt;img onerror=&quot;x&quot;&gt;"));
});

test("a curve has a gap where a number is missing", () => {
  const range = { least: 0, largest: 1 };
  assert.equal(curvePath([0, 0.25, 0.5, 0.75, 1], [0, 1, NaN, 1, 0], range, range, 100, 10), "M0.00 10.00L25.00 0.00M75.00 0.00L100.00 10.00");
});

test("ranges hold every finite number, and are never empty", () => {
  for (const list of [[1, 2, 3], [5], [], [NaN], [0, 0]]) {
    const range = rangeOf([list]);
    assert.ok(range.least < range.largest);
    for (const value of list.filter(Number.isFinite)) assert.ok(range.least <= value && value <= range.largest);
  }
});

test("numbers for people have no needless zeros and say where there is none", () => {
  assert.equal(formatNumber(1.5), "1.5");
  assert.equal(formatNumber(100), "100");
  assert.equal(formatNumber(NaN), "–");
  assert.equal(formatNumber(1e-9), "1e-9");
  assert.equal(formatNumber(0), "0");
});

test("in tables numbers and quantities are set, words are not", () => {
  assert.deepEqual(splitWords("2.2e-16"), [{ text: "2.2e-16", latex: "2.2 \\cdot 10^{-16}" }]);
  assert.deepEqual(splitWords("0"), [{ text: "0", latex: "0" }]);
  assert.deepEqual(splitWords("order 8").map((piece) => piece.latex), [undefined, undefined, undefined]);
  const pieces = splitWords("F + A^T lambda (multipliers)");
  assert.equal(pieces.map((piece) => piece.text).join(""), "F + A^T lambda (multipliers)", "nothing is lost");
  assert.deepEqual(pieces.filter((piece) => piece.latex !== undefined).map((piece) => piece.latex), ["F", "A^{T}", "\\lambda"]);
  assert.deepEqual(splitWords("toString constructor").map((piece) => piece.latex), [undefined, undefined, undefined]);
});

test("ticks are round, inside the range and a few", () => {
  for (const [least, largest] of [[0, 1], [-0.37, 12.9], [1e-9, 3e-9], [-5e6, -4.2e6], [1.23, 1.24], [0, 9.99]] as const) {
    const ticks = roundTicks({ least, largest });
    assert.ok(ticks.length >= 3 && ticks.length <= 11, `${ticks}`);
    assert.ok(ticks.every((tick) => tick >= least - 1e-12 * Math.abs(least) && tick <= largest), `${ticks}`);
    const step = (ticks[1] ?? NaN) - (ticks[0] ?? NaN);
    const digit = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    assert.ok([1, 2, 5].some((round) => Math.abs(digit - round) < 1e-6), `a step of ${step}`);
    for (const tick of ticks) assert.ok(Math.abs(tick / step - Math.round(tick / step)) < 1e-6, `${tick} is a multiple of ${step}`);
  }
  assert.deepEqual(roundTicks({ least: 0, largest: 1 }), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(roundTicks({ least: -0.3, largest: 0.3 }).filter((tick) => Math.abs(tick) < 0.01), [0], "zero is zero");
});

test("a picture of a plot names its axes and has round ticks", () => {
  const text = toSvg({ name: "t", values: [0, 0.37, 1] }, [{ name: "theta", values: [0, 1, 0.73] }], ["#000"], { background: "#fff", ink: "#000" });
  const labels = [...text.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]);
  for (const expected of ["t", "theta", "0.2", "0.8"]) assert.ok(labels.includes(expected), `${expected} in ${labels.join(" ")}`);
});

test("an axis has as many names as it has room for, one at least", () => {
  assert.equal(axisName(["x", "y", "z"]), "x, y, z");
  assert.equal(axisName(["reaction(l1)", "reaction(l2)"]), "reaction(l1), …");
  assert.equal(axisName(["reaction(front_contact.x)", "x"]), "reaction(front_contact.x), …");
  assert.equal(axisName([]), "");
});
