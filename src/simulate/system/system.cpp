#include <fmt/format.h>

#include <cmath>
#include <dalembert/simulate/system.hpp>
#include <limits>

#include "simulate/march/motion.hpp"

namespace dalembert {

struct Workspace::Parts {
  explicit Parts(std::shared_ptr<const CompiledSystem> system) : evaluator(std::move(system)) {}
  SystemEvaluator evaluator;
};

Workspace::Workspace(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
std::span<const double> Workspace::parameters() const { return parts_->evaluator.parameters(); }

System::System(const Equations& equations) : compiled_(std::make_shared<const CompiledSystem>(equations)) {}
System::System(Equations&& equations) : compiled_(std::make_shared<const CompiledSystem>(std::move(equations))) {}
const Equations& System::equations() const { return compiled_->equations(); }
const std::vector<std::string>& System::columns() const { return compiled_->columns; }

namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& problem, const std::string& remedy) {
  throw InputError({"", {}, key, problem, remedy});
}

/// A state as y, evaluated, with the rows that act there while no contact is closed.
struct Spot {
  Spot(SystemEvaluator& evaluator, const State& state) : y(evaluator.to_vector(state)), at(evaluator.system()) {
    if (!evaluator.evaluate(state.t, y.data(), at))
      refuse("", name_not_finite(evaluator, state.t, y.data()) + " is not finite at this state", "give another state");
    selection = select_rows(evaluator, state.t, y.data(), at);
  }
  std::vector<double> y;
  Evaluation at;
  std::shared_ptr<const Selection> selection;
};

/// And the contacts closed that hold there; which of them are being struck.
std::vector<bool> close_contacts(SystemEvaluator& evaluator, const State& state, Spot& spot) {
  Contacts contacts(evaluator, spot.selection);
  std::vector<bool> strikes(contacts.count(), false);
  if (contacts.count() == 0) return strikes;
  Magnitudes magnitudes(evaluator.system(), spot.at, spot.y.data());
  if (evaluator.system().is_quasi()) magnitudes.set_ways(evaluator, state.t, spot.y.data());
  contacts.scale(state.t, spot.y.data(), magnitudes.values());
  contacts.measure(state.t, spot.y.data());
  constexpr double off = 1e-9;
  const std::vector<Index> touching = contacts.touching();
  for (Index c : touching) strikes[c] = contacts.rates()[c] < -off * contacts.rate_scale(c);
  const ContactDecision decision = contacts.decide(state.t, spot.y.data(), contacts.resting(touching, off));
  if (!decision.against.empty())
    refuse("constraints." + contacts.name(decision.against[0]), "no accelerations satisfy it with the other contacts",
           "give another state");
  spot.selection = decision.selection;
  return strikes;
}

Observation observe(SystemEvaluator& evaluator, Observer& observer, const State& state, const Spot& spot) {
  Observation observation(evaluator.system());
  observer.observe(state.t, spot.y.data(), observation);
  return observation;
}

Response respond(const CompiledSystem& system, const Observation& observation) {
  const auto rows = observation.multipliers.begin() + static_cast<std::ptrdiff_t>(system.row_count());
  return {observation.accelerations, {observation.multipliers.begin(), rows}};
}

}  // namespace

// --- workspaces and states

SystemEvaluator& System::evaluator_of(Workspace& workspace) const {
  if (!workspace.parts_ || &workspace.parts_->evaluator.system() != compiled_.get())
    refuse("", "the workspace belongs to another system", "use one that this system made");
  return workspace.parts_->evaluator;
}

Workspace System::make_workspace(const NamedNumbers& parameters) const {
  Workspace workspace(std::make_unique<Workspace::Parts>(compiled_));
  workspace.parts_->evaluator.set_parameters(parameters);
  return workspace;
}

void System::set_parameters(Workspace& workspace, const NamedNumbers& parameters) const {
  evaluator_of(workspace).set_parameters(parameters);
}

State System::initial_state(Workspace& workspace, const NamedNumbers& initial) const {
  return evaluator_of(workspace).initial_state(initial);
}

State System::to_state(Workspace& workspace, const ModelState& in_model) const {
  return evaluator_of(workspace).to_state(in_model);
}

ModelState System::to_model_state(Workspace& workspace, const State& state) const {
  return evaluator_of(workspace).to_model_state(state);
}

// --- asking at a state

Residuals System::evaluate_residuals(Workspace& workspace, const State& state) const {
  SystemEvaluator& evaluator = evaluator_of(workspace);
  const std::vector<double> y = evaluator.to_vector(state);
  Residuals residuals{std::vector<double>(compiled_->all_row_count()), std::vector<double>(compiled_->all_row_count())};
  evaluator.evaluate_constraints(state.t, y.data(), residuals.position.data(), residuals.velocity.data());
  residuals.position.resize(compiled_->row_count());
  residuals.velocity.resize(compiled_->row_count());
  return residuals;
}

Response System::evaluate_motion(Workspace& workspace, const State& state) const {
  return evaluate_contacts(workspace, state).response;
}

ContactResponse System::evaluate_contacts(Workspace& workspace, const State& state) const {
  SystemEvaluator& evaluator = evaluator_of(workspace);
  Spot spot(evaluator, state);
  const std::vector<bool> strikes = close_contacts(evaluator, state, spot);
  Observer observer(evaluator, spot.selection);
  const Observation observation = observe(evaluator, observer, state, spot);
  const auto rows = observation.multipliers.begin() + static_cast<std::ptrdiff_t>(compiled_->row_count());
  ContactResponse result{respond(*compiled_, observation), {rows, observation.multipliers.end()}, {}, {}};
  result.closed.assign(spot.selection->closed().begin(), spot.selection->closed().end());
  result.unique = find_unique(*compiled_, *spot.selection, dependencies(observer.evaluation(), observer.factor()),
                              observation.multipliers);
  for (std::size_t c = 0; c < result.multipliers.size(); ++c)
    if (strikes[c]) result.multipliers[c] = std::numeric_limits<double>::quiet_NaN();
  return result;
}

RankReport System::analyse_constraints(Workspace& workspace, const State& state) const {
  SystemEvaluator& evaluator = evaluator_of(workspace);
  const Spot spot(evaluator, state);
  return report_rank(evaluator, state.t, spot.y.data(), spot.at);
}

std::vector<double> System::evaluate_row(Workspace& workspace, const State& state) const {
  SystemEvaluator& evaluator = evaluator_of(workspace);
  Spot spot(evaluator, state);
  close_contacts(evaluator, state, spot);
  Observer observer(evaluator, spot.selection);
  std::vector<double> row(compiled_->columns.size());
  observe(evaluator, observer, state, spot).write_row(row);
  return row;
}

ConsistentStart System::make_consistent_start(Workspace& workspace, const State& state, bool project) const {
  return make_start(evaluator_of(workspace), state, project).found;
}

ConsistentStart System::make_initial_start(Workspace& workspace, const NamedNumbers& initial, bool project) const {
  return dalembert::make_initial_start(evaluator_of(workspace), initial, project).found;
}

// --- motions

namespace {

Trajectory run_once(SystemEvaluator& evaluator, const SimulateOptions& asked, const MarchOptions& options) {
  Motion motion(evaluator, asked, options);
  if (motion.march() != nullptr) motion.march()->run();
  return motion.take();
}

/// Largest difference of each column between two runs, relative to the column's size.
std::vector<double> compare(const Trajectory& a, const Trajectory& b) {
  std::vector<double> error(a.columns.size(), 0.0);
  const std::size_t rows = std::min(a.rows.size(), b.rows.size());
  for (std::size_t k = 0; k < error.size(); ++k) {
    double size = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const double x = a.rows[i][k], z = b.rows[i][k];
      if (!std::isfinite(x) || !std::isfinite(z)) continue;
      error[k] = std::max(error[k], std::abs(x - z));
      size = std::max(size, std::abs(z));
    }
    if (size > 0) error[k] /= size;
  }
  return error;
}

}  // namespace

Trajectory System::simulate(Workspace& workspace, const SimulateOptions& options) const {
  return run_motion(evaluator_of(workspace), options);
}

Trajectory run_motion(SystemEvaluator& evaluator, const SimulateOptions& options, Follower* follower) {
  MarchOptions plan = settle_options(options, evaluator.model(), options.start ? options.start->t : 0.0);
  plan.follower = follower;
  evaluator.set_parameters(options.parameters);
  Trajectory result = run_once(evaluator, options, plan);
  if (options.estimate_error && result.status != Status::interrupted) {
    plan.follower = nullptr;
    plan.tolerance = std::max(plan.tolerance / 10, 1e-15);
    result.error = compare(result, run_once(evaluator, options, plan));
  }
  return result;
}

// --- each in a workspace of its own

namespace {

template <class Ask>
auto ask_once(const System& system, Ask&& ask) {
  Workspace workspace = system.make_workspace();
  return ask(workspace);
}

}  // namespace

State System::initial_state(const NamedNumbers& initial) const {
  return ask_once(*this, [&](Workspace& own) { return initial_state(own, initial); });
}
State System::to_state(const ModelState& in_model) const {
  return ask_once(*this, [&](Workspace& own) { return to_state(own, in_model); });
}
ModelState System::to_model_state(const State& state) const {
  return ask_once(*this, [&](Workspace& own) { return to_model_state(own, state); });
}
Residuals System::evaluate_residuals(const State& state) const {
  return ask_once(*this, [&](Workspace& own) { return evaluate_residuals(own, state); });
}
Response System::evaluate_motion(const State& state) const {
  return ask_once(*this, [&](Workspace& own) { return evaluate_motion(own, state); });
}
ContactResponse System::evaluate_contacts(const State& state) const {
  return ask_once(*this, [&](Workspace& own) { return evaluate_contacts(own, state); });
}
RankReport System::analyse_constraints(const State& state) const {
  return ask_once(*this, [&](Workspace& own) { return analyse_constraints(own, state); });
}
std::vector<double> System::evaluate_row(const State& state) const {
  return ask_once(*this, [&](Workspace& own) { return evaluate_row(own, state); });
}
ConsistentStart System::make_consistent_start(const State& state, bool project) const {
  return ask_once(*this, [&](Workspace& own) { return make_consistent_start(own, state, project); });
}
ConsistentStart System::make_initial_start(const NamedNumbers& initial, bool project) const {
  return ask_once(*this, [&](Workspace& own) { return make_initial_start(own, initial, project); });
}
Trajectory System::simulate(const SimulateOptions& options) const {
  return ask_once(*this, [&](Workspace& own) { return simulate(own, options); });
}

Equations hold_contacts(Equations equations, std::span<const std::size_t> closed) {
  for (std::size_t c : closed) equations.rows.push_back(equations.contacts[c]);
  equations.contacts.clear();
  return equations;
}

}  // namespace dalembert
