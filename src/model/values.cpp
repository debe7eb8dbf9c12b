#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/start_formulas.hpp"

// Numbers of a model that has been given a meaning.

namespace dalembert {
namespace {

[[noreturn]] void refuse(const Model& model, const std::string& name, std::string problem, std::string remedy) {
  throw InputError({model.file, {}, name, std::move(problem), std::move(remedy)});
}

std::shared_ptr<const StartFormulas> formulas_of(const Model& model) {
  if (model.start_formulas && model.start_formulas->belong_to(model)) return model.start_formulas;
  return std::make_shared<const StartFormulas>(model);
}

ModelState state_of(const Evaluator& start, std::size_t count, const Model& model, std::span<const double> parameters) {
  if (parameters.size() != model.parameters.size())
    refuse(model, "parameters", fmt::format("{} values for {} parameters", parameters.size(), model.parameters.size()),
           "give one for each, as parameter_values does");
  std::vector<double> both = start(parameters);
  auto middle = both.begin() + static_cast<std::ptrdiff_t>(count);
  return {0, {both.begin(), middle}, {middle, both.end()}};
}

/// What names stand for: parameters, and where asked for initial values and rates.
class Targets {
 public:
  explicit Targets(const Model& model) : model_(model) {}

  std::optional<std::size_t> parameter(const std::string& name) const {
    for (std::size_t i = 0; i < model_.parameters.size(); ++i)
      if (model_.parameters[i].name == name) return i;
    return std::nullopt;
  }

  void check(const std::string& name, double value) const {
    if (!std::isfinite(value)) refuse(model_, name, fmt::format("{} is not finite", value), "expected a finite number");
    if (std::optional<std::size_t> index = parameter(name); index && model_.parameters[*index].shapes)
      refuse(model_, name, fmt::format("the model is formed with '{}', as the size of a family is", name),
             fmt::format("form it again with another value: --set {}={}, or an override of make_model", name, value));
  }

  [[noreturn]] void refuse_unknown(const std::string& name, bool with_start) const {
    std::vector<std::string> names;
    for (const Parameter& each : model_.parameters) names.push_back(each.name);
    auto add = [&](const std::vector<Coordinate>& coordinates) {
      for (const Coordinate& each : coordinates) names.insert(names.end(), {each.name, each.name + "'"});
    };
    if (with_start) add(model_.coordinates);
    if (with_start && model_.reduction) add(model_.reduction->coordinates);
    std::string nearest = nearest_name(name, names);
    std::string expected = with_start ? "expected a parameter, a coordinate or a coordinate's rate such as q'"
                                      : "expected the name of a parameter";
    refuse(model_, name, fmt::format("there is no parameter{} '{}'", with_start ? " or coordinate" : "", name),
           nearest.empty() ? expected : fmt::format("did you mean '{}'?", nearest));
  }

 private:
  const Model& model_;
};

void check_positive(const Model& model, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (model.parameters[i].is_positive && !(values[i] > 0))
      refuse(model, "parameters." + model.parameters[i].name, fmt::format("{} is not positive", values[i]),
             "give a positive number, or take `positive = true` away");
}

}  // namespace

std::vector<double> parameter_values(const Model& model, const NamedNumbers& given) {
  if (given.empty()) return formulas_of(model)->parameter_values({});
  const Targets targets(model);
  std::vector<std::optional<double>> values(model.parameters.size());
  for (const auto& [name, value] : given) {
    targets.check(name, value);
    std::optional<std::size_t> index = targets.parameter(name);
    if (!index) targets.refuse_unknown(name, false);
    values[*index] = value;
  }
  std::vector<double> all = formulas_of(model)->parameter_values(values);
  check_positive(model, all);
  return all;
}

ModelState initial_state(const Model& model, std::span<const double> parameters) {
  return state_of(formulas_of(model)->start, model.coordinates.size(), model, parameters);
}

ModelState initial_state(const Model& model) { return initial_state(model, parameter_values(model)); }

ModelState initial_reduced_state(const Model& model, std::span<const double> parameters) {
  if (!model.reduction)
    refuse(model, "reduction", "the model has no reduction", "describe one in [reduction], or use initial_state");
  return state_of(formulas_of(model)->reduced, model.reduction->coordinates.size(), model, parameters);
}

// ------------------------------------------------------------------------------------------ other values

namespace {

/// The coordinate of an initial value or rate, of the model or of its reduction; null if nothing has that name.
Coordinate* find_coordinate(Model& model, const std::string& name) {
  const std::string_view bare = std::string_view(name).substr(0, name.size() - (name.ends_with('\'') ? 1 : 0));
  auto among = [&](std::vector<Coordinate>& coordinates) -> Coordinate* {
    const auto found = std::ranges::find(coordinates, bare, &Coordinate::name);
    return found == coordinates.end() ? nullptr : &*found;
  };
  Coordinate* found = among(model.coordinates);
  return found || !model.reduction ? found : among(model.reduction->coordinates);
}

/// Replaces one number; false if nothing has that name.
bool replace(Model& model, const std::string& name, std::optional<std::size_t> parameter, Expr value) {
  if (parameter) {
    model.parameters[*parameter].value = value;
    return true;
  }
  Coordinate* found = find_coordinate(model, name);
  if (!found) return false;
  const bool is_rate = name.ends_with('\'');
  (is_rate ? found->rate_value : found->value) = value;
  (is_rate ? found->is_rate_guess : found->is_guess) = false;
  return true;
}

/// Copies of the models of releases and joints, to be changed with the model.
std::vector<std::shared_ptr<Model>> own_variations(Model& model) {
  std::vector<std::shared_ptr<Model>> varied;
  for (Release& each : model.releases)
    each.variation.model = varied.emplace_back(std::make_shared<Model>(*each.variation.model));
  for (Joint& each : model.joints)
    each.variation.model = varied.emplace_back(std::make_shared<Model>(*each.variation.model));
  return varied;
}

/// The settings again, from the parameters' values.
void set_settings(Model& model, const std::vector<Binding>& parameters) {
  SimulateSettings& settings = model.simulate;
  auto number = [&](const std::string& key, Expr formula) {
    double value = evaluate(formula, parameters);
    if (!std::isfinite(value)) refuse(model, key, "its value is not finite", "expected a finite number");
    return value;
  };
  auto positive = [&](const std::string& key, Expr formula, double& setting) {
    if (!formula) return;
    setting = number(key, formula);
    if (setting <= 0) refuse(model, key, fmt::format("{} is not positive", setting), "expected a positive number");
  };
  positive("simulate.until", settings.formulas.until, settings.until);
  if (!settings.every_given) settings.every = settings.until / 1000;
  positive("simulate.every", settings.formulas.every, settings.every);
  positive("simulate.tolerance", settings.formulas.tolerance, settings.tolerance);
  for (std::size_t i = 0; i < settings.formulas.multipliers.size(); ++i)
    settings.multipliers[i].second =
        number("simulate.multipliers." + settings.multipliers[i].first, settings.formulas.multipliers[i]);
}

/// What make_model asks of numbers holds for the new ones too.
void check_numbers(const Model& model, const std::vector<Binding>& parameters) {
  auto finite = [&](const std::string& key, double value) {
    if (!std::isfinite(value)) refuse(model, key, "its value is not finite", "expected a finite number");
  };
  std::vector<double> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    finite(model.parameters[i].name, parameters[i].value);
    values.push_back(parameters[i].value);
  }
  check_positive(model, values);
  auto check = [&](const std::vector<Coordinate>& coordinates, const ModelState& state) {
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      finite(coordinates[i].name, state.q[i]);
      finite(coordinates[i].name + "'", state.rates[i]);
    }
  };
  check(model.coordinates, initial_state(model, values));
  if (model.reduction) check(model.reduction->coordinates, initial_reduced_state(model, values));
  for (const Constraint& each : model.constraints) {
    if (!each.restitution) continue;
    double restitution = evaluate(each.restitution, parameters);
    if (!(restitution >= 0 && restitution <= 1))
      refuse(model, "constraints." + each.name, fmt::format("the restitution is {}", restitution),
             "expected a number between 0 and 1");
  }
}

}  // namespace

std::vector<Binding> bind_symbols(const Model& model, const ModelState& state, std::span<const double> parameters) {
  std::vector<Binding> bindings{{model.time, state.t}};
  bindings.reserve(1 + parameters.size() + state.q.size() + state.rates.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) bindings.push_back({model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < state.q.size(); ++i) bindings.push_back({model.coordinates[i].q, state.q[i]});
  for (std::size_t i = 0; i < state.rates.size(); ++i) bindings.push_back({model.coordinates[i].rate, state.rates[i]});
  return bindings;
}

Model with_values(const Model& of, const NamedNumbers& given) {
  Model model = fork(of);
  const Targets targets(model);
  const std::vector<std::shared_ptr<Model>> varied = own_variations(model);
  for (const auto& [name, value] : given) {
    targets.check(name, value);
    const std::optional<std::size_t> parameter = targets.parameter(name);
    const Expr number = model.graph->constant_from_double(value);
    if (!replace(model, name, parameter, number)) targets.refuse_unknown(name, true);
    for (const std::shared_ptr<Model>& each : varied) replace(*each, name, parameter, number);
  }
  for (const std::shared_ptr<Model>& each : varied) each->start_formulas = std::make_shared<StartFormulas>(*each);
  model.start_formulas = std::make_shared<StartFormulas>(model);

  std::vector<Binding> parameters;
  for (double value : parameter_values(model))
    parameters.push_back({model.parameters[parameters.size()].symbol, value});
  check_numbers(model, parameters);
  set_settings(model, parameters);
  return model;
}

Model with_guesses(Model model, std::span<const std::string> names) {
  for (const std::string& name : names) {
    Coordinate* found = find_coordinate(model, name);
    if (!found) Targets(model).refuse_unknown(name, true);
    (name.ends_with('\'') ? found->is_rate_guess : found->is_guess) = true;
  }
  return model;
}

Model with_all_guesses(Model model) {
  for (Coordinate& each : model.coordinates) each.is_guess = each.is_rate_guess = true;
  if (model.reduction)
    for (Coordinate& each : model.reduction->coordinates) each.is_guess = each.is_rate_guess = true;
  return model;
}

bool has_open_start(const Model& model) {
  const auto is_open = [](const Coordinate& each) { return each.is_guess || each.is_rate_guess; };
  return !model.initial.empty() || std::ranges::any_of(model.coordinates, is_open) ||
         (model.reduction && std::ranges::any_of(model.reduction->coordinates, is_open));
}

Model with_solved_guesses(const Model& of, const ModelState& state, const ModelState& reduced) {
  Model model = fork(of);
  if (state.q.size() != model.coordinates.size() || state.rates.size() != model.coordinates.size())
    refuse(model, "coordinates", fmt::format("a state of {} coordinates", state.q.size()),
           fmt::format("the model has {}", model.coordinates.size()));
  const std::vector<std::shared_ptr<Model>> varied = own_variations(model);
  auto put = [&](const std::vector<Coordinate>& marked, const ModelState& solved, std::vector<Coordinate>& into) {
    for (std::size_t i = 0; i < solved.q.size(); ++i) {
      if (marked[i].is_guess) into[i].value = model.graph->constant_from_double(solved.q[i]);
      if (marked[i].is_rate_guess) into[i].rate_value = model.graph->constant_from_double(solved.rates[i]);
    }
  };
  for (const std::shared_ptr<Model>& each : varied) {
    put(model.coordinates, state, each->coordinates);
    each->start_formulas = std::make_shared<StartFormulas>(*each);
  }
  put(model.coordinates, state, model.coordinates);
  if (model.reduction) put(model.reduction->coordinates, reduced, model.reduction->coordinates);
  model.start_formulas = std::make_shared<StartFormulas>(model);
  return model;
}

std::string reaction_symbol(const std::string& constraint) { return "reaction(" + constraint + ")"; }

std::vector<std::string> symbol_names(const Model& model) {
  std::vector<std::string> names;
  for (const Parameter& each : model.parameters) names.push_back(each.name);
  for (const Coordinate& each : model.coordinates) names.push_back(each.name);
  if (model.reduction)
    for (const Coordinate& each : model.reduction->coordinates) names.push_back(each.name);
  for (const Definition& each : model.definitions) names.push_back(each.name);
  for (const QuasiVelocity& each : model.quasi_velocities) names.push_back(each.name);
  for (const Constraint& each : model.constraints) names.push_back(reaction_symbol(each.name));
  return names;
}

}  // namespace dalembert
