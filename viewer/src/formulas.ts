// Equations as LaTeX sets them, as text where it cannot.
import katex from "katex";
import type { TabData } from "./data";
import { element } from "./text";

/** What derive writes has numbered lines, which KaTeX would number in the page too; of where inner lines stand KaTeX knows
 * nothing. */
export function toAligned(latex: string): string {
  return latex.replaceAll("\\begin{align}", "\\begin{aligned}").replaceAll("\\end{align}", "\\end{aligned}").replaceAll("\\begin{aligned}[t]", "\\begin{aligned}");
}

export function showFormulas(tab: TabData): HTMLElement {
  const text = element("pre", {}, tab.text);
  if (tab.latex === "") return text;
  const host = element("div", { className: "formulas" });
  try {
    katex.render(toAligned(tab.latex), host, { displayMode: true, throwOnError: true, trust: false, strict: "ignore", maxSize: 20, output: "html" });
  } catch {
    return text;
  }
  const source = element("details", {}, element("summary", {}, "as text"), text);
  return element("div", {}, host, source);
}
