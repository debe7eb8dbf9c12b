#include "simulate/system/frame_watch.hpp"

#include <algorithm>
#include <cmath>

#include "base/elimination.hpp"

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
  const EliminationReport report = eliminate_rows(matrix_, size_);
  reading.pivot = report ? std::min(report.least, 1.0) : 0.0;
  reading.positive = report.sign >= 0;
  reading.weakest = report.weakest;
  return reading;
}

}  // namespace dalembert
