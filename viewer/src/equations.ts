// Equations term by term: each term lights up under the pointer and has its value at the cursor below it.
import katex from "katex";
import type { LineData, Program, TabData, TermData } from "./data";
import { Evaluator } from "./data";
import { showFormulas } from "./formulas";
import { completeParameters, LiveSystem, type LiveData, type LivePrograms } from "./live";
import { element, formatNumber } from "./text";

/** Values of all terms at a row of a motion. */
export interface TermSource {
  at(row: Float64Array): Float64Array;
  setParameters(parameters: ArrayLike<number>): void;
}

/** From what the row has: `inputs` are the columns that the terms' program reads, -1 where there is none. */
export class StoredTerms implements TermSource {
  private readonly evaluator: Evaluator;
  private readonly values: Float64Array;

  constructor(terms: Program, private readonly inputs: number[], parameters: number[]) {
    this.evaluator = new Evaluator(terms, parameters);
    this.values = new Float64Array(inputs.length);
  }
  setParameters(parameters: ArrayLike<number>): void {
    this.evaluator.setParameters(parameters);
  }
  at(row: Float64Array): Float64Array {
    this.inputs.forEach((column, i) => (this.values[i] = row[column] ?? NaN));
    return this.evaluator.at(this.values);
  }
}

/** With accelerations and multipliers computed here. */
export class TermValues implements TermSource {
  private readonly columns: number[];
  private readonly state: Float64Array;
  private system: LiveSystem;
  private readonly evaluator: Evaluator;

  constructor(terms: Program, private readonly live: LiveData, private readonly programs: LivePrograms, columns: string[], parameters: ArrayLike<number>) {
    this.columns = live.names.map((name) => columns.indexOf(name));
    this.state = new Float64Array(live.names.length);
    this.system = new LiveSystem(live, programs, completeParameters(programs, parameters));
    this.evaluator = new Evaluator(terms, this.system.parameters);
  }
  setParameters(parameters: ArrayLike<number>): void {
    this.system = new LiveSystem(this.live, this.programs, Float64Array.from(parameters));
    this.evaluator.setParameters(parameters);
  }
  at(row: Float64Array): Float64Array {
    this.columns.forEach((column, i) => (this.state[i] = row[column] ?? NaN));
    return this.evaluator.at(this.system.respond(row[0] ?? 0, this.state));
  }
}

function setFormula(host: HTMLElement, latex: string): boolean {
  try {
    katex.render(`\\displaystyle ${latex}`, host, { throwOnError: true, trust: false, strict: "ignore", maxSize: 20, output: "html" });
    return true;
  } catch {
    host.textContent = latex;
    return false;
  }
}

export class EquationsView {
  readonly root: HTMLElement;
  private readonly cells: { cell: HTMLElement; values: number[] }[] = [];
  private readonly tip = element("p", { className: "hint" });

  constructor(tab: TabData, private readonly values: TermSource | undefined) {
    const lines = tab.lines ?? [];
    this.tip.textContent = values ? "Below each term stands its value at the time of the scene." : "Values of terms are there where the page has the accelerations or computes them.";
    const parts: HTMLElement[] = [];
    let section = "";
    for (const line of lines) {
      if (line.section !== section) parts.push(element("h2", {}, line.section));
      section = line.section;
      parts.push(this.line(line));
    }
    const source = element("details", {}, element("summary", {}, "as text"), showFormulas({ ...tab, latex: "" }));
    this.root = element("div", { className: "formulas equations" }, this.tip, ...parts, source);
  }
  private line(line: LineData): HTMLElement {
    const equals = element("span", { className: "sign" }, "=");
    return element("div", { className: "equation", title: line.name }, ...this.side(line.left), equals, ...this.side(line.right));
  }
  private side(terms: TermData[]): HTMLElement[] {
    return terms.flatMap((term, i) => {
      const sign = term.negative ? "−" : i > 0 ? "+" : "";
      return [...(sign === "" ? [] : [element("span", { className: "sign" }, sign)]), this.term(term)];
    });
  }
  private term(term: TermData): HTMLElement {
    const formula = element("span");
    setFormula(formula, term.latex);
    const cell = element("span", { className: "term-value" });
    const values = term.value !== undefined ? [term.value] : (term.vector ?? []);
    if (values.length > 0 && this.values) this.cells.push({ cell, values });
    return element("span", { className: "term" }, formula, cell);
  }

  moveTo(row: Float64Array): void {
    if (!this.values || this.root.offsetParent === null) return; // not looked at
    const values = this.values.at(row);
    for (const { cell, values: places } of this.cells) {
      const numbers = places.map((place) => formatNumber(values[place] ?? NaN, 4));
      const text = numbers.length === 1 ? (numbers[0] ?? "") : `(${numbers.join(", ")})`;
      if (cell.textContent !== text) cell.textContent = text;
    }
  }
}
