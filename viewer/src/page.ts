// One page: the scene on the left with time under it, everything else beside it.
import { TimeControls } from "./controls";
import type { PageData, Program, TabData } from "./data";
import { StoredTerms, TabView, TermValues, type TermSource } from "./equations";
import { largestDifference, type LivePrograms } from "./live";
import { LivePanel, LocalRunner, ServedRunner, type LiveChange } from "./livePanel";
import type { Motion } from "./motion";
import { Plots } from "./plots";
import { length, Pose, type Vector } from "./pose";
import { News, readMotion } from "./served";
import { Stage } from "./stage";
import { Switches } from "./switches";
import { Tabs } from "./tabs";
import { element } from "./text";
import { Timeline } from "./timeline";
import { Values } from "./values";

export interface Programs {
  scene: Program;
  live: LivePrograms | null;
  /** Values of the equations' terms. */
  terms: Program | null;
}

const keysHelp = "space play · ← → rows · Home End · + − speed · l loop · r p v o g b n a show · f fit";
const flashSeconds = 0.25;

export class Page {
  readonly timeline: Timeline;
  readonly pose: Pose;
  readonly ghost: Pose | undefined;
  readonly stage: Stage | undefined;
  drawCalls = 0;
  parameters: number[];
  private readonly plots: Plots;
  private readonly values: Values;
  private readonly controls: TimeControls;
  private readonly switches: Switches | undefined;
  private readonly live: LivePanel | undefined;
  private readonly local: LocalRunner | undefined;
  private readonly terms: TermSource | undefined;
  private readonly tabViews: TabView[] = [];
  private readonly happening = element("div", { className: "happening" });
  private readonly footer = element("footer");
  private stale = true;

  constructor(private readonly data: PageData, programs: Programs, private readonly stored: Motion) {
    this.timeline = new Timeline(stored.from, stored.until);
    this.parameters = data.parameters.map((one) => one.value);
    this.pose = new Pose(data.scene, programs.scene, stored, this.parameters);
    const beside = data.beside && { ...data.beside, motion: readMotion(data.beside.motion) };
    this.ghost = beside && new Pose({ ...data.scene, inputs: beside.inputs }, programs.scene, beside.motion, beside.parameters);
    const sceneHost = element("div", { className: "scene" });
    const left = element("div", { className: "left" }, sceneHost, this.happening);
    const right = element("div", { className: "right" });
    const news = data.served === undefined ? [] : [new News(data.served).root];
    document.body.append(...news, this.header(), element("main", {}, left, right), this.footer);
    this.stage = this.makeStage(sceneHost);
    this.switches = this.stage && new Switches(this.stage, data.scene.places.map((place) => place.name), { reactions: data.scene.arrows.length > 0, ghost: beside !== undefined, apart: beside !== undefined, spins: data.scene.places.some((place) => place.turn !== undefined) }, this.changed);
    this.plots = new Plots(stored, beside, data.motion.plot, this.seek);
    this.values = new Values(stored.columns, beside && { title: beside.title, columns: beside.motion.columns });
    this.controls = new TimeControls(this.timeline, () => this.pose.motion, this.changed);
    this.local = programs.live ? new LocalRunner(data, programs.live, stored.times) : undefined;
    this.terms = this.termsOf(programs);
    const runner = data.served === undefined ? this.local : new ServedRunner(data, stored);
    this.live = runner && new LivePanel(data, runner, this.take);
    if (!this.stage) left.classList.add("bare"), left.append(this.plots.root); // the curves are what there is to see
    left.append(this.controls.root, ...(this.switches ? [this.switches.root] : []));
    right.append(this.tabs().root);
    this.fillFooter();
    document.addEventListener("keydown", this.key);
  }

  private termsOf({ terms, live }: Programs): TermSource | undefined {
    if (!terms) return undefined;
    if (live) return new TermValues(terms, this.data.live, live, this.stored.columns, this.parameters);
    return this.data.termInputs && new StoredTerms(terms, this.data.termInputs, this.parameters);
  }
  private header(): HTMLElement {
    const root = document.documentElement;
    const dark = matchMedia("(prefers-color-scheme: dark)"); // until the reader says otherwise
    const repaint = (): void => (this.plots.rebuild(), this.changed());
    const flip = (): void => {
      const isDark = root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
      root.dataset.theme = isDark ? "light" : "dark";
      repaint();
    };
    dark.addEventListener("change", repaint);
    const theme = element("button", { type: "button", className: "theme", title: "light or dark", onclick: flip }, "◐");
    return element("header", {}, element("h1", {}, this.data.name), element("p", {}, this.data.about), theme);
  }
  private makeStage(host: HTMLElement): Stage | undefined {
    const remark = this.data.scene.remark || (this.stored.rows === 0 ? "The motion has no rows." : "");
    if (remark !== "") {
      host.append(element("p", { className: "remark" }, remark));
      return undefined;
    }
    const stage = new Stage(host, this.pose, this.ghost, () => this.draw());
    stage.eye.controls.addEventListener("change", this.changed);
    return stage;
  }
  private tabs(): Tabs {
    const { tabs, live } = this.data;
    const values = { title: "Values", content: this.values.root };
    return new Tabs(
      [
        ...(this.stage ? [{ title: "Plots", content: this.plots.root }, values] : []),
        ...tabs.map((tab) => ({ title: tab.title, content: () => this.showTab(tab) })),
        ...(this.stage ? [] : [values]),
        { title: "Live", content: this.live?.root ?? element("p", {}, `This motion can only be played: ${live.reason}.`) },
        { title: "Run", content: () => this.describeRun() },
      ],
      this.changed,
    );
  }
  private showTab(tab: TabData): HTMLElement {
    const view = new TabView(tab, this.terms);
    this.tabViews.push(view);
    return view.root;
  }
  private get isThinned(): boolean {
    return this.data.motion.rows < this.data.motion.computed;
  }
  private describeRun(): HTMLElement {
    const { rows, computed, summary, columns } = this.data.motion;
    const extremes = 4 * columns.length <= rows ? ", and each column's extremes" : "";
    const remarks = [
      ...(this.isThinned ? [`This page holds ${rows} of the ${computed} rows that were computed: every so many${extremes}. Peaks between them are not shown; a CSV file has all rows.`] : []),
      ...(this.data.motion.single ? ["With so many columns the page holds seven digits of each number; a CSV file has all of them."] : []),
    ];
    return element("div", {}, ...remarks.map((remark) => element("p", {}, remark)), element("pre", {}, summary));
  }
  private fillFooter(): void {
    const { rows, computed, single } = this.data.motion;
    const note = element("p");
    this.footer.append(this.isThinned ? `${rows} of ${computed} rows are shown${single ? ", with seven digits" : ""}. ` : "", keysHelp, note);
    const { local } = this;
    if (this.data.served !== undefined) note.textContent = "Live: sliders ask the engine that serves this page.";
    else if (local) setTimeout(() => (note.textContent = this.compare(local)), 300); // after the first frames
  }
  /** How well the page's own integration agrees with the engine's, at the engine's parameters. */
  private compare(local: LocalRunner): string {
    const { result } = local.compute(this.data.parameters.map((one) => one.value), new Map());
    if (result.problem) return `Live: ${result.problem}`;
    const difference = largestDifference(this.stored.data, result.columns, this.stored.columns);
    const size = difference === 0 ? "rounding" : difference.toExponential(1);
    return `Live: computed in this page, the motion differs from the engine's by ${size} of a column's size at most (no fused arithmetic here, so not bit for bit).`;
  }

  private readonly changed = (): void => {
    this.stale = true;
  };
  private readonly seek = (t: number): void => {
    this.timeline.seek(t);
    this.changed();
  };
  /** Another motion takes the stored one's place. */
  private readonly take = ({ parameters, motion }: LiveChange): void => {
    this.parameters = Array.from(parameters);
    this.pose.motion = motion;
    this.pose.setParameters(parameters);
    this.terms?.setParameters(parameters);
    this.timeline.until = Math.max(motion.until, motion.from);
    this.timeline.seek(this.timeline.time);
    this.stage?.addPaths();
    this.plots.setMotion(this.pose.motion);
    this.changed();
  };
  private readonly key = (key: KeyboardEvent): void => {
    const target = key.target as HTMLElement;
    if (key.ctrlKey || key.altKey || key.metaKey || /^(SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (target instanceof HTMLInputElement && (target.type === "number" || (target.type === "range" && /^(Arrow|Home|End)/.test(key.key)))) return;
    if (key.key === " " && (target instanceof HTMLButtonElement || target instanceof HTMLInputElement)) return;
    if (this.controls.key(key) || this.switches?.key(key)) key.preventDefault();
  };

  draw(): void {
    this.pose.moveTo(this.timeline.time);
    this.ghost?.moveTo(this.timeline.time);
    const { time, speed } = this.timeline;
    const recent = this.pose.motion.events.filter((one) => time >= one.t && time - one.t < flashSeconds * speed);
    this.drawCalls = this.stage?.draw(recent.filter((one) => one.kind === "impact").map((one) => ({ name: one.name, age: (time - one.t) / (flashSeconds * speed) }))) ?? 0;
    this.plots.moveTo(this.pose.row);
    this.values.moveTo(this.pose.row, this.ghost?.row);
    for (const view of this.tabViews) view.moveTo(this.pose.row);
    this.controls.update();
    const near = recent.at(-1);
    const text = near ? `${near.kind}: ${near.name}` : "";
    if (this.happening.textContent !== text) this.happening.textContent = text;
  }
  run(): void {
    let before: number | undefined;
    const frame = (now: number): void => {
      if (before !== undefined) this.timeline.advance(Math.min(0.1, (now - before) / 1000));
      before = now;
      if (this.timeline.playing || this.stale) {
        this.stale = false;
        this.draw();
      }
      requestAnimationFrame(frame);
    };
    this.draw();
    requestAnimationFrame(frame);
  }

  /** For tests: where a place is drawn, what arrows there are. */
  pixel(name: string): [number, number] | undefined {
    return this.stage?.project(this.pose.position(this.data.scene.places.findIndex((place) => place.name === name)));
  }
  arrows(): object[] {
    const scale = this.stage?.arrowScale ?? 0;
    return this.data.scene.arrows.map((arrow) => {
      const at = this.pose.position(arrow.at);
      const force = this.pose.force(arrow);
      const tip = at.map((part, k) => part + scale * (force[k] ?? 0)) as Vector;
      return { name: arrow.name, force, scale, length: length(force) * scale, from: this.stage?.project(at), to: this.stage?.project(tip) };
    });
  }
}
