#include "study/linearize/linearizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>

#include "base/tolerances.hpp"
#include "study/linearize/shape.hpp"
#include "study/metric_reactions.hpp"

namespace dalembert {
namespace {

/// Of a dependent coordinate and a free one: beyond, exchanges are not tried.
constexpr std::size_t most_pairs = 400;

/// By Lagrange's multipliers; contacts that hold at the start are rows like others, those that are open are not there.
Equations make_equations(const Model& model, const LinearizeOptions& options, const NamedNumbers& parameters,
                         const NamedNumbers& initial) {
  if (model.simulate.vakonomic)
    throw InputError({model.file,
                      {},
                      "simulate.principle",
                      "a vakonomic motion has no linear equations here",
                      "use principle = \"dalembert\""});
  Equations equations = derive_multipliers(model);
  const bool as_it_is = !options.frozen && options.steady.empty() && options.constant.empty();
  if (as_it_is && model.coordinates.size() > most_dense) refuse_falling(equations, parameters, initial);
  if (equations.contacts.empty()) return equations;
  const System system(equations);
  Workspace workspace = system.make_workspace(parameters);
  const State state = system.make_initial_start(workspace, initial).state;
  const ContactResponse response = system.evaluate_contacts(workspace, state);
  for (const std::size_t closed : response.closed) {
    const std::string& name = equations.contacts[closed].name;
    const double load = response.multipliers[closed];
    if (!(std::abs(load) > tolerance::consistent))
      throw InputError({model.file,
                        {},
                        "constraints." + name,
                        "the contact is closed without a load: disturbances open it one way and not the other, and no "
                        "linear equations hold for both",
                        "move the start away from it, or load it"});
  }
  return hold_contacts(std::move(equations), response.closed);
}

}  // namespace

Linearizer::Linearizer(Equations equations, const LinearizeOptions& options)
    : options_(options),
      equations_(std::move(equations)),
      system_(equations_),
      workspace_(system_.make_workspace()),
      inputs_(find_inputs(options.inputs)),
      fixed_(find_fixed(options.independent)) {
  terms_.emplace(equations_, inputs_);
}

Linearizer::Linearizer(const Model& model, const LinearizeOptions& options, const NamedNumbers& parameters,
                       const NamedNumbers& initial)
    : Linearizer(make_equations(model, options, parameters, initial), options) {
  choose_at(parameters, initial);
}

void Linearizer::choose_at(const NamedNumbers& parameters, const NamedNumbers& initial) {
  MotionPoint at = start(parameters, initial);
  choice_ = choose(*terms_, terms_->evaluate(at), fixed_);
  if (choice_.dependent.size() < choice_.rows.size()) refuse_choice();
  std::vector<Look> looks{look_or_refuse(std::move(at))};
  check_regular(looks[0]);
  const bool improves = choice_.dependent.size() * choice_.free_u.size() <= most_pairs;
  if (improves || !options_.frozen)
    for (Look& other : sample(looks[0])) looks.push_back(std::move(other));
  if (improves) improve_choice(looks);
  choose_state(looks);
  if (!options_.independent.empty()) keep_what_acts(looks[0]);
  if (!improves) chosen_ = {parameters, initial, std::move(looks[0])};
}

void Linearizer::refuse(const std::string& key, const std::string& problem, const std::string& remedy) const {
  throw InputError({equations_.model->file, {}, key, problem, remedy});
}

std::vector<std::size_t> Linearizer::find_inputs(const std::vector<std::string>& names) const {
  std::vector<std::string> known;
  for (const Parameter& parameter : equations_.model->parameters) known.push_back(parameter.name);
  std::vector<std::size_t> found;
  for (const std::string& wanted : names) {
    const auto at = std::ranges::find(known, wanted);
    if (at == known.end()) {
      const std::string nearest = nearest_name(wanted, known);
      refuse("--inputs", fmt::format("there is no parameter {}", wanted),
             nearest.empty() ? "inputs are parameters that loads read" : fmt::format("did you mean {}?", nearest));
    }
    found.push_back(static_cast<std::size_t>(at - known.begin()));
  }
  return found;
}

std::vector<bool> Linearizer::find_fixed(const std::vector<std::string>& names) const {
  std::vector<std::string> known;
  for (const Coordinate& coordinate : equations_.model->coordinates) known.push_back(coordinate.name);
  std::vector<bool> fixed(known.size(), false);
  for (const std::string& wanted : names) {
    const auto at = std::ranges::find(known, wanted);
    if (at == known.end()) {
      const std::string nearest = nearest_name(wanted, known);
      refuse("--independent", fmt::format("there is no coordinate {}", wanted),
             nearest.empty() ? fmt::format("the coordinates are {}", fmt::join(known, ", "))
                             : fmt::format("did you mean {}?", nearest));
    }
    fixed[static_cast<std::size_t>(at - known.begin())] = true;
  }
  return fixed;
}

void Linearizer::refuse_choice() const {
  refuse("--independent",
         fmt::format("{} cannot all be independent: {} constraints leave {} velocities free",
                     fmt::join(options_.independent, ", "), choice_.rows.size(), terms_->size() - choice_.rows.size()),
         "name fewer or others, or leave the choice to the engine");
}

void Linearizer::check_regular(const Look& base) const {
  double speed = 1;
  for (const double u : base.at.u) speed = std::max(speed, std::abs(u));
  if (base.reduced.contradiction > tolerance::clearly_nonzero * speed)
    refuse("constraints", "the configuration is singular: constraints that depend on each other here do not nearby",
           "move the start away from it");
}

MotionPoint Linearizer::start(const NamedNumbers& parameters, const NamedNumbers& initial) {
  system_.set_parameters(workspace_, parameters);
  terms_->set_parameters(workspace_.parameters());
  const State state = system_.make_initial_start(workspace_, initial).state;
  return {state.t, state.q, state.u, {}, {}};
}

std::optional<Linearizer::Look> Linearizer::look(MotionPoint at, const Choice& choice) {
  Look look{std::move(at), {}, {}, {}};
  look.values = terms_->evaluate(look.at);
  if (!solve_motion(look.values, choice, look.at)) return std::nullopt;
  look.slopes = terms_->evaluate_slopes(look.at);
  look.reduced = reduce(look.values, look.slopes, choice, look.at);
  if (!look.reduced.ok) return std::nullopt;
  return look;
}

Linearizer::Look Linearizer::look_or_refuse(MotionPoint at) {
  std::optional<Look> found = look(at, choice_);
  if (!found)
    refuse("", "the equations have no linear form at this state",
           "the mass matrix is singular there, or a formula has no derivative: move the start, or choose other "
           "coordinates with --independent");
  return std::move(*found);
}

Linearizer::Look Linearizer::look_at_start(const NamedNumbers& parameters, const NamedNumbers& initial) {
  const bool is_known = chosen_ && chosen_->parameters == parameters && chosen_->initial == initial;
  MotionPoint at = start(parameters, initial);
  Look found = is_known ? std::move(chosen_->look) : look_or_refuse(std::move(at));
  if (is_known) chosen_.reset();
  if (options_.frozen) return found;
  if (!options_.steady.empty() || !options_.constant.empty()) return find_steady(found, initial);
  const std::vector<std::string> moving = find_moving(found);
  if (moving.empty()) return found;
  const SteadyQuestion guesses = ask_steady(initial);
  if (std::ranges::count(guesses.open_q, true) + std::ranges::count(guesses.open_u, true) > 0)
    return find_steady(found, initial);
  refuse_moving(*equations_.model, moving);
}

std::optional<Linearizer::Look> Linearizer::look_beside(const Look& from, std::span<const double> x) {
  MotionPoint at = from.at;
  std::size_t next = 0;
  for (const std::size_t k : state_.coordinates) at.q[choice_.free_q[k]] += x[next++];
  for (const std::size_t k : state_.velocities) at.u[choice_.free_u[k]] += x[next++];
  if (!settle(*terms_, choice_, at)) return std::nullopt;
  return look(std::move(at), choice_);
}

std::vector<Linearizer::Look> Linearizer::sample(const Look& base) {
  constexpr std::size_t wanted = 3;
  std::vector<Look> looks;
  Sampler random;
  for (std::size_t k = 0; k < wanted; ++k)
    for (const double size : {0.1, 0.01, 0.001}) {
      MotionPoint at = base.at;
      at.t += size * random();
      for (const std::size_t i : choice_.free_q) at.q[i] += size * random();
      for (const std::size_t i : choice_.free_u) at.u[i] += size * (1 + std::abs(at.u[i])) * random();
      if (!settle(*terms_, choice_, at)) continue;
      std::optional<Look> found = look(std::move(at), choice_);
      if (!found) continue;
      looks.push_back(std::move(*found));
      break;
    }
  return looks;
}

void Linearizer::improve_choice(const std::vector<Look>& given) {
  const auto cost_of = [&](const Choice& choice) -> std::optional<std::pair<std::size_t, std::size_t>> {
    std::vector<Reduced> all;
    for (const Look& each : given) {
      all.push_back(reduce(each.values, each.slopes, choice, each.at));
      if (!all.back().ok || all.back().condition < tolerance::independent * each.reduced.condition) return std::nullopt;
    }
    const std::vector<std::size_t> shape = find_shape(all, extra());
    const auto lacks_rate = [&](std::size_t k) {
      return k >= extra() && !std::ranges::binary_search(choice.free_u, choice.free_q[k - extra()]);
    };
    return std::pair(shape.size(), static_cast<std::size_t>(std::ranges::count_if(shape, lacks_rate)));
  };
  auto best = cost_of(choice_);
  for (bool better = true; better;) {
    better = false;
    for (const std::size_t dependent : Choice(choice_).dependent)
      for (const std::size_t by : Choice(choice_).free_u) {
        const bool known = std::ranges::find(choice_.dependent, dependent) != choice_.dependent.end() &&
                           std::ranges::binary_search(choice_.free_u, by);
        if (!known || fixed_[by]) continue;
        const Choice other = exchange(choice_, dependent, by);
        const auto cost = cost_of(other);
        if (!cost || !(*cost < *best)) continue;
        choice_ = other;
        best = cost;
        better = true;
      }
  }
}

void Linearizer::choose_state(const std::vector<Look>& given) {
  state_ = {};
  state_.velocities.resize(choice_.free_u.size());
  for (std::size_t k = 0; k < choice_.free_u.size(); ++k) state_.velocities[k] = k;
  if (options_.frozen) {
    for (std::size_t k = 0; k < choice_.free_q.size(); ++k) state_.coordinates.push_back(k);
    return;
  }
  std::vector<Reduced> all;
  for (const Look& each : given) all.push_back(reduce(each.values, each.slopes, choice_, each.at));
  for (const std::size_t place : find_shape(all, extra())) {
    if (place + 1 == extra())
      refuse("", "the equations depend on time: what is steady in them has no constant linear equations",
             "use coordinates in which time does not appear (of a turning frame), make the drive constant, or look at "
             "the matrices of a moment with --frozen");
    if (place >= extra()) state_.coordinates.push_back(place - extra());
  }
}

void Linearizer::keep_what_acts(const Look& base) {
  const NumberMatrix a = system_matrix(reduce(base.values, base.slopes, choice_, base.at));
  const std::size_t q = state_.coordinates.size(), n = a.rows;
  std::vector<bool> kept(n, false);
  for (std::size_t i = 0; i < q; ++i) kept[i] = fixed_[choice_.free_q[state_.coordinates[i]]];
  for (std::size_t i = q; i < n; ++i) kept[i] = fixed_[choice_.free_u[state_.velocities[i - q]]];
  add_what_acts(a, kept);
  StateChoice chosen;
  for (std::size_t i = 0; i < n; ++i)
    if (kept[i])
      i < q ? chosen.coordinates.push_back(state_.coordinates[i])
            : chosen.velocities.push_back(state_.velocities[i - q]);
  state_ = std::move(chosen);
}

NumberMatrix Linearizer::system_matrix(const Reduced& reduced) const {
  const std::size_t q = state_.coordinates.size(), n = q + state_.velocities.size();
  NumberMatrix a(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    const NumberMatrix &by_e = i < q ? reduced.kinematic_e : reduced.rate_e,
                       &by_w = i < q ? reduced.kinematic_w : reduced.rate_w;
    const std::size_t row = i < q ? state_.coordinates[i] : state_.velocities[i - q];
    for (std::size_t j = 0; j < n; ++j)
      a(i, j) = j < q ? by_e(row, extra() + state_.coordinates[j]) : by_w(row, state_.velocities[j - q]);
  }
  return a;
}

std::vector<double> Linearizer::rate(const Look& look) const {
  std::vector<double> x;
  for (const std::size_t k : state_.coordinates) x.push_back(look.at.u[choice_.free_q[k]]);
  for (const std::size_t k : state_.velocities) x.push_back(look.at.a[choice_.free_u[k]]);
  return x;
}

std::vector<std::string> Linearizer::state_names() const {
  std::vector<std::string> names;
  for (const std::size_t k : state_.coordinates) names.push_back(name(choice_.free_q[k]));
  for (const std::size_t k : state_.velocities) names.push_back(rate_name(choice_.free_u[k]));
  return names;
}

}  // namespace dalembert
