#pragma once
// What is certain of matrices whose entries are known within ranges.

#include <dalembert/expr/enclose.hpp>
#include <optional>

namespace dalembert {

/// By rows.
struct RangeMatrix {
  std::size_t rows, columns;
  std::span<const Range> entries;
};

/// How far A X is from the identity, |1 - A X| entry by entry at most, for every A within and X by rows.
std::vector<double> bound_residual(const RangeMatrix& matrix, std::span<const double> inverse);

/// A right inverse of the middle, about: A^T (A A^T)^-1 by rows; empty where its rows depend on each other.
std::vector<double> find_right_inverse(const RangeMatrix& matrix);

/// Every matrix within has independent rows: some X has |1 - A X| < 1 (Rump 1983; Moore, Kearfott and Cloud 2009, 7.4).
bool has_independent_rows(const RangeMatrix& matrix);

/// f has a zero in { p + X y : |y| <= r }, from f(p) and df/dq over the box that this set lies in: Krawczyk's operator
/// maps |y| <= r into itself (Moore, Kearfott and Cloud 2009, 8.2).
bool has_zero(std::span<const Range> at_middle, const RangeMatrix& slopes, std::span<const double> inverse, double r);

}  // namespace dalembert
