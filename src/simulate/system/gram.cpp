#include "simulate/system/gram.hpp"

#include <algorithm>
#include <cassert>

#include "base/cholesky.hpp"

namespace dalembert {

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
    const std::size_t done = factor_cholesky(factor_, size_, 0).failed;
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
    solve_cholesky(factor_, {x, size_});
    return;
  }
  Eigen::Map<Eigen::VectorXd> vector(x, static_cast<Eigen::Index>(size_));
  vector = ldlt_.solve(vector).eval();
}

}  // namespace dalembert
