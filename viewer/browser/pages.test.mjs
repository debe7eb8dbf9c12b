// The pages of all models: that they open, their size, their keys and colours, what they refuse.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { browser, dalembert, folder, open, patience, view, writePage } from "./harness.mjs";

const models = dalembert("models").split("\n").map((line) => /^models:(\w+)/.exec(line)?.[1]).filter(Boolean);

test("every bundled model opens without a complaint and without the network, in few draw calls", async () => {
  assert.ok(models.length >= 40, `found ${models.length} models`);
  const wrong = [];
  for (const name of models) {
    const file = writePage(`models:${name}`);
    const { page, complaints, close } = await open(file);
    const calls = await view(page, "view.drawCalls");
    if (calls > 50) complaints.push(`${calls} draw calls`);
    if ((await page.locator("h1").textContent()) === "") complaints.push("no title");
    if (complaints.length > 0) wrong.push(`${name}: ${complaints.join("; ")}`);
    await close();
  }
  assert.deepEqual(wrong, []);
});

test("everything can be reached by the keyboard alone", async () => {
  const { page, close } = await open(writePage("models:spherical_pendulum"));
  const seen = new Set();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => { const one = document.activeElement; return one?.getAttribute("aria-label") || one?.getAttribute("title") || one?.textContent || ""; }));
  }
  for (const expected of ["play", "time", "speed", "Plots", "follow", "curve"]) assert.ok([...seen].some((name) => name.includes(expected)), `${expected} in ${[...seen].join("|")}`);
  await page.getByRole("tab", { name: "Plots" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("tab", { name: "Values" }).getAttribute("aria-selected"), "true");
  await close();
});

test("a model of thousands of columns has a page of a few megabytes that says what it leaves out", async () => {
  const file = writePage("models:chain_1000");
  assert.ok(statSync(file).size < 6e6, `${statSync(file).size} bytes`);
  const { page, complaints, close } = await open(file);
  assert.match(await page.locator("footer").textContent(), /rows are shown, with seven digits/);
  const rows = dalembert("simulate", "models:chain_1000", "--columns", "x1000,y1000", "--quiet").trim().split("\n");
  const [, x, y] = rows.at(-1).split(",").map(Number);
  await page.evaluate("dalembertView.timeline.seek(0.1); dalembertView.draw()");
  const at = await view(page, "view.pose.position(view.pose.scene.places.findIndex((place) => place.name === 'P1000'))");
  assert.ok(Math.hypot(at[0] - x, at[1] - y) < 1e-6, `its end is at ${at}, not at ${x}, ${y}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("names that look like markup stay text", async () => {
  const evil = "</script><img src=x onerror=document.title='broken'>";
  const file = join(folder, "evil.toml");
  writeFileSync(file, `name = "${evil}"\nabout = "<!--<script>${evil}"\n[parameters]\nl = 1\n[coordinates]\nq = 1\n[points.P]\nposition = ["l*cos(q)", "l*sin(q)", 0]\nmass = 1\n[simulate]\nuntil = 1\n`);
  const { page, complaints, close } = await open(writePage(file));
  assert.equal(await page.locator("h1").textContent(), evil);
  assert.equal(await page.title(), evil);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(complaints, []);
  const tried = await page.evaluate(() => { const script = document.createElement("script"); script.textContent = "globalThis.intruder = 1"; document.body.append(script); return globalThis.intruder; });
  assert.equal(tried, undefined, "no script but the page's own runs");
  await close();
});

test("dark and light, wide and narrow: text can be read and nothing sticks out", async () => {
  const file = writePage("models:iftomm_A02_fourbar");
  for (const colorScheme of ["dark", "light"]) {
    const { page, complaints, close } = await open(file, { colorScheme, viewport: { width: 390, height: 800 } });
    const [ink, paper] = await page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor].map((text) => text.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)));
    assert.ok(colorScheme === "dark" ? ink > paper + 400 : paper > ink + 400);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), "no sideways scrolling");
    await page.locator(".theme").click();
    const flipped = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0));
    assert.ok(Math.abs(flipped - paper) > 400);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a page without data is small, a long motion is thinned and says so", async () => {
  const small = statSync(writePage("models:pendulum", "--until", "0.1", "--every", "0.05")).size;
  assert.ok(small <= 1.3e6, `${small} bytes`);
  const packed = gzipSync(readFileSync(writePage("models:pendulum", "--until", "0.1", "--every", "0.05"))).length;
  assert.ok(packed <= 6e5, `${packed} bytes compressed`);
  const { page, complaints, close } = await open(writePage("models:oscillator", "--until", "1000", "--every", "0.001"));
  assert.match(await page.locator("footer").textContent(), /of 1000001 rows are shown/);
  assert.deepEqual(complaints, []);
  await close();
});

test("ten thousand rows take less than a second of the page's own thread until they are drawn", async () => {
  const file = writePage("models:double_pendulum", "--every", "0.001");
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" }); // not a clock: others may be at work
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => globalThis.dalembertView?.drawCalls > 0);
  const { metrics } = await session.send("Performance.getMetrics");
  const seconds = metrics.find((metric) => metric.name === "TaskDuration").value;
  assert.ok(seconds > 0 && seconds < 1, `${seconds} s`);
  await page.close();
});
