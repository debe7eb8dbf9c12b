// Columns over another column: curves with their axes and a dot at the cursor.
import { curvePath, rangeOf, roundTicks, type Range } from "./exports";
import { formatNumber } from "./text";

const space = "http://www.w3.org/2000/svg";

function part(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

export interface Curve {
  x: Float64Array;
  y: Float64Array;
  colour: string;
  /** Of a second motion. */
  dashed?: boolean;
}

export class Portrait {
  readonly root = part("svg", {});
  private readonly dots: SVGElement[];
  private readonly ranges: [Range, Range];
  private readonly size: [number, number];
  private readonly corner: [number, number] = [56, 8]; // of the box with the curves: names and ticks are outside of it

  constructor(curves: Curve[], names: { x: string; y: string }, width: number, height: number) {
    const [left, top] = this.corner;
    this.size = [Math.max(50, width - left - 10), height - top - 40];
    this.ranges = [rangeOf(curves.map((curve) => curve.x)), rangeOf(curves.map((curve) => curve.y))];
    this.root.setAttribute("width", String(width));
    this.root.setAttribute("height", String(height));
    const box = part("g", { transform: `translate(${left} ${top})` });
    box.append(...this.axes(names));
    for (const { x, y, colour, dashed } of curves)
      box.append(part("path", { d: curvePath(x, y, ...this.ranges, ...this.size), fill: "none", stroke: colour, ...(dashed ? { "stroke-dasharray": "5 4" } : {}) }));
    this.dots = curves.filter((curve) => !curve.dashed).map(({ colour }) => part("circle", { r: 4, fill: colour }));
    box.append(...this.dots);
    this.root.append(box);
  }
  private axes(names: { x: string; y: string }): SVGElement[] {
    const [width, height] = this.size;
    const text = { fill: "currentColor", "font-size": 12 };
    const across = roundTicks(this.ranges[0], Math.max(2, Math.floor(width / 80))).flatMap((tick) => {
      const [x] = this.place(tick, 0);
      return [part("line", { x1: x, x2: x, y1: 0, y2: height, stroke: "#88888833" }), part("text", { ...text, x, y: height + 16, "text-anchor": "middle" }, formatNumber(tick, 6))];
    });
    const upwards = roundTicks(this.ranges[1], 5).flatMap((tick) => {
      const [, y] = this.place(0, tick);
      return [part("line", { x1: 0, x2: width, y1: y, y2: y, stroke: "#88888833" }), part("text", { ...text, x: -4, y: y + 4, "text-anchor": "end" }, formatNumber(tick, 6))];
    });
    const titles = [
      part("text", { ...text, class: "axis-name", x: width / 2, y: height + 34, "text-anchor": "middle" }, names.x),
      part("text", { ...text, class: "axis-name", transform: `translate(${12 - this.corner[0]} ${height / 2}) rotate(-90)`, "text-anchor": "middle" }, names.y),
    ];
    return [part("rect", { width, height, fill: "none", stroke: "#88888855" }), ...across, ...upwards, ...titles];
  }
  /** Inside the box. */
  private place(x: number, y: number): [number, number] {
    const share = (value: number, range: Range): number => (value - range.least) / (range.largest - range.least);
    return [share(x, this.ranges[0]) * this.size[0], (1 - share(y, this.ranges[1])) * this.size[1]];
  }
  /** The dots, in the order of the curves that have one. */
  moveTo(x: number, ys: number[]): void {
    ys.forEach((y, i) => {
      const [px, py] = this.place(x, y);
      if (!Number.isFinite(px) || !Number.isFinite(py)) return;
      this.dots[i]?.setAttribute("cx", String(px));
      this.dots[i]?.setAttribute("cy", String(py));
    });
  }
}
