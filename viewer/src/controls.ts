// Time under the reader's hands: buttons, a slider, keys.
import type { Motion } from "./motion";
import { speeds, type Timeline } from "./timeline";
import { element, formatNumber, labelled } from "./text";

export class TimeControls {
  readonly root: HTMLElement;
  private readonly play = element("button", { type: "button", className: "play" });
  private readonly slider = element("input", { type: "range", min: "0", max: "10000", step: "1", ariaLabel: "time" });
  private readonly clock = element("output", { className: "clock" });
  private readonly speed: HTMLSelectElement;
  private readonly loop = element("input", { type: "checkbox" });

  constructor(private readonly timeline: Timeline, private readonly motion: () => Motion, private readonly changed: () => void) {
    this.speed = element("select", { ariaLabel: "speed" }, ...speeds.map((speed) => element("option", { value: String(speed) }, `${speed}×`)));
    this.play.onclick = () => this.act(() => timeline.toggle());
    this.slider.oninput = () => this.act(() => timeline.seek(timeline.from + (Number(this.slider.value) / 10000) * (timeline.until - timeline.from)));
    this.speed.onchange = () => this.act(() => (timeline.speed = Number(this.speed.value)));
    this.loop.onchange = () => this.act(() => (timeline.loop = this.loop.checked));
    const back = element("button", { type: "button", title: "a row back (←)", onclick: () => this.act(() => this.step(-1)) }, "‹");
    const on = element("button", { type: "button", title: "a row on (→)", onclick: () => this.act(() => this.step(1)) }, "›");
    this.root = element("div", { className: "time" }, this.play, back, on, this.slider, this.clock, this.speed, labelled("loop", this.loop));
    this.update();
  }
  private act(what: () => void): void {
    what();
    this.update();
    this.changed();
  }
  /** To the next row, or the one before. */
  private step(by: number): void {
    const { timeline } = this;
    const motion = this.motion();
    timeline.playing = false;
    const row = motion.rowAt(timeline.time);
    const between = by < 0 && timeline.time > (motion.times[row] ?? 0);
    timeline.seek(motion.times[Math.min(motion.rows - 1, Math.max(0, between ? row + by + 1 : row + by))] ?? timeline.time);
  }

  update(): void {
    const { timeline } = this;
    const length = timeline.until - timeline.from;
    this.play.textContent = timeline.playing ? "❚❚" : "▶";
    this.play.title = timeline.playing ? "pause (space)" : "play (space)";
    this.play.ariaLabel = timeline.playing ? "pause" : "play";
    this.slider.value = String(length > 0 ? Math.round((10000 * (timeline.time - timeline.from)) / length) : 0);
    this.slider.ariaValueText = `t = ${formatNumber(timeline.time)}`;
    this.clock.textContent = `t = ${timeline.time.toFixed(length < 1 ? 5 : 3)}`;
    this.speed.value = String(timeline.speed);
    this.loop.checked = timeline.loop;
  }
  /** True where the key was one of ours. */
  key(event: KeyboardEvent): boolean {
    const { timeline } = this;
    const far = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => timeline.toggle(),
      ArrowLeft: () => this.step(-far),
      ArrowRight: () => this.step(far),
      Home: () => timeline.seek(timeline.from),
      End: () => timeline.seek(timeline.until),
      "+": () => timeline.changeSpeed(1),
      "-": () => timeline.changeSpeed(-1),
      l: () => (timeline.loop = !timeline.loop),
    };
    const action = actions[event.key];
    if (!action) return false;
    this.act(action);
    return true;
  }
}
