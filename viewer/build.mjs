// Bundles src/ into dist/viewer.js and dist/viewer.css, which the command embeds; with --tests the unit tests into
// build/tests/; with --compare it fails where dist/ is not what would be built.
import { build } from "esbuild";
import { readFile, writeFile, readdir, mkdir } from "node:fs/promises";

const common = { bundle: true, target: "es2022", logLevel: "warning", legalComments: "none", charset: "ascii" };

// Letters that formulas of the engine use; the others of KaTeX's twenty fonts would double the page.
const fonts = ["Main-Regular", "Main-Italic", "Math-Italic", "Size1-Regular", "Size2-Regular", "Size3-Regular", "Size4-Regular"];

async function katexStyle() {
  const folder = "node_modules/katex/dist/";
  const css = await readFile(folder + "katex.min.css", "utf8");
  let style = css.replace(/@font-face\{[^}]*\}/g, "");
  for (const face of css.match(/@font-face\{[^}]*\}/g) ?? []) {
    const name = /fonts\/KaTeX_([A-Za-z0-9-]+)\.woff2/.exec(face)?.[1];
    if (!fonts.includes(name)) continue;
    const bytes = await readFile(`${folder}fonts/KaTeX_${name}.woff2`);
    style += face.replace(/src:[^}]*/, `src:url(data:font/woff2;base64,${bytes.toString("base64")}) format("woff2")`);
  }
  return style;
}

/** Every page is a copy of these libraries: their licences go with it. */
async function licences() {
  const texts = ["three", "katex", "uplot"].map(async (name) => `${name}\n\n${(await readFile(`node_modules/${name}/LICENSE`, "utf8")).trim()}`);
  return `/*\nThis script and its style contain the following libraries.\n\n${(await Promise.all(texts)).join("\n\n")}\n*/\n`;
}

async function bundle() {
  const script = await build({ ...common, entryPoints: ["src/main.ts"], format: "iife", minify: true, write: false });
  const own = await build({ ...common, entryPoints: ["src/page.css"], minify: true, write: false });
  const uplot = await readFile("node_modules/uplot/dist/uPlot.min.css", "utf8");
  return { "viewer.js": (await licences()) + script.outputFiles[0].text, "viewer.css": `${await katexStyle()}\n${uplot}\n${own.outputFiles[0].text}` };
}

if (process.argv.includes("--tests")) {
  const entryPoints = (await readdir("tests")).filter((name) => name.endsWith(".test.ts")).map((name) => `tests/${name}`);
  await build({ ...common, entryPoints, outdir: "build/tests", format: "esm", platform: "node", outExtension: { ".js": ".mjs" } });
} else {
  const files = await bundle();
  await mkdir("dist", { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    if (/<\/script|<!--|<\/style/i.test(text)) throw new Error(`${name} would end its own element`);
    if (!process.argv.includes("--compare")) await writeFile(`dist/${name}`, text);
    else if ((await readFile(`dist/${name}`, "utf8")) !== text) throw new Error(`dist/${name} is not what src/ builds: run npm run build and commit it`);
  }
}
