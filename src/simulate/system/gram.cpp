#include "simulate/system/gram.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>

namespace dalembert {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr std::size_t unblocked = 24;  // above, Eigen's blocked kernels win

std::size_t factor_blocked(double* a, std::size_t size, double least) {
  const auto n = static_cast<Eigen::Index>(size);
  Eigen::Map<RowMajor> matrix(a, n, n);
  const Eigen::VectorXd diagonal = matrix.diagonal();
  Eigen::LLT<Eigen::Ref<RowMajor>> llt(matrix);
  if (llt.info() != Eigen::Success) return 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double root = matrix(i, i);
    if (!(root * root > least * diagonal[i])) return static_cast<std::size_t>(i);
    matrix(i, i) = 1 / root;
  }
  return size;
}

}  // namespace

std::size_t factor_dense(double* a, std::size_t size, double least) {
  if (size > unblocked) return factor_blocked(a, size, least);
  for (std::size_t i = 0; i < size; ++i) {
    double* row = a + i * size;
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = a + j * size;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = sum * other[j];  // the diagonal holds reciprocals
    }
    double pivot = row[i];
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k];
    if (!(pivot > least * row[i]) || !(pivot > 0)) return i;
    row[i] = 1 / std::sqrt(pivot);
  }
  return size;
}

void solve_lower(const double* l, std::size_t size, double* x) {
  for (std::size_t i = 0; i < size; ++i) {
    const double* row = l + i * size;
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum * row[i];
  }
}

void solve_upper(const double* l, std::size_t size, double* x) {
  for (std::size_t i = size; i-- > 0;) {
    const double* row = l + i * size;
    const double value = x[i] * row[i];
    x[i] = value;
    for (std::size_t k = 0; k < i; ++k) x[k] -= row[k] * value;
  }
}

GramMatrix::GramMatrix(std::size_t size, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& entries)
    : size_(size), dense_(size <= 40 || static_cast<double>(entries.size()) > 0.15 * static_cast<double>(size * size)) {
  if (dense_) {
    values_.assign(size * size, 0.0);
    factor_.resize(size * size);
    return;
  }
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.size());
  for (const auto& [row, column] : entries) {
    triplets.emplace_back(static_cast<int>(row), static_cast<int>(column), row == column ? 1.0 : 0.0);
  }
  sparse_.resize(static_cast<int>(size), static_cast<int>(size));
  sparse_.setFromTriplets(triplets.begin(), triplets.end());
  sparse_.makeCompressed();
  for (std::uint32_t i = 0; i < size; ++i) diagonal_.push_back(static_cast<int>(place(i, i)));
  ldlt_.analyzePattern(sparse_);
}

std::uint32_t GramMatrix::place(std::uint32_t row, std::uint32_t column) const {
  if (row < column) std::swap(row, column);
  if (dense_) return static_cast<std::uint32_t>(row * size_ + column);
  const int* first = sparse_.innerIndexPtr() + sparse_.outerIndexPtr()[column];
  const int* last = sparse_.innerIndexPtr() + sparse_.outerIndexPtr()[column + 1];
  const int* found = std::lower_bound(first, last, static_cast<int>(row));
  assert(found != last && *found == static_cast<int>(row));
  return static_cast<std::uint32_t>(found - sparse_.innerIndexPtr());
}

std::pair<double, std::size_t> GramMatrix::factor(const double* length, const double* weight) {
  std::pair<double, std::size_t> smallest = {1.0, 0};
  const auto note = [&](double pivot, std::size_t i) {
    const double weighted = pivot * weight[i] * weight[i];
    if (weighted < smallest.first) smallest = {weighted, i};
  };
  if (dense_) {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < i; ++j) factor_[i * size_ + j] = values_[i * size_ + j] / (length[i] * length[j]);
      factor_[i * size_ + i] = 1;
    }
    const std::size_t done = factor_dense(factor_.data(), size_, 0);
    if (done < size_) return {0.0, done};
    for (std::size_t i = 0; i < size_; ++i) {
      const double root = 1 / factor_[i * size_ + i];
      note(root * root, i);
    }
    return smallest;
  }
  double* value = sparse_.valuePtr();
  for (std::size_t j = 0; j < size_; ++j) {
    for (int k = sparse_.outerIndexPtr()[j]; k < sparse_.outerIndexPtr()[j + 1]; ++k) {
      value[k] /= length[j] * length[sparse_.innerIndexPtr()[k]];
    }
  }
  ldlt_.factorize(sparse_);
  if (ldlt_.info() != Eigen::Success) return {0.0, 0};
  const auto& pivots = ldlt_.vectorD();
  for (Eigen::Index k = 0; k < pivots.size(); ++k) {
    const auto row = static_cast<std::size_t>(ldlt_.permutationPinv().indices()[k]);
    if (!(pivots[k] > 0)) return {0.0, row};
    note(pivots[k], row);
  }
  return smallest;
}

void GramMatrix::solve(double* x) {
  if (dense_) {
    solve_lower(factor_.data(), size_, x);
    solve_upper(factor_.data(), size_, x);
    return;
  }
  Eigen::Map<Eigen::VectorXd> vector(x, static_cast<Eigen::Index>(size_));
  vector = ldlt_.solve(vector).eval();
}

}  // namespace dalembert
