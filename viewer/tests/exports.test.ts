import assert from "node:assert/strict";
import { test } from "node:test";
import { curvePath, rangeOf, toCsv, toSvg } from "../src/exports";
import { formatNumber } from "../src/text";
import { toAligned } from "../src/formulas";

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

test("numbered lines of LaTeX are set without numbers", () => {
  assert.equal(toAligned("\\begin{align}\n x &= 1\n\\end{align}"), "\\begin{aligned}\n x &= 1\n\\end{aligned}");
  assert.equal(toAligned("\\begin{aligned}[t] a \\end{aligned}"), "\\begin{aligned} a \\end{aligned}");
});
