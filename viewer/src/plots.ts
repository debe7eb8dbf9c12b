// Curves over time and phase portraits, with the scene's time as their cursor.
import uPlot from "uplot";
import { axisName, toCsv, toSvg, type Series } from "./exports";
import { Marks } from "./marks";
import type { Motion } from "./motion";
import { Portrait } from "./portrait";
import { element, offerFile } from "./text";

export const plotColours = ["#3b7dd8", "#d8703b", "#3ba55d", "#9b59b6", "#c0a030", "#2aa5a5", "#d84b7d", "#7f8c3b"];
const colourOf = (i: number): string => plotColours[i % plotColours.length] ?? "";
const plotHeight = 206;

/** One panel: some columns over time, or over another column. */
class Panel {
  readonly root = element("section", { className: "panel" });
  private readonly chart = element("div", { className: "chart" });
  private readonly legend = element("div", { className: "legend" });
  private plot?: uPlot;
  private marks?: Marks;
  private row?: Float64Array;
  private width = 200;
  private moveDot?: (row: Float64Array) => void;
  private x = 0;
  private readonly chosen: Set<number>;

  constructor(private motion: Motion, private readonly beside: Motion | undefined, columns: number[], private readonly seek: (t: number) => void, remove: () => void) {
    this.chosen = new Set(columns);
    this.root.append(this.tools(remove), this.legend, this.chart);
    new ResizeObserver(() => this.resize()).observe(this.chart);
    this.build();
  }
  private tools(remove: () => void): HTMLElement {
    const { columns } = this.motion;
    const over = element("select", { ariaLabel: "over" }, ...columns.map((name, i) => element("option", { value: String(i) }, name)));
    over.onchange = () => ((this.x = Number(over.value)), this.build());
    const add = element("select", { ariaLabel: "curve" }, element("option", { value: "" }, "curve …"), ...columns.slice(1).map((name, i) => element("option", { value: String(i + 1) }, name)));
    add.onchange = () => {
      const column = Number(add.value);
      if (add.value !== "" && !this.chosen.delete(column)) this.chosen.add(column);
      add.value = "";
      this.build();
    };
    const button = (text: string, action: () => void): HTMLElement => element("button", { type: "button", onclick: action }, text);
    return element("div", { className: "tools" }, add, " over ", over,
      button("SVG", () => offerFile("plot.svg", new Blob([this.drawSvg()], { type: "image/svg+xml" }))),
      button("PNG", () => this.savePicture()),
      button("CSV", () => offerFile("plot.csv", new Blob([toCsv([this.series(0), ...(this.x === 0 ? [] : [this.series(this.x)]), ...this.curves()])], { type: "text/csv" }))),
      button("×", remove));
  }
  private series(column: number): Series {
    return { name: this.motion.columns[column] ?? "", values: this.motion.column(column) };
  }
  private curves(): Series[] {
    return [...this.chosen].map((column) => this.series(column));
  }
  private drawSvg(): string {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return toSvg(this.series(this.x), this.curves(), plotColours, { background: backgroundColor, ink: color });
  }
  private savePicture(): void {
    const image = new Image();
    image.onload = () => {
      const canvas = element("canvas", { width: image.width * 2, height: image.height * 2 });
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => blob && offerFile("plot.png", blob));
    };
    image.src = `data:image/svg+xml,${encodeURIComponent(this.drawSvg())}`;
  }

  setMotion(motion: Motion): void {
    this.motion = motion;
    this.build();
  }
  build(): void {
    this.plot?.destroy();
    this.plot = this.marks = this.moveDot = undefined;
    this.chart.replaceChildren();
    this.width = this.chart.clientWidth || this.width; // none while it is hidden
    this.legend.replaceChildren(...[...this.chosen].map((column, i) => {
      const name = element("button", { type: "button", title: "take away", onclick: () => (this.chosen.delete(column), this.build()) }, this.motion.columns[column] ?? "");
      name.style.color = colourOf(i);
      return name;
    }));
    if (this.x === 0) this.buildOverTime();
    else this.buildPortrait();
    if (this.row) this.moveTo(this.row);
  }
  private buildOverTime(): void {
    const ink = getComputedStyle(document.body).color;
    const axis = (): uPlot.Axis => ({ stroke: ink, grid: { stroke: "#88888833", width: 1 }, ticks: { stroke: "#88888855", width: 1 }, size: 56 });
    const named = { labelSize: 18, labelGap: 0, labelFont: "12px system-ui, sans-serif" };
    const gaps = (values: Float64Array): (number | null)[] => Array.from(values, (value) => (Number.isFinite(value) ? value : null));
    const others = this.others();
    const data = [this.motion.times, ...[...this.chosen].map((column) => gaps(this.motion.column(column))), ...others.map(({ other }) => gaps(this.beside?.columnAt(other, this.motion.times) ?? new Float64Array()))];
    const line = (i: number): uPlot.Series => ({ stroke: colourOf(i), width: 1.5, points: { show: false } });
    const options: uPlot.Options = {
      width: this.width,
      height: plotHeight,
      scales: { x: { time: false }, y: { range: (_, least, largest) => showRange(least, largest) } },
      legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { show: false } },
      axes: [{ ...axis(), size: 32, label: this.motion.columns[0] ?? "", ...named }, { ...axis(), label: this.yName(), ...named }],
      series: [{}, ...[...this.chosen].map((column, i) => ({ ...line(i), label: this.motion.columns[column] ?? "" })), ...others.map(({ i }) => ({ ...line(i), dash: [6, 5] }))],
    };
    this.plot = new uPlot(options, data as unknown as uPlot.AlignedData, this.chart);
    this.marks = new Marks(this.plot, this.motion.events);
    this.plot.over.addEventListener("click", (event) => this.plot && this.seek(this.plot.posToVal(event.offsetX, "x")));
  }
  /** The second motion's columns of the same names: drawn dashed. */
  private others(): { i: number; other: number }[] {
    const { beside } = this;
    if (!beside) return [];
    return [...this.chosen].map((column, i) => ({ i, other: beside.columns.indexOf(this.motion.columns[column] ?? "") })).filter(({ other }) => other > 0);
  }
  private buildPortrait(): void {
    const x = this.motion.columns[this.x] ?? "";
    const over = this.beside?.columns.indexOf(x) ?? -1;
    const second = (column: number): Float64Array => this.beside?.column(column) ?? new Float64Array();
    const columns = [...this.chosen];
    const first = columns.map((column, i) => ({ x: this.motion.column(this.x), y: this.motion.column(column), colour: colourOf(i) }));
    const others = over > 0 ? this.others().map(({ i, other }) => ({ x: second(over), y: second(other), colour: colourOf(i), dashed: true })) : [];
    const portrait = new Portrait([...first, ...others], { x, y: this.yName() }, this.width, 270);
    this.moveDot = (row) => portrait.moveTo(row[this.x] ?? NaN, columns.map((column) => row[column] ?? NaN));
    this.chart.append(portrait.root);
  }
  private yName(): string {
    return axisName([...this.chosen].map((column) => this.motion.columns[column] ?? ""));
  }

  moveTo(row: Float64Array): void {
    this.row = row;
    this.marks?.moveTo(row[0] ?? 0);
    this.moveDot?.(row);
  }
  private resize(): void {
    const width = this.chart.clientWidth;
    if (width === 0 || Math.abs(this.width - width) <= 1) return;
    this.width = width;
    if (this.plot) this.plot.setSize({ width, height: plotHeight });
    else this.build();
  }
}

/** What an axis shows: a column that is constant but for a millionth is drawn as constant. */
export function showRange(least: number, largest: number): [number, number] {
  if (!Number.isFinite(least) || !Number.isFinite(largest)) return [0, 1];
  const size = Math.max(Math.abs(least), Math.abs(largest));
  const margin = largest - least > 1e-6 * size ? 0.08 * (largest - least) : 0.1 * (size || 1);
  return [least - margin, largest + margin];
}

/** What is plotted at first: the columns asked for, or the first coordinates; energy and residual below. */
export function firstPanels(columns: string[], asked: string[]): number[][] {
  const index = (name: string): number => columns.indexOf(name);
  const chosen = asked.map(index).filter((column) => column > 0);
  if (chosen.length > 0) return [chosen];
  const coordinates = columns.map((_, i) => i).filter((i) => i > 0 && columns.includes(`${columns[i]}'`));
  const reactions = columns.map((_, i) => i).filter((i) => columns[i]?.startsWith("reaction("));
  return [coordinates.slice(0, 4), reactions.slice(0, 4), [index("energy")]].filter((panel) => panel.length > 0 && !panel.includes(-1));
}

export class Plots {
  readonly root = element("div", { className: "plots" });
  private readonly panels: Panel[] = [];
  private readonly list = element("div");

  constructor(private motion: Motion, private readonly beside: { motion: Motion; title: string } | undefined, asked: string[], private readonly seek: (t: number) => void) {
    if (beside) this.root.append(element("p", { className: "hint" }, `dashed: ${beside.title}`));
    const add = element("button", { type: "button", onclick: () => this.add([]) }, "another plot");
    this.root.append(this.list, add);
    for (const columns of firstPanels(motion.columns, asked)) this.add(columns);
  }
  private add(columns: number[]): void {
    const panel: Panel = new Panel(this.motion, this.beside?.motion, columns, this.seek, () => {
      panel.root.remove();
      this.panels.splice(this.panels.indexOf(panel), 1);
    });
    this.panels.push(panel);
    this.list.append(panel.root);
  }
  setMotion(motion: Motion): void {
    this.motion = motion;
    for (const panel of this.panels) panel.setMotion(motion);
  }
  /** After the colours of the page changed. */
  rebuild(): void {
    for (const panel of this.panels) panel.build();
  }
  moveTo(row: Float64Array): void {
    for (const panel of this.panels) panel.moveTo(row);
  }
}
