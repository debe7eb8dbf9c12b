#include "base/elimination.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/matrix_view.hpp"

namespace dalembert {
namespace {

/// Takes a pivot into the report; false where elimination cannot go on.
bool note(EliminationReport& report, double pivot, std::size_t at) {
  const double size = std::abs(pivot);
  if (!(size > 0) || !std::isfinite(size)) {
    report = {0, 0, at};
    return false;
  }
  if (at == 0 || size < report.least) {
    report.least = size;
    report.weakest = at;
  }
  if (pivot < 0) report.sign = -report.sign;
  return true;
}

/// The place of the entry largest in size; one that is not a number counts as largest, so that it is met.
std::size_t find_largest(const double* first, std::size_t count, std::size_t stride) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double size = std::abs(first[i * stride]);
    if (std::isnan(size)) return i;
    if (size > std::abs(first[best * stride])) best = i;
  }
  return best;
}

}  // namespace

EliminationReport eliminate_rows(std::span<double> a, std::size_t size) {
  const std::size_t rows = size == 0 ? 0 : a.size() / size;
  assert(a.size() == rows * size && rows <= size);
  EliminationReport report;
  for (std::size_t r = 0; r < rows; ++r) {
    double* row = a.data() + r * size;
    const std::size_t best = r + find_largest(row + r, size - r, 1);
    if (best != r) {
      for (std::size_t i = 0; i < rows; ++i) std::swap(a[i * size + r], a[i * size + best]);
      report.sign = -report.sign;
    }
    if (!note(report, row[r], r)) return report;
    for (std::size_t i = r + 1; i < rows; ++i) {
      const double factor = a[i * size + r] / row[r];
      if (factor == 0) continue;
      for (std::size_t c = r; c < size; ++c) a[i * size + c] -= factor * row[c];
    }
  }
  return report;
}

EliminationReport solve_square(std::span<double> a, std::size_t size, std::span<double> b) {
  assert(a.size() == size * size && (size == 0 ? b.empty() : b.size() % size == 0));
  EliminationReport report;
  const std::size_t width = size == 0 ? 0 : b.size() / size;
  auto right = [&](std::size_t i) { return b.subspan(i * width, width); };
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t best = k + find_largest(a.data() + k * size + k, size - k, size);
    if (best != k) {
      std::swap_ranges(a.begin() + static_cast<std::ptrdiff_t>(k * size),
                       a.begin() + static_cast<std::ptrdiff_t>(k * size + size),
                       a.begin() + static_cast<std::ptrdiff_t>(best * size));
      std::ranges::swap_ranges(right(k), right(best));
      report.sign = -report.sign;
    }
    const double* row = a.data() + k * size;
    if (!note(report, row[k], k)) return report;
    for (std::size_t i = k + 1; i < size; ++i) {
      const double factor = a[i * size + k] / row[k];
      for (std::size_t j = k; j < size; ++j) a[i * size + j] -= factor * row[j];
      add_scaled(-factor, right(k), right(i));
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t j = k + 1; j < size; ++j) add_scaled(-a[k * size + j], right(j), right(k));
    for (double& value : right(k)) value /= a[k * size + k];
  }
  if (!is_finite(b)) report.sign = 0;
  return report;
}

}  // namespace dalembert
