// What is drawn, in a real browser.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dalembert, folder, open, pixelColour, sceneCorner, shownColour, view, writePage } from "./harness.mjs";

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
