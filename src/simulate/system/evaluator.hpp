#pragma once
// A compiled system as numbers, for one thread and one set of parameters. Every function depends on its arguments and
// these parameters only; what it finds goes where the caller says.

#include <limits>

#include "program/sizing.hpp"
#include "simulate/system/compiled.hpp"
#include "simulate/system/factor.hpp"

namespace dalembert {

/// A number that does not exist.
inline constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// M, bias, A, gamma, b and power at one state.
class Evaluation {
 public:
  explicit Evaluation(const CompiledSystem& system) : at_(&system.at), values_(system.at.count, 0.0) {}

  std::span<const double> mass() const { return {values_.data(), at_->mass_count}; }
  std::span<const double> bias() const { return part(at_->bias, at_->jacobian); }
  std::span<const double> jacobian() const { return {values_.data() + at_->jacobian, at_->jacobian_count}; }
  /// The values of one row of A, by the columns of its pattern.
  const double* jacobian_row(std::size_t r) const { return values_.data() + at_->jacobian + at_->row_begin[r]; }
  std::span<const double> drift() const { return part(at_->drift, at_->offset); }
  std::span<const double> offset() const { return part(at_->offset, at_->power); }
  double power() const { return values_[at_->power]; }

 private:
  friend class SystemEvaluator;
  std::span<const double> part(std::size_t from, std::size_t to) const { return {values_.data() + from, to - from}; }
  const DynamicsLayout* at_;
  std::vector<double> values_;
};

class SystemEvaluator {
 public:
  explicit SystemEvaluator(std::shared_ptr<const CompiledSystem> system);

  const CompiledSystem& system() const { return *system_; }
  const Model& model() const { return system_->model(); }
  const Equations& equations() const { return system_->equations(); }

  // --- parameters
  /// The model's, with these instead; InputError for a name that is none.
  void set_parameters(const NamedNumbers& instead);
  /// All of them, in the model's order.
  void set_parameters(std::span<const double> values);
  std::span<const double> parameters() const { return std::span(parameters_).first(model().parameters.size()); }
  /// These and the numbers of chosen velocities.
  std::span<const double> all_parameters() const { return parameters_; }
  /// The numbers of chosen velocities; nothing where none are chosen.
  void set_choice(std::span<const double> choice);
  std::span<const double> choice() const { return std::span(parameters_).subspan(model().parameters.size()); }

  // --- states: y is (q, u) and the work where there is some
  State initial_state(const NamedNumbers& instead);
  State to_state(const ModelState& in_model);
  ModelState to_model_state(const State& state);
  /// InputError where a state is not one of this system. Its choice becomes the evaluator's.
  std::vector<double> to_vector(const State& state);
  State from_vector(double t, const double* y) const;
  /// Chooses velocities at y and puts the new ones there. False where nothing could be chosen: then nothing changed.
  bool choose_again(double t, double* y);

  // --- what the programs give
  /// False where a value is not finite.
  bool evaluate(double t, const double* y, Evaluation& at);
  /// f of all rows (zero for differential ones) and A u + b of all rows, as written.
  void evaluate_constraints(double t, const double* y, double* position, double* velocity);
  /// What the terms of each value of an evaluation amount to where nothing cancels.
  void evaluate_sizes(double t, const double* y, Evaluation& sizes);
  /// The same of f of all rows.
  std::vector<double> evaluate_position_sizes(double t, const double* y);
  /// The model's conditions at t = 0: values, what their terms amount to, then slopes (CompiledSystem::conditions).
  std::vector<double> evaluate_conditions(double t, const double* y);
  /// Largest residual as written; of a contact only where it is closed or violated.
  double largest_residual(double t, const double* y, const Selection& selection);
  void evaluate_rates(double t, const double* y, double* rates);
  /// The change of q that belongs to a small change N du.
  void displace(double t, const double* y, const double* du, double* dq);
  /// Coefficients of restitution of the contacts, and how large their gaps and the rates of these are by magnitudes of
  /// (q, u), where nothing cancels.
  void evaluate_contact_scales(double t, const double* y, const Evaluation& at, std::span<const double> magnitudes,
                               double* restitution, double* gap, double* rate);
  /// u M u / 2.
  double kinetic(const Evaluation& at, const double* y) const;
  /// The straight-line code while a selection acts, with the parameters and the choice of now; empty where there is
  /// none.
  BoundKernel bind_fast(const Selection& selection) const;
  /// Accelerations and multipliers by the solver of the equations' principle, from a factor at the same state; not
  /// numbers where there is no motion.
  void solve(const Evaluation& at, Factor& factor, double* acceleration, double* multipliers) const;

  BoundKernel positions, frame, seen, outputs;

 private:
  Sizing& bind(std::optional<Sizing>& sizing, const Kernel& kernel) const;
  const double* state_inputs(double t, const double* y);
  const double* model_inputs(double t, std::span<const double> q, std::span<const double> rates);
  void spread_parameters();
  std::vector<double> choose(double t, std::span<const double> q, std::span<const double> rates);

  std::shared_ptr<const CompiledSystem> system_;
  BoundKernel start_, dynamics_, constraints_, contacts_, kinematics_, velocities_, completion_;
  std::optional<BoundKernel> conditions_;  // bound when first asked for, as are the next
  std::optional<Sizing> dynamics_sizes_, position_sizes_;
  std::vector<double> parameters_;
  std::vector<double> inputs_, residuals_, contact_values_, kinematic_values_;
};

}  // namespace dalembert
