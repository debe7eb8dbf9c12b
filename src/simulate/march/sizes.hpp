#pragma once
// What errors are judged by (numerics 1): how far a motion goes, and what in it is rounding. No absolute size enters,
// nor where the origin is, nor how long the run is to be.

#include "simulate/system/derivative.hpp"

namespace dalembert {

/// The size of a coordinate is the range it has covered, of a velocity the largest it has had; both count what the step
/// at hand moves them, at the pace of that step over the length of the last one: a motion that only begins is judged by
/// how it begins. What the others would reach with the same kinetic energy is a lower bound, in parts that rounding
/// needs at this tolerance.
/// Noise is what rounding does in a step: through the forces that cancel in each acceleration, and in the numbers
/// themselves.
class Sizes {
 public:
  Sizes(const CompiledSystem& system, double tolerance);

  /// A knot reached by a step h, or where the motion starts (again): then h is zero.
  void include(const double* y, double h);
  /// Forces at a state: what cancels in the accelerations there. What constraints hand on is so many times worse than
  /// rounding.
  void measure_noise(const Evaluation& at, std::span<const double> acceleration, std::span<const double> multipliers,
                     double worse);
  /// Then, in quasi-velocities: what it does to the coordinates that they move.
  void carry_noise(SystemEvaluator& evaluator, double t, std::span<const double> y);

  /// For a step from `start` to `end` over h: tolerance times size, and noise.
  void judge(const double* start, const double* end, double h);
  std::span<const double> scale() const { return scale_; }
  std::span<const double> noise() const { return noise_; }
  double last_step() const { return last_step_; }
  /// Roots of the inertias: weights of velocities in the kinetic metric.
  std::span<const double> weights() const { return weights_; }

 private:
  void bound_by_class();
  void spread_noise(std::span<const double> acceleration, double worse);

  const CompiledSystem& system_;
  double tolerance_, part_;
  double last_step_ = 0;
  std::vector<double> low_, high_, weights_, scale_, noise_;
  std::vector<double> trembling_, carried_;  // noise of accelerations; the same of coordinates, where these are others
};

}  // namespace dalembert
