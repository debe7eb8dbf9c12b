// Curves and time, in a real browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { open, view, writePage } from "./harness.mjs";

test("scrubbing and keys move time, values and the plots' cursor", async () => {
  const { page, complaints, close } = await open(writePage("models:double_pendulum"));
  const time = () => view(page, "view.timeline.time");
  const cursor = () => page.locator(".cursor").first().evaluate((line) => line.getBoundingClientRect().x);
  const before = await cursor();
  await page.locator("input[aria-label=time]").evaluate((slider) => { slider.value = "5000"; slider.dispatchEvent(new Event("input")); });
  assert.equal(await time(), 5);
  await page.waitForFunction((x) => document.querySelector(".cursor").getBoundingClientRect().x > x + 50, before);
  await page.getByRole("tab", { name: "Values" }).click();
  await page.waitForFunction(() => document.querySelector(".values td").textContent === "5");
  await page.evaluate(() => document.activeElement.blur()); // arrows would go from tab to tab
  await page.locator("body").press("ArrowRight");
  assert.ok(Math.abs((await time()) - 5.01) < 1e-9);
  await page.locator("body").press("Home");
  assert.equal(await time(), 0);
  await page.locator("body").press("+");
  assert.equal(await view(page, "view.timeline.speed"), 2);
  await page.locator("body").press("Space");
  await page.waitForFunction(() => globalThis.dalembertView.timeline.time > 0.1); // it plays
  await page.locator("body").press("Space");
  assert.equal(await view(page, "view.timeline.playing"), false);
  assert.deepEqual(complaints, []);
  await close();
});

test("events and the cursor stand at their times in every plot: at the start, zoomed, in another size", async () => {
  const { page, complaints, close } = await open(writePage("models:bouncing_ball"));
  const first = await view(page, "view.pose.motion.events[0].t");
  const places = () => page.evaluate((at) => [...globalThis.dalembertView.plots.panels].map(({ plot }) => {
    const box = plot.over.getBoundingClientRect();
    const part = (t) => (t - plot.scales.x.min) / (plot.scales.x.max - plot.scales.x.min);
    const seen = (line) => (line.hidden ? undefined : (line.getBoundingClientRect().left + (line.className === "event" ? 1 : 0) - box.left) / box.width);
    return { width: box.width, until: plot.scales.x.max, event: [seen(plot.over.querySelector(".event")), part(at)], cursor: [seen(plot.over.querySelector(".cursor")), part(globalThis.dalembertView.timeline.time)] };
  }), first);
  const areRight = async (when) => {
    const found = await places();
    assert.ok(found.length >= 2);
    for (const { event, cursor, width } of found)
      for (const [name, [seen, expected]] of Object.entries({ event, cursor })) assert.ok(Math.abs(seen - expected) < 1.5 / width, `${when}: ${name} at ${seen}, not ${expected}`);
    return found;
  };
  await page.waitForTimeout(500);
  const [{ until, width }] = await areRight("at the start");
  await page.evaluate("dalembertView.timeline.seek(0.4); dalembertView.draw()");
  await page.evaluate(() => globalThis.dalembertView.plots.panels.forEach(({ plot }) => plot.setScale("x", { min: 0.3, max: 0.7 })));
  const [zoomed] = await areRight("zoomed");
  assert.ok(zoomed.until < until);
  await page.setViewportSize({ width: 900, height: 800 });
  await page.waitForFunction((wide) => document.querySelector(".u-over").getBoundingClientRect().width < wide - 50, width);
  await areRight("narrow");
  await page.evaluate(() => globalThis.dalembertView.plots.panels.forEach(({ plot }) => plot.setScale("x", { min: 0.6, max: 0.7 })));
  assert.ok((await places()).every(({ event, cursor }) => event[0] === undefined && cursor[0] === undefined), "what is not in the stretch shown is hidden");
  assert.deepEqual(complaints, []);
  await close();
});

test("a curve over another column is as wide as its room, in another size too", async () => {
  const { page, complaints, close } = await open(writePage("models:pendulum"));
  await page.getByLabel("over", { exact: true }).first().selectOption("theta'");
  await page.evaluate("dalembertView.timeline.seek(0.4); dalembertView.draw()");
  for (const width of [900, 1300]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForFunction((full) => Math.abs(document.querySelector(".chart").clientWidth - 0.4 * full) < 60, width);
    await page.waitForFunction(() => Math.abs(document.querySelector(".chart svg").getBoundingClientRect().width - document.querySelector(".chart").clientWidth) <= 1);
    assert.ok(await page.locator(".chart svg circle").first().getAttribute("cx"), "with its dot");
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("pictures of plots have the page's colours", async () => {
  const file = writePage("models:pendulum");
  for (const colorScheme of ["dark", "light"]) {
    const { page, complaints, close } = await open(file, { colorScheme });
    const saved = async (kind) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: kind, exact: true }).first().click()]);
      return readFileSync(await download.path());
    };
    const [paper, ink] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
    for (const [kind, type] of [["SVG", "image/svg+xml"], ["PNG", "image/png"]]) {
      const bytes = (await saved(kind)).toString("base64");
      const corner = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        return [...context.getImageData(2, 2, 1, 1).data];
      }, `data:${type};base64,${bytes}`);
      assert.deepEqual(corner, [...paper.match(/\d+/g).map(Number), 255], `${kind}, ${colorScheme}`);
    }
    assert.ok((await saved("SVG")).toString().includes(`fill="${ink}"`), "text can be read on it");
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("plots name their axes, over time and over another column", async () => {
  const { page, complaints, close } = await open(writePage("models:pendulum"));
  const drawn = await page.evaluate(() => globalThis.dalembertView.plots.panels.map(({ plot }) => plot.axes.map((axis) => axis.label)));
  assert.deepEqual(drawn[0], ["t", "theta"]);
  assert.ok(drawn.every(([x, y]) => x === "t" && y !== ""));
  await page.getByLabel("over", { exact: true }).first().selectOption("theta'");
  assert.deepEqual(await page.locator(".chart svg .axis-name").allTextContents(), ["theta'", "theta"]);
  const ticks = (await page.locator(".chart svg text:not(.axis-name)").allTextContents()).map(Number);
  assert.ok(ticks.length >= 6 && ticks.includes(0) && ticks.every((tick) => String(Math.abs(tick)).length <= 4), `round: ${ticks}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("a model without geometry has its curves in the place of the mechanism, and its equations beside them", async () => {
  const { page, complaints, close } = await open(writePage("models:oscillator"));
  assert.equal(await page.locator(".left .u-over").count(), 2);
  assert.match(await page.locator(".left .remark").textContent(), /\[points\]/);
  assert.equal(await page.getByRole("tab", { name: "Equations" }).getAttribute("aria-selected"), "true");
  assert.ok((await page.locator(".tab-panel:not([hidden]) .katex").count()) > 0);
  await page.evaluate("dalembertView.timeline.seek(0.4); dalembertView.draw()");
  assert.ok((await page.locator(".left .cursor").first().boundingBox()).x > (await page.locator(".left .u-over").first().boundingBox()).x + 50);
  assert.deepEqual(complaints, []);
  await close();
});
