// Words over the scene, of which none covers another.
import { element } from "./text";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
const mostLabels = 40;
const mostWidths = 2000; // that are remembered
const lineHeight = 16; // as the style has it
const offset = { left: 6, top: -18 };
/** Lines up or down, the nearest first. */
const shifts = [0, -1, 1, -2, 2, -3, 3];

const overlap = (a: Box, b: Box): boolean => a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

/** The box some lines up or down, where it covers no other; nothing where there is no such place nearby. */
export function findRoom(taken: Box[], wanted: Box): Box | undefined {
  return shifts.map((lines) => ({ ...wanted, top: wanted.top + lines * wanted.height })).find((box) => !taken.some((other) => overlap(box, other)));
}

export class Labels {
  private readonly root = element("div", { className: "labels" });
  private readonly pool: HTMLElement[] = [];
  private readonly pen = element("canvas").getContext("2d");
  private readonly widths = new Map<string, number>();
  private taken: Box[] = [];
  private asked: { text: string; wanted: Box }[] = [];

  constructor(host: HTMLElement) {
    host.append(this.root);
  }
  begin(): void {
    this.taken = [];
    this.asked = [];
  }
  /** What comes first has its place; the same words a second time at the same place are left out. */
  put(x: number, y: number, text: string, kind: "force" | "name"): void {
    if (this.taken.length >= mostLabels || !Number.isFinite(x) || !Number.isFinite(y)) return;
    const wanted: Box = { left: x + offset.left, top: y + offset.top, width: this.width(text, kind), height: lineHeight };
    if (this.asked.some((other) => other.text === text && overlap(other.wanted, wanted))) return;
    const box = findRoom(this.taken, wanted);
    if (!box) return;
    const label = (this.pool[this.taken.length] ??= this.root.appendChild(element("span")));
    this.taken.push(box);
    this.asked.push({ text, wanted });
    if (label.textContent !== text) label.textContent = text;
    label.className = kind;
    label.style.transform = `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`;
  }
  end(): void {
    for (const label of this.pool.slice(this.taken.length)) label.classList.add("hidden");
  }
  /** Without asking the page for its layout, which would cost one for each label. */
  private width(text: string, kind: "force" | "name"): number {
    if (!this.pen) return 0;
    const key = kind + text;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    this.pen.font = `${kind === "force" ? 600 : 400} 12px system-ui, sans-serif`;
    const width = Math.ceil(this.pen.measureText(text).width) + 2;
    if (this.widths.size > mostWidths) this.widths.clear();
    this.widths.set(key, width);
    return width;
  }
}
