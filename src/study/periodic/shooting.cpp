#include "study/periodic/shooting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <numbers>

#include "base/tolerances.hpp"
#include "simulate/system/compiled.hpp"
#include "study/eigen_view.hpp"
#include "study/linearize/reduce.hpp"

namespace dalembert {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}

}  // namespace

/// Free coordinates stay independent where the constraints let them; what depends on x follows it as a guess.
void PeriodShooting::choose_state(const Model& model) {
  const Equations equations = derive_multipliers(model);
  const System system(equations);
  Workspace workspace = system.make_workspace();
  const State state = system.make_initial_start(workspace).state;
  Terms terms(equations, {});
  terms.set_parameters(workspace.parameters());
  std::vector<bool> fixed;
  for (const Coordinate& coordinate : model.coordinates)
    fixed.push_back(contains(options_.free, coordinate.name) || contains(options_.free, coordinate.rate.name()));
  const Choice choice = choose(terms, terms.evaluate({state.t, state.q, state.u, {}, {}}), fixed);
  std::vector<double> values;
  for (const std::size_t i : choice.free_q) {
    state_.push_back(model.coordinates[i].name);
    values.push_back(state.q[i]);
  }
  for (const std::size_t i : choice.free_u) {
    state_.push_back(model.coordinates[i].rate.name());
    values.push_back(state.u[i]);
  }
  for (const Coordinate& coordinate : model.coordinates) all_.push_back(coordinate.name);
  for (const Coordinate& coordinate : model.coordinates) all_.push_back(coordinate.rate.name());
  for (const std::string& name : all_)
    if (!contains(state_, name)) dependent_.push_back(name);
  start_ = Eigen::Map<const Eigen::VectorXd>(values.data(), to_index(values.size()));
}

PeriodShooting::PeriodShooting(const Model& model, const PeriodicOptions& options) : options_(options) {
  choose_state(model);
  std::vector<std::string> known = state_;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  std::vector<double> values;
  const std::vector<double> own = parameter_values(model);
  for (const std::string& name : options_.free) {
    if (name == "T" || contains(state_, name)) continue;
    const auto at = std::ranges::find(model.parameters, name, &Parameter::name);
    if (at == model.parameters.end()) {
      const std::string nearest = nearest_name(name, known);
      throw InputError({model.file,
                        {},
                        "periodic.free",
                        contains(dependent_, name)
                            ? fmt::format("{} follows from the others by the constraints", name)
                            : fmt::format("there is no initial value, rate or parameter {}", name),
                        nearest.empty() ? fmt::format("name T, or of {}", fmt::join(state_, ", "))
                                        : fmt::format("did you mean {}?", nearest)});
    }
    parameters_.push_back(name);
    values.push_back(own[static_cast<std::size_t>(at - model.parameters.begin())]);
  }
  parameter_start_ = Eigen::Map<const Eigen::VectorXd>(values.data(), to_index(values.size()));
  NamedNumbers given;
  for (std::size_t i = 0; i < state_.size(); ++i) given.emplace_back(state_[i], start_(to_index(i)));
  const Model settled = with_guesses(with_values(model, given), dependent_);
  std::vector<std::string> by = state_;
  by.insert(by.end(), parameters_.begin(), parameters_.end());
  gradient_.emplace(settled, by);
  system_.emplace(gradient_->equations());
}

SimulateOptions PeriodShooting::plan(const Eigen::VectorXd& x, const Eigen::VectorXd& parameters) const {
  SimulateOptions made{.tolerance = options_.tolerance.value_or(default_tolerance), .stop = options_.stop};
  for (std::size_t i = 0; i < state_.size(); ++i) made.initial.emplace_back(state_[i], x(to_index(i)));
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    made.parameters.emplace_back(parameters_[i], parameters(to_index(i)));
  return made;
}

PeriodShot PeriodShooting::shoot(const Eigen::VectorXd& x, const Eigen::VectorXd& parameters, double period) {
  PeriodShot shot;
  const SimulateOptions options = plan(x, parameters);
  Trajectory motion;
  try {
    const double times[] = {0, period};
    motion = gradient_->simulate_at(times, options).motion;
  } catch (const ModelError& error) {
    shot.problem = error.complaint().problem;
    return shot;
  }
  if (!motion || motion.rows.size() != 2) {
    shot.problem = motion ? fmt::format("the motion ends before t = {:.6g}", period) : motion.message;
    return shot;
  }
  const Eigen::Index n = to_index(state_.size()), p = to_index(parameters_.size()), y = to_index(all_.size());
  shot.before.resize(y);
  shot.after.resize(y);
  shot.rate.resize(y);
  shot.by_state.resize(y, n);
  shot.by_parameters.resize(y, p);
  shot.monodromy.resize(n, n);
  shot.section_by_state = Eigen::VectorXd::Zero(n);
  shot.section_by_parameters = Eigen::VectorXd::Zero(p);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Eigen::Index row = to_index(i);
    shot.before(row) = motion[all_[i]][0];
    shot.after(row) = motion[all_[i]][1];
    const auto at = std::ranges::find(state_, all_[i]);
    for (Eigen::Index j = 0; j < n; ++j) {
      const std::span<const double> slope = motion[gradient_column(all_[i], state_[static_cast<std::size_t>(j)])];
      shot.by_state(row, j) = slope[1] - slope[0];
      if (at != state_.end()) shot.monodromy(at - state_.begin(), j) = slope[1];
    }
    for (Eigen::Index j = 0; j < p; ++j) {
      const std::span<const double> slope = motion[gradient_column(all_[i], parameters_[static_cast<std::size_t>(j)])];
      shot.by_parameters(row, j) = slope[1] - slope[0];
    }
  }
  if (!options_.section.empty()) {
    shot.section = motion[options_.section][0];
    for (Eigen::Index j = 0; j < n; ++j)
      shot.section_by_state(j) = motion[gradient_column(options_.section, state_[static_cast<std::size_t>(j)])][0];
    for (Eigen::Index j = 0; j < p; ++j)
      shot.section_by_parameters(j) =
          motion[gradient_column(options_.section, parameters_[static_cast<std::size_t>(j)])][0];
  }
  Workspace workspace = system_->make_workspace(options.parameters);
  shot.start = system_->make_initial_start(workspace, options.initial).state;
  shot.end = motion.last;
  const std::vector<double> acceleration = system_->evaluate_contacts(workspace, motion.last).response.acceleration;
  const std::size_t count = acceleration.size();
  for (std::size_t k = 0; k < count; ++k) {
    shot.rate(to_index(k)) = motion.last.u[k];
    shot.rate(to_index(count + k)) = acceleration[k];
  }
  shot.ok = shot.after.allFinite() && shot.by_state.allFinite() && shot.by_parameters.allFinite();
  if (!shot.ok) shot.problem = motion.notes.empty() ? "the motion has no gradients" : motion.notes.back();
  return shot;
}

Eigen::VectorXd PeriodShooting::find_turns(const PeriodShot& shot) {
  constexpr double turn = 2 * std::numbers::pi;
  Eigen::VectorXd turns = Eigen::VectorXd::Zero(shot.after.size());
  Index length_rates = 0;
  const std::vector<Index> classes = find_classes(gradient_->equations(), length_rates);
  Workspace workspace = system_->make_workspace();
  const std::vector<double> there = system_->evaluate_contacts(workspace, shot.end).response.acceleration;
  for (std::size_t i = 0; i < shot.end.q.size(); ++i) {
    const double gained = turn * std::round((shot.end.q[i] - shot.start.q[i]) / turn);
    if (gained == 0 || classes[i] != angle_class) continue;
    State back = shot.end;
    back.q[i] -= gained;
    const std::vector<double> here = system_->evaluate_contacts(workspace, back).response.acceleration;
    double off = 0, size = 1;
    for (std::size_t k = 0; k < here.size(); ++k) {
      off = std::max(off, std::abs(here[k] - there[k]));
      size = std::max(size, std::abs(there[k]));
    }
    if (off <= tolerance::consistent * size) turns(to_index(i)) = gained;
  }
  return turns;
}

Eigen::VectorXd PeriodShooting::find_sizes(const Eigen::VectorXd& x, const Eigen::VectorXd& parameters, double period) {
  constexpr double rows = 64, least = 1e-3;  // part of the largest coordinate, or rate
  SimulateOptions options = plan(x, parameters);
  options.until = period;
  options.every = period / rows;
  const Trajectory motion = system_->simulate(options);
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(to_index(state_.size()));
  double largest[2] = {0, 0};  // of coordinates, of rates
  const auto is_rate = [&](std::size_t i) { return state_[i].ends_with('\''); };
  for (std::size_t i = 0; i < state_.size(); ++i) {
    for (const double value : motion[state_[i]]) sizes(to_index(i)) = std::max(sizes(to_index(i)), std::abs(value));
    largest[is_rate(i)] = std::max(largest[is_rate(i)], sizes(to_index(i)));
  }
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double whole = largest[is_rate(i)];
    sizes(to_index(i)) = whole > tolerance::consistent ? std::max(sizes(to_index(i)), least * whole) : 1;
  }
  return sizes;
}

double PeriodShooting::guess_period() {
  const Trajectory motion = system_->simulate(plan(start_, parameter_start_));
  std::vector<std::size_t> places;
  for (const std::string& name : all_)
    places.push_back(static_cast<std::size_t>(std::ranges::find(motion.columns, name) - motion.columns.begin()));
  std::vector<double> size(all_.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const double value : motion.rows.column(places[i])) size[i] = std::max(size[i], std::abs(value));
  const auto distance = [&](const EventRecord& event) {
    double sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (size[i] > 0) sum += std::pow((event.state[places[i]] - motion.rows[0][places[i]]) / size[i], 2);
    return std::sqrt(sum);
  };
  double nearest = INFINITY;
  const double last = motion.rows.empty() ? 0 : motion.rows.back()[0];
  const auto counts = [&](const EventRecord& event) {
    return event.name == options_.section && event.t > tolerance::clearly_nonzero * last;
  };
  for (const EventRecord& event : motion.events)
    if (counts(event)) nearest = std::min(nearest, distance(event));
  for (const EventRecord& event : motion.events)  // the first of those that are as near
    if (counts(event) && distance(event) <= 2 * nearest + tolerance::clearly_nonzero) return event.t;
  throw InputError({system_->model().file,
                    {},
                    "periodic.section",
                    fmt::format("the motion does not come back to the section before t = {:.6g}", last),
                    "write period = ... where to start from, or a later `until` in [simulate]"});
}

}  // namespace dalembert
