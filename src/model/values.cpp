#include <dalembert/model/model.hpp>
#include <optional>
#include <unordered_map>

// Numbers of a model that has been given a meaning.

namespace dalembert {
namespace {

/// Parameters may read later ones, so each is evaluated after those that it reads: a walk with its own stack.
std::vector<Binding> parameter_bindings(const Model& model) {
  std::unordered_map<NodeId, std::size_t> index;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) index[model.parameters[i].symbol.id()] = i;
  std::vector<std::optional<double>> values(model.parameters.size());
  std::vector<std::size_t> stack;
  for (std::size_t root = 0; root < values.size(); ++root) {
    stack.push_back(root);
    while (!stack.empty()) {
      const Parameter& parameter = model.parameters[stack.back()];
      std::vector<Binding> needed;
      std::size_t before = stack.size();
      for (const Expr& symbol : free_symbols({&parameter.value, 1})) {
        std::size_t other = index.at(symbol.id());
        if (values[other]) {
          needed.push_back({symbol, *values[other]});
        } else {
          stack.push_back(other);
        }
      }
      if (stack.size() > before) continue;
      values[stack.back()] = evaluate(parameter.value, needed);
      stack.pop_back();
    }
  }
  std::vector<Binding> bindings;
  for (std::size_t i = 0; i < values.size(); ++i) bindings.push_back({model.parameters[i].symbol, *values[i]});
  return bindings;
}

}  // namespace

std::vector<double> parameter_values(const Model& model, const NamedNumbers&) {
  std::vector<double> values;
  for (const Binding& binding : parameter_bindings(model)) values.push_back(binding.value);
  return values;
}

ModelState initial_state(const Model& model) { return initial_state(model, parameter_values(model)); }

std::vector<Binding> bind_symbols(const Model& model, const ModelState& state, std::span<const double> parameters) {
  std::vector<Binding> bindings{{model.time, state.t}};
  bindings.reserve(1 + parameters.size() + state.q.size() + state.rates.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) bindings.push_back({model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < state.q.size(); ++i) bindings.push_back({model.coordinates[i].q, state.q[i]});
  for (std::size_t i = 0; i < state.rates.size(); ++i) bindings.push_back({model.coordinates[i].rate, state.rates[i]});
  return bindings;
}

ModelState initial_state(const Model& model, std::span<const double> parameters) {
  std::vector<Expr> values, rates;
  for (const Coordinate& coordinate : model.coordinates) {
    values.push_back(coordinate.value);
    rates.push_back(coordinate.rate_value);
  }
  std::vector<Binding> bindings = bind_symbols(model, {}, parameters);
  return {0, evaluate(values, bindings), evaluate(rates, bindings)};
}

Expr time_derivative(const Model& model, Expr expression) {
  std::vector<Replacement> direction{{model.time, model.graph->constant(1)}};
  for (const Coordinate& coordinate : model.coordinates) {
    direction.push_back({coordinate.q, coordinate.rate});
    direction.push_back({coordinate.rate, coordinate.acceleration});
  }
  return directional_derivative(expression, direction);
}

std::string reaction_symbol(const std::string& constraint) { return "reaction(" + constraint + ")"; }

}  // namespace dalembert
