// Motions that are computed again, in a real browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { browser, command, dalembert, folder, open, patience, sceneCorner, shownColour, view, writePage } from "./harness.mjs";

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

test("what only the engine follows is played, and the page says why", async () => {
  const { page, complaints, close } = await open(writePage("models:bouncing_ball"));
  await page.getByRole("tab", { name: "Live" }).click();
  assert.match(await page.locator(".tab-panel:not([hidden])").textContent(), /contacts/);
  assert.ok((await page.locator(".event").count()) > 0, "impacts are marked");
  assert.deepEqual(complaints, []);
  await close();
});
