// Formulas as LaTeX sets them, as text where it cannot; words and tables with formulas in them.
import katex from "katex";
import { element } from "./text";

export function setFormula(host: HTMLElement, latex: string): void {
  try {
    katex.render(latex, host, { throwOnError: true, trust: false, strict: "ignore", maxSize: 20, output: "html" });
  } catch {
    host.textContent = latex;
  }
}

/** What the tables of the engine call things by. */
const symbols: Record<string, string> = {
  M: "M", h: "h", A: "A", L: "L", F: "F", G: "G", Q: "Q", X: "X", Z: "Z", f: "f", "A^T": "A^{T}", "M^-1": "M^{-1}",
  lambda: "\\lambda", phi: "\\varphi", "q''": "\\ddot q", omega: "\\omega",
};

/** A text's pieces in order: words as they are, what stands for a quantity or a number as LaTeX. */
export function splitWords(text: string): { latex?: string; text: string }[] {
  const number = /^([-+]?\d+(?:\.\d+)?)(?:e([-+]?\d+))?$/.exec(text);
  if (number) return [{ text, latex: number[2] === undefined ? text : `${number[1]} \\cdot 10^{${Number(number[2])}}` }];
  return text.split(/([\s(),+]+)/).filter((piece) => piece !== "").map((piece) => (Object.hasOwn(symbols, piece) ? { text: piece, latex: symbols[piece] ?? "" } : { text: piece }));
}

function cell(tag: "td" | "th", text: string): HTMLElement {
  const made = element(tag);
  for (const piece of splitWords(text)) {
    const part = element("span", {}, piece.text);
    if (piece.latex !== undefined) setFormula(part, piece.latex);
    made.append(part);
  }
  return made;
}

export function showTable(head: string[], rows: string[][]): HTMLElement {
  const line = (tag: "td" | "th", texts: string[]): HTMLElement => element("tr", {}, ...texts.map((text) => cell(tag, text)));
  return element("table", { className: "agreements" }, line("th", head), ...rows.map((row) => line("td", row)));
}
