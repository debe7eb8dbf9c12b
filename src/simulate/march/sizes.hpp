#pragma once
// What errors are judged by (numerics 1): how far a motion goes, and what in it is rounding. No absolute size enters,
// nor where the origin is, nor how long the run is to be.

#include "simulate/system/derivative.hpp"

namespace dalembert {

/// The size of a coordinate is the range it has covered, of a velocity the largest it has had; both count what the step
/// at hand moves them, at the pace of that step over the length of the last one: a motion that only begins is judged by
/// how it begins. What the others would reach with the same kinetic energy is a lower bound, in parts that rounding
/// needs at this tolerance; for what has no inertia, what others of its kind (lengths, angles) reach.
/// Noise is what rounding does in a step: through the forces that cancel in each acceleration, and in the numbers
/// themselves.
class Sizes {
 public:
  Sizes(const CompiledSystem& system, double tolerance);

  /// A knot reached by a step h, or where the motion starts (again): then h is zero.
  void include(const double* y, double h);
  /// How many times worse than rounding is what constraints hand on: of accelerations, and of the multipliers
  /// themselves, which is all there is where nothing moves.
  struct Worse {
    double accelerations, multipliers;
  };
  /// Forces at a state: what cancels in the accelerations there.
  void measure_noise(const Evaluation& at, std::span<const double> acceleration, std::span<const double> multipliers,
                     const Worse& worse);
  /// Then, in quasi-velocities: what it does to the coordinates that they move.
  void carry_noise(SystemEvaluator& evaluator, double t, std::span<const double> y);

  /// For a step from `start` to `end` over h: tolerance times size, and noise.
  void judge(const double* start, const double* end, double h);
  std::span<const double> scale() const { return scale_; }
  std::span<const double> noise() const { return noise_; }
  /// Whether that step's rounding moves one state to another. What is at rest at the origin has no size that such a
  /// move could be a part of.
  bool is_noise(std::span<const double> from, const double* to) const;
  double last_step() const { return last_step_; }
  /// Roots of the inertias: weights of velocities in the kinetic metric.
  std::span<const double> weights() const { return weights_; }

 private:
  /// The largest of what is a length, and of what is an angle.
  struct Kinds {
    double distance = 0, angle = 0;
    double of(Index coordinate_class) const { return coordinate_class == 0 ? distance : angle; }
  };
  std::size_t own_count() const;
  Kinds largest_of_kind(std::span<const double> values) const;
  void bound_by_kind(std::span<double> values) const;
  void spread_noise(std::span<const double> acceleration, double worse, double held);

  const CompiledSystem& system_;
  double tolerance_, part_;
  double last_step_ = 0;
  std::vector<double> low_, high_, weights_, scale_, noise_;
  std::vector<double> trembling_, carried_;  // noise of accelerations; the same of coordinates, where these are others
};

}  // namespace dalembert
