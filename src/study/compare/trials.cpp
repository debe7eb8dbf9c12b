#include "study/compare/trials.hpp"

#include <algorithm>
#include <cmath>

#include "study/metric_reactions.hpp"

namespace dalembert {
namespace {

constexpr int near_trials = 8, large_trials = 3, most_far = 48;
constexpr double near = 0.3;

}  // namespace

Trials::Trials(const Equations& equations, std::span<const Expr> read)
    : equations_(equations), system_(equations), random_(1), signs_(is_large() ? std::span<const Expr>() : read) {}

bool Trials::is_large() const { return equations_.coordinates.size() > most_dense; }

std::optional<Trials::Trial> Trials::next() {
  while (near_ < (is_large() ? large_trials : near_trials)) {
    std::optional<Trial> trial = make(near_++ == 0 ? 0 : near, false);
    if (!trial) continue;
    signs_.meet(trial->bindings);
    return trial;
  }
  while (far_ < most_far && signs_.are_one_sided()) {  // further away each eighth
    std::optional<Trial> trial = make(std::ldexp(1.0, far_++ / 8), true);
    if (trial && signs_.meet(trial->bindings)) return trial;
  }
  return std::nullopt;
}

std::optional<Trials::Trial> Trials::make(double spread, bool is_far) {
  const Model& model = *equations_.model;
  std::uniform_real_distribution<double> around(-near, near);
  Trial trial;
  const std::vector<double> given = parameter_values(model);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (spread > 0 && !model.parameters[i].shapes && model.parameters[i].value.is_constant())
      trial.parameters.emplace_back(model.parameters[i].name,
                                    given[i] * (1 + around(random_)) + 0.01 * around(random_));
  try {
    Workspace workspace = system_.make_workspace(trial.parameters);
    State state = system_.initial_state(workspace);
    if (spread > 0 && !is_large()) move(state, spread, is_far);
    trial.state = system_.make_consistent_start(workspace, state, true).state;
    if (spread > 0 && is_large()) trial.state = move_on(workspace, trial);
    trial.response = system_.evaluate_motion(workspace, trial.state);
    trial.bindings = bind_symbols(equations_, trial.state, workspace.parameters());
  } catch (const InputError&) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < equations_.accelerations.size(); ++i)
    trial.bindings.push_back({equations_.accelerations[i], trial.response.acceleration[i]});
  for (std::size_t a = 0; a < equations_.rows.size(); ++a)
    trial.bindings.push_back(
        {equations_.graph->symbol(reaction_symbol(equations_.rows[a].name)), trial.response.multipliers[a]});
  for (const ConstraintRow& contact : equations_.contacts)  // none of them touches
    trial.bindings.push_back({equations_.graph->symbol(reaction_symbol(contact.name)), 0});
  return trial;
}

void Trials::move(State& state, double spread, bool is_far) {
  std::uniform_real_distribution<double> by(-spread, spread);
  for (auto* list : {&state.q, &state.u})
    for (double& value : *list) value += by(random_) * (is_far ? 1 + std::fabs(value) : 1);
}

NamedNumbers Trials::describe(const Trial& trial, std::span<const Expr> formulas) const {
  NamedNumbers state = trial.parameters;
  state.emplace_back("t", trial.state.t);
  const std::vector<Expr> read = free_symbols(formulas);
  auto add = [&](const std::vector<Expr>& symbols, const std::vector<double>& values) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (!is_large() || std::ranges::find(read, symbols[i]) != read.end())
        state.emplace_back(symbols[i].name(), values[i]);
  };
  add(equations_.coordinates, trial.state.q);
  add(equations_.velocities, trial.state.u);
  return state;
}

/// Where the motion is a moment later: a state at random would be put back onto the constraints by dense matrices.
/// The moment is so long that the largest acceleration changes a rate by a part in ten of its square root.
State Trials::move_on(Workspace& workspace, const Trial& trial) {
  const Response response = system_.evaluate_motion(workspace, trial.state);
  double largest = 1;
  for (double value : response.acceleration) largest = std::max(largest, std::fabs(value));
  const double until = trial.state.t + 0.1 / std::sqrt(largest);
  return system_.simulate({.until = until, .every = until, .parameters = trial.parameters}).last;
}

}  // namespace dalembert
