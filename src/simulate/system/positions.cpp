#include "simulate/system/positions.hpp"

#include <cmath>

#include "base/cholesky.hpp"
#include "base/tolerances.hpp"

namespace dalembert {
namespace {

constexpr int most_corrections = 20;

}  // namespace

Positions::Positions(SystemEvaluator& evaluator)
    : evaluator_(evaluator),
      rows_(evaluator.system().is_quasi() ? evaluator.equations().quasi->position_rows.size() : 0),
      columns_(evaluator.system().q_count()),
      inputs_(1 + columns_),
      values_(evaluator.system().positions.output_count()),
      slope_(rows_ * columns_),
      gram_(rows_ * rows_),
      right_(rows_),
      change_(columns_) {}

void Positions::evaluate(double t, const double* q) {
  inputs_[0] = t;
  std::copy_n(q, columns_, inputs_.data() + 1);
  evaluator_.positions(inputs_.data(), values_.data());
}

/// change = -D^2 F^T (F D^2 F^T)^-1 f with D = diag(magnitudes), rows scaled to unit length; a Cholesky factor in the
/// rows' order, dependent ones passed over.
bool Positions::solve(std::span<const double> magnitudes) {
  std::fill(slope_.begin(), slope_.end(), 0.0);
  const auto& entries = evaluator_.system().position_entries;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto [r, c] = entries[k];
    slope_[r * columns_ + c] = values_[rows_ + k] * magnitudes[c];
  }
  for (std::size_t r = 0; r < rows_; ++r) {
    double* row = slope_.data() + r * columns_;
    double square = 0;
    for (std::size_t c = 0; c < columns_; ++c) square += row[c] * row[c];
    if (!std::isfinite(square)) return false;
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (std::size_t c = 0; c < columns_; ++c) row[c] *= scale;
    right_[r] = -values_[r] * scale;
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < columns_; ++c) sum += slope_[i * columns_ + c] * slope_[j * columns_ + c];
      gram_[i * rows_ + j] = sum;
    }
  }
  if (!factor_semidefinite(gram_, rows_, tolerance::cancelled).finite) return false;
  solve_cholesky(gram_, right_);
  std::fill(change_.begin(), change_.end(), 0.0);
  for (std::size_t r = 0; r < rows_; ++r)
    for (std::size_t c = 0; c < columns_; ++c) change_[c] += slope_[r * columns_ + c] * right_[r];
  return true;  // in units of the magnitudes
}

bool Positions::project(double t, double* q, std::span<const double> magnitudes, double& moved) {
  double last = 1e300;
  for (int iteration = 0; iteration < most_corrections; ++iteration) {
    evaluate(t, q);
    if (!solve(magnitudes)) return false;
    double size = 0;
    for (double part : change_) size = std::max(size, std::abs(part));
    if (!std::isfinite(size)) return false;
    if (size <= tolerance::unchanged) return true;
    if (size >= last) return last < tolerance::stalled;
    for (std::size_t i = 0; i < columns_; ++i) q[i] += change_[i] * magnitudes[i];
    moved += size;
    if (size < tolerance::settled) return true;
    last = size;
  }
  return false;
}

}  // namespace dalembert
