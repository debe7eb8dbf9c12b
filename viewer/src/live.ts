// The motion computed in the page: M u' + bias = A^T lambda, A u' + drift = 0, q' = u, by the programs that the command
// wrote. Every step ends on the constraints, moved there in the kinetic metric.
import { Evaluator, type Program } from "./data";
import { Dop853, type Tableau } from "./dop853";
import { solveLinear } from "./linear";

export interface LivePrograms {
  parameters: Program;
  terms: Program;
  columns: Program;
  start: Program;
}
export interface LiveData {
  reason: string;
  tolerance: number;
  coordinates: number;
  rows: number;
  geometric: boolean[];
  names: string[];
  method: Tableau;
}
export interface LiveResult {
  columns: Float64Array[];
  /** Where it could not go on, why; rows from there on are not numbers. */
  problem: string;
  /** How far the start had to be moved onto the constraints. */
  moved: number;
  evaluations: number;
}

/** About so many operations are done before the page gives up: some seconds. */
const mostWork = 3e9;

export class LiveSystem {
  private readonly terms: Evaluator;
  private readonly columns: Evaluator;
  private readonly start: Evaluator;
  private readonly n: number;
  private readonly m: number;
  private readonly state: Float64Array; // t, q, u
  private readonly seen: Float64Array; // t, q, u, u', lambda
  private readonly matrix: Float64Array;
  private readonly unknowns: Float64Array;
  private evaluations = 0;

  constructor(private readonly data: LiveData, programs: LivePrograms, readonly parameters: Float64Array) {
    [this.n, this.m] = [data.coordinates, data.rows];
    this.terms = new Evaluator(programs.terms, parameters);
    this.columns = new Evaluator(programs.columns, parameters);
    this.start = new Evaluator(programs.start, parameters);
    this.state = new Float64Array(1 + 2 * this.n);
    this.seen = new Float64Array(1 + 3 * this.n + this.m);
    this.matrix = new Float64Array((this.n + this.m) ** 2);
    this.unknowns = new Float64Array(this.n + this.m);
  }

  /** As the model writes it: q, u. */
  writtenStart(): Float64Array {
    return this.start.at(new Float64Array()).slice();
  }

  private evaluate(t: number, y: Float64Array): Float64Array {
    this.state[0] = t;
    this.state.set(y, 1);
    ++this.evaluations;
    return this.terms.at(this.state);
  }
  /** (M A^T; A 0) of the rows that `active` names, zeros elsewhere on the diagonal made ones. */
  private fill(terms: Float64Array, active: (row: number) => boolean): void {
    const { n, m, matrix } = this;
    const size = n + m;
    matrix.fill(0);
    for (let i = 0, at = 0; i < n; ++i) for (let j = 0; j <= i; ++j, ++at) matrix[i * size + j] = matrix[j * size + i] = terms[at]!;
    const a = (n * (n + 1)) / 2 + n;
    for (let r = 0; r < m; ++r) {
      if (!active(r)) {
        matrix[(n + r) * size + n + r] = 1;
        continue;
      }
      for (let j = 0; j < n; ++j) matrix[(n + r) * size + j] = matrix[j * size + n + r] = terms[a + r * n + j]!;
    }
  }
  /** u' and then minus lambda are in `unknowns`; false where the matrix is singular. */
  private solveMotion(t: number, y: Float64Array): boolean {
    const { n, m, unknowns } = this;
    const terms = this.evaluate(t, y);
    const [bias, drift] = [(n * (n + 1)) / 2, (n * (n + 1)) / 2 + n + m * n];
    this.fill(terms, () => true);
    for (let i = 0; i < n; ++i) unknowns[i] = -terms[bias + i]!;
    for (let r = 0; r < m; ++r) unknowns[n + r] = -terms[drift + r]!;
    return solveLinear(this.matrix, unknowns, n + m);
  }
  private readonly slope = (t: number, y: Float64Array, dy: Float64Array): void => {
    const solved = this.solveMotion(t, y);
    for (let i = 0; i < this.n; ++i) {
      dy[i] = y[this.n + i]!;
      dy[this.n + i] = solved ? this.unknowns[i]! : NaN;
    }
  };

  /** Onto the constraints by Newton's method: first positions, then velocities. Returns how far it moved. */
  private project(t: number, y: Float64Array, rounds: number): number {
    const { n, m, unknowns } = this;
    if (m === 0) return 0;
    const [a, drift] = [(n * (n + 1)) / 2 + n, (n * (n + 1)) / 2 + n + m * n];
    let moved = 0;
    const apply = (offset: number): number => {
      let largest = 0;
      if (!solveLinear(this.matrix, unknowns, n + m)) return NaN;
      for (let i = 0; i < n; ++i) {
        y[offset + i] = y[offset + i]! + unknowns[i]!;
        largest = Math.max(largest, Math.abs(unknowns[i]!) / (1 + Math.abs(y[offset + i]!)));
      }
      moved = Math.max(moved, largest);
      return largest;
    };
    for (let round = 0; round < rounds && this.data.geometric.includes(true); ++round) {
      const terms = this.evaluate(t, y);
      this.fill(terms, (row) => this.data.geometric[row]!);
      unknowns.fill(0);
      for (let r = 0; r < m; ++r) if (this.data.geometric[r]) unknowns[n + r] = -terms[drift + 2 * m + r]!;
      if (!(apply(0) > 1e-15)) break;
    }
    const terms = this.evaluate(t, y);
    this.fill(terms, () => true);
    unknowns.fill(0);
    for (let r = 0; r < m; ++r) {
      let rate = terms[drift + m + r]!;
      for (let j = 0; j < n; ++j) rate += terms[a + r * n + j]! * y[n + j]!;
      unknowns[n + r] = -rate;
    }
    apply(n);
    return moved;
  }

  /** t, q, u, u', lambda at a state; the array changes at the next call. */
  respond(t: number, y: Float64Array): Float64Array {
    const { n, m, seen } = this;
    const solved = this.solveMotion(t, y);
    seen[0] = t;
    seen.set(y, 1);
    for (let i = 0; i < n; ++i) seen[1 + 2 * n + i] = solved ? this.unknowns[i]! : NaN;
    for (let r = 0; r < m; ++r) seen[1 + 3 * n + r] = solved ? -this.unknowns[n + r]! : NaN;
    return seen;
  }
  private record(t: number, y: Float64Array, row: number, out: Float64Array[]): void {
    const values = this.columns.at(this.respond(t, y));
    out[0]![row] = t;
    for (let k = 0; k < values.length; ++k) out[k + 1]![row] = values[k]!;
  }

  /** Rows at these times, from these q and u. */
  run(times: Float64Array, start: Float64Array): LiveResult {
    const { n } = this;
    this.evaluations = 0;
    const columns = Array.from({ length: this.columns.outputs.length + 1 }, () => new Float64Array(times.length).fill(NaN));
    columns[0]!.set(times);
    const y = start.slice();
    const from = times[0] ?? 0;
    const until = times[times.length - 1] ?? 0;
    const moved = this.project(from, y, 50);
    const method = new Dop853(this.data.method, this.slope, 2 * n);
    const scale = new Float64Array(2 * n);
    const between = new Float64Array(2 * n);
    method.begin(from, y);
    this.record(from, y, 0, columns);
    const finish = (problem: string): LiveResult => ({ columns, problem, moved, evaluations: this.evaluations });
    let h = this.firstStep(method, until - from);
    let row = 1;
    while (row < times.length) {
      if (this.evaluations * (2000 + (this.n + this.m) ** 3) > mostWork) return finish(`too much work for a page: it ends at t = ${method.t.toPrecision(4)}`);
      if (!(h > 1e-14 * Math.max(1, Math.abs(method.t)))) return finish(`the steps became too small at t = ${method.t.toPrecision(4)}`);
      method.take(Math.min(h, until - method.t));
      this.setScale(method, scale);
      const error = method.error(scale);
      const factor = error > 0 ? 0.9 * error ** (-1 / 8) : 6;
      if (!(error <= 1)) {
        h = method.h * (Number.isFinite(error) ? Math.max(1 / 3, factor) : 0.25);
        continue;
      }
      this.project(method.t + method.h, method.end, 3);
      method.finish();
      h = method.h * Math.min(6, Math.max(1 / 3, factor));
      const end = method.t + method.h;
      const isLast = until - end <= 1e-14 * Math.abs(until);
      for (; row < times.length && (times[row]! <= end || isLast); ++row) {
        method.interpolate(Math.min(1, (times[row]! - method.t) / method.h), between);
        this.project(times[row]!, between, 2);
        this.record(times[row]!, between, row, columns);
      }
      method.advance();
    }
    return finish("");
  }
  /** Positions and velocities each by their largest component, as lengths and angles alike. */
  private setScale(method: Dop853, scale: Float64Array): void {
    for (let i = 0; i < scale.length; ++i)
      scale[i] = this.data.tolerance * Math.max(1e-3, Math.abs(method.start[i]!), Math.abs(method.end[i]!));
  }
  private firstStep(method: Dop853, length: number): number {
    const size = (list: Float64Array): number => list.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
    const guess = 0.01 * Math.max(1e-3, size(method.start)) / Math.max(1e-6, size(method.startSlope));
    return Math.min(guess, length / 10);
  }
}

/** The parameters with those that are formulas of others computed. */
export function completeParameters(programs: LivePrograms, given: ArrayLike<number>): Float64Array {
  return new Evaluator(programs.parameters, given).at(new Float64Array()).slice();
}

/** The largest difference of any column, relative to the column's largest value; columns that are rounding only are
 * left out, and those that judge a motion: an energy has no size of its own, it may cancel to nothing. */
export function largestDifference(a: Float64Array[], b: Float64Array[], names: string[]): number {
  let largest = 0;
  names.forEach((name, k) => {
    if (name === "residual" || name === "energy") return;
    let size = 0;
    let difference = 0;
    a[k]!.forEach((value, i) => {
      const other = b[k]![i]!;
      if (Number.isNaN(value) && Number.isNaN(other)) return;
      size = Math.max(size, Math.abs(value));
      difference = Math.max(difference, Number.isNaN(value) || Number.isNaN(other) ? Infinity : Math.abs(value - other));
    });
    if (difference > 1e-12) largest = Math.max(largest, difference / Math.max(size, 1e-3));
  });
  return largest;
}
