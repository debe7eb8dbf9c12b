// Small dense linear systems.

/** Solves a x = b for a square matrix by rows, both overwritten; x is then in b. False where a is singular. */
export function solveLinear(a: Float64Array, b: Float64Array, size: number): boolean {
  for (let k = 0; k < size; ++k) {
    let pivot = k;
    for (let i = k + 1; i < size; ++i) if (Math.abs(a[i * size + k]!) > Math.abs(a[pivot * size + k]!)) pivot = i;
    const largest = a[pivot * size + k]!;
    if (!(Math.abs(largest) > 0) || !Number.isFinite(largest)) return false;
    if (pivot !== k) {
      for (let j = k; j < size; ++j) {
        const kept = a[k * size + j]!;
        a[k * size + j] = a[pivot * size + j]!;
        a[pivot * size + j] = kept;
      }
      const kept = b[k]!;
      b[k] = b[pivot]!;
      b[pivot] = kept;
    }
    for (let i = k + 1; i < size; ++i) {
      const factor = a[i * size + k]! / largest;
      if (factor === 0) continue;
      for (let j = k + 1; j < size; ++j) a[i * size + j] = a[i * size + j]! - factor * a[k * size + j]!;
      b[i] = b[i]! - factor * b[k]!;
    }
  }
  for (let i = size - 1; i >= 0; --i) {
    let sum = b[i]!;
    for (let j = i + 1; j < size; ++j) sum -= a[i * size + j]! * b[j]!;
    b[i] = sum / a[i * size + i]!;
  }
  return true;
}
