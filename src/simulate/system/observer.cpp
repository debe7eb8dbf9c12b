#include "simulate/system/observer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/linear_algebra.hpp"
#include "simulate/system/contact.hpp"

namespace dalembert {
namespace {

/// Of a contact: among the multipliers of the rows where it is held for good (hold_contacts), else behind them; none
/// where it has been left out.
double multiplier_of(const Observation& observation, const std::string& contact) {
  const Equations& equations = observation.system->equations();
  std::size_t place = 0;
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows) {
      if (row.kind == ConstraintKind::one_sided && row.name == contact) return observation.multipliers[place];
      ++place;
    }
  return 0;
}

}  // namespace

Observation::Observation(const CompiledSystem& of)
    : system(&of),
      state(of.q_count() + of.u_count()),
      accelerations(of.u_count()),
      multipliers(of.all_row_count()),
      reactions(of.reaction_constraints.size()),
      seen(of.see.count),
      outputs(of.output_count),
      inputs(of.output_input_count) {}

void Observation::write_row(std::span<double> row) const {
  const std::size_t n = system->model().coordinates.size(), frame = system->model().quasi_velocities.size();
  auto next = row.begin();
  const auto put = [&next](std::span<const double> values) { next = std::copy(values.begin(), values.end(), next); };
  *next++ = t;
  if (system->has_own_coordinates) put(state);
  put(std::span(seen).first(2 * n));
  put(std::span(outputs).first(frame));
  put(reactions);  // those of releases come first among the outputs
  put(std::span(outputs).subspan(frame));
  *next++ = energy();
  *next++ = residual;
  for (double& value : row) {
    if (!std::isfinite(value)) value = absent;
  }
}

Observer::Observer(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection)
    : evaluator_(evaluator),
      at_(evaluator.system()),
      factor_(std::move(selection)),
      see_inputs_(evaluator.system().seen.input_count()) {
  if (evaluator.equations().has_choice() || !evaluator.system().needs_no_factor(factor_.selection())) return;
  fast_ = evaluator.bind_fast(factor_.selection());
  fast_outputs_.resize(fast_.output_count());
}

/// Accelerations and multipliers; false where M cannot be factored or something is not finite.
bool Observer::find_motion(double t, const double* y, Observation& observation, std::span<const double> reference,
                           double singular) {
  if (!fast_) {
    if (!evaluator_.evaluate(t, y, at_) || !factor_.factor(at_.mass().data(), at_.jacobian().data(), reference))
      return false;
    observation.kinetic = evaluator_.kinetic(at_, y);
    solve_motion(observation, singular);
    return true;
  }
  see_inputs_[0] = t;
  std::copy(observation.state.begin(), observation.state.end(), see_inputs_.begin() + 1);
  fast_(see_inputs_.data(), fast_outputs_.data());
  const auto first = fast_outputs_.begin() + static_cast<std::ptrdiff_t>(evaluator_.system().fast_rate_count());
  std::copy_n(first, observation.accelerations.size(), observation.accelerations.begin());
  std::fill(observation.multipliers.begin(), observation.multipliers.end(), 0.0);
  return std::ranges::all_of(observation.accelerations, [](double x) { return std::isfinite(x); });
}

void Observer::solve_motion(Observation& observation, double singular) {
  if (!selection().active().empty() && factor_.smallest_pivot() < singular) {
    // The motion is smooth through such an instant, but neither it nor the multipliers can be had from one state.
    std::fill(observation.accelerations.begin(), observation.accelerations.end(), absent);
    std::fill(observation.multipliers.begin(), observation.multipliers.end(), absent);
    return;
  }
  evaluator_.solve(at_, factor_, observation.accelerations.data(), observation.multipliers.data());
  if (selection().dropped().empty()) return;
  const auto combinations = dependencies(at_, factor_);
  make_least_norm(selection(), combinations, observation.multipliers);
  if (!selection().closed().empty())
    make_admissible(evaluator_.system(), selection(), combinations, observation.multipliers);
}

void Observer::recover(Observation& observation) const {
  const CompiledSystem& system = evaluator_.system();
  const Recovery& recovery = *system.equations().recovery;
  const std::size_t rows = recovery.rows.size(), size = recovery.force.size();
  std::vector<double> columns(size * rows, 0.0);
  const double* value = observation.seen.data() + system.see.recovery;
  std::vector<double> known(size, 0.0);  // what contacts exert
  for (std::size_t r = 0; r < rows; ++r) {
    const ConstraintRow& row = recovery.rows[r];
    if (row.kind != ConstraintKind::one_sided) {
      for (const Entry& entry : row.jacobian) columns[entry.column * rows + r] = *value++;
      continue;
    }
    const double multiplier = multiplier_of(observation, row.name);
    for (const Entry& entry : row.jacobian) known[entry.column] += multiplier * *value++;
  }
  std::vector<double> force(value, value + size);
  add_scaled(-1, known, force);
  value += size;
  for (const ConstraintRow& row : recovery.rows) {
    if (row.kind != ConstraintKind::one_sided)
      observation.residual = std::max({observation.residual, std::abs(value[0]), std::abs(value[1])});
    value += 2;
  }
  if (rows == 0 || size == 0) return;
  constexpr double dependent = 1e-10;
  const std::vector<double> lambda = solve_least_norm({size, rows, columns}, force, dependent).x;
  for (std::size_t k = 0; k < observation.reactions.size(); ++k) {
    const std::string& name = system.model().constraints[system.reaction_constraints[k]].name;
    for (std::size_t r = 0; r < rows; ++r) {
      const ConstraintRow& row = recovery.rows[r];
      if (row.kind != ConstraintKind::one_sided && row.name == name) observation.reactions[k] = lambda[r];
    }
  }
}

/// Reactions that have equations of their own; residuals of all constraints as the model writes them.
void Observer::read_formulas(Observation& observation) const {
  const CompiledSystem& system = evaluator_.system();
  const auto& formulas = system.equations().quasi->reactions;
  for (std::size_t k = 0; k < observation.reactions.size(); ++k)
    for (std::size_t r = 0; r < formulas.size(); ++r)
      if (formulas[r].name == system.model().constraints[system.reaction_constraints[k]].name)
        observation.reactions[k] = observation.seen[system.see.formulas + r];
  for (std::size_t i = system.see.formulas + formulas.size(); i < observation.seen.size(); ++i)
    observation.residual = std::max(observation.residual, std::abs(observation.seen[i]));
}

void Observer::see_kinematics(Observation& observation) {
  const CompiledSystem& system = evaluator_.system();
  see_inputs_[0] = observation.t;
  auto next = std::copy(observation.state.begin(), observation.state.end(), see_inputs_.begin() + 1);
  next = std::copy(observation.accelerations.begin(), observation.accelerations.end(), next);
  std::copy(observation.multipliers.begin() + static_cast<std::ptrdiff_t>(system.row_count()),
            observation.multipliers.end(), next);
  evaluator_.seen(see_inputs_.data(), observation.seen.data());
}

void Observer::see(Observation& observation) {
  const CompiledSystem& system = evaluator_.system();
  see_kinematics(observation);
  for (std::size_t k = 0; k < observation.reactions.size(); ++k) {
    const std::size_t row = system.multiplier_of[k];
    if (row < observation.multipliers.size()) observation.reactions[k] = observation.multipliers[row];
  }
  if (system.equations().recovery)
    recover(observation);
  else if (system.is_quasi())
    read_formulas(observation);
  // A vakonomic motion has multipliers mu instead of reactions, in the same order.
  const std::vector<Impulse>& impulses = system.equations().impulses;
  for (std::size_t k = 0; k < impulses.size(); ++k)
    observation.reactions[k] = observation.state[impulses[k].coordinate];
}

bool Observer::observe(double t, const double* y, Observation& observation, std::span<const double> reference,
                       double singular) {
  observation.t = t;
  std::copy_n(y, observation.state.size(), observation.state.begin());
  if (!find_motion(t, y, observation, reference, singular)) return false;
  observation.residual = evaluator_.largest_residual(t, y, selection());
  see(observation);
  // With prescribed motions T is more than the square of the velocities.
  if (evaluator_.equations().impulses.empty())
    observation.kinetic = observation.seen[evaluator_.system().see.energy + 2];
  collect_inputs(observation);
  evaluator_.outputs(observation.inputs.data(), observation.outputs.data());
  return true;
}

void Observer::collect_inputs(Observation& observation) const {
  const std::size_t n = evaluator_.model().coordinates.size();
  observation.inputs[0] = observation.t;
  const auto next = std::copy_n(observation.seen.begin(), 3 * n, observation.inputs.begin() + 1);
  std::copy(observation.reactions.begin(), observation.reactions.end(), next);
  observation.inputs.back() = observation.energy();
}

void Observer::observe_between(double t, const double* y, std::span<const Observation> beside,
                               std::span<const double> weights, Observation& observation) {
  observation.t = t;
  std::copy_n(y, observation.state.size(), observation.state.begin());
  for (auto* values : {&observation.accelerations, &observation.multipliers, &observation.reactions})
    std::fill(values->begin(), values->end(), absent);
  std::fill(observation.seen.begin(), observation.seen.end(), 0.0);
  observation.kinetic = observation.residual = 0;
  for (std::size_t k = 0; k < beside.size(); ++k) {
    add_scaled(weights[k], beside[k].seen, observation.seen);
    observation.kinetic += weights[k] * beside[k].kinetic;
    observation.residual = std::max(observation.residual, beside[k].residual);
  }
  const std::size_t n = evaluator_.model().coordinates.size();
  std::copy_n(y, n, observation.seen.begin());
  std::fill_n(observation.seen.begin() + static_cast<std::ptrdiff_t>(2 * n), n, absent);
  collect_inputs(observation);
  evaluator_.outputs(observation.inputs.data(), observation.outputs.data());
}

void Observer::glance(double t, const double* y, Observation& observation) {
  observation.t = t;
  std::copy_n(y, observation.state.size(), observation.state.begin());
  for (auto* values : {&observation.accelerations, &observation.multipliers, &observation.reactions})
    std::fill(values->begin(), values->end(), absent);
  see_kinematics(observation);
  collect_inputs(observation);
}

}  // namespace dalembert
