#pragma once
// The scaled Gram matrix of constraint rows.

#include <Eigen/SparseCholesky>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace dalembert {

/// A symmetric matrix with unit diagonal, dense or sparse by its pattern.
class GramMatrix {
 public:
  /// `entries`: distinct (row, column) of the lower triangle, diagonal included.
  GramMatrix(std::size_t size, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& entries);

  std::size_t size() const { return size_; }
  /// Where entry (row, column), row >= column, is kept.
  std::uint32_t place(std::uint32_t row, std::uint32_t column) const;
  double* values() { return dense_ ? values_.data() : sparse_.valuePtr(); }
  std::size_t value_count() const { return dense_ ? values_.size() : static_cast<std::size_t>(sparse_.nonZeros()); }
  double diagonal(std::size_t i) const { return dense_ ? values_[i * size_ + i] : sparse_.valuePtr()[diagonal_[i]]; }

  /// Divides row and column i by length[i] and factors. Returns the smallest weight[i]^2 * pivot (a squared distance)
  /// and its row; zero if the factorisation broke down.
  std::pair<double, std::size_t> factor(const double* length, const double* weight);
  void solve(double* x);

 private:
  using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
  std::size_t size_;
  bool dense_;
  std::vector<double> values_, factor_;
  Sparse sparse_;
  std::vector<int> diagonal_;
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower> ldlt_;
};

}  // namespace dalembert
