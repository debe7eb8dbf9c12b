#include "base/cholesky.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/tolerances.hpp"

namespace dalembert {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Block = Eigen::Map<RowMajor, 0, Eigen::OuterStride<>>;

constexpr std::size_t largest_block = 16;
/// A block of the columns and rows that it meets; its size is known when compiled, so that it needs no heap.
using Corner = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, largest_block, largest_block>;

/// What errors of the entries in parts of the root of a_ii a_jj change pivot `index` by, in the same parts: the square
/// of the sum of |v_i| sqrt(a_ii). `whole`: the entry on its diagonal. Column `index` above the diagonal is scratch.
double sensitivity(double* a, std::size_t size, std::size_t index, double whole) {
  double sum = std::sqrt(whole);
  for (std::size_t i = index; i-- > 0;) {  // L11^T v = -l, from below
    double v = -a[index * size + i];
    for (std::size_t k = i + 1; k < index; ++k) v -= a[k * size + i] * a[k * size + index];
    const double* row = a + i * size;
    double square = 1 / (row[i] * row[i]);
    for (std::size_t k = 0; k < i; ++k) square += row[k] * row[k];
    a[i * size + index] = v *= row[i];
    sum += std::abs(v) * std::sqrt(square);
  }
  return sum * sum;
}

/// The rows and columns from `first` on, `count` of them, of which the columns before are done. `diagonal`: the entries
/// as they were, `between` apart. Continues `report`.
CholeskyReport factor_plain(std::span<double> a, std::size_t size, std::size_t first, std::size_t count,
                            const double* diagonal, std::size_t between, double noise, CholeskyReport report) {
  double* corner = a.data() + first * size + first;
  for (std::size_t i = 0; i < count; ++i) {
    double* row = corner + i * size;
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = corner + j * size;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = sum * other[j];
    }
    const double whole = diagonal[i * between];
    double pivot = row[i];
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k];
    // An infinite pivot is not above its diagonal entry either, which is infinite too.
    bool clear = pivot > noise * whole && pivot > 0;
    if (clear && noise > 0 && pivot < tolerance::independent * whole)
      clear = pivot > noise * sensitivity(a.data(), size, first + i, whole);
    if (!clear) return {first + i, 0, first + i};
    if (pivot < report.least * whole) report.least = pivot / whole, report.weakest = first + i;
    row[i] = 1 / std::sqrt(pivot);
  }
  report.failed = first + count;
  return report;
}

/// Right-looking: a diagonal block, the rows below it by triangular solution, their products off the rest.
CholeskyReport factor_blocked(std::span<double> matrix, std::size_t size, double noise) {
  CholeskyReport report;
  double* const a = matrix.data();
  double* diagonal = a + 1;  // of the indices from 1, kept in the first row, which is scratch there
  for (std::size_t i = 1; i < size; ++i) diagonal[i - 1] = a[i * size + i];
  const auto stride = Eigen::OuterStride<>(static_cast<Eigen::Index>(size));
  const std::size_t block_size = size < 128 ? 8 : largest_block;
  for (std::size_t k = 0; k < size; k += block_size) {
    const std::size_t count = std::min(block_size, size - k), below = size - k - count;
    double* corner = a + k * size + k;
    report = k == 0 ? factor_plain(matrix, size, k, count, a, size + 1, noise, report)
                    : factor_plain(matrix, size, k, count, diagonal + (k - 1), 1, noise, report);
    if (report.failed < k + count) return report;
    if (below == 0) break;
    const auto rows = static_cast<Eigen::Index>(below), columns = static_cast<Eigen::Index>(count);
    const Block triangle(corner, columns, columns, stride);
    Block panel(corner + count * size, rows, columns, stride);
    Block rest(corner + count * size + count, rows, rows, stride);
    // Column j of the panel is its entries less those before it, times the reciprocal on the diagonal: with the
    // reciprocals R of the diagonal, L = (L R) R^-1 and L R has ones there.
    Corner unit = triangle;
    for (Eigen::Index j = 0; j < columns; ++j) unit.col(j) *= triangle(j, j);
    unit.transpose().triangularView<Eigen::UnitUpper>().solveInPlace<Eigen::OnTheRight>(panel);
    for (Eigen::Index j = 0; j < columns; ++j) panel.col(j) *= triangle(j, j);
    rest.selfadjointView<Eigen::Lower>().rankUpdate(panel, -1);
  }
  return report;
}

}  // namespace

CholeskyReport factor_cholesky(std::span<double> a, std::size_t size, double noise) {
  assert(a.size() == size * size);
  if (size > largest_unblocked) return factor_blocked(a, size, noise);
  return factor_plain(a, size, 0, size, a.data(), size + 1, noise, {});
}

SemidefiniteReport factor_semidefinite(std::span<double> a, std::size_t size, double least) {
  assert(a.size() == size * size);
  SemidefiniteReport report;
  for (std::size_t i = 0; i < size; ++i) {
    double* row = a.data() + i * size;
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = a.data() + j * size;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = sum * other[j];  // zero in the columns of rows passed over
    }
    double pivot = row[i];
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k];
    if (!std::isfinite(pivot)) return {false, report.rank};
    const bool passed = !(pivot > least) || !(pivot > 0);
    row[i] = passed ? 0 : 1 / std::sqrt(pivot);
    if (!passed) ++report.rank;
  }
  return report;
}

void solve_lower(std::span<const double> l, std::span<double> x) {
  const std::size_t size = x.size();
  assert(l.size() == size * size);
  for (std::size_t i = 0; i < size; ++i) {
    const double* row = l.data() + i * size;
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum * row[i];
  }
}

void solve_upper(std::span<const double> l, std::span<double> x) {
  const std::size_t size = x.size();
  assert(l.size() == size * size);
  for (std::size_t i = size; i-- > 0;) {
    const double* row = l.data() + i * size;
    const double value = x[i] * row[i];
    x[i] = value;
    for (std::size_t k = 0; k < i; ++k) x[k] -= row[k] * value;
  }
}

}  // namespace dalembert
