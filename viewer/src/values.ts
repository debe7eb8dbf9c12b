// Every column at the cursor.
import { element, formatNumber } from "./text";

export class Values {
  readonly root: HTMLElement;
  private readonly cells: HTMLTableCellElement[];
  private readonly besideCells: HTMLTableCellElement[];
  private readonly besideColumns: number[];

  /** Of a second motion, its columns of the same names stand beside. */
  constructor(columns: string[], beside?: { title: string; columns: string[] }) {
    this.cells = columns.map(() => element("td"));
    this.besideCells = beside ? columns.map(() => element("td")) : [];
    this.besideColumns = columns.map((name) => beside?.columns.indexOf(name) ?? -1);
    const head = beside ? [element("tr", {}, element("th"), element("th", {}, "this motion"), element("th", {}, beside.title))] : [];
    const rows = columns.map((name, i) => element("tr", {}, element("th", { scope: "row" }, name), this.cells[i] ?? "", this.besideCells[i] ?? ""));
    this.root = element("table", { className: "values" }, ...head, ...rows);
  }
  moveTo(row: Float64Array, beside?: Float64Array): void {
    if (this.root.offsetParent === null) return; // not looked at
    const show = (cell: HTMLElement, value: number): void => {
      const text = formatNumber(value, 8);
      if (cell.textContent !== text) cell.textContent = text;
    };
    this.cells.forEach((cell, i) => show(cell, row[i] ?? NaN));
    this.besideCells.forEach((cell, i) => show(cell, beside?.[this.besideColumns[i] ?? -1] ?? NaN));
  }
}
