// What stands beside the scene, in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dalembert, open, view, writePage } from "./harness.mjs";

test("equations are set, and their text is there too", async () => {
  const { page, complaints, close } = await open(writePage("models:rolling_disk_body"));
  await page.getByRole("tab", { name: "Equations" }).click();
  assert.ok((await page.locator(".equations .katex").count()) > 0);
  assert.equal(await page.locator(".equations .katex-error").count(), 0);
  assert.ok((await page.locator(".equations").textContent()).includes("λ"));
  const panel = page.locator(".tab-panel:not([hidden])");
  for (const [name, formulas, words] of [["Reactions", 6, /reaction\(roll\.z\)/], ["Check", 1, /freedom/], ["Verify", 20, /everything agrees/]]) {
    await page.getByRole("tab", { name }).click();
    assert.ok((await panel.locator(".katex").count()) >= formulas, name);
    assert.equal(await panel.locator(".katex-error").count(), 0);
    assert.match(await panel.locator("details pre").textContent(), words);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("formulas of reactions, integrals and momenta have the engine's values at the cursor", async () => {
  const shown = async (page, tab, left) => {
    await page.getByRole("tab", { name: tab }).click();
    await page.evaluate("dalembertView.timeline.seek(0.5); dalembertView.draw()");
    const lines = await page.evaluate((title) => JSON.parse(document.getElementById("data").textContent).tabs.find((one) => one.title === title).lines, tab);
    const line = lines.find((one) => one.left[0].latex === left);
    const terms = await view(page, "Array.from(view.terms.at(view.pose.row))");
    const cells = await page.locator(".tab-panel:not([hidden]) .equation").nth(lines.indexOf(line)).locator(".term-value").allTextContents();
    assert.equal(Number(cells[0]), Number(terms[line.left[0].value].toPrecision(4)), "what stands below it is that number");
    return { left: terms[line.left[0].value], right: line.right.reduce((sum, term) => sum + terms[term.value], 0) };
  };
  const engine = (model, column, ...by) => {
    const rows = dalembert("simulate", model, "--until", "0.5", "--every", "0.5", "--quiet", ...by).trim().split("\n");
    return Number(rows.at(-1).match(/("[^"]*"|[^,]+)/g)[rows[0].match(/("[^"]*"|[^,]+)/g).indexOf(column)]);
  };
  for (const [model, tab, left, column, ...by] of [
    ["models:pendulum", "Reactions", "\\lambda_{l}", "reaction(l)"],
    ["models:whipple_bicycle", "Check", "\\text{energy}", "energy"],
    ["models:rolling_disk_tilted", "Frame", "\\mathit{rolling}", "rolling"],
    ["models:rolling_disk_tilted", "Reactions", "\\lambda_{\\mathit{along}}", "reaction(along)", "--by", "hamel"],
  ]) {
    const { page, complaints, close } = await open(writePage(model, "--until", "1", ...by));
    const { left: value, right } = await shown(page, tab, left);
    const expected = engine(model, column, ...by);
    assert.ok(Math.abs(value - expected) <= 1e-7 * Math.abs(expected), `${model} ${column}: ${value}, not ${expected}`);
    assert.ok(Math.abs(value - right) <= 1e-9 * Math.abs(value), `${model} ${column}: the terms make ${right}`);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("each term of an equation has its value, and the sides are equal with them, live or not", async () => {
  // By another principle than multipliers a motion is only played: values come from its rows.
  for (const [model, ...by] of [["models:double_pendulum"], ["models:spherical_pendulum"], ["models:whipple_bicycle"], ["models:rolling_disk_tilted", "--by", "hamel"], ["models:bouncing_ball"]]) {
    const { page, complaints, close } = await open(writePage(model, "--until", "1", ...by));
    await page.getByRole("tab", { name: "Equations" }).click();
    await page.evaluate("dalembertView.timeline.seek(0.37); dalembertView.draw()");
    const lines = await page.evaluate(() => {
      const data = JSON.parse(document.getElementById("data").textContent).tabs[0].lines;
      const view = globalThis.dalembertView;
      const values = view.terms.at(view.pose.row);
      const sum = (terms) => (terms.every((term) => term.value !== undefined) ? terms.reduce((all, term) => all + values[term.value], 0) : undefined);
      const size = (terms) => terms.reduce((all, term) => all + Math.abs(values[term.value] ?? 0), 0);
      return data.filter((line) => line.section === "motion").map((line) => ({ name: line.name, left: sum(line.left), right: sum(line.right), size: size([...line.left, ...line.right]) }));
    });
    assert.ok(lines.length > 0);
    for (const { name, left, right, size } of lines) assert.ok(Math.abs(left - right) <= 1e-9 * Math.max(1e-3, size), `${model} ${name}: ${left} = ${right}`);
    assert.match(await page.locator(".term-value").filter({ hasText: /\d/ }).first().textContent(), /\d/);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("the term under the pointer lights up", async () => {
  const { page, close } = await open(writePage("models:double_pendulum"));
  await page.getByRole("tab", { name: "Equations" }).click();
  const term = page.locator(".equation .term").first();
  const before = await term.evaluate((one) => getComputedStyle(one).backgroundColor);
  await term.hover();
  await page.waitForFunction((colour) => getComputedStyle(document.querySelector(".equation .term")).backgroundColor !== colour, before);
  await close();
});

test("tables of text keep their lines and scroll in their own box, wide or narrow", async () => {
  const file = writePage("models:double_pendulum");
  for (const width of [1200, 390]) {
    const { page, complaints, close } = await open(file, { viewport: { width, height: 800 } });
    for (const name of ["Verify", "Check", "Run"]) {
      await page.getByRole("tab", { name }).click();
      await page.locator(".tab-panel:not([hidden])").evaluate((panel) => panel.querySelectorAll("details").forEach((one) => (one.open = true)));
      const { lines, written, scrolls, inside } = await page.locator(".tab-panel:not([hidden]) pre").last().evaluate((pre) => ({
        lines: Math.round(pre.clientHeight / parseFloat(getComputedStyle(pre).lineHeight)),
        written: pre.textContent.replace(/\n$/, "").split("\n").length,
        scrolls: pre.scrollWidth > pre.clientWidth,
        inside: pre.parentElement.getBoundingClientRect().right <= innerWidth + 1 && pre.getBoundingClientRect().right <= innerWidth + 1,
      }));
      assert.ok(Math.abs(lines - written) <= 1, `${name} at ${width}: ${lines} lines of ${written}`);
      if (name === "Verify") assert.ok(scrolls);
      assert.ok(inside, `${name} at ${width} sticks out`);
      assert.ok(await page.evaluate(() => [document.documentElement, document.querySelector(".right")].every((one) => one.scrollWidth <= one.clientWidth + 1)), "only the box itself scrolls");
    }
    assert.deepEqual(complaints, []);
    await close();
  }
});
