// Numbers for people, and elements made without markup: whatever a model's names hold stays text.

export function formatNumber(value: number, digits = 5): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  return text.includes(".") ? text.replace(/\.?0+(e|$)/, "$1") : text;
}

type Properties<K extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[K], "style" | "dataset">>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<K> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

export function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  return element("label", {}, control, ` ${text}`);
}

/** Lets the reader keep a file. */
export function offerFile(name: string, content: Blob): void {
  const link = element("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
