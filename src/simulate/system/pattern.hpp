#pragma once
// Where the entries of M and A are, whatever their values.

#include <cstdint>
#include <utility>
#include <vector>

namespace dalembert {

/// Of a row, a column or a block of the equations.
using Index = std::uint32_t;

/// Constraint rows by their nonzero columns; values are numbered in this order.
struct RowPattern {
  std::vector<Index> begin{0};
  std::vector<Index> column;
  std::size_t rows() const { return begin.size() - 1; }
};

struct Pattern {
  std::size_t size = 0;                       ///< velocities
  std::vector<std::pair<Index, Index>> mass;  ///< (row, column) of the lower triangle's entries
  RowPattern rows;                            ///< of the equations, then of the contacts
  std::vector<bool> unit;                     ///< one an equation: a quaternion's own
  std::size_t equation_count() const { return unit.size(); }
  std::size_t contact_count() const { return rows.rows() - unit.size(); }
};

}  // namespace dalembert
