#include "simulate/frame_watch.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {

FrameWatch::FrameWatch(const Model& model, const Equations& equations, std::span<const Expr> parameters,
                       std::span<const double> values) {
  std::vector<Expr> formulas, rates, inputs{equations.time}, outputs;
  for (const FrameVelocity& velocity : equations.frame) formulas.push_back(velocity.formula);
  for (const Coordinate& coordinate : model.coordinates) rates.push_back(coordinate.rate);
  if (formulas.size() != rates.size()) return;
  const auto rows = sparse_jacobian(formulas, rates);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const Entry& entry : rows[r]) {
      pattern_.emplace_back(r, entry.column);
      outputs.push_back(entry.value);
    }
  if (std::ranges::all_of(outputs, [](Expr entry) { return entry.is_constant(); })) return;
  size_ = rows.size();
  inputs.insert(inputs.end(), equations.coordinates.begin(), equations.coordinates.end());
  kernel_ = Kernel(inputs, parameters, values, outputs);
  inputs_.resize(inputs.size());
  values_.resize(outputs.size());
  length_.assign(size_, 0.0);
}

void FrameWatch::set_parameters(std::span<const double> values) {
  kernel_.set_parameters(values);
  length_.assign(size_, 0.0);
}

FrameWatch::Reading FrameWatch::read(double t, const double* q) {
  inputs_[0] = t;
  std::copy_n(q, size_, inputs_.data() + 1);
  kernel_(inputs_.data(), values_.data());
  matrix_.assign(size_ * size_, 0.0);
  for (std::size_t k = 0; k < pattern_.size(); ++k)
    matrix_[pattern_[k].first * size_ + pattern_[k].second] = values_[k];
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
