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

/** Multiples of 1, 2 or 5 times a power of ten: about `count` of them, three at least. */
export function roundTicks({ least, largest }: Range, count = 6): number[] {
  const rough = (largest - least) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= 0.999 * rough) ?? rough;
  // A multiple of the step, and not a sum of steps: so that it is written with few digits.
  const inverse = 1 / step;
  const tick = (k: number): number => (step < 1 ? k / Math.round(inverse) : k * step) || 0;
  const ticks: number[] = [];
  for (let k = Math.ceil(least / step - 1e-9); k <= largest / step + 1e-9; ++k) ticks.push(tick(k));
  return ticks;
}

/** What stands beside an axis: the names of its curves, as many as can be read there. */
export function axisName(names: string[]): string {
  const most = 22; // characters: an axis of a page's plot is no longer
  const shown = names.filter((_, i) => i === 0 || names.slice(0, i + 1).join(", ").length <= most);
  return shown.join(", ") + (shown.length < names.length ? ", …" : "");
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
  const [width, height, left, bottom, top] = [640, 360, 84, 40, 24];
  const xRange = rangeOf([x.values]);
  const yRange = rangeOf(ys.map((one) => one.values));
  const curves = ys.map((one, i) => `<path d="${curvePath(x.values, one.values, xRange, yRange, width, height)}" fill="none" stroke="${colours[i % colours.length]}" stroke-width="1.5"/>`);
  const part = (value: number, range: Range): number => (value - range.least) / (range.largest - range.least);
  const across = roundTicks(xRange).map((tick) => ({ at: (part(tick, xRange) * width).toFixed(2), text: formatNumber(tick, 6) }));
  const upwards = roundTicks(yRange).map((tick) => ({ at: ((1 - part(tick, yRange)) * height).toFixed(2), text: formatNumber(tick, 6) }));
  const grid = `<path d="${across.map(({ at }) => `M${at} 0V${height}`).join("")}${upwards.map(({ at }) => `M0 ${at}H${width}`).join("")}" stroke="#8884" fill="none"/>`;
  const ticks = [
    ...across.map(({ at, text }) => `<text x="${at}" y="${height + 16}" text-anchor="middle">${text}</text>`),
    ...upwards.map(({ at, text }) => `<text x="-6" y="${at}" dy="4" text-anchor="end">${text}</text>`),
  ];
  const legend = ys.map((one, i) => `<tspan fill="${colours[i % colours.length]}" dx="8">${escapeMarkup(one.name)}</tspan>`);
  const names =
    `<text x="${width / 2}" y="${height + 34}" text-anchor="middle">${escapeMarkup(x.name)}</text>` +
    `<text transform="translate(${16 - left} ${height / 2}) rotate(-90)" text-anchor="middle">${escapeMarkup(axisName(ys.map((one) => one.name)))}</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width + left + 20}" height="${height + bottom + top}" font-family="sans-serif" font-size="12" fill="${escapeMarkup(paper.ink)}">` +
    `<rect width="100%" height="100%" fill="${escapeMarkup(paper.background)}"/>` +
    `<g transform="translate(${left} ${top})">${grid}<rect width="${width}" height="${height}" fill="none" stroke="#999"/>${curves.join("")}${ticks.join("")}` +
    `<text x="0" y="-8">${legend.join("")}</text>${names}</g></svg>\n`
  );
}
