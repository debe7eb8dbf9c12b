#pragma once
// From a state to a row: the model's coordinates, quasi-velocities, reactions, outputs, energies, events.

#include "simulate/system/evaluator.hpp"

namespace dalembert {

/// Everything that is told of one state.
struct Observation {
  explicit Observation(const CompiledSystem& system);

  double energy() const { return seen[system->see.energy]; }
  double jacobi() const { return seen[system->see.energy + 1]; }
  std::span<const double> integrals() const {
    return {seen.data() + system->see.integrals, system->integral_names.size()};
  }
  /// By the system's columns; what does not exist is NaN.
  void write_row(std::span<double> row) const;

  const CompiledSystem* system;
  double t = 0, kinetic = 0, residual = 0;
  std::vector<double> state;          ///< q, u
  std::vector<double> accelerations;  ///< u'
  std::vector<double> multipliers;    ///< of all rows, least norm; NaN where unbounded
  std::vector<double> reactions;      ///< of the model's constraints that have a column
  std::vector<double> seen, outputs;
  std::vector<double> inputs;  ///< of outputs and events: t, the model's q, q', q'', reactions, energy
};

/// Observes states while one selection of rows acts.
class Observer {
 public:
  Observer(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection);

  const Selection& selection() const { return factor_.selection(); }
  /// Of a state on the constraints; false where M cannot be factored or something is not finite.
  /// `reference`: lengths of the rows in units of which pivots count, as of Factor::factor.
  bool observe(double t, const double* y, Observation& observation, std::span<const double> reference = {});
  /// Only what needs no accelerations and no multipliers: `seen` and `inputs`, where these are not numbers.
  void glance(double t, const double* y, Observation& observation);
  /// The evaluation and factor of the last state that was observed, for what belongs to the same state.
  const Evaluation& evaluation() const { return at_; }
  Factor& factor() { return factor_; }

 private:
  void solve_motion(Observation& observation);
  void see(Observation& observation);
  void see_kinematics(Observation& observation);
  void collect_inputs(Observation& observation) const;
  void recover(Observation& observation) const;
  void read_formulas(Observation& observation) const;

  SystemEvaluator& evaluator_;
  Evaluation at_;
  Factor factor_;
  std::vector<double> see_inputs_;
};

}  // namespace dalembert
