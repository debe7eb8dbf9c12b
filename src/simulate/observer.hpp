#pragma once
// From a state to a row: the model's coordinates, quasi-velocities, reactions, outputs, energies, events.

#include "simulate/rank.hpp"

namespace dalembert {

class Observer {
 public:
  explicit Observer(Numeric& numeric);

  const std::vector<std::string>& columns() const { return columns_; }
  /// Everything at a state on the constraints; false where M cannot be factored or something is not finite.
  bool observe(double t, const double* y, const RankDecision& rank);

  /// After the numbers of a chosen frame have changed.
  void set_parameters() { see_.set_parameters(numeric_.parameters()); }

  void write_row(std::vector<double>& row) const;
  std::span<const double> accelerations() const { return accelerations_; }
  /// Of the equations' rows, least norm; NaN where unbounded.
  std::span<const double> multipliers() const { return multipliers_; }
  std::span<const double> events() const { return {outputs_.data() + events_at_, numeric_.model().events.size()}; }
  std::span<const double> integrals() const { return {seen_.data() + integrals_at_, integral_names_.size()}; }
  const std::vector<std::string>& integral_names() const { return integral_names_; }
  double energy() const { return seen_[energy_at_]; }
  double jacobi() const { return seen_[energy_at_ + 1]; }
  double kinetic() const { return kinetic_; }
  double residual() const { return residual_; }

 private:
  void compile_seen();
  void compile_outputs();
  void name_columns();
  void solve_motion(const RankDecision& rank);
  void recover();
  void read_formulas();
  double contact_multiplier(const std::string& name) const;

  Numeric& numeric_;
  std::vector<std::string> columns_, integral_names_;
  Kernel see_, output_;
  std::vector<std::size_t> reaction_rows_;  // model constraints that have a column
  std::vector<std::size_t> multiplier_of_;  // their rows; beyond the last where the equations do not carry them
  std::size_t model_at_ = 0, energy_at_ = 0, integrals_at_ = 0, recovery_at_ = 0, formulas_at_ = 0, events_at_ = 0;
  double t_ = 0, kinetic_ = 0, residual_ = 0;
  std::vector<double> state_, accelerations_, multipliers_, reactions_, seen_, outputs_, see_inputs_, output_inputs_;
};

}  // namespace dalembert
