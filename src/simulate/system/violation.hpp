#pragma once
// How far a state is off the constraints and the model's conditions at its start (numerics 4).

#include "simulate/system/evaluator.hpp"

namespace dalembert {

/// Residuals of the equations' rows and of conditions, with what their terms amount to where nothing cancels.
class Violation {
 public:
  /// `conditions`: those of the model at t = 0 count too.
  Violation(SystemEvaluator& evaluator, double t, const double* y, bool conditions);

  /// Off by more than a start may be, which is `consistent`.
  bool in_position() const { return any(&Violation::is_off_position) || any_condition(false); }
  bool in_velocity() const { return any(&Violation::is_off_velocity) || any_condition(true); }
  /// Something is off by more than this part of its terms; by more than rounding.
  bool beyond(double part) const;
  bool above_rounding() const;
  bool is_off_position(std::size_t r) const { return is_beyond(position_[r], position_size_[r]); }
  bool is_off_velocity(std::size_t r) const { return is_beyond(velocity_[r], velocity_size_[r]); }
  double position(std::size_t r) const { return position_[r]; }
  double velocity(std::size_t r) const { return velocity_[r]; }
  double largest_position() const;
  double largest_velocity() const;

  /// "rod: 0.1, rod (rates): -2, initial.spin: 0.3": what is off; where positions are, only those if `positions`.
  std::string list(bool positions = false) const;
  /// Of the first that is off.
  Place first_place() const;
  /// Components of (q, u), among those not `free`, which what is off (in position, if anything is) reads:
  /// "theta = 0.3".
  std::string name_givens(const double* y, const std::vector<bool>& free) const;

 private:
  static bool is_beyond(double residual, double size);
  bool is_off_condition(std::size_t c) const { return is_beyond(conditions_[c], conditions_[count_ + c]); }
  bool is_on_rates(std::size_t c) const { return evaluator_.model().initial[c].on_rates; }
  bool any(bool (Violation::*is_off)(std::size_t) const) const;
  bool any_condition(bool on_rates) const;

  const SystemEvaluator& evaluator_;
  std::size_t rows_, count_;  // rows of the equations; conditions
  std::vector<double> position_, velocity_, position_size_, velocity_size_, conditions_;
};

}  // namespace dalembert
