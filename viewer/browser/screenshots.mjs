// The pictures of docs/images, from pages of bundled models: npm run screenshots.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const command = resolve(process.env.DALEMBERT ?? "../build/dalembert");
const images = resolve("../docs/images");

// model, time, what is opened beside it
const shots = [
  ["rolling_disk_body", 1.1, "Equations"],
  ["double_pendulum", 0.9, "Plots"],
  ["whipple_bicycle", 0.8, "Plots"],
  ["iftomm_A02_fourbar", 0.6, "Reactions"],
  ["heavy_top_quaternion", 0.7, "Live"],
  ["car_with_trailer", 2, "Plots"],
  ["spherical_pendulum", 0.8, "Plots"],
  ["block_on_table", 0.9, "Plots"],
  ["chain_10", 0.3, "Values"],
  ["three_link_arm", 0.5, "Check"],
];

const folder = mkdtempSync(join(tmpdir(), "dalembert-shots-"));
mkdirSync(images, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
for (const [model, time, tab] of shots) {
  const file = join(folder, `${model}.html`);
  execFileSync(command, ["simulate", `models:${model}`, "-o", file, "--quiet"], { stdio: "inherit" });
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => globalThis.dalembertView !== undefined);
  await page.evaluate((t) => globalThis.dalembertView.timeline.seek(t), time);
  await page.getByRole("tab", { name: tab }).click();
  await page.waitForTimeout(800);
  await page.evaluate(() => globalThis.dalembertView.draw());
  await page.screenshot({ path: join(images, `${model}.jpg`), type: "jpeg", quality: 72 });
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
