#pragma once
// Every number that judges rounding, rank or consistency, each with its reason; all but the contract follow from the
// precision of doubles. Parts are powers of two: what they are multiplied by is not rounded again.
//
// A computed sum of n terms is off by up to n * epsilon / 2 of the sum of their sizes; a pivot of a factorisation of n
// rows by about n * epsilon of its diagonal entry (Higham, Accuracy and Stability of Numerical Algorithms, sections 3.1
// and 10.1). A quantity squared (a Gram matrix, a sum of squares) is good to epsilon, so what it is the square of is
// good to the root of epsilon only.

#include <limits>

namespace dalembert::tolerance {

/// Of doubles: 2^-52. The unit roundoff times two, so that functions right to 1 ulp are covered by one of it.
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double root_epsilon = 0x1p-26;

// Rounding

/// A change of this part of a quantity's size is none: two roundings to either side.
constexpr double unchanged = 4 * epsilon;
/// What is left of terms that cancel, in parts of their size: a sum of up to 64 of them; an entry of M in parts of the
/// root of its diagonal entries, or a diagonal entry in parts of the largest, of a coordinate whose masses cancel.
constexpr double cancelled = 64 * epsilon;
/// A pivot of elimination, in parts of the largest, that may be rounding alone: of up to 4096 rows.
constexpr double vanishing_pivot = 4096 * epsilon;
/// A formula of numbers near one whose value is above this has its sign: up to 2^22 operations.
constexpr double clear_sign = 0x1p22 * epsilon;
/// The least step, in parts of the times at hand, that still separates the stages of a method: 16 of their spacing.
constexpr double smallest_step = 16 * epsilon;

// Newton's method and its kin

/// Where convergence is quadratic, a step of this part of the sizes leaves only rounding behind: its square.
constexpr double settled = root_epsilon;
/// Below this a step that is no smaller than the one before is rounding of the residuals, which are sums of terms far
/// larger than what they leave: 2^19 roundings. Above it, it is divergence.
constexpr double stalled = 0x1p19 * epsilon;
/// What iterations that converge linearly are stopped at: as many roundings as a vanishing pivot has.
constexpr double assembled = vanishing_pivot;

// Rank of rows of unit length

/// A row closer than this to the span of others depends on them: the Gram matrix knows its distance only by the square.
constexpr double dependent = root_epsilon;
/// A row whose distance is below this has a multiplier with no digit to rely on (its error is epsilon over the square);
/// and a coefficient below this in a dependence, which is good to the root of epsilon, does not count.
constexpr double doubtful = 8 * root_epsilon;
/// A row at least so far off is independent whatever the rounding: nine digits remain even through the Gram matrix.
constexpr double independent = 0x1p-10;

// Consistency

/// The contract with whoever writes a model: a start may be off the constraints by this part of the sizes involved (ten
/// digits are enough to write one), and terms that should cancel may leave as much.
constexpr double consistent = 1e-9;
/// A formula whose value at such a start is above this does not vanish on the constraints: a thousand times what the
/// start may be off by, so that slopes up to a thousand are allowed for.
constexpr double clearly_nonzero = 1000 * consistent;

}  // namespace dalembert::tolerance
