#include "simulate/system/violation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "simulate/system/magnitudes.hpp"

namespace dalembert {

Violation::Violation(SystemEvaluator& evaluator, double t, const double* y, bool conditions)
    : evaluator_(evaluator),
      rows_(evaluator.system().row_count()),
      count_(conditions ? evaluator.model().initial.size() : 0),
      position_(evaluator.system().all_row_count()),
      velocity_(position_.size()),
      position_size_(evaluator.evaluate_position_sizes(t, y)),
      velocity_size_(rows_) {
  const CompiledSystem& system = evaluator.system();
  Evaluation at(system);
  evaluator.evaluate(t, y, at);
  const Magnitudes magnitudes(system, at, y);
  evaluator.evaluate_constraints(t, y, position_.data(), velocity_.data());
  Evaluation sizes(system);
  evaluator.evaluate_sizes(t, y, sizes);
  const double* a = sizes.jacobian().data();
  for (std::size_t r = 0; r < rows_; ++r) {
    velocity_size_[r] = sizes.offset()[r];
    for (const Entry& entry : system.row(r).jacobian) {
      velocity_size_[r] += *a * magnitudes.values()[system.q_count() + entry.column];
      // x = 0 holds where x is nothing beside what is as long as it: by itself it has no size there.
      if (system.is_aligned() && system.row(r).position) position_size_[r] += *a * magnitudes.values()[entry.column];
      ++a;
    }
  }
  if (count_ > 0) conditions_ = evaluator.evaluate_conditions(t, y);
}

bool Violation::is_beyond(double residual, double size) {
  return !(std::abs(residual) <= tolerance::consistent * size);
}

bool Violation::any(bool (Violation::*is_off)(std::size_t) const) const {
  for (std::size_t r = 0; r < rows_; ++r)
    if ((this->*is_off)(r)) return true;
  return false;
}

bool Violation::any_condition(bool on_rates) const {
  for (std::size_t c = 0; c < count_; ++c)
    if (is_on_rates(c) == on_rates && is_off_condition(c)) return true;
  return false;
}

bool Violation::above_rounding() const { return beyond(tolerance::cancelled); }

bool Violation::beyond(double part) const {
  const auto rounded = [part](double residual, double size) { return std::abs(residual) <= part * size; };
  for (std::size_t r = 0; r < rows_; ++r)
    if (!rounded(position_[r], position_size_[r]) || !rounded(velocity_[r], velocity_size_[r])) return true;
  for (std::size_t c = 0; c < count_; ++c)
    if (!rounded(conditions_[c], conditions_[count_ + c])) return true;
  return false;
}

double Violation::largest_position() const {
  double largest = 0;
  for (std::size_t r = 0; r < rows_; ++r) largest = std::max(largest, std::abs(position_[r]));
  return largest;
}

double Violation::largest_velocity() const {
  double largest = 0;
  for (std::size_t r = 0; r < rows_; ++r) largest = std::max(largest, std::abs(velocity_[r]));
  return largest;
}

std::string Violation::list(bool positions) const {
  positions = positions && in_position();
  std::vector<std::string> parts;
  for (std::size_t r = 0; r < rows_; ++r) {
    const std::string& name = evaluator_.equations().rows[r].name;
    if (is_off_position(r)) parts.push_back(fmt::format("{}: {:.3g}", name, position_[r]));
    if (!positions && is_off_velocity(r)) parts.push_back(fmt::format("{} (rates): {:.3g}", name, velocity_[r]));
  }
  for (std::size_t c = 0; c < count_; ++c)
    if (is_off_condition(c) && !(positions && is_on_rates(c)))
      parts.push_back(fmt::format("initial.{}: {:.3g}", evaluator_.model().initial[c].name, conditions_[c]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Place Violation::first_place() const {
  for (std::size_t r = 0; r < rows_; ++r)
    if (is_off_position(r) || is_off_velocity(r)) return evaluator_.equations().rows[r].place;
  for (std::size_t c = 0; c < count_; ++c)
    if (is_off_condition(c)) return evaluator_.model().initial[c].place;
  return {};
}

std::string Violation::name_givens(const double* y, const std::vector<bool>& free) const {
  const CompiledSystem& system = evaluator_.system();
  const bool positions = in_position();
  std::vector<bool> read(free.size(), false);
  for (std::size_t r = 0; r < rows_; ++r)
    for (const Entry& entry : system.row(r).jacobian) {
      if (is_off_position(r)) read[entry.column] = true;
      if (!positions && is_off_velocity(r)) read[system.q_count() + entry.column] = true;
    }
  for (std::size_t c = 0; c < count_; ++c)
    for (Index i : system.conditions().columns[c])
      if (is_off_condition(c) && !(positions && is_on_rates(c))) read[i] = true;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < free.size(); ++i)
    if (read[i] && !free[i]) names.push_back(fmt::format("{} = {:.6g}", system.component_name(i), y[i]));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace dalembert
