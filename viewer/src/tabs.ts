// What stands beside the scene, one thing at a time.
import { element } from "./text";

export interface Tab {
  title: string;
  content: HTMLElement | (() => HTMLElement); // made when it is first looked at
}

/** The tab that was open before the page was loaded again; the first one where there is none of that title now. */
function keptTab(tabs: Tab[]): number {
  const kept = (history.state as { tab?: string } | null)?.tab;
  return Math.max(0, tabs.findIndex((tab) => tab.title === kept));
}

export class Tabs {
  readonly root = element("div", { className: "tabs" });
  private readonly buttons: HTMLButtonElement[];
  private readonly panels: HTMLElement[];

  constructor(tabs: Tab[], private readonly changed: () => void) {
    this.panels = tabs.map((_, i) => {
      const panel = element("div", { className: "tab-panel", hidden: true, id: `panel-${i}` });
      panel.setAttribute("role", "tabpanel");
      return panel;
    });
    this.buttons = tabs.map((tab, i) => {
      const button = element("button", { type: "button", onclick: () => this.open(i, tabs) }, tab.title);
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", `panel-${i}`);
      return button;
    });
    const bar = element("div", { className: "tab-bar" }, ...this.buttons);
    bar.setAttribute("role", "tablist");
    bar.onkeydown = (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (by === 0) return;
      const next = (this.buttons.findIndex((button) => button === document.activeElement) + by + tabs.length) % tabs.length;
      this.open(next, tabs);
      this.buttons[next]?.focus();
      event.stopPropagation();
    };
    this.root.append(bar, ...this.panels);
    this.open(keptTab(tabs), tabs);
  }
  private open(index: number, tabs: Tab[]): void {
    history.replaceState({ tab: tabs[index]?.title }, "");
    this.panels.forEach((panel, i) => (panel.hidden = i !== index));
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
    });
    const panel = this.panels[index];
    const content = tabs[index]?.content;
    if (panel && content && !panel.hasChildNodes()) panel.append(typeof content === "function" ? content() : content);
    this.changed();
  }
}
