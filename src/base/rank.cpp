#include "base/rank.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <dalembert/base/work_limit.hpp>
#include <numeric>

namespace dalembert {
namespace {

/// Of a decomposition of a matrix, in the units of a WorkLimit: an operation is about a nanosecond.
void spend_decomposition(MatrixView a) {
  spend_work(0.2 * static_cast<double>(a.values.size()) * static_cast<double>(std::min(a.rows, a.columns)));
}

using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Index;

Eigen::Map<const RowMajor> view(MatrixView a) {
  return {a.values.data(), static_cast<Index>(a.rows), static_cast<Index>(a.columns)};
}

/// The columns of X = A^T in the order of the pivots. Eigen's decompositions want at least one entry.
class PivotedColumns {
 public:
  PivotedColumns(MatrixView rows, double threshold) : qr_(view(rows).transpose()) {
    const Index most = std::min(qr_.rows(), qr_.cols());
    while (rank_ < most && std::abs(qr_.matrixQR()(rank_, rank_)) > threshold) ++rank_;
  }
  Index rank() const { return rank_; }
  double size(Index k) const { return k < std::min(qr_.rows(), qr_.cols()) ? std::abs(qr_.matrixQR()(k, k)) : 0.0; }
  std::size_t row(Index k) const { return static_cast<std::size_t>(qr_.colsPermutation().indices()[k]); }

  /// [-R11^-1 R12; 1] in the order of the rows: one column a dropped row.
  Matrix dependences() const {
    const Index free = qr_.cols() - rank_;
    const Matrix& r = qr_.matrixQR();
    Matrix basis = Matrix::Identity(qr_.cols(), qr_.cols()).rightCols(free);
    if (rank_ > 0 && free > 0)
      basis.topRows(rank_) =
          -r.topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solve(r.topRightCorner(rank_, free));
    return qr_.colsPermutation() * basis;
  }
  Matrix complement() const { return Matrix(qr_.householderQ()).rightCols(qr_.rows() - rank_); }

 private:
  Eigen::ColPivHouseholderQR<Matrix> qr_;
  Index rank_ = 0;
};

/// The columns, one after the other.
std::vector<double> to_list(const Matrix& columns) { return {columns.data(), columns.data() + columns.size()}; }

std::vector<double> make_identity(std::size_t size) {
  std::vector<double> result(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) result[i * size + i] = 1;
  return result;
}

}  // namespace

RowRank find_rank(MatrixView rows, double threshold) {
  RowRank result;
  result.finite = is_finite(rows.values);
  if (!result.finite || rows.values.empty()) {
    result.dropped.resize(rows.rows);
    std::iota(result.dropped.begin(), result.dropped.end(), std::size_t{0});
    return result;
  }
  spend_decomposition(rows);
  const PivotedColumns columns(rows, threshold);
  for (Index k = 0; k < static_cast<Index>(rows.rows); ++k)
    (k < columns.rank() ? result.kept : result.dropped).push_back(columns.row(k));
  if (columns.rank() > 0) result.smallest = columns.size(columns.rank() - 1);
  result.largest_dropped = columns.size(columns.rank());
  std::ranges::sort(result.kept);
  std::ranges::sort(result.dropped);
  return result;
}

RowSplit split_rows(MatrixView rows, double threshold) {
  RowSplit result;
  result.finite = is_finite(rows.values);
  if (!result.finite) return result;
  if (rows.values.empty()) {
    result.dependences = make_identity(rows.rows);
    result.kernel = make_identity(rows.columns);
    return result;
  }
  spend_decomposition(rows);
  const PivotedColumns columns(rows, threshold);
  result.rank = static_cast<std::size_t>(columns.rank());
  result.dependences = to_list(columns.dependences());
  result.kernel = to_list(columns.complement());
  return result;
}

LeastNorm solve_least_norm(MatrixView a, std::span<const double> b, double threshold) {
  assert(b.size() == a.rows);
  LeastNorm result{true, 0, std::vector<double>(a.columns, 0.0)};
  result.finite = is_finite(a.values) && is_finite(b);
  if (!result.finite || a.values.empty()) return result;
  spend_decomposition(a);
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(threshold);
  decomposition.compute(view(a));
  result.rank = static_cast<std::size_t>(decomposition.rank());
  const Eigen::VectorXd x = decomposition.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), std::ssize(b)));
  std::ranges::copy(x, result.x.begin());
  return result;
}

}  // namespace dalembert
