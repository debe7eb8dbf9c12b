#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/mechanics/state.hpp>

namespace dalembert {
namespace {

/// The numbers that say which velocities are meant, chosen at a state of the model.
std::vector<double> choose(const Completion& completion, const Model& model, std::span<const Binding> at) {
  std::vector<double> values = choose_completion(completion, at);
  if (values.size() == completion.symbols.size()) return values;
  throw InputError({model.file,
                    {},
                    "constraints",
                    "no velocities that the constraints leave free could be chosen at this state",
                    "give a [frame] that contains the constraints, or use --by multipliers"});
}

State from_quasi(const Equations& equations, const ModelState& in_model, std::span<const double> parameters) {
  const QuasiVelocities& quasi = *equations.quasi;
  std::vector<Binding> at = bind_symbols(*equations.model, in_model, parameters);
  State state{in_model.t, in_model.q, {}, {}};
  if (quasi.completion) {
    state.choice = choose(*quasi.completion, *equations.model, at);
    for (std::size_t i = 0; i < state.choice.size(); ++i) at.push_back({quasi.completion->symbols[i], state.choice[i]});
  }
  state.u = evaluate(quasi.formulas, at);
  return state;
}

/// Where each of the equations' coordinates stands among the model's; false where one of the model's is missing.
bool are_models(const Equations& equations) {
  const std::vector<Coordinate>& own = equations.model->coordinates;
  if (equations.coordinates.size() < own.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (equations.coordinates[i].name() != own[i].name) return false;
  return true;
}

}  // namespace

std::vector<Binding> bind_symbols(const Equations& equations, const State& state, std::span<const double> parameters) {
  const std::vector<Parameter>& names = equations.model->parameters;
  std::vector<Binding> bindings{{equations.time, state.t}};
  bindings.reserve(1 + names.size() + state.q.size() + state.u.size() + state.choice.size());
  for (std::size_t i = 0; i < names.size(); ++i) bindings.push_back({names[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < state.q.size(); ++i) bindings.push_back({equations.coordinates[i], state.q[i]});
  for (std::size_t i = 0; i < state.u.size(); ++i) bindings.push_back({equations.velocities[i], state.u[i]});
  for (std::size_t i = 0; i < state.choice.size(); ++i)
    bindings.push_back({equations.quasi->completion->symbols[i], state.choice[i]});
  return bindings;
}

State initial_state(const Equations& equations, std::span<const double> parameters) {
  if (equations.quasi) return from_quasi(equations, initial_state(*equations.model, parameters), parameters);
  std::vector<Binding> at;
  const std::vector<Parameter>& names = equations.model->parameters;
  for (std::size_t i = 0; i < names.size(); ++i) at.push_back({names[i].symbol, parameters[i]});
  return {0, evaluate(equations.start_coordinates, at), evaluate(equations.start_velocities, at), {}};
}

State to_state(const Equations& equations, const ModelState& in_model, std::span<const double> parameters) {
  const std::size_t count = equations.model->coordinates.size();
  if (in_model.q.size() != count || in_model.rates.size() != count)
    throw InputError({"",
                      {},
                      "",
                      "a state of " + std::to_string(in_model.q.size()) + " coordinates and " +
                          std::to_string(in_model.rates.size()) + " rates was given",
                      "the model has " + std::to_string(count) + " coordinates"});
  if (equations.quasi) return from_quasi(equations, in_model, parameters);
  if (!are_models(equations))
    throw InputError({equations.model->file,
                      {},
                      "reduction",
                      "a state in the model's coordinates does not say what those of the reduction are",
                      "give the state in the reduction's coordinates"});
  State state = initial_state(equations, parameters);
  state.t = in_model.t;
  std::copy(in_model.q.begin(), in_model.q.end(), state.q.begin());
  state.u = in_model.rates;
  return state;
}

ModelState to_model_state(const Equations& equations, const State& state, std::span<const double> parameters) {
  const std::vector<Binding> at = bind_symbols(equations, state, parameters);
  return {state.t, evaluate(equations.model_coordinates, at), evaluate(equations.model_rates, at)};
}

}  // namespace dalembert
