// Sliders for parameters and the start; each change computes the motion again.
import type { PageData } from "./data";
import { completeParameters, LiveSystem, type LivePrograms, type LiveResult } from "./live";
import { Motion } from "./motion";
import { askMotion } from "./served";
import { element, formatNumber } from "./text";

export interface LiveChange {
  parameters: Float64Array;
  motion: Motion;
  message: string;
}

/** A slider with a box for the number, from zero to twice the value, or a unit either way where that is zero. */
function numberInput(name: string, value: number, changed: (value: number) => void): { root: HTMLElement; set(value: number): void } {
  const reach = value === 0 ? 1 : 2 * Math.abs(value);
  const [least, largest] = value === 0 ? [-1, 1] : value > 0 ? [0, reach] : [-reach, 0];
  const slider = element("input", { type: "range", min: String(least), max: String(largest), step: "any", value: String(value), ariaLabel: name });
  const box = element("input", { type: "number", step: "any", value: String(value), ariaLabel: `${name} as a number` });
  const set = (number: number): void => {
    slider.value = String(number);
    box.value = String(Number(number.toPrecision(12)));
  };
  slider.oninput = () => {
    const number = Number(Number(slider.value).toPrecision(4));
    box.value = String(number);
    changed(number);
  };
  box.onchange = () => {
    if (!Number.isFinite(box.valueAsNumber)) return set(value);
    slider.value = box.value;
    changed(box.valueAsNumber);
  };
  set(value);
  return { root: element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, slider), element("td", {}, box)), set };
}

/** Who computes: this page, or the engine behind it. */
export interface Runner {
  /** Names of what can be set at t = 0, and what it is. */
  start(): { name: string; value: number }[];
  run(parameters: number[], start: Map<number, number>): Promise<LiveChange>;
}

export class LocalRunner implements Runner {
  constructor(private readonly page: PageData, private readonly programs: LivePrograms, private readonly times: Float64Array) {}

  private system(parameters: number[]): LiveSystem {
    return new LiveSystem(this.page.live, this.programs, completeParameters(this.programs, parameters));
  }
  start(): { name: string; value: number }[] {
    const written = this.system(this.page.parameters.map((one) => one.value)).writtenStart();
    return this.page.live.names.map((name, i) => ({ name, value: written[i] ?? 0 }));
  }
  compute(parameters: number[], set: Map<number, number>): { parameters: Float64Array; result: LiveResult } {
    const system = this.system(parameters);
    const start = system.writtenStart();
    for (const [i, value] of set) start[i] = value;
    return { parameters: system.parameters, result: system.run(this.times, start) };
  }
  async run(given: number[], start: Map<number, number>): Promise<LiveChange> {
    const { parameters, result } = this.compute(given, start);
    const moved = result.moved > 1e-9 ? `The start was moved onto the constraints, by ${formatNumber(result.moved, 3)} at most. ` : "";
    return { parameters, motion: new Motion(this.page.motion.columns, result.columns), message: moved + result.problem };
  }
}

export class ServedRunner implements Runner {
  constructor(private readonly page: PageData, private readonly stored: Motion) {}

  start(): { name: string; value: number }[] {
    return this.page.scene.inputs.slice(1).map((column) => ({ name: this.stored.columns[column] ?? "", value: this.stored.column(column)[0] ?? 0 }));
  }
  async run(given: number[], start: Map<number, number>): Promise<LiveChange> {
    const parameters: Record<string, number> = {};
    this.page.parameters.forEach((one, i) => {
      if (!one.fixed && given[i] !== one.value) parameters[one.name] = given[i] ?? one.value;
    });
    const names = this.start();
    const initial = Object.fromEntries([...start].map(([i, value]) => [names[i]?.name ?? "", value]));
    const { parameters: values, motion, problem } = await askMotion(parameters, initial);
    return { parameters: Float64Array.from(values), motion, message: problem };
  }
}

export class LivePanel {
  readonly root = element("div", { className: "live" });
  private readonly message = element("p", { className: "message" });
  private readonly given: number[];
  private readonly start = new Map<number, number>(); // what the reader has set of q, u
  private isWaiting = false;
  private isStale = false;

  constructor(private readonly page: PageData, private readonly runner: Runner, private readonly changed: (change: LiveChange) => void) {
    this.given = page.parameters.map((one) => one.value);
    this.build();
  }
  private build(): void {
    const parameters = this.page.parameters.flatMap((one, i) => (one.fixed ? [] : [numberInput(one.name, one.value, (value) => ((this.given[i] = value), this.plan())).root]));
    const start = this.runner.start().map(({ name, value }, i) => numberInput(name, value, (set) => (this.start.set(i, set), this.plan())).root);
    const reset = element("button", { type: "button", onclick: () => this.reset() }, "as the model has it");
    this.root.replaceChildren(reset, this.message, element("h2", {}, "Parameters"), element("table", {}, ...parameters), element("h2", {}, "At t = 0"), element("table", {}, ...start));
  }
  private reset(): void {
    this.page.parameters.forEach((one, i) => (this.given[i] = one.value));
    this.start.clear();
    this.build();
    this.plan();
  }
  /** Once a frame at most, however fast a slider moves, and one at a time. */
  private plan(): void {
    this.isStale = true;
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => void this.compute());
  }
  private async compute(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      try {
        const change = await this.runner.run(this.given, this.start);
        this.message.textContent = change.message;
        this.changed(change);
      } catch (error) {
        this.message.textContent = error instanceof Error ? error.message : String(error);
      }
    }
    this.isWaiting = false;
  }
}
