#include "base/cholesky.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace dalembert {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Block = Eigen::Map<RowMajor, 0, Eigen::OuterStride<>>;

constexpr std::size_t largest_block = 16;
/// A block of the columns and rows that it meets; its size is known when compiled, so that it needs no heap.
using Corner = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, largest_block, largest_block>;

/// Rows `stride` apart. `diagonal`: the entries that pivots are compared with, `between` apart. Continues `so_far`,
/// whose `failed` is where the block begins.
inline CholeskyReport factor_plain(double* a, std::size_t stride, std::size_t size, const double* diagonal,
                                   std::size_t between, double least, const CholeskyReport& so_far) {
  const std::size_t first = so_far.failed;
  double smallest = so_far.least;
  std::size_t weakest = so_far.weakest;
  for (std::size_t i = 0; i < size; ++i) {
    double* row = a + i * stride;
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = a + j * stride;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = sum * other[j];
    }
    const double whole = diagonal[i * between];
    double pivot = row[i];
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k];
    // An infinite pivot is not above its diagonal entry either, which is infinite too.
    if (!(pivot > least * whole) || !(pivot > 0)) return {first + i, 0, first + i};
    if (pivot < smallest * whole) smallest = pivot / whole, weakest = first + i;
    row[i] = 1 / std::sqrt(pivot);
  }
  return {first + size, smallest, weakest};
}

/// Right-looking: a diagonal block, the rows below it by triangular solution, their products off the rest.
CholeskyReport factor_blocked(double* a, std::size_t size, double least) {
  CholeskyReport report;
  double* diagonal = a + 1;  // of the indices from 1, kept in the first row, which is scratch there
  for (std::size_t i = 1; i < size; ++i) diagonal[i - 1] = a[i * size + i];
  const auto stride = Eigen::OuterStride<>(static_cast<Eigen::Index>(size));
  const std::size_t block_size = size < 128 ? 8 : largest_block;
  for (std::size_t k = 0; k < size; k += block_size) {
    const std::size_t count = std::min(block_size, size - k), below = size - k - count;
    double* corner = a + k * size + k;
    report = k == 0 ? factor_plain(corner, size, count, a, size + 1, least, report)
                    : factor_plain(corner, size, count, diagonal + (k - 1), 1, least, report);
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

CholeskyReport factor_cholesky(std::span<double> a, std::size_t size, double least) {
  assert(a.size() == size * size);
  if (size > largest_unblocked) return factor_blocked(a.data(), size, least);
  return factor_plain(a.data(), size, size, a.data(), size + 1, least, {});
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
