// The pages that the command writes, in a real browser: DALEMBERT is the command, CHROMIUM the browser.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const command = resolve(process.env.DALEMBERT ?? "../build/dalembert");
const folder = mkdtempSync(join(tmpdir(), "dalembert-pages-"));
/** Milliseconds that a state is waited for: a bound on hanging, however busy the machine is. */
const patience = 120_000;
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command; its standard output. */
function dalembert(...args) {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
/** Writes a page of a model; what stops a motion early is no failure of the page. */
function writePage(model, ...args) {
  const file = join(folder, `${model.replace(/\W+/g, "_")}${args.join("_").replace(/\W+/g, "_")}.html`);
  try {
    dalembert("simulate", model, "-o", file, "--quiet", ...args);
  } catch (error) {
    if (error.status !== 1 && error.status !== 3) throw error;
  }
  return file;
}
/** Opens a page; whatever it logs or asks the network for goes to `complaints`. */
async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(`request of ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => globalThis.dalembertView !== undefined);
  return { page, complaints, close: () => context.close() };
}
const view = (page, expression) => page.evaluate(`(() => { const view = globalThis.dalembertView; return ${expression}; })()`);

/** The colour of a pixel after the page has drawn. */
async function pixelColour(page, at) {
  // Drawn in a frame, and shown by the next: a screenshot may come between the two.
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => {
    globalThis.dalembertView.draw();
    requestAnimationFrame(() => requestAnimationFrame(shown));
  })));
  return shownColour(page, at);
}
/** The colour of a screenshot's pixel, through the page's own canvas. */
async function shownColour(page, [x, y]) {
  const shot = await page.screenshot({ type: "png" });
  return page.evaluate(async ({ bytes, at }) => {
    const image = await createImageBitmap(await (async () => new Blob([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], { type: "image/png" }))());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return [...context.getImageData(Math.round(at[0]), Math.round(at[1]), 1, 1).data.slice(0, 3)];
  }, { bytes: shot.toString("base64"), at: [x, y] });
}
async function sceneCorner(page) {
  const box = await page.locator(".scene").boundingBox();
  return [box.x, box.y];
}

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

test("the pendulum's bob is drawn where its state says", async () => {
  const { page, complaints, close } = await open(writePage("models:pendulum"));
  for (const key of ["n", "r", "p"]) await page.keyboard.press(key); // no names, arrows or path over the bob
  const [left, top] = await sceneCorner(page);
  const box = await page.locator(".scene").boundingBox();
  for (const t of [0, 0.35, 0.8]) {
    await page.evaluate(`dalembertView.timeline.seek(${t}); dalembertView.draw()`);
    const [x, y] = await view(page, "view.pixel('P')");
    const [origin, bottom] = await Promise.all([view(page, "view.pixel('world')"), box.height]);
    const theta = (await view(page, "Array.from(view.pose.row)"))[1];
    const scale = Math.hypot(x - origin[0], y - origin[1]) / 0.9; // pixels a length; l = 0.9
    assert.ok(Math.abs(x - origin[0] - scale * 0.9 * Math.sin(theta)) < 0.01 && Math.abs(y - origin[1] - scale * 0.9 * Math.cos(theta)) < 0.01);
    assert.ok(y < bottom);
    const [red, , blue] = await pixelColour(page, [left + x, top + y]);
    assert.ok(blue > red + 40, `at t = ${t} the bob is blue: ${red}, ${blue}`);
    const beside = await pixelColour(page, [left + origin[0] - (x - origin[0]), top + y]); // its mirror image is empty
    assert.ok(Math.abs(x - origin[0]) < 20 || Math.abs(beside[0] - beside[2]) < 20, `beside it is background: ${beside}`);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("the mechanism is there at once and after each change of size, without a hand on the page", async () => {
  const { page, complaints, close } = await open(writePage("models:pendulum"));
  const seesBob = async (when) => {
    await page.waitForTimeout(1000);
    const [left, top] = await sceneCorner(page);
    const [x, y] = await view(page, "view.pixel('P')");
    const [red, , blue] = await shownColour(page, [left + x, top + y]);
    assert.ok(blue > red + 40, `${when} the bob is blue: ${red}, ${blue}`);
  };
  await seesBob("at the start");
  for (const [width, height] of [[1000, 700], [700, 900], [1200, 800]]) {
    await page.setViewportSize({ width, height });
    await seesBob(`at ${width} x ${height}`);
  }
  await page.evaluate(() => document.body.prepend(Object.assign(document.createElement("p"), { textContent: "something above it" })));
  await seesBob("pushed down");
  assert.deepEqual(complaints, []);
  await close();
});

test("arrows have the length and direction of the reaction", async () => {
  const file = writePage("models:pendulum");
  const rows = dalembert("simulate", "models:pendulum", "--until", "0.35", "--quiet").trim().split("\n");
  const tension = Math.abs(Number(rows.at(-1).split(",")[rows[0].split(",").indexOf("reaction(l)")]));
  const { page, close } = await open(file);
  await page.evaluate("dalembertView.timeline.seek(0.35); dalembertView.draw()");
  const [arrow] = await view(page, "view.arrows()");
  const scale = await view(page, "view.stage.arrowScale");
  assert.ok(Math.abs(arrow.length / scale - tension) < 1e-6 * tension, `${arrow.length / scale} against ${tension}`);
  const [origin, bob] = [await view(page, "view.pixel('world')"), await view(page, "view.pixel('P')")];
  const cross = (arrow.to[0] - arrow.from[0]) * (origin[1] - bob[1]) - (arrow.to[1] - arrow.from[1]) * (origin[0] - bob[0]);
  const dot = (arrow.to[0] - arrow.from[0]) * (origin[0] - bob[0]) + (arrow.to[1] - arrow.from[1]) * (origin[1] - bob[1]);
  assert.ok(Math.abs(cross) < 1e-3 * dot && dot > 0, "it pulls towards the pivot");
  assert.match(await page.locator(".labels .force").first().textContent(), /^l \d/);
  await page.close();
  await close();
});

test("no label covers another", async () => {
  for (const model of ["models:iftomm_A02_fourbar", "models:whipple_bicycle"]) {
    const { page, complaints, close } = await open(writePage(model));
    let count = 0;
    for (const part of [0, 0.13, 0.5, 0.77]) {
      const covered = await page.evaluate((when) => {
        const { timeline } = globalThis.dalembertView;
        timeline.seek(timeline.from + when * (timeline.until - timeline.from));
        globalThis.dalembertView.draw();
        const boxes = [...document.querySelectorAll(".labels span:not(.hidden)")].map((label) => ({ text: label.textContent, ...label.getBoundingClientRect().toJSON() }));
        const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).map((b) => [a, b]));
        return { count: boxes.length, pairs: pairs.filter(([a, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5).map(([a, b]) => `${a.text} / ${b.text}`) };
      }, part);
      count += covered.count;
      assert.deepEqual(covered.pairs, [], `${model} at ${part}`);
    }
    assert.ok(count > 8, `${count} labels`);
    assert.deepEqual(complaints, []);
    await close();
  }
});

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

test("equations are set, and their text is there too", async () => {
  const { page, complaints, close } = await open(writePage("models:rolling_disk_body"));
  await page.getByRole("tab", { name: "Equations" }).click();
  assert.ok((await page.locator(".equations .katex").count()) > 0);
  assert.equal(await page.locator(".equations .katex-error").count(), 0);
  assert.ok((await page.locator(".equations").textContent()).includes("λ"));
  await page.getByRole("tab", { name: "Reactions" }).click();
  assert.match(await page.locator(".tab-panel:not([hidden]) pre").textContent(), /reaction\(roll\.z\)/);
  await page.getByRole("tab", { name: "Check" }).click();
  assert.match(await page.locator(".tab-panel:not([hidden]) pre").textContent(), /freedom/);
  assert.deepEqual(complaints, []);
  await close();
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

test("a second motion is a ghost, dashed curves and a column of values", async () => {
  const { page, complaints, close } = await open(writePage("models:pendulum", "--beside", "l=1.4"));
  await page.evaluate("dalembertView.timeline.seek(0.8); dalembertView.draw()");
  const [first, second] = await view(page, "[view.pose, view.ghost].map((pose) => Array.from(pose.row))");
  assert.notEqual(first[1], second[1]);
  const rows = dalembert("simulate", "models:pendulum", "--set", "l=1.4", "--until", "0.8", "--quiet").trim().split("\n");
  assert.ok(Math.abs(second[1] - Number(rows.at(-1).split(",")[1])) < 1e-7);
  // The ghost's bob hangs as far down as its own length says.
  const lengths = await view(page, "[view.pose, view.ghost].map((pose) => Math.hypot(...pose.position(view.pose.scene.places.findIndex((place) => place.name === 'P'))))");
  assert.ok(Math.abs(lengths[1] - 1.4) < 1e-12 && Math.abs(lengths[0] - 0.9) < 1e-12, String(lengths));
  assert.match(await page.locator(".plots .hint").textContent(), /dashed: l=1\.4/);
  await page.getByRole("tab", { name: "Values" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".values tr:nth-child(3) td").length === 2);
  // Beside each other: to the right of everything the first one reaches, and both are seen.
  await page.locator("body").press("b");
  await page.waitForFunction(() => globalThis.dalembertView.ghost.offset[0] > 0);
  const places = await view(page, "[view.pose, view.ghost].map((pose) => view.stage.project(pose.position(view.pose.scene.places.findIndex((place) => place.name === 'P'))))");
  const { width } = await page.locator(".scene").boundingBox();
  assert.ok(places[0][0] > 0 && places[0][0] < width / 2 && places[1][0] > width / 2 && places[1][0] < width, JSON.stringify(places));
  assert.ok(Math.abs((await view(page, "view.ghost.row[1]")) - second[1]) < 1e-12, "at the same time");
  await page.locator("body").press("b");
  await page.waitForFunction(() => globalThis.dalembertView.ghost.offset[0] === 0);
  const calls = await view(page, "view.drawCalls");
  await page.locator("body").press("g");
  await page.waitForFunction(() => !globalThis.dalembertView.stage.show.ghost);
  await page.evaluate("dalembertView.draw()");
  assert.ok((await view(page, "view.drawCalls")) < calls, "it can be hidden");
  assert.deepEqual(complaints, []);
  await close();
});

const triangle = "solid a\nfacet normal 0 0 1\nouter loop\nvertex -1 -1 0\nvertex 1 -1 0\nvertex 0 1.5 0\nendloop\nendfacet\nendsolid\n";

test("shapes of the model are drawn where and as it says", async () => {
  const file = join(folder, "shapes.toml");
  writeFileSync(join(folder, "part.stl"), triangle);
  writeFileSync(file, `name = "Shapes"
[coordinates]
q = { value = 0.5, rate = 1 }
[frames.arm]
rotate = [["z", "q"]]
[points.P]
frame = "arm"
position = [3, 0, 0]
mass = 1
[shapes.red]
kind = "sphere"
frame = "arm"
at = [3, 0, 0]
size = 0.5
colour = "#ff0000"
[shapes.coil]
kind = "spring"
between = ["world", "P"]
size = [0.2, 6]
[shapes.rod]
kind = "rod"
between = ["world", "P"]
[shapes.line]
kind = "line"
between = ["world", "P"]
[shapes.box]
kind = "box"
at = [-3, 0, 0]
size = [1, 1, 1]
colour = "#00ff00"
[shapes.wheel]
kind = "wheel"
at = [0, 3, 0]
size = 0.5
[shapes.disk]
kind = "disk"
at = [0, -3, 0]
size = 0.5
axis = "x"
[shapes.tube]
kind = "cylinder"
at = [2, -3, 0]
size = [0.2, 1]
[shapes.ground]
kind = "ground"
axis = "y"
at = [0, -4, 0]
[shapes.part]
kind = "mesh"
file = "part.stl"
at = [-3, 3, 0]
colour = "#0000ff"
[simulate]
until = 2
`);
  const { page, complaints, close } = await open(writePage(file));
  await page.evaluate("Object.assign(dalembertView.stage.show, { names: false, paths: false }); dalembertView.timeline.seek(1); dalembertView.draw()");
  const [left, top] = await sceneCorner(page);
  const coloured = async (name, channel) => {
    const at = await view(page, `view.pixel('${name}')`);
    const colour = await pixelColour(page, [left + at[0] + 3, top + at[1] + 9]);
    assert.ok(colour[channel] > Math.max(...colour.filter((_, k) => k !== channel)) + 60, `${name}: ${colour}`);
  };
  await coloured("box", 1);
  await coloured("part", 2);
  const red = await view(page, "view.pixel('red')");
  const [origin, corner] = [await view(page, "view.pixel('world')"), await view(page, "view.pixel('box')")];
  const scale = (origin[0] - corner[0]) / 3;
  assert.ok(Math.abs(red[0] - origin[0] - 3 * scale * Math.cos(1.5)) < 0.5 && Math.abs(origin[1] - red[1] - 3 * scale * Math.sin(1.5)) < 0.5, "the ball is where its frame takes it");
  const beside = await pixelColour(page, [left + red[0] + 0.35 * scale, top + red[1] - 0.2 * scale]);
  assert.ok(beside[0] > beside[1] + 60, `inside of its radius it is red: ${beside}`);
  const outside = await pixelColour(page, [left + red[0] + 0.6 * scale, top + red[1] - 0.2 * scale]);
  assert.ok(Math.abs(outside[0] - outside[1]) < 30, `outside it is not: ${outside}`);
  assert.ok((await view(page, "view.drawCalls")) <= 50);
  assert.deepEqual(complaints, []);
  await close();
});

test("what an impact strikes flashes", async () => {
  const { page, complaints, close } = await open(writePage("models:bouncing_ball"));
  const t = await view(page, "view.pose.motion.events.find((event) => event.kind === 'impact').t");
  const calls = async (time) => (await page.evaluate(`dalembertView.timeline.seek(${time}); dalembertView.draw()`), view(page, "view.drawCalls"));
  const quiet = await calls(t - 0.01);
  assert.ok((await calls(t + 0.01)) > quiet, "one solid more is drawn");
  assert.match(await page.locator(".happening").textContent(), /impact/);
  assert.deepEqual(complaints, []);
  await close();
});

/** `dalembert view` of a file, until `use` has ended. */
async function viewing(file, use) {
  const server = spawn(command, ["view", file], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const address = await new Promise((found, lost) => {
      server.stdout.once("data", (text) => found(String(text).trim()));
      server.once("exit", () => lost(new Error("it ended")));
    });
    await use(address);
  } finally {
    server.kill("SIGINT");
    await new Promise((ended) => (server.exitCode === null ? server.once("exit", ended) : ended()));
  }
  assert.equal(server.exitCode, 0);
}

test("a served page computes contacts by the engine, follows the file and shows its errors", async () => {
  const file = join(folder, "ball.toml");
  const text = (e) => `name = "Ball"\ngravity = [0, 0, -9.81]\n[parameters]\ne = ${e}\n[coordinates]\nz = 1\n[points.P]\nposition = [0, 0, "z"]\nmass = 1\n[constraints]\nfloor = { relation = "z >= 0", restitution = "e" }\n[simulate]\nuntil = 2\n`;
  writeFileSync(file, text(0.5));
  await viewing(file, async (address) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(patience);
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => request.url().startsWith(address) || request.url().startsWith("data:") || complaints.push(request.url()));
    await page.goto(address);
    await page.waitForFunction(() => globalThis.dalembertView !== undefined);
    await page.getByRole("tab", { name: "Live" }).click();
    await page.getByLabel("e as a number", { exact: true }).fill("0.9");
    await page.getByLabel("e as a number", { exact: true }).press("Enter");
    await page.waitForFunction(() => globalThis.dalembertView.parameters[0] === 0.9);
    const rows = dalembert("simulate", file, "--set", "e=0.9", "--quiet").trim().split("\n");
    const last = await view(page, "view.pose.motion.column(1).at(-1)");
    assert.equal(last, Number(rows.at(-1).split(",")[1]), "the engine's own number");
    writeFileSync(file, text('"f"'));
    await page.waitForFunction(() => /4 \| e = "f"/.test(document.querySelector(".news").textContent));
    await page.waitForTimeout(500);
    const [left, top] = await sceneCorner(page);
    const [x, y] = await view(page, "view.pixel('P')");
    const [red, , blue] = await shownColour(page, [left + x, top + y]);
    assert.ok(blue > red + 40, `the ball is still there below the message: ${red}, ${blue}`);
    writeFileSync(file, text(0.7));
    await page.waitForFunction(() => globalThis.dalembertView?.parameters[0] === 0.7 && document.querySelector(".news").hidden);
    const live = page.getByRole("tab", { name: "Live" });
    assert.equal(await live.getAttribute("aria-selected"), "true", "the tab that was open is open");
    assert.ok(await page.getByLabel("e as a number", { exact: true }).isVisible());
    await page.getByRole("tab", { name: "Plots" }).click();
    await page.waitForFunction(() => document.querySelector(".u-over")?.getBoundingClientRect().width > 250); // as wide as there is room
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

test("sliders give the motion that the engine gives", async () => {
  for (const [model, name, value] of [["models:pendulum", "l", 1.2], ["models:spherical_pendulum", "m", 2.5], ["models:rolling_disk_body", "r", 0.36], ["models:heavy_top_quaternion", "c", 0.4]]) {
    const { page, complaints, close } = await open(writePage(model, "--until", "2"));
    await page.getByRole("tab", { name: "Live" }).click();
    await page.getByLabel(`${name} as a number`, { exact: true }).fill(String(value));
    await page.getByLabel(`${name} as a number`, { exact: true }).press("Enter");
    await page.waitForFunction(() => /differs from/.test(document.querySelector("footer").textContent));
    await page.waitForFunction(([name, wanted]) => { // by its place: another parameter may have the same value
      const { parameters, data } = globalThis.dalembertView;
      return parameters[data.parameters.findIndex((one) => one.name === name)] === wanted;
    }, [name, value]);
    const live = await view(page, "({ columns: view.pose.motion.columns, data: view.pose.motion.data.map((column) => Array.from(column)) })");
    const file = join(folder, "live.csv");
    dalembert("simulate", model, "--until", "2", "--every", String(live.data[0][1] - live.data[0][0]), "--set", `${name}=${value}`, "-o", file, "--quiet");
    const [head, ...rows] = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
    let worst = 0;
    head.forEach((column, k) => {
      if (column === "residual") return;
      const at = live.columns.indexOf(column);
      const size = Math.max(1e-3, ...rows.map((row) => Math.abs(Number(row[k]))));
      for (const row of [1, Math.floor(rows.length / 2), rows.length - 1]) worst = Math.max(worst, Math.abs(live.data[at][row] - Number(rows[row][k])) / size);
    });
    assert.ok(worst < 1e-8, `${model}: ${worst}`);
    assert.ok(worst > 0, "two computations do not agree to the last bit: numbers were compared");
    assert.match(await page.locator("footer").textContent(), /differs from the engine's by/);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("fit shows all of the motion that the sliders have made", async () => {
  const { page, complaints, close } = await open(writePage("models:pendulum"));
  await page.getByRole("tab", { name: "Live" }).click();
  await page.getByLabel("l as a number", { exact: true }).fill("2");
  await page.getByLabel("l as a number", { exact: true }).press("Enter");
  await page.waitForFunction(() => globalThis.dalembertView.parameters.includes(2));
  await page.evaluate("dalembertView.timeline.seek(0.7); dalembertView.draw()");
  const { width, height } = await page.locator(".scene").boundingBox();
  const seen = async () => page.evaluate(([right, bottom]) => {
    const { pose, timeline, stage } = globalThis.dalembertView;
    const bob = pose.scene.places.findIndex((place) => place.name === "P");
    const out = [];
    for (let i = 0; i <= 100; ++i) {
      pose.moveTo((timeline.until * i) / 100);
      const [x, y] = stage.project(pose.position(bob));
      if (!(x > 0 && y > 0 && x < right && y < bottom)) out.push([x, y]);
    }
    globalThis.dalembertView.draw();
    return out.length;
  }, [width, height]);
  assert.ok((await seen()) > 0, "the longer pendulum leaves the scene");
  await page.getByRole("button", { name: "fit" }).click();
  assert.equal(await seen(), 0);
  assert.equal(await view(page, "view.pose.row[0]"), 0.7);
  for (const { to } of await view(page, "view.arrows()")) assert.ok(to[0] > 0 && to[1] > 0 && to[0] < width && to[1] < height, `an arrow's tip at ${to}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("what only the engine follows is played, and the page says why", async () => {
  const { page, complaints, close } = await open(writePage("models:bouncing_ball"));
  await page.getByRole("tab", { name: "Live" }).click();
  assert.match(await page.locator(".tab-panel:not([hidden])").textContent(), /contacts/);
  assert.ok((await page.locator(".event").count()) > 0, "impacts are marked");
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

test("tables of text keep their lines and scroll in their own box, wide or narrow", async () => {
  const file = writePage("models:double_pendulum");
  for (const width of [1200, 390]) {
    const { page, complaints, close } = await open(file, { viewport: { width, height: 800 } });
    for (const name of ["Verify", "Check", "Run"]) {
      await page.getByRole("tab", { name }).click();
      const { lines, written, scrolls, inside } = await page.locator(".tab-panel:not([hidden]) pre").evaluate((pre) => ({
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

test("the path of a long motion is where the point was", async () => {
  const { page, complaints, close } = await open(writePage("models:pendulum", "--until", "1000", "--every", "0.001"));
  const nearest = await page.evaluate(() => {
    const [path] = globalThis.dalembertView.stage.paths.children;
    const { array } = path.geometry.attributes.position;
    let least = Infinity;
    for (let i = 3; i < array.length; i += 3) least = Math.min(least, Math.hypot(...[0, 1, 2].map((k) => (array[i + k] + array[i + k - 3]) / 2)));
    return least;
  });
  assert.ok(nearest > 0.99 * 0.9 && nearest < 0.9, `a straight part of the path comes as near to the pivot as ${nearest}; l = 0.9`);
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
