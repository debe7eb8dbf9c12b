#include "simulate/system/frame_watch.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {

FrameWatch::FrameWatch(SystemEvaluator& evaluator) : evaluator_(evaluator) {
  if (!evaluator.frame) return;
  size_ = evaluator.equations().quasi->frame.size();
  inputs_.resize(1 + evaluator.system().q_count());
  values_.resize(evaluator.system().frame.output_count());
  matrix_.resize(size_ * size_);
  length_.assign(size_, 0.0);
}

void FrameWatch::renew_choice() { std::fill(length_.begin(), length_.end(), 0.0); }

FrameWatch::Reading FrameWatch::read(double t, const double* q) {
  inputs_[0] = t;
  std::copy_n(q, size_, inputs_.data() + 1);
  evaluator_.frame(inputs_.data(), values_.data());
  std::fill(matrix_.begin(), matrix_.end(), 0.0);
  const auto& entries = evaluator_.system().frame_entries;
  for (std::size_t k = 0; k < entries.size(); ++k) matrix_[entries[k].first * size_ + entries[k].second] = values_[k];
  Reading reading;
  for (std::size_t r = 0; r < size_; ++r) {
    double* row = matrix_.data() + r * size_;
    double square = 0;
    for (std::size_t c = 0; c < size_; ++c) square += row[c] * row[c];
    if (!(square > 0) || !std::isfinite(square)) return {0, true, r};
    length_[r] = std::max(length_[r], std::sqrt(square));
    for (std::size_t c = 0; c < size_; ++c) row[c] /= length_[r];
  }
  for (std::size_t r = 0; r < size_; ++r) {  // columns are exchanged, rows keep their order
    double* row = matrix_.data() + r * size_;
    std::size_t best = r;
    for (std::size_t c = r; c < size_; ++c)
      if (std::abs(row[c]) > std::abs(row[best])) best = c;
    if (std::abs(row[best]) < reading.pivot) reading.pivot = std::abs(row[best]), reading.weakest = r;
    if (row[best] == 0) return reading;
    if (best != r) {
      for (std::size_t i = 0; i < size_; ++i) std::swap(matrix_[i * size_ + r], matrix_[i * size_ + best]);
      reading.positive = !reading.positive;
    }
    if (row[r] < 0) reading.positive = !reading.positive;
    for (std::size_t i = r + 1; i < size_; ++i) {
      const double factor = matrix_[i * size_ + r] / row[r];
      if (factor == 0) continue;
      for (std::size_t c = r; c < size_; ++c) matrix_[i * size_ + c] -= factor * row[c];
    }
  }
  return reading;
}

}  // namespace dalembert
