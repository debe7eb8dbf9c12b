// Pages that the command writes, opened in a real browser: DALEMBERT is the command, CHROMIUM the browser.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const command = resolve(process.env.DALEMBERT ?? "../build/dalembert");
export const folder = mkdtempSync(join(tmpdir(), "dalembert-pages-"));
/** Milliseconds that a state is waited for: a bound on hanging, however busy the machine is. */
export const patience = 120_000;
export let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command; its standard output. */
export function dalembert(...args) {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
/** Writes a page of a model; what stops a motion early is no failure of the page. */
export function writePage(model, ...args) {
  const file = join(folder, `${model.replace(/\W+/g, "_")}${args.join("_").replace(/\W+/g, "_")}.html`);
  try {
    dalembert("simulate", model, "-o", file, "--quiet", ...args);
  } catch (error) {
    if (error.status !== 1 && error.status !== 3) throw error;
  }
  return file;
}
/** Opens a page; whatever it logs or asks the network for goes to `complaints`. */
export async function open(file, options = {}) {
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
export const view = (page, expression) => page.evaluate(`(() => { const view = globalThis.dalembertView; return ${expression}; })()`);

/** The colour of a pixel after the page has drawn. */
export async function pixelColour(page, at) {
  // Drawn in a frame, and shown by the next: a screenshot may come between the two.
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => {
    globalThis.dalembertView.draw();
    requestAnimationFrame(() => requestAnimationFrame(shown));
  })));
  return shownColour(page, at);
}
/** The colour of a screenshot's pixel, through the page's own canvas. */
export async function shownColour(page, [x, y]) {
  const shot = await page.screenshot({ type: "png" });
  return page.evaluate(async ({ bytes, at }) => {
    const image = await createImageBitmap(await (async () => new Blob([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], { type: "image/png" }))());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return [...context.getImageData(Math.round(at[0]), Math.round(at[1]), 1, 1).data.slice(0, 3)];
  }, { bytes: shot.toString("base64"), at: [x, y] });
}
export async function sceneCorner(page) {
  const box = await page.locator(".scene").boundingBox();
  return [box.x, box.y];
}
