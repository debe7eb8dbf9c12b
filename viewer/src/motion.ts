// A motion as rows of numbers, and what it is between them.

/** What happens at a time of its own, with the row there. */
export interface Happening {
  name: string;
  kind: string;
  t: number;
  state: Float64Array;
  impulse?: number;
}

export class Motion {
  readonly from: number;
  readonly until: number;
  private readonly rates: Int32Array; // by column: the column that has its rate, or -1

  constructor(
    readonly columns: string[],
    readonly data: Float64Array[],
    readonly events: Happening[] = [],
  ) {
    const times = this.times;
    this.from = times[0] ?? 0;
    this.until = times[times.length - 1] ?? 0;
    this.rates = Int32Array.from(columns.map((name) => columns.indexOf(`${name}'`)));
  }

  get times(): Float64Array {
    return this.data[0] ?? new Float64Array();
  }
  get rows(): number {
    return this.times.length;
  }
  column(index: number): Float64Array {
    return this.data[index] ?? new Float64Array();
  }

  /** A column at other times, in order: straight lines between rows, nothing outside of them. */
  columnAt(index: number, times: Float64Array): Float64Array {
    const values = this.column(index);
    let row = 0;
    return times.map((t) => {
      while (row + 2 < this.rows && (this.times[row + 1] ?? 0) <= t) ++row;
      const [a, b] = [this.times[row] ?? NaN, this.times[row + 1] ?? NaN];
      const [from, to] = [values[row] ?? NaN, values[row + 1] ?? NaN];
      if (t === a) return from;
      return t > a && t <= b ? from + ((t - a) / (b - a)) * (to - from) : NaN;
    });
  }

  /** The last row that is not after t. */
  rowAt(t: number): number {
    const times = this.times;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((times[middle] ?? Infinity) <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** All columns at a time: coordinates by the cubic that has the rates of both rows, straight lines for the rest. An
   * impact lies between two straight lines. */
  sample(t: number, out: Float64Array): Float64Array {
    const row = this.rowAt(t);
    const next = Math.min(row + 1, this.rows - 1);
    let t0 = this.times[row] ?? 0;
    let t1 = this.times[next] ?? 0;
    let first = (column: number): number => this.column(column)[row] ?? NaN;
    let last = (column: number): number => this.column(column)[next] ?? NaN;
    const impacts = this.events.filter((event) => event.kind === "impact" && event.t >= t0 && event.t <= t1);
    for (const { t: at, state } of impacts) {
      const there = (column: number): number => state[column] ?? NaN;
      if (at <= t) [t0, first] = [at, there];
      else {
        [t1, last] = [at, there];
        break;
      }
    }
    const s = t1 > t0 ? Math.min(1, Math.max(0, (t - t0) / (t1 - t0))) : 0;
    for (let k = 0; k < this.columns.length; ++k) {
      const a = first(k);
      const b = last(k);
      const rate = this.rates[k] ?? -1;
      out[k] = s === 0 ? a : s === 1 ? b : a + s * (b - a);
      if (rate >= 0 && impacts.length === 0 && s > 0 && s < 1) out[k] = hermite(s, t1 - t0, a, b, first(rate), last(rate));
    }
    out[0] = t;
    return out;
  }
}

/** The cubic with values a, b and slopes u, v at the ends of an interval of length h, a part s into it. */
export function hermite(s: number, h: number, a: number, b: number, u: number, v: number): number {
  const r = 1 - s;
  return r * r * (1 + 2 * s) * a + s * s * (3 - 2 * s) * b + h * s * r * (r * u - s * v);
}
