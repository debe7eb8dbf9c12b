// Where places have been: at every row of the motion, at every impact, and between them as the curve needs it.
import type { Motion } from "./motion";
import { length, plus, type Pose, type Vector } from "./pose";

const fewestPoints = 1500;
const mostPoints = 50_000;
const mostHalvings = 5;

function knownTimes({ times, events, from, until }: Motion): number[] {
  const impacts = events.filter((event) => event.kind === "impact" && event.t > from && event.t < until).map((event) => event.t);
  const known = impacts.length === 0 ? [...times] : [...new Set([...times, ...impacts])].sort((a, b) => a - b);
  const parts = Math.max(1, Math.ceil(fewestPoints / Math.max(1, known.length - 1)));
  return known.flatMap((t, i) => {
    const before = known[i - 1];
    return before === undefined ? [t] : Array.from({ length: parts }, (_, k) => (k + 1 === parts ? t : before + ((t - before) * (k + 1)) / parts));
  });
}
/** How far the middle in time lies from the middle of a straight line. */
function bend(from: Vector, middle: Vector, to: Vector): number {
  return length(plus(middle, plus(from, to), -0.5));
}

/** Points of each place's path, three numbers a point, no straight part further from the curve than about `tolerance`
 * where the rows allow it. The pose is somewhere else afterwards. */
export function tracePaths(pose: Pose, places: number[], tolerance: number): Float32Array[] {
  const points: number[][] = places.map(() => []);
  const see = (t: number): Vector[] => {
    pose.moveTo(t);
    return places.map((place) => pose.position(place));
  };
  const add = (at: Vector[]): void => at.forEach((point, k) => points[k]?.push(...point));
  const between = (t0: number, from: Vector[], t1: number, to: Vector[], halvings: number): void => {
    if (halvings === 0) return;
    const t = (t0 + t1) / 2;
    const middle = see(t);
    if (!middle.some((point, k) => bend(from[k] ?? point, point, to[k] ?? point) > tolerance)) return;
    between(t0, from, t, middle, halvings - 1);
    add(middle);
    between(t, middle, t1, to, halvings - 1);
  };
  const times = knownTimes(pose.motion);
  const halvings = Math.min(mostHalvings, Math.max(0, Math.floor(Math.log2(mostPoints / times.length))));
  let last: { t: number; at: Vector[] } | undefined;
  for (const t of times) {
    const at = see(t);
    if (last) between(last.t, last.at, t, at, halvings);
    add(at);
    last = { t, at };
  }
  return points.map((list) => Float32Array.from(list));
}
