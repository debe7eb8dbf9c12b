// The Runge-Kutta method of order 8(5,3) with dense output of order 7; its coefficients are the engine's own.

type Terms = [number, number][]; // stage, weight

export interface Tableau {
  abscissa: number[];
  stages: Terms[]; // the twelfth are the weights of the step's end
  error5: Terms;
  error3: Terms;
  dense: Terms[];
}

export type Slope = (t: number, y: Float64Array, dy: Float64Array) => void;

export class Dop853 {
  t = 0;
  h = 0;
  readonly start: Float64Array;
  readonly end: Float64Array;
  private readonly k: Float64Array[];
  private readonly scratch: Float64Array;
  private readonly coefficients: Float64Array[];
  private dense = false;

  constructor(private readonly tableau: Tableau, private readonly slope: Slope, private readonly size: number) {
    const vector = (): Float64Array => new Float64Array(size);
    [this.start, this.end, this.scratch] = [vector(), vector(), vector()];
    this.k = Array.from({ length: 16 }, vector);
    this.coefficients = Array.from({ length: 7 }, vector);
  }
  begin(t: number, y: Float64Array): void {
    this.t = t;
    this.start.set(y);
    this.slope(t, this.start, this.k[0]!);
  }
  get startSlope(): Float64Array {
    return this.k[0]!;
  }
  private combine(terms: Terms, out: Float64Array, from: Float64Array | undefined, h: number): void {
    for (let i = 0; i < this.size; ++i) {
      let sum = 0;
      for (const [stage, weight] of terms) sum += weight * this.k[stage]![i]!;
      out[i] = (from ? from[i]! : 0) + h * sum;
    }
  }
  private evaluate(stage: number): void {
    this.combine(this.tableau.stages[stage]!, this.scratch, this.start, this.h);
    this.slope(this.t + this.tableau.abscissa[stage]! * this.h, this.scratch, this.k[stage]!);
  }
  /** One step to `end`. */
  take(h: number): void {
    this.h = h;
    this.dense = false;
    for (let stage = 1; stage < 12; ++stage) this.evaluate(stage);
    this.combine(this.tableau.stages[12]!, this.end, this.start, h);
  }
  /** In units of the scale, by Hairer, Norsett, Wanner I, (10.17). */
  error(scale: Float64Array): number {
    const [e5, e3] = [this.coefficients[0]!, this.coefficients[1]!];
    this.combine(this.tableau.error5, e5, undefined, this.h);
    this.combine(this.tableau.error3, e3, undefined, this.h);
    let largest = 0;
    for (let i = 0; i < this.size; ++i) {
      const [x5, x3] = [Math.abs(e5[i]!), Math.abs(e3[i]!)];
      const blend = Math.sqrt(x5 * x5 + 0.01 * x3 * x3);
      if (!Number.isFinite(blend)) return Infinity;
      if (blend > 0) largest = Math.max(largest, (x5 * (x5 / blend)) / scale[i]!);
    }
    return largest;
  }
  /** After `end` was put right: its slope, which the next step starts with. */
  finish(): void {
    this.slope(this.t + this.h, this.end, this.k[12]!);
  }
  advance(): void {
    this.t += this.h;
    this.start.set(this.end);
    this.k[0]!.set(this.k[12]!);
  }
  /** The state a part x into the step, after finish(). */
  interpolate(x: number, y: Float64Array): void {
    if (!this.dense) this.prepareDense();
    const z = 1 - x;
    const c = this.coefficients;
    for (let i = 0; i < this.size; ++i)
      y[i] = this.start[i]! + x * (c[0]![i]! + z * (c[1]![i]! + x * (c[2]![i]! + z * (c[3]![i]! + x * (c[4]![i]! + z * (c[5]![i]! + x * c[6]![i]!))))));
  }
  private prepareDense(): void {
    for (let stage = 13; stage < 16; ++stage) this.evaluate(stage);
    for (let i = 0; i < this.size; ++i) {
      const step = this.end[i]! - this.start[i]!;
      const bend = this.h * this.k[0]![i]! - step;
      this.coefficients[0]![i] = step;
      this.coefficients[1]![i] = bend;
      this.coefficients[2]![i] = step - this.h * this.k[12]![i]! - bend;
    }
    this.tableau.dense.forEach((terms, i) => this.combine(terms, this.coefficients[3 + i]!, undefined, this.h));
    this.dense = true;
  }
}
