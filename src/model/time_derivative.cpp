#include "model/time_derivative.hpp"

namespace dalembert {

TimeDerivative::TimeDerivative(const Model& own) {
  rates_.reserve(2 * own.coordinates.size() + 1);
  rates_[own.time.id()] = own.graph->constant(1);
  for (const Coordinate& coordinate : own.coordinates) {
    rates_[coordinate.q.id()] = coordinate.rate;
    rates_[coordinate.rate.id()] = coordinate.acceleration;
  }
}

std::vector<Expr> TimeDerivative::derive(std::span<const Expr> expressions) const {
  std::vector<Replacement> direction;
  for (const Expr& symbol : free_symbols(expressions))
    if (auto rate = rates_.find(symbol.id()); rate != rates_.end()) direction.push_back({symbol, rate->second});
  return directional_derivative(expressions, direction);
}

Expr TimeDerivative::operator()(Expr expression) const { return derive({&expression, 1})[0]; }

Vector3 TimeDerivative::operator()(const Vector3& vector) const {
  const std::vector<Expr> parts = derive(vector);
  return {parts[0], parts[1], parts[2]};
}

Expr time_derivative(const Model& model, Expr expression) { return TimeDerivative(model)(expression); }

}  // namespace dalembert
