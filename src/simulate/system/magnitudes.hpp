#pragma once
// How large the numbers of a motion are, and so what rounding is in them: what projections, contacts and the
// consistency of a start are judged by. (How far a motion goes, by which errors are judged, is march/sizes.hpp.)

#include "simulate/system/evaluator.hpp"

namespace dalembert {

/// Raises each value to at least `part` of what costs the same kinetic energy as the costliest of them, or as `most`
/// where that is more: weight * value is what counts, and what has no weight is left alone.
void raise_by_energy(std::span<const double> weights, std::span<double> values, double part, double most = 0);

/// Of each component of (q, u): the largest of its class so far (lengths, angles, a quaternion, and their rates), and
/// at least 1 for angles and quaternions. What is idle beside the others (a pivot held at the origin, bodies at rest)
/// counts by the kinetic metric: a thousandth of what costs the same kinetic energy, M_ii a_i^2 = M_jj a_j^2, or of
/// what the forces would make of it, M_ii u_i^2 = |F_j| q_j. In quasi-velocities q_j is how far u_j alone goes until it
/// has moved a coordinate by its magnitude.
class Magnitudes {
 public:
  explicit Magnitudes(const CompiledSystem& system);
  /// Of one state.
  Magnitudes(const CompiledSystem& system, const Evaluation& at, const double* y) : Magnitudes(system) {
    set_inertias(at);
    include(y);
  }

  /// Inertias and forces at a state.
  void set_inertias(const Evaluation& at);
  void include(const double* y);
  /// In quasi-velocities, after the above: how far each goes.
  void set_ways(SystemEvaluator& evaluator, double t, const double* y);
  std::span<const double> values() const { return values_; }
  /// The same with this state counted for now.
  std::span<const double> with(const double* y);

 private:
  void spread(std::span<double> values) const;

  const CompiledSystem& system_;
  std::vector<double> of_class_, trial_class_, roots_, forces_, values_, trial_;  // roots of the inertias
  std::vector<double> ways_;                                                      // of quasi-velocities
};

/// How far a motion goes before it is another one: the magnitudes, and for what has none (all lengths zero) the way in
/// the time in which the forces would stop it, or in a unit of time where none act. What rests goes as far as the
/// others, or a unit of length where all rest.
std::vector<double> find_reach(SystemEvaluator& evaluator, double t, const double* y,
                               std::span<const double> magnitudes);

}  // namespace dalembert
