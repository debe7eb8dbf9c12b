// Plots and tables as files.
import { formatNumber } from "./text";

export interface Series {
  name: string;
  values: ArrayLike<number>;
}

/** As the command writes CSV: names quoted where they must be, absent values empty, numbers that read back the same. */
export function toCsv(series: Series[]): string {
  const quote = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const lines = [series.map((one) => quote(one.name)).join(",")];
  const rows = Math.max(0, ...series.map((one) => one.values.length));
  for (let i = 0; i < rows; ++i)
    lines.push(series.map((one) => (Number.isFinite(one.values[i]) ? String(one.values[i]) : "")).join(","));
  return lines.join("\n") + "\n";
}

export function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

export interface Range {
  least: number;
  largest: number;
}
/** Of all finite numbers; never empty. */
export function rangeOf(lists: ArrayLike<number>[]): Range {
  let least = Infinity;
  let largest = -Infinity;
  for (const list of lists)
    for (let i = 0; i < list.length; ++i) {
      const value = list[i] ?? NaN;
      if (value < least) least = value;
      if (value > largest) largest = value;
    }
  if (!(least <= largest) || !Number.isFinite(least) || !Number.isFinite(largest)) return { least: 0, largest: 1 };
  const margin = largest > least ? 0.03 * (largest - least) : Math.abs(least) || 1;
  return { least: least - margin, largest: largest + margin };
}

/** Points of a curve in a box of this size, y upwards; gaps where a number is missing. */
export function curvePath(x: ArrayLike<number>, y: ArrayLike<number>, xRange: Range, yRange: Range, width: number, height: number): string {
  let path = "";
  let pen = false;
  for (let i = 0; i < y.length; ++i) {
    const [a, b] = [x[i] ?? NaN, y[i] ?? NaN];
    if (!Number.isFinite(a) || !Number.isFinite(b)) {
      pen = false;
      continue;
    }
    const px = ((a - xRange.least) / (xRange.largest - xRange.least)) * width;
    const py = (1 - (b - yRange.least) / (yRange.largest - yRange.least)) * height;
    path += `${pen ? "L" : "M"}${px.toFixed(2)} ${py.toFixed(2)}`;
    pen = true;
  }
  return path;
}

/** Colours of a picture, which may be shown where the page's are not. */
export interface Paper {
  background: string;
  ink: string;
}

export function toSvg(x: Series, ys: Series[], colours: string[], paper: Paper): string {
  const [width, height, left, bottom, top] = [640, 360, 70, 40, 24];
  const xRange = rangeOf([x.values]);
  const yRange = rangeOf(ys.map((one) => one.values));
  const curves = ys.map((one, i) => `<path d="${curvePath(x.values, one.values, xRange, yRange, width, height)}" fill="none" stroke="${colours[i % colours.length]}" stroke-width="1.5"/>`);
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
    `<text x="${part * width}" y="${height + 16}" text-anchor="middle">${formatNumber(xRange.least + part * (xRange.largest - xRange.least), 3)}</text>`,
    `<text x="-6" y="${(1 - part) * height + 4}" text-anchor="end">${formatNumber(yRange.least + part * (yRange.largest - yRange.least), 3)}</text>`,
  ]);
  const legend = ys.map((one, i) => `<tspan fill="${colours[i % colours.length]}" dx="8">${escapeMarkup(one.name)}</tspan>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width + left + 20}" height="${height + bottom + top}" font-family="sans-serif" font-size="12" fill="${escapeMarkup(paper.ink)}">` +
    `<rect width="100%" height="100%" fill="${escapeMarkup(paper.background)}"/>` +
    `<g transform="translate(${left} ${top})"><rect width="${width}" height="${height}" fill="none" stroke="#999"/>${curves.join("")}${ticks.join("")}` +
    `<text x="0" y="-8">${legend.join("")}</text><text x="${width / 2}" y="${height + 34}" text-anchor="middle">${escapeMarkup(x.name)}</text></g></svg>\n`
  );
}
