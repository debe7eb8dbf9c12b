#pragma once
// From a state to a row: the model's coordinates, quasi-velocities, reactions, outputs, energies, events.

#include "base/tolerances.hpp"
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
  /// `reference`: lengths of the rows in units of which pivots count, as of Factor::factor; below `singular` they leave
  /// neither accelerations nor multipliers.
  bool observe(double t, const double* y, Observation& observation, std::span<const double> reference = {},
               double singular = tolerance::doubtful);
  /// Of a state where nothing can be observed, what is smooth along the motion: sums of what was observed beside it.
  /// Neither accelerations nor reactions.
  void observe_between(double t, const double* y, std::span<const Observation> beside, std::span<const double> weights,
                       Observation& observation);
  /// Only what needs no accelerations and no multipliers: `seen` and `inputs`, where these are not numbers.
  void glance(double t, const double* y, Observation& observation);
  /// The evaluation and factor of the last state that was observed, for what belongs to the same state; neither where
  /// the system needs no factor.
  const Evaluation& evaluation() const { return at_; }
  Factor& factor() { return factor_; }

 private:
  bool find_motion(double t, const double* y, Observation& observation, std::span<const double> reference,
                   double singular);
  void solve_motion(Observation& observation, double singular);
  void see(Observation& observation);
  void see_kinematics(Observation& observation);
  void collect_inputs(Observation& observation) const;
  void recover(Observation& observation) const;
  void read_formulas(Observation& observation) const;

  SystemEvaluator& evaluator_;
  Evaluation at_;
  Factor factor_;
  BoundKernel fast_;  // where M needs no factor
  std::vector<double> see_inputs_, fast_outputs_;
};

}  // namespace dalembert
