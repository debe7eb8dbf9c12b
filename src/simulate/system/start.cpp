#include "simulate/system/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "simulate/system/contact.hpp"
#include "simulate/system/magnitudes.hpp"
#include "simulate/system/violation.hpp"

namespace dalembert {
namespace {

constexpr double far = 0.5;    // an angle that moved so much may have come to another branch
constexpr double tell = 1e-9;  // in magnitudes: a move that is worth telling

[[noreturn]] void refuse(const SystemEvaluator& evaluator, Place place, const std::string& key,
                         const std::string& problem, const std::string& remedy) {
  throw ModelError({evaluator.model().file, place, key, problem, remedy});
}

std::string join(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

/// What is off stays so where nothing may move; or it cannot be mended by what may.
[[noreturn]] void refuse_violation(const SystemEvaluator& evaluator, const Violation& v, const Freedom& freedom,
                                   const double* y) {
  if (!freedom.any())
    refuse(evaluator, v.first_place(), "constraints",
           "the initial state does not satisfy the constraints; residuals: " + v.list(),
           "correct the initial values, or let --solve NAME or --project-initial move them");
  const std::string givens = v.name_givens(y, freedom.free);
  const std::string kept = givens.empty() ? "" : fmt::format(" while these are kept: {}", givens);
  if (v.in_position())
    refuse(evaluator, v.first_place(), "constraints",
           fmt::format("the system cannot be assembled from the initial state{}; gaps left: {}", kept, v.list(true)),
           givens.empty() ? "start nearer, or see whether these constraints contradict each other"
                          : "correct what is given, let --solve NAME move more of it, or start nearer");
  refuse(evaluator, v.first_place(), "constraints",
         fmt::format("no rates satisfy the constraints{}; residuals: {}", kept, v.list()),
         givens.empty() ? "see whether these constraints contradict each other"
                        : "correct what is given, or let --solve NAME move more of it");
}

/// One-sided constraints that are violated are put to the edge of what they allow.
bool raise_penetrating(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection,
                       const Freedom& freedom, double t, std::vector<double>& y) {
  const CompiledSystem& system = evaluator.system();
  if (system.contact_count() == 0) return false;
  Contacts contacts(evaluator, selection);
  Evaluation at(system);
  evaluator.evaluate(t, y.data(), at);
  contacts.scale(t, y.data(), Magnitudes(system, at, y.data()).values());
  contacts.measure(t, y.data());
  std::vector<Index> below;
  std::vector<std::string> names;
  for (Index c = 0; c < contacts.count(); ++c) {
    if (!(contacts.gaps()[c] < -tolerance::consistent * contacts.gap_scale(c))) continue;
    below.push_back(c);
    names.push_back(contacts.name(c));
  }
  if (below.empty()) return false;
  if (!assemble_positions(evaluator, std::make_shared<const Selection>(selection->close(below)), freedom, t, y))
    refuse(evaluator, system.row(system.row_count() + below[0]).place, "constraints",
           "the initial state cannot be brought to where these hold: " + join(names), "start nearer");
  return true;
}

/// What is free is put where the constraints and conditions want it. True if something had to move.
bool solve(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, const Freedom& freedom,
           double t, std::vector<double>& y) {
  bool moved = false;
  const auto measure = [&] { return Violation(evaluator, t, y.data(), freedom.conditions); };
  if (freedom.any() && measure().above_rounding()) {
    moved = true;
    assemble_positions(evaluator, selection, freedom, t, y);
    if (!measure().in_position()) assemble_rates(evaluator, selection, freedom, t, y);
  }
  if (freedom.any()) moved |= raise_penetrating(evaluator, selection, freedom, t, y);
  Violation v = measure();
  if (freedom.any() && !v.in_position() && v.in_velocity()) {  // perhaps only the rates determine where it is
    std::vector<double> both = y;
    assemble_together(evaluator, selection, freedom, t, both);
    assemble_positions(evaluator, selection, freedom, t, both);
    assemble_rates(evaluator, selection, freedom, t, both);
    const Violation after(evaluator, t, both.data(), freedom.conditions);
    if (!after.in_position() && !after.in_velocity()) return y = both, true;
  }
  if (v.in_position() || v.in_velocity()) refuse_violation(evaluator, v, freedom, y.data());
  return moved;
}

std::string others_than(const RankReport& report, const std::string& name) {
  for (const RankReport::Redundant& redundant : report.redundant)
    if (redundant.name == name && !redundant.depends_on.empty()) return join(redundant.depends_on);
  return "the other constraints";
}

/// Dependent rows must ask for the same places, rates and accelerations.
void check_dependent(SystemEvaluator& evaluator, const Selection& selection, double t, const double* y) {
  Evaluation at(evaluator.system());
  if (selection.dropped().empty() || !evaluator.evaluate(t, y, at)) return;
  const Violation v(evaluator, t, y, false);
  const RankReport report = report_rank(evaluator, t, y, at);
  for (Index r : selection.dropped()) {
    if (!v.is_off_position(r) && !v.is_off_velocity(r)) continue;
    const ConstraintRow& row = evaluator.equations().rows[r];
    refuse(evaluator, row.place, "constraints." + row.name,
           fmt::format("contradicts {}: it is off by {:.3g} where they hold", others_than(report, row.name),
                       v.is_off_position(r) ? v.position(r) : v.velocity(r)),
           "leave one of them out or make them agree");
  }
  for (const RankReport::Redundant& redundant : report.redundant) {
    if (redundant.consistent) continue;
    const auto row = std::ranges::find(evaluator.equations().rows, redundant.name, &ConstraintRow::name);
    if (redundant.depends_on.empty())
      refuse(
          evaluator, row->place, "constraints." + redundant.name,
          "its derivatives vanish at the initial state, a singular configuration, and no acceleration keeps it at this "
          "velocity",
          "give a velocity along one of the branches that meet there, or start elsewhere");
    refuse(evaluator, row->place, "constraints." + redundant.name,
           "asks for another acceleration than " + others_than(report, redundant.name) +
               " at the initial state, where it depends on them",
           "if they are meant to say the same, make them agree; if the configuration is singular, start elsewhere");
  }
}

std::string describe_moves(const CompiledSystem& system, const ConsistentStart& start,
                           std::span<const double> magnitudes) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < start.moved_q.size() + start.moved_u.size(); ++i) {
    const bool rate = i >= start.moved_q.size();
    const double moved = rate ? start.moved_u[i - start.moved_q.size()] : start.moved_q[i];
    if (std::abs(moved) <= tell * magnitudes[i]) continue;
    parts.push_back(fmt::format("{} by {:.3g}", system.component_name(i), moved));
    if (!rate && system.classes[i] == angle_class && std::abs(moved) > far) parts.back() += " (perhaps another branch)";
  }
  return parts.empty() ? "" : "the start was moved onto the constraints: " + join(parts);
}

/// Guesses that nothing determines, in words; nothing where all is free, as that goes without saying.
std::string describe_undetermined(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection,
                                  const Freedom& freedom, double t, const double* y) {
  if (!freedom.any() || freedom.all()) return "";
  const std::vector<bool> undetermined = find_undetermined(evaluator, selection, freedom, t, y);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < undetermined.size(); ++i)
    if (undetermined[i]) names.push_back(evaluator.system().component_name(i));
  return names.empty() ? "" : "not determined by what is given, and moved least: " + join(names);
}

void describe(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, const Freedom& freedom,
              const State& given, std::span<const double> magnitudes, ConsistentStart& found) {
  for (std::size_t i = 0; i < given.q.size(); ++i) found.moved_q.push_back(found.state.q[i] - given.q[i]);
  for (std::size_t i = 0; i < given.u.size(); ++i) found.moved_u.push_back(found.state.u[i] - given.u[i]);
  if (found.projected) found.report = describe_moves(evaluator.system(), found, magnitudes);
  const std::vector<double> y = evaluator.to_vector(found.state);
  const std::string loose = describe_undetermined(evaluator, selection, freedom, given.t, y.data());
  if (!loose.empty()) found.report += (found.report.empty() ? "" : "; ") + loose;
}

/// Of quasi-velocities: in the model's rates, by Lagrange's equations; then in the equations' own velocities.
template <class Make>
Start make_in_rates(SystemEvaluator& evaluator, Make&& make) {
  InRates in_rates(evaluator);
  Start start = make(in_rates.evaluator());
  const State found = start.found.state;
  if (!start.selection->dropped().empty()) start.in_rates = ModelState{found.t, found.q, found.u};
  start.found.state = evaluator.to_state({found.t, found.q, found.u});
  const std::vector<double> y = evaluator.to_vector(start.found.state);
  Evaluation at(evaluator.system());
  start.selection = evaluator.evaluate(found.t, y.data(), at)
                        ? select_rows(evaluator, found.t, y.data(), at)
                        : std::make_shared<const Selection>(evaluator.system().pattern, std::vector<Mending>());
  return start;
}

}  // namespace

Start make_start(SystemEvaluator& evaluator, const State& state, const Freedom& freedom) {
  const CompiledSystem& system = evaluator.system();
  std::vector<double> y = evaluator.to_vector(state);
  Start start;
  Evaluation at(system);
  std::vector<bool> vanishing;
  const bool finite = evaluator.evaluate(state.t, y.data(), at);
  if (finite) vanishing = find_vanishing(evaluator, state.t, y.data(), at);
  const auto mended = finite ? mend(evaluator, at, vanishing)
                             : std::make_shared<const Selection>(system.pattern, std::vector<Mending>());
  const Violation before(evaluator, state.t, y.data(), freedom.conditions);
  start.found.largest_position = before.largest_position();
  start.found.largest_velocity = before.largest_velocity();
  start.found.projected = solve(evaluator, mended, freedom, state.t, y);
  if (evaluator.evaluate(state.t, y.data(), at)) vanishing = find_vanishing(evaluator, state.t, y.data(), at);
  start.selection = decide_rank(at, mended, vanishing).selection;
  const Magnitudes magnitudes(system, at, y.data());
  // What was given is kept where it fits to rounding, or what was solved for to what that can do; else, by less than a
  // start may be off, it is projected away.
  const double kept = freedom.any() ? tolerance::assembled : tolerance::cancelled;
  if (Violation(evaluator, state.t, y.data(), freedom.conditions).beyond(kept)) {
    Projector projector(evaluator, start.selection);
    if (projector.factor(state.t, y.data()) && projector.factor().smallest_pivot() > 0)
      projector.project(state.t, y.data(), magnitudes.values());
  }
  check_dependent(evaluator, *start.selection, state.t, y.data());
  start.found.state = evaluator.from_vector(state.t, y.data());
  describe(evaluator, mended, freedom, state, magnitudes.values(), start.found);
  return start;
}

Start make_start(SystemEvaluator& evaluator, const State& state, bool project) {
  if (evaluator.system().is_quasi()) {
    const ModelState given = evaluator.to_model_state(state);
    return make_in_rates(evaluator, [&](SystemEvaluator& in_rates) {
      return make_start(in_rates, State{given.t, given.q, given.rates, {}}, project);
    });
  }
  return make_start(evaluator, state, project ? free_all(evaluator.system()) : fix_all(evaluator.system()));
}

Start make_initial_start(SystemEvaluator& evaluator, const NamedNumbers& instead, bool project) {
  const CompiledSystem& system = evaluator.system();
  if (system.is_quasi())
    return make_in_rates(evaluator,
                         [&](SystemEvaluator& in_rates) { return make_initial_start(in_rates, instead, project); });
  if (system.is_reduced()) return make_reduced_start(evaluator, instead, project);
  Freedom freedom = free_guesses(system, evaluator.model().coordinates, instead);
  if (project) freedom = free_all(system);
  freedom.conditions = !evaluator.model().initial.empty();
  return make_start(evaluator, evaluator.initial_state(instead), freedom);
}

Freedom free_guesses(const CompiledSystem& system, const std::vector<Coordinate>& coordinates,
                     const NamedNumbers& instead) {
  Freedom freedom = fix_all(system);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    freedom.free[i] = coordinates[i].is_guess;
    freedom.free[system.q_count() + i] = coordinates[i].is_rate_guess;
  }
  for (const auto& given : instead)
    for (std::size_t i = 0; i < freedom.free.size(); ++i)
      if (system.component_name(i) == given.first) freedom.free[i] = false;
  return freedom;
}

InRates::InRates(const SystemEvaluator& evaluator) : evaluator_(evaluator.system().in_rates()) {
  evaluator_.set_parameters(evaluator.parameters());
}

std::vector<double> InRates::state(SystemEvaluator& quasi, double t, const double* y) {
  const ModelState state = quasi.to_model_state(quasi.from_vector(t, y));
  return evaluator_.to_vector({t, state.q, state.rates, {}});
}

bool is_singular_start(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, double t,
                       const double* y, std::span<const double> magnitudes) {
  constexpr double small = 1e-4;
  if (selection->dropped().empty()) return false;
  const CompiledSystem& system = evaluator.system();
  std::vector<double> moved(y, y + system.size()), change(system.u_count()), along(system.all_row_count(), 0.0);
  std::vector<double> tangent(system.u_count()), dq(system.q_count());
  for (std::size_t i = 0; i < change.size(); ++i)
    change[i] = small * (i < magnitudes.size() ? magnitudes[i] : 1) * std::sin(1.0 + 1.7 * static_cast<double>(i));
  Projector projector(evaluator, selection);
  if (!projector.factor(t, y)) return false;
  for (std::size_t r = 0; r < system.all_row_count(); ++r) {
    const double* a = projector.evaluation().jacobian_row(r);
    for (const Entry& entry : system.row(r).jacobian) along[r] += *a++ * change[entry.column];
  }
  projector.factor().correct(along.data(), tangent.data());
  for (std::size_t i = 0; i < change.size(); ++i) change[i] += tangent[i];
  evaluator.displace(t, y, change.data(), dq.data());
  for (std::size_t i = 0; i < dq.size(); ++i) moved[i] += dq[i];
  if (!projector.factor(t, moved.data()) || !projector.project(t, moved.data(), magnitudes).ok) return false;
  Evaluation at(system);
  if (!evaluator.evaluate(t, moved.data(), at)) return false;
  const std::vector<bool> vanishing = find_vanishing(evaluator, t, moved.data(), at);
  return decide_rank(at, selection, vanishing).selection->kept().size() > selection->kept().size();
}

}  // namespace dalembert
