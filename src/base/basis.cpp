#include "base/basis.hpp"

#include <algorithm>
#include <cassert>

#include "base/matrix_view.hpp"

namespace dalembert {

OrthonormalBasis::OrthonormalBasis(std::size_t size, std::size_t capacity) : size_(size) {
  q_.reserve((capacity + 1) * size);  // a vector that turns out dependent is tried in place
  r_.reserve((capacity + 1) * (capacity + 2) / 2);
}

double OrthonormalBasis::split(std::span<double> x, std::span<double> inside) const {
  assert(x.size() == size_ && inside.size() == count_);
  std::ranges::fill(inside, 0.0);
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t k = 0; k < count_; ++k) {
      const double part = dot(direction(k), x);
      inside[k] += part;
      add_scaled(-part, direction(k), x);
    }
  return length_of(x);
}

bool OrthonormalBasis::add(std::span<const double> x, double dependent) {
  assert(x.size() == size_);
  const double length = length_of(x);
  if (!std::isfinite(length)) return false;
  q_.insert(q_.end(), x.begin(), x.end());
  r_.resize(r_.size() + count_ + 1);
  const std::span<double> rest = std::span(q_).last(size_), column = std::span(r_).last(count_ + 1);
  const double left = split(rest, column.first(count_));
  if (!(left > dependent * length)) {
    q_.resize(q_.size() - size_);
    r_.resize(r_.size() - count_ - 1);
    return false;
  }
  for (double& value : rest) value /= left;
  column.back() = left;
  ++count_;
  return true;
}

void OrthonormalBasis::truncate(std::size_t k) {
  count_ = std::min(k, count_);
  q_.resize(count_ * size_);
  r_.resize(count_ * (count_ + 1) / 2);
}

void OrthonormalBasis::solve(std::span<double> x) const {
  assert(x.size() == count_);
  for (std::size_t k = count_; k-- > 0;) {
    for (std::size_t j = k + 1; j < count_; ++j) x[k] -= column(j)[k] * x[j];
    x[k] /= column(k)[k];
  }
}

void OrthonormalBasis::solve_transposed(std::span<double> x) const {
  assert(x.size() == count_);
  for (std::size_t k = 0; k < count_; ++k) {
    for (std::size_t j = 0; j < k; ++j) x[k] -= column(k)[j] * x[j];
    x[k] /= column(k)[k];
  }
}

}  // namespace dalembert
