#include <algorithm>
#include <dalembert/model.hpp>
#include <unordered_map>

// Numbers of a model that has been given a meaning.

namespace dalembert {
namespace {

std::vector<Binding> parameter_bindings(const Model& model) {
  std::vector<Binding> bindings;
  std::unordered_map<NodeId, double> known;
  // Parameters may read later ones; their order of evaluation is found by sweeping until nothing is left.
  std::vector<const Parameter*> waiting;
  for (const Parameter& parameter : model.parameters) waiting.push_back(&parameter);
  for (std::size_t before = waiting.size() + 1; waiting.size() < before;) {
    before = waiting.size();
    std::erase_if(waiting, [&](const Parameter* parameter) {
      std::vector<Binding> needed;
      for (const Expr& symbol : free_symbols({&parameter->value, 1})) {
        auto found = known.find(symbol.id());
        if (found == known.end()) return false;
        needed.push_back({symbol, found->second});
      }
      known[parameter->symbol.id()] = evaluate(parameter->value, needed);
      return true;
    });
  }
  for (const Parameter& parameter : model.parameters)
    bindings.push_back({parameter.symbol, known.at(parameter.symbol.id())});
  return bindings;
}

}  // namespace

std::vector<double> parameter_values(const Model& model) {
  std::vector<double> values;
  for (const Binding& binding : parameter_bindings(model)) values.push_back(binding.value);
  return values;
}

InitialState initial_state(const Model& model) {
  std::vector<Expr> values, rates;
  for (const Coordinate& coordinate : model.coordinates) {
    values.push_back(coordinate.value);
    rates.push_back(coordinate.rate_value);
  }
  std::vector<Binding> bindings = parameter_bindings(model);
  return {evaluate(values, bindings), evaluate(rates, bindings)};
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
