#pragma once
// What Newton's method needs to put a state onto its equations: they and their slopes at a state, in the kinetic
// metric.

#include "base/linear_algebra.hpp"
#include "simulate/system/assembly.hpp"

namespace dalembert {

/// The unknowns of a level with their equations, linearised in the kinetic metric: directions of unit length, residuals
/// in the same scale.
class Newton {
 public:
  enum class Level : std::uint8_t { positions, rates, both };

  Newton(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom, double t,
         Level level);

  const std::vector<Index>& unknowns() const { return unknowns_; }
  std::span<const double> magnitudes() const { return magnitudes_; }
  bool is_angle(std::size_t k) const;

  /// False if it cannot go on: M not factored or something not finite.
  bool linearise(const double* y);
  double merit() const { return dot(residual_, residual_); }
  double merit(const double* y) {
    const std::vector<double> residual = scaled(y);
    return dot(residual, residual);
  }
  /// No direction reduces the residuals: they contradict each other, here at least.
  bool is_stationary() const { return length_of(combine(residual_)) < 1e-11 * length_of(residual_); }

  /// The least change that removes the residuals, to first order.
  std::vector<double> step(double damping) const;
  /// The change from here to the place nearest to one `away` from here that has no residuals, to first order.
  std::vector<double> step_from(std::vector<double> away) const;
  /// Unknowns that the equations leave free.
  std::vector<bool> free() const;

 private:
  MatrixView view() const { return {equation_count(), unknowns_.size(), rows_}; }
  std::vector<double> least(std::span<const double> residual) const;
  /// The sum of the rows by these weights.
  std::vector<double> combine(std::span<const double> weights) const;
  /// (X X^T + damping)^-1 of the residuals, X the rows.
  std::vector<double> damped(double damping) const;
  /// U z and U^-1 z of the metric L U.
  std::vector<double> to_kinetic(std::span<const double> x) const;
  std::vector<double> from_kinetic(std::vector<double> z) const {
    solve_upper(metric_, z);
    return z;
  }
  bool is_rate(Index component) const { return component >= system_.q_count(); }
  Index velocity_of(Index component) const {
    return is_rate(component) ? static_cast<Index>(component - system_.q_count()) : component;
  }

  /// M, mended, over the unknowns. Positions count as rates by the motion's own time.
  std::vector<double> make_metric() const;

  /// In which the magnitudes of the rates go through those of the positions.
  double own_time(std::span<const double> mass) const;

  std::size_t equation_count() const { return position_rows_.size() + rate_rows_.size() + conditions_.size(); }

  /// Derivatives of the equations by the unknowns; entries that are rounding count as zero.
  std::vector<double> make_slopes(const double* y);

  /// Of A u + b by the positions: differences do, since the result is put right by rates alone.
  void add_differences(const double* y, std::span<double> slopes);

  /// Residuals by the lengths of their slopes; what no unknown changes is left to whoever looks at the result.
  std::vector<double> scaled(const double* y);

  SystemEvaluator& evaluator_;
  const CompiledSystem& system_;
  std::shared_ptr<const Selection> selection_;
  double t_;
  Level level_;
  Evaluation at_;
  std::vector<Index> unknowns_, position_rows_, rate_rows_, conditions_;
  std::vector<double> f_, psi_, magnitudes_;
  std::vector<double> metric_;                     // its factor
  std::vector<double> rows_, lengths_, residual_;  // slopes of the equations, of unit length, row after row
};

}  // namespace dalembert
