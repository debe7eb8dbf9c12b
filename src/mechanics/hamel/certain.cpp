#include "mechanics/hamel/certain.hpp"

#include <algorithm>

#include "base/linear_algebra.hpp"

namespace dalembert {
namespace {

/// Sums of positive numbers are rounded too: more than their terms together could lose.
constexpr double slack = 1 + 0x1p-40;

}  // namespace

std::vector<double> bound_residual(const RangeMatrix& matrix, std::span<const double> inverse) {
  const std::size_t rows = matrix.rows, inner = matrix.columns;
  // A sum of n products is off by at most n eps / (1 - n eps) of their sizes' sum (Higham 2002, 3.1); one more for
  // the 1.
  const double rounding = 2 * static_cast<double>(inner + 1) * std::numeric_limits<double>::epsilon();
  std::vector<double> bound(rows * rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j) {
      double sum = i == j ? -1 : 0, sizes = 1, spread = 0;
      for (std::size_t k = 0; k < inner; ++k) {
        const Range& entry = matrix.entries[i * inner + k];
        const double factor = inverse[k * rows + j];
        sum += entry.middle * factor;
        sizes += std::fabs(entry.middle * factor);
        spread += entry.radius * std::fabs(factor);
      }
      bound[i * rows + j] = (std::fabs(sum) + rounding * sizes + spread) * slack;
    }
  return bound;
}

std::vector<double> find_right_inverse(const RangeMatrix& matrix) {
  const std::size_t rows = matrix.rows, inner = matrix.columns;
  std::vector<double> gram(rows * rows), unit(rows * rows, 0.0), inverse(inner * rows, 0.0);
  auto middle = [&](std::size_t i, std::size_t k) { return matrix.entries[i * inner + k].middle; };
  for (std::size_t i = 0; i < rows; ++i) {
    unit[i * rows + i] = 1;
    for (std::size_t j = 0; j < rows; ++j)
      for (std::size_t k = 0; k < inner; ++k) gram[i * rows + j] += middle(i, k) * middle(j, k);
  }
  if (!solve_square(gram, rows, unit)) return {};
  for (std::size_t k = 0; k < inner; ++k)
    for (std::size_t j = 0; j < rows; ++j)
      for (std::size_t i = 0; i < rows; ++i) inverse[k * rows + j] += middle(i, k) * unit[i * rows + j];
  return inverse;
}

bool has_independent_rows(const RangeMatrix& matrix) {
  const std::vector<double> inverse = find_right_inverse(matrix);
  if (inverse.size() != matrix.columns * matrix.rows) return false;
  const std::vector<double> bound = bound_residual(matrix, inverse);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    double norm = 0;
    for (std::size_t j = 0; j < matrix.rows; ++j) norm += bound[i * matrix.rows + j];
    if (!(norm * slack < 1)) return false;
  }
  return true;
}

bool has_zero(std::span<const Range> at_middle, const RangeMatrix& slopes, std::span<const double> inverse, double r) {
  const std::vector<double> bound = bound_residual(slopes, inverse);
  for (std::size_t i = 0; i < slopes.rows; ++i) {
    double reach = at_middle[i].size();
    for (std::size_t j = 0; j < slopes.rows; ++j) reach += bound[i * slopes.rows + j] * r;
    if (!(reach * slack <= r)) return false;
  }
  return true;
}

}  // namespace dalembert
