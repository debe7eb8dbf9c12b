#include "simulate/system/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/system/newton.hpp"

namespace dalembert {
namespace {

constexpr double no_change = 1e-15;   // of the magnitudes: a step that is none
constexpr double only_noise = 1e-12;  // of the magnitudes: a step that need not make anything smaller

/// Gauss-Newton with Armijo's rule and capped rotations; Levenberg-Marquardt damping when it stalls.
class Descent {
 public:
  Descent(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom, double t,
          Newton::Level level, std::vector<double>& y)
      : newton_(evaluator, std::move(selection), freedom, t, level), y_(y), trial_(y) {}

  /// False if the equations cannot be met from here.
  bool run() {
    constexpr int most_iterations = 200;
    if (newton_.unknowns().empty()) return true;
    double damping = 0;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (!newton_.linearise(y_.data())) return false;
      if (newton_.merit() == 0) return true;
      const std::vector<double> change = newton_.step(damping);
      const double size = relative_size(change);
      if (!go(change)) {
        if (size <= only_noise) return true;
        if (newton_.is_stationary() || damping > 1e6) return false;
        damping = damping == 0 ? 1e-3 : damping * 10;
        continue;
      }
      damping = damping > 1e-8 ? damping / 5 : 0;
      if (size <= no_change) return true;
    }
    return false;
  }

  /// From where run() has come to: on the constraints to the place nearest to where it began. A fixed point of steps
  /// that converge where the constraints bend little on the way; else the place stays.
  void approach(const std::vector<double>& began) {
    constexpr int most_iterations = 50;
    constexpr double settled = 1e-9;
    if (newton_.unknowns().empty()) return;
    const std::vector<double> found = y_;
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (!newton_.linearise(y_.data())) break;
      const std::vector<double> change = newton_.step_from(away(began));
      const double size = relative_size(change);
      if (size <= settled || !(size < last)) {
        if (size <= settled) return;
        break;
      }
      for (std::size_t k = 0; k < newton_.unknowns().size(); ++k) y_[newton_.unknowns()[k]] += change[k];
      last = size;
    }
    y_ = found;
  }

 private:
  std::vector<double> away(const std::vector<double>& began) const {
    std::vector<double> result;
    for (Index i : newton_.unknowns()) result.push_back(began[i] - y_[i]);
    return result;
  }

  double relative_size(std::span<const double> change) const {
    double size = 0;
    for (std::size_t k = 0; k < newton_.unknowns().size(); ++k) {
      const double moved = std::abs(change[k]);
      const double magnitude = newton_.magnitudes()[newton_.unknowns()[k]];
      if (moved > 0) size = std::max(size, magnitude > 0 ? moved / magnitude : 1.0);
    }
    return size;
  }

  /// Along a change, as far as the residuals shrink enough; false if they do not.
  bool go(std::span<const double> change) {
    constexpr double cap = 0.7, armijo = 1e-4;
    const std::vector<Index>& unknowns = newton_.unknowns();
    const double before = newton_.merit();
    double scale = 1;
    for (std::size_t k = 0; k < unknowns.size(); ++k)
      if (newton_.is_angle(k)) scale = std::min(scale, cap / std::max(cap, std::abs(change[k])));
    for (int halving = 0; halving < 30; ++halving, scale /= 2) {
      for (std::size_t k = 0; k < unknowns.size(); ++k) trial_[unknowns[k]] = y_[unknowns[k]] + scale * change[k];
      const double after = newton_.merit(trial_.data());
      if (!std::isfinite(after) || after > (1 - armijo * scale) * before) continue;
      for (Index i : unknowns) y_[i] = trial_[i];
      return true;
    }
    return false;
  }

  Newton newton_;
  std::vector<double>& y_;
  std::vector<double> trial_;
};

}  // namespace

bool Freedom::any() const { return std::ranges::find(free, true) != free.end(); }
bool Freedom::all() const { return std::ranges::find(free, false) == free.end(); }

Freedom fix_all(const CompiledSystem& system) {
  return {std::vector<bool>(system.q_count() + system.u_count(), false)};
}
Freedom free_all(const CompiledSystem& system) {
  return {std::vector<bool>(system.q_count() + system.u_count(), true)};
}

bool assemble_positions(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                        double t, std::vector<double>& y) {
  const std::vector<double> began = y;
  Descent descent(evaluator, std::move(selection), freedom, t, Newton::Level::positions, y);
  if (!descent.run()) return false;
  descent.approach(began);
  return descent.run();
}

bool assemble_rates(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                    double t, std::vector<double>& y) {
  return Descent(evaluator, std::move(selection), freedom, t, Newton::Level::rates, y).run();
}

bool assemble_together(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                       double t, std::vector<double>& y) {
  return Descent(evaluator, std::move(selection), freedom, t, Newton::Level::both, y).run();
}

std::vector<bool> find_undetermined(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection,
                                    const Freedom& freedom, double t, const double* y) {
  std::vector<bool> result(freedom.free.size(), false);
  for (Newton::Level level : {Newton::Level::positions, Newton::Level::rates}) {
    Newton newton(evaluator, selection, freedom, t, level);
    if (newton.unknowns().empty() || !newton.linearise(y)) continue;
    const std::vector<bool> is_free = newton.free();
    for (std::size_t k = 0; k < is_free.size(); ++k) result[newton.unknowns()[k]] = is_free[k];
  }
  return result;
}

}  // namespace dalembert
