#include "simulate/system/frame_watch.hpp"

#include <algorithm>
#include <cmath>

#include "base/elimination.hpp"

namespace dalembert {

FrameWatch::FrameWatch(SystemEvaluator& evaluator, Of rows) : evaluator_(evaluator) {
  if (!evaluator.frame) return;
  const std::vector<FrameVelocity>& frame = evaluator.equations().quasi->frame;
  size_ = frame.size();
  for (std::size_t r = 0; r < size_; ++r)
    if (rows == Of::all || frame[r].vanishes) rows_.push_back(r);
  inputs_.resize(1 + evaluator.system().q_count());
  values_.resize(evaluator.system().frame.output_count());
  full_.resize(size_ * size_);
  matrix_.resize(rows_.size() * size_);
  length_.assign(rows_.size(), 0.0);
  own_ = largest_ = length_;
}

void FrameWatch::renew_choice() { std::fill(length_.begin(), length_.end(), 0.0); }

void FrameWatch::evaluate(double t, const double* q) {
  inputs_[0] = t;
  std::copy_n(q, size_, inputs_.data() + 1);
  evaluator_.frame(inputs_.data(), values_.data());
  std::fill(full_.begin(), full_.end(), 0.0);
  const auto& entries = evaluator_.system().frame_entries;
  for (std::size_t k = 0; k < entries.size(); ++k) full_[entries[k].first * size_ + entries[k].second] = values_[k];
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double* row = full_.data() + rows_[r] * size_;
    double square = 0;
    for (std::size_t c = 0; c < size_; ++c) square += row[c] * row[c];
    own_[r] = std::sqrt(square);
  }
}

FrameWatch::Reading FrameWatch::eliminate(std::span<const double> lengths) {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!(own_[r] > 0) || !std::isfinite(own_[r])) return {0, true, rows_[r]};
    for (std::size_t c = 0; c < size_; ++c) matrix_[r * size_ + c] = full_[rows_[r] * size_ + c] / lengths[r];
  }
  const EliminationReport report = eliminate_rows(matrix_, size_);
  return {report ? std::min(report.least, 1.0) : 0.0, report.sign >= 0, rows_[report.weakest]};
}

FrameWatch::Reading FrameWatch::read(double t, const double* q) {
  evaluate(t, q);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (std::isfinite(own_[r])) length_[r] = std::max(length_[r], own_[r]);
  return eliminate(length_);
}

FrameWatch::Reading FrameWatch::peek(double t, const double* q) {
  evaluate(t, q);
  for (std::size_t r = 0; r < rows_.size(); ++r) largest_[r] = std::max(length_[r], own_[r]);
  return eliminate(largest_);
}

}  // namespace dalembert
