// What of the scene is shown.
import type { Show, Stage } from "./stage";
import { element, labelled } from "./text";

const keys: Record<string, keyof Show> = { r: "reactions", p: "paths", v: "velocities", o: "spins", g: "ghost", b: "apart", n: "names", a: "axes" };

export class Switches {
  readonly root: HTMLElement;
  private readonly boxes = new Map<keyof Show, HTMLInputElement>();

  /** `has`: what there is none of has no switch. */
  constructor(private readonly stage: Stage, places: string[], has: Partial<Record<keyof Show, boolean>>, private readonly changed: () => void) {
    const hasArrows = has.reactions ?? true;
    const boxes = Object.entries(keys).filter(([, what]) => has[what] ?? true).map(([key, what]) => {
      const box = element("input", { type: "checkbox", checked: stage.show[what], title: `key ${key}` });
      box.onchange = () => this.set(what, box.checked);
      this.boxes.set(what, box);
      return labelled(what, box);
    });
    const follow = element("select", { ariaLabel: "follow" }, element("option", { value: "-1" }, "follow nothing"), ...places.map((name, i) => element("option", { value: String(i) }, `follow ${name}`)).slice(1));
    const path = element("select", { ariaLabel: "path", title: "draw the path of a place, or take it away" }, element("option", { value: "" }, "path …"), ...places.map((name, i) => element("option", { value: String(i) }, `path of ${name}`)).slice(1));
    path.onchange = () => {
      if (path.value !== "") stage.togglePath(Number(path.value));
      path.value = "";
      const box = this.boxes.get("paths");
      if (box) box.checked = stage.show.paths;
      changed();
    };
    follow.value = String(stage.follow);
    follow.onchange = () => ((stage.follow = Number(follow.value)), changed());
    const scale = element("input", { type: "range", min: "-1", max: "1", step: "0.05", value: "0", ariaLabel: "length of arrows", title: "length of arrows" });
    const usual = stage.arrowScale;
    scale.oninput = () => ((stage.arrowScale = usual * 10 ** Number(scale.value)), changed());
    const fit = element("button", { type: "button", title: "see everything (f)", onclick: () => (stage.fit(), changed()) }, "fit");
    this.root = element("div", { className: "switches" }, ...boxes, ...(hasArrows ? [scale] : []), path, follow, fit);
  }
  private set(what: keyof Show, on: boolean): void {
    this.stage.show[what] = on;
    if (what === "apart") this.stage.setApart(on);
    this.changed();
  }
  key(event: KeyboardEvent): boolean {
    if (event.key === "f") {
      this.stage.fit();
      this.changed();
      return true;
    }
    const what = keys[event.key];
    const box = what && this.boxes.get(what);
    if (!what || !box) return false;
    box.checked = !box.checked;
    this.set(what, box.checked);
    return true;
  }
}
