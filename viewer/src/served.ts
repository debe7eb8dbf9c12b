// The engine behind a page that `dalembert view` serves: other motions, and news of the model file.
import { decodeFloats, decodeNumbers, type MotionData } from "./data";
import { Motion } from "./motion";
import { element } from "./text";

export function readMotion(data: MotionData): Motion {
  const events = data.events.map((event) => ({ ...event, state: decodeNumbers(event.state) }));
  const column = (text: string): Float64Array => (data.single ? Float64Array.from(decodeFloats(text)) : decodeNumbers(text));
  return new Motion(data.columns, data.data.map(column), events);
}

export interface ServedMotion {
  parameters: number[];
  motion: Motion;
  /** Why it ended before its time, where it did. */
  problem: string;
}

/** Throws an Error with the engine's own words where it refuses. */
export async function askMotion(parameters: Record<string, number>, initial: Record<string, number>): Promise<ServedMotion> {
  const answer = await fetch("/motion", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ parameters, initial }) });
  if (!answer.ok) throw new Error(await answer.text());
  const { parameters: values, motion } = (await answer.json()) as { parameters: number[]; motion: MotionData };
  return { parameters: values, motion: readMotion(motion), problem: motion.status === "finished" || motion.status === "event" ? "" : motion.message };
}

const everyMilliseconds = 700;

/** Loads the page again when the file has changed, and shows what is wrong with it meanwhile. */
export class News {
  readonly root = element("pre", { className: "news", hidden: true });

  constructor(private readonly served: number) {
    this.root.setAttribute("role", "alert");
    setTimeout(() => void this.ask(), everyMilliseconds);
  }
  private show(text: string): void {
    this.root.hidden = text === "";
    if (this.root.textContent !== text) this.root.textContent = text;
  }
  private async ask(): Promise<void> {
    try {
      const answer = await fetch("/news");
      const { served, error } = (await answer.json()) as { served: number; error: string | null };
      this.show(error ?? "");
      if (served !== this.served && error === null) return location.reload();
    } catch {
      this.show("dalembert view has ended: this page shows what it had last.");
    }
    setTimeout(() => void this.ask(), everyMilliseconds);
  }
}
