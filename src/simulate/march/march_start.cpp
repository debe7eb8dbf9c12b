// How a march starts: in a singular configuration whose velocity selects a branch, and with which step.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/march/march.hpp"
#include "simulate/march/run_up.hpp"

namespace dalembert {

std::optional<Ending> March::begin() {
  std::vector<double> y = course_.evaluator().to_vector(start_.found.state);
  const double t = start_.found.state.t;
  course_.restart(t, y, start_.selection);
  if (!contacts_.is_idle()) {
    if (std::optional<Ending> ending = contacts_.begin(t, y)) return ending;
    course_.restart(t, y, course_.selection());
  }
  restart_parts();
  const std::optional<SingularStart> singular = find_singular_start(course_, start_);
  // Quasi-velocities say nothing of rates there: what is seen is seen in passing.
  const bool in_passing = singular && singular->selects && course_.system().is_quasi();
  if (in_passing && !run_up_in_rates()) return refuse_start(*singular);
  if (!in_passing && !recorder_.begin()) return diagnose_here();
  contacts_.record_begin(recorder_.observation());
  events_.begin(recorder_.observation());
  frame_.begin();
  if (in_passing)
    note_singular(*singular);
  else if (std::optional<Ending> ending = check_start(singular))
    return ending;
  if (!(options_.until > t)) return Ending{Status::finished, ""};
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(course_.slope(), is_finite)) return diagnose_here();
  if (h_ == 0) h_ = first_step();
  milestone_ = processed_ = t;
  return std::nullopt;
}

/// Begins a moment earlier on the branch that the velocity selects; the start itself is then passed, and what happens
/// until there is not looked at.
bool March::run_up() {
  if (!contacts_.is_idle()) return false;
  const std::shared_ptr<const Selection> singular = course_.selection();
  const std::optional<RunUp> found = find_run_up(course_);
  if (!found) return false;
  leave_open(*singular);
  begin_before(*found);
  return true;
}

/// The same in quasi-velocities that the engine chooses, which are chosen there. The start's row is what the step over
/// it passes, and what was given as it was given.
bool March::run_up_in_rates() {
  if (!contacts_.is_idle() || !course_.system().equations().has_choice()) return false;
  const ModelState& start = *start_.in_rates;
  const std::optional<RunUp> found = find_run_up(course_, start, options_.method);
  if (!found) return false;
  begin_before(*found);
  take(found->step);
  Method& method = course_.method();
  const double end = found->t + found->step;
  Projector& projector = course_.projector();
  if (projector.factor(end, method.end().data())) projector.project(end, method.end().data(), course_.magnitudes());
  course_.f()(end, method.end().data(), method.end_derivative().data());
  if (!recorder_.begin_inside(start.t)) return false;
  const std::vector<Coordinate>& coordinates = course_.system().model().coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    set_first(coordinates[i].name, start.q[i]);
    set_first(coordinates[i].name + "'", start.rates[i]);
  }
  return true;
}

void March::begin_before(const RunUp& found) {
  restart_parts();
  h_ = 1.25 * found.step;  // planned to be shorter
  crossing_.begin_before(h_);
}

/// Of the first row, if it has such a column.
void March::set_first(const std::string& name, double value) {
  const std::vector<std::string>& columns = course_.system().columns;
  const auto found = std::ranges::find(columns, name);
  if (found != columns.end()) result_.rows.set(0, static_cast<std::size_t>(found - columns.begin()), value);
}

void March::note_singular(const SingularStart& singular) {
  result_.notes.push_back(
      fmt::format("the start is a singular configuration, where {} depends on the other constraints: the velocity "
                  "selects the branch, and what reactions determine is not known there",
                  fmt::join(singular.dependent, ", ")));
}

Ending March::refuse_start(const SingularStart& singular) const {
  return {
      Status::singular,
      fmt::format("the start is a singular configuration: {} depends on the other constraints there and nowhere "
                  "near; start a moment earlier or later{}",
                  fmt::join(singular.dependent, ", "), course_.system().is_quasi() ? ", or use --by multipliers" : "")};
}

/// In the first row: reactions that are not determined there, and what reads reactions or accelerations.
void March::leave_open(const Selection& singular) {
  const CompiledSystem& system = course_.system();
  const auto open = [&](const std::string& name) { set_first(name, absent); };
  for (Index r : singular.active()) open(reaction_symbol(system.row(r).name));
  for (const Output& output : system.model().outputs) {
    const std::vector<Expr> read = free_symbols({&output.formula, 1});
    const bool reads = std::ranges::any_of(read, [](const Expr& symbol) {
      return symbol.name().ends_with("''") || symbol.name().starts_with("reaction(");
    });
    if (reads) open(output.name);
  }
}

/// A start where the constraints lose rank only there has no motion that one state determines, unless its velocity
/// selects a branch.
std::optional<Ending> March::check_start(const std::optional<SingularStart>& start) {
  if (!start) return std::nullopt;
  if (start->selects && run_up()) {
    note_singular(*start);
    return std::nullopt;
  }
  if (start->selects) return refuse_start(*start);
  return Ending{Status::undetermined, fmt::format("branches of the motion meet at the start, where {} depends on the "
                                                  "other constraints, and the velocity does not select one",
                                                  fmt::join(start->dependent, ", "))};
}

/// Two derivatives tell the scale of time (Hairer, Norsett, Wanner I, II.4), measured in the kinetic metric.
double March::first_step() {
  const CompiledSystem& system = course_.system();
  const std::size_t q = system.q_count(), u = system.u_count();
  const auto y = course_.state(), k = course_.slope();
  constexpr double small = 1e-3;  // parts of the magnitudes that a first guess may move anything
  double h = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < q + u; ++i) {
    if (system.is_aligned() && i >= u && i < q) continue;  // carried along
    const double size = course_.magnitudes()[i];
    if (size > 0 && k[i] != 0) h = std::min(h, small * size / std::abs(k[i]));
    if (i < u && size > 0 && k[q + i] != 0) h = std::min(h, std::sqrt(small * size / std::abs(k[q + i])));
  }
  if (!std::isfinite(h)) {  // nothing moves and nothing acts: shorter steps are judged by what this one would cover
    h = 1;
    sizes_.include(y.data(), h);
  }
  std::vector<double> trial(y.begin(), y.end());
  for (std::size_t i = 0; i < trial.size(); ++i) trial[i] += h * k[i];
  course_.derivative()(course_.t() + h, trial.data(), slope_.data());
  double speed = 0, force = 0, bend = 0;
  for (std::size_t i = 0; i < u; ++i) {
    const double weight = sizes_.weights()[i];
    speed = std::max(speed, weight * std::abs(y[q + i]));
    force = std::max(force, weight * std::abs(k[q + i]));
    bend = std::max(bend, weight * std::abs(slope_[q + i] - k[q + i]) / h);
  }
  const double time = std::max(force > 0 ? speed / force : 0, bend > 0 ? force / bend : 0);
  const double other = 0.1 * std::pow(options_.tolerance, 1.0 / 8) * time;
  return other > 0 && std::isfinite(other) ? std::min(100 * h, other) : h;
}

}  // namespace dalembert
