#pragma once
// Gaussian elimination of square matrices, in place and without allocation.

#include <cstddef>
#include <span>

namespace dalembert {

struct EliminationReport {
  int sign = 1;             ///< of the determinant: 0 where a pivot vanishes or is not finite
  double least = 1;         ///< the smallest pivot's size; 1 where there is none
  std::size_t weakest = 0;  ///< where it was met
  explicit operator bool() const { return sign != 0; }
};

/// Rows in their order, columns exchanged: the pivot of a row is the largest entry that the rows before leave of it, so
/// that `weakest` names the row most nearly dependent on those before it. `size` columns, and so many rows or fewer,
/// which have no determinant. `a` is used up.
EliminationReport eliminate_rows(std::span<double> a, std::size_t size);

/// A X = B with rows exchanged: B, one row an equation, becomes X. Where the report says singular B is of no use. `a`
/// is used up; `weakest` counts the columns.
EliminationReport solve_square(std::span<double> a, std::size_t size, std::span<double> b);

}  // namespace dalembert
