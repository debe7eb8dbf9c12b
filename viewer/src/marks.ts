// Lines in a plot at the times of events and at the cursor.
import type uPlot from "uplot";
import type { Happening } from "./motion";
import { element } from "./text";

interface Mark {
  t: number;
  line: HTMLElement;
}
const mostEvents = 200;

export class Marks {
  private readonly events: Mark[];
  private readonly cursor: Mark;

  constructor(private readonly plot: uPlot, events: Happening[]) {
    const mark = (t: number, className: string, title: string): Mark => ({ t, line: plot.over.appendChild(element("div", { className, title })) });
    this.events = events.slice(0, mostEvents).map(({ t, kind, name }) => mark(t, "event", `${kind}: ${name}`));
    this.cursor = mark(NaN, "cursor", "");
    // A plot knows where times are when it draws, not before.
    (plot.hooks.draw ??= []).push(() => [...this.events, this.cursor].forEach((one) => this.place(one)));
  }
  moveTo(t: number): void {
    this.cursor.t = t;
    if (this.plot.status === 1) this.place(this.cursor);
  }
  /** What lies outside of the times shown is hidden. */
  private place({ t, line }: Mark): void {
    const { min, max } = this.plot.scales.x ?? {};
    line.hidden = !(t >= (min ?? NaN) && t <= (max ?? NaN));
    line.style.transform = `translateX(${this.plot.valToPos(t, "x").toFixed(1)}px)`;
  }
}
