// What stands in a tab: words, tables, and formulas term by term, each of which lights up under the pointer and has its value
// at the cursor below it.
import type { LineData, Program, TabData, TermData } from "./data";
import { Evaluator } from "./data";
import { setFormula, showTable } from "./formulas";
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

export class TabView {
  readonly root: HTMLElement;
  private readonly cells: { cell: HTMLElement; values: number[] }[] = [];

  constructor(tab: TabData, private readonly values: TermSource | undefined) {
    const lines = tab.lines ?? [];
    const parts: HTMLElement[] = [];
    if (tab.words !== undefined) parts.push(element(/──| {2}/.test(tab.words) ? "pre" : "p", { className: "words" }, tab.words.trim())); // tables keep their lines
    if (tab.table) parts.push(showTable(tab.table.head, tab.table.rows));
    if (lines.length > 0) parts.push(element("p", { className: "hint" }, this.hint(lines)));
    let section = "";
    for (const line of lines) {
      if (line.section !== section) parts.push(element("h2", {}, line.section));
      section = line.section;
      parts.push(this.line(line));
    }
    const text = element("pre", {}, tab.text);
    const source = parts.length > 0 ? element("details", {}, element("summary", {}, "as text"), text) : text;
    this.root = element("div", { className: "formulas equations" }, ...parts, source);
  }
  private hint(lines: LineData[]): string {
    const hasValues = this.values && lines.some(({ left, right }) => [...left, ...right].some((term) => term.value !== undefined || term.vector));
    return hasValues ? "Below each term stands its value at the time of the scene." : "Values of terms are there where the page has the accelerations or computes them.";
  }
  private line(line: LineData): HTMLElement {
    const equals = line.right.length > 0 ? [element("span", { className: "sign" }, "=")] : [];
    const remark = line.remark ? [element("span", { className: "hint" }, line.remark)] : [];
    return element("div", { className: "equation", title: line.name }, ...this.side(line.left), ...equals, ...this.side(line.right), ...remark);
  }
  private side(terms: TermData[]): HTMLElement[] {
    return terms.flatMap((term, i) => {
      const sign = term.negative ? "−" : i > 0 ? "+" : "";
      return [...(sign === "" ? [] : [element("span", { className: "sign" }, sign)]), this.term(term)];
    });
  }
  private term(term: TermData): HTMLElement {
    const formula = element("span");
    setFormula(formula, `\\displaystyle ${term.latex}`);
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
