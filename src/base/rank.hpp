#pragma once
// Rank of vectors, what they depend on, what they leave free, and the solutions of least norm: orthogonal
// decompositions with pivots. The vectors are the rows of a matrix.

#include <vector>

#include "base/matrix_view.hpp"

namespace dalembert {

/// By QR with pivots, the longest of what is left next. Thresholds are absolute: scale the rows to unit length first.
struct RowRank {
  bool finite = true;                      ///< where not, all rows are dropped
  std::vector<std::size_t> kept, dropped;  ///< ascending
  double smallest = 1;                     ///< distance of the last kept row from those before it; 1 where none is kept
  double largest_dropped = 0;              ///< the same of the first dropped one
};
RowRank find_rank(MatrixView rows, double threshold);

/// `dependences`: combinations c of the rows with c A = 0, each with a one at its own dropped row and zero at the other
/// dropped ones. `kernel`: orthonormal x with A x = 0. Both one after the other.
struct RowSplit {
  bool finite = true;  ///< where not, rank is zero and both lists are empty
  std::size_t rank = 0;
  std::vector<double> dependences, kernel;
};
RowSplit split_rows(MatrixView rows, double threshold);

/// The x of least norm among those with least |A x - b|. Pivots of A below `threshold` times the largest count as zero.
struct LeastNorm {
  bool finite = true;  ///< of A and b; where not, x is zero
  std::size_t rank = 0;
  std::vector<double> x;
};
LeastNorm solve_least_norm(MatrixView a, std::span<const double> b, double threshold);

}  // namespace dalembert
