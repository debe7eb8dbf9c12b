#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <dalembert/simulate/contacts.hpp>
#include <limits>

#include "simulate/run.hpp"

namespace dalembert {

std::string_view status_name(Status status) {
  switch (status) {
    case Status::finished: return "finished";
    case Status::event: return "event";
    case Status::singular: return "singular";
    case Status::undetermined: return "undetermined";
    case Status::step_underflow: return "step-underflow";
    case Status::not_finite: return "not-finite";
    case Status::interrupted: return "interrupted";
  }
  return "";
}

SimulateOptions simulate_options(const Model& model) {
  SimulateOptions options;
  options.until = model.simulate.until;
  options.every = model.simulate.every;
  options.tolerance = model.simulate.tolerance;
  return options;
}

namespace {

constexpr double most_rows = 1e7;

[[noreturn]] void refuse(const std::string& key, const std::string& problem, const std::string& remedy) {
  throw InputError({"", {}, key, problem, remedy});
}

void check_options(const SimulateOptions& options, double start) {
  if (options.method != "dop853") refuse("method", "\"" + options.method + "\" is no method", "use dop853");
  if (!std::isfinite(options.until)) refuse("until", "is not a finite number", "give the time to stop at");
  if (!(options.every > 0) || !std::isfinite(options.every)) {
    refuse("every", fmt::format("{} is no interval between rows", options.every), "give a positive number");
  }
  if (!(options.tolerance >= 1e-15 && options.tolerance <= 1e-1)) {
    refuse("tolerance", fmt::format("{} cannot be kept", options.tolerance), "give a number from 1e-15 to 0.1");
  }
  if (options.until < start) {
    refuse("until", fmt::format("{} lies before the start at t = {}", options.until, start), "give a later time");
  }
  if ((options.until - start) / options.every > most_rows) {
    refuse("every", fmt::format("more than {:.0e} rows would be written", most_rows), "give a larger interval");
  }
}

State default_start(const Model& model, const Equations& equations) {
  if (equations.velocity_formulas.empty()) return {0, equations.start_coordinates, equations.start_velocities};
  ModelState start = initial_state(model);
  return {0, start.q, start.rates};
}

Trajectory run_once(const Model& model, const Equations& equations, const SimulateOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Trajectory result;
  Numeric numeric(model, equations);
  Observer observer(numeric);
  const State given = options.start ? *options.start : default_start(model, equations);
  State own = given;
  if (numeric.has_choice()) numeric.choose(given);
  if (numeric.is_quasi()) own.u = numeric.velocities_of(given);
  const std::vector<double> y = numeric.state_vector(own);
  result.columns = observer.columns();
  if (!numeric.evaluate(given.t, y.data())) {
    result.status = Status::not_finite;
    result.message = fmt::format("{} is not finite at the start", name_not_finite(numeric, given.t, y.data()));
    return result;
  }
  RankDecision rank;
  const ConsistentStart start = make_start(numeric, given, options.project_initial, rank);
  if (!start.report.empty()) result.notes.push_back(start.report);
  numeric.compile_fast();
  observer.set_parameters();
  Run(numeric, observer, options, result).march(start, rank);
  result.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

/// Largest difference of each column between two runs, relative to the column's size.
std::vector<double> compare(const Trajectory& a, const Trajectory& b) {
  std::vector<double> error(a.columns.size(), 0.0), size(a.columns.size(), 0.0);
  for (std::size_t i = 0; i < std::min(a.rows.size(), b.rows.size()); ++i) {
    for (std::size_t k = 0; k < error.size(); ++k) {
      const double x = a.rows[i][k], z = b.rows[i][k];
      if (!std::isfinite(x) || !std::isfinite(z)) continue;
      error[k] = std::max(error[k], std::abs(x - z));
      size[k] = std::max(size[k], std::abs(z));
    }
  }
  for (std::size_t k = 0; k < error.size(); ++k) {
    if (size[k] > 0) error[k] /= size[k];
  }
  return error;
}

}  // namespace

Trajectory simulate(const Model& model, const Equations& equations, const SimulateOptions& options) {
  check_options(options, options.start ? options.start->t : 0.0);
  Trajectory result = run_once(model, equations, options);
  if (options.estimate_error && result.status != Status::interrupted) {
    SimulateOptions finer = options;
    finer.tolerance = std::max(options.tolerance / 10, 1e-15);
    result.error = compare(result, run_once(model, equations, finer));
  }
  return result;
}

// --- the numeric view for other stages

namespace {

struct View {
  View(const Model& model, const Equations& equations)
      : numeric(model, equations), observer(numeric), contacts(numeric) {}
  Numeric numeric;
  Observer observer;
  Contacts contacts;

  /// y of a state, with M regularised and an independent set of rows selected there.
  void make_rank(State state) {
    if (numeric.has_choice() && numeric.choose(state)) observer.set_parameters();
    if (numeric.is_quasi()) state.u = numeric.velocities_of(state);
    y = numeric.state_vector(state);
    if (!numeric.evaluate(state.t, y.data())) {
      refuse("", name_not_finite(numeric, state.t, y.data()) + " is not finite at this state", "give another state");
    }
    check_inertia(numeric);
    numeric.close({});
    rank = decide_rank(numeric, state.t, y.data());
  }
  /// And the contacts closed that hold there.
  void make_contact_rank(const State& state) {
    make_rank(state);
    strikes.assign(contacts.count(), false);
    if (contacts.count() == 0) return;
    std::vector<double> sizes(numeric.q_count() + numeric.u_count());
    make_sizes(numeric, y.data(), 1.0, 1e-10).evaluate(sizes);
    contacts.set_equations(rank);
    contacts.scale(state.t, y.data(), sizes);
    contacts.measure(state.t, y.data());
    constexpr double off = 1e-9;
    const std::vector<Index> touching = contacts.touching();
    for (Index c : touching) strikes[c] = contacts.rates()[c] < -off * contacts.rate_scale(c);
    const ContactDecision decision = contacts.decide(state.t, y.data(), contacts.resting(touching, off));
    if (!decision.against.empty()) {
      refuse("constraints." + contacts.name(decision.against[0]), "no accelerations satisfy it with the other contacts",
             "give another state");
    }
    rank = decision.rank;
  }
  void observe(const State& state) {
    make_contact_rank(state);
    observer.observe(state.t, y.data(), rank);
  }
  Motion motion() const {
    const auto a = observer.accelerations(), m = observer.multipliers().first(numeric.row_count());
    return {{a.begin(), a.end()}, {m.begin(), m.end()}};
  }
  std::vector<bool> strikes;  // contacts that touch and approach
  std::vector<double> y;
  RankDecision rank;
};

}  // namespace

struct System::Parts : View {
  using View::View;
};

System::System(const Model& model, const Equations& equations) : parts_(std::make_unique<Parts>(model, equations)) {}
System::~System() = default;
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;

std::size_t System::coordinate_count() const { return parts_->numeric.q_count(); }
std::size_t System::velocity_count() const { return parts_->numeric.u_count(); }
std::size_t System::row_count() const { return parts_->numeric.row_count(); }
State System::initial_state() const { return default_start(parts_->numeric.model(), parts_->numeric.equations()); }
const std::vector<std::string>& System::columns() const { return parts_->observer.columns(); }

Residuals System::evaluate_residuals(const State& state) {
  Residuals residuals{std::vector<double>(row_count()), std::vector<double>(row_count())};
  std::vector<double> y(state.q);
  y.insert(y.end(), state.u.begin(), state.u.end());
  parts_->numeric.residuals(state.t, y.data(), residuals.position.data(), residuals.velocity.data());
  return residuals;
}

Motion System::evaluate_motion(const State& state) {
  parts_->observe(state);
  return parts_->motion();
}

RankReport System::analyse_constraints(const State& state) {
  parts_->make_rank(state);
  return report_rank(parts_->numeric, state.t, parts_->y.data());
}

std::vector<double> System::evaluate_row(const State& state) {
  parts_->observe(state);
  std::vector<double> row;
  parts_->observer.write_row(row);
  return row;
}

ConsistentStart System::make_consistent_start(const State& state, bool project) {
  parts_->numeric.close({});
  ConsistentStart start = make_start(parts_->numeric, state, project, parts_->rank);
  if (parts_->numeric.is_quasi()) {
    std::vector<double> y = parts_->numeric.state_vector(start.state);
    start.state.u = parts_->numeric.rates_of(start.state.t, y.data());
  }
  return start;
}

ContactMotion evaluate_contacts(const Model& model, const Equations& equations, const State& state) {
  View view(model, equations);
  view.observe(state);
  const auto multipliers = view.observer.multipliers();
  const std::size_t rows = view.numeric.row_count();
  ContactMotion result{
      view.motion(), {multipliers.begin() + static_cast<std::ptrdiff_t>(rows), multipliers.end()}, {}, {}};
  result.closed.assign(view.numeric.closed().begin(), view.numeric.closed().end());
  result.unique = find_unique(view.numeric, view.rank, dependencies(view.numeric, view.rank), multipliers);
  for (std::size_t c = 0; c < result.multipliers.size(); ++c) {
    if (view.strikes[c]) result.multipliers[c] = std::numeric_limits<double>::quiet_NaN();
  }
  return result;
}

Equations hold_contacts(Equations equations, std::span<const std::size_t> closed) {
  for (std::size_t c : closed) equations.rows.push_back(equations.contacts[c]);
  equations.contacts.clear();
  return equations;
}

}  // namespace dalembert
