#include "study/verify/verify.hpp"

namespace dalembert {

Values<Tracked> tracked_parameters(const Model& model) {
  Values<Tracked> values;
  std::vector<double> numbers = parameter_values(model);
  for (std::size_t i = 0; i < numbers.size(); ++i) values[model.parameters[i].symbol.id()] = numbers[i];
  return values;
}

Values<Tracked> tracked_state(const Values<Tracked>& parameters, const Equations& equations, const State& state) {
  Values<Tracked> values = parameters;
  values[equations.time.id()] = state.t;
  for (std::size_t i = 0; i < state.q.size(); ++i) values[equations.coordinates[i].id()] = state.q[i];
  for (std::size_t i = 0; i < state.u.size(); ++i) values[equations.velocities[i].id()] = state.u[i];
  return values;
}

Matrices evaluate_matrices(const Equations& equations, const Values<Tracked>& at) {
  Matrices result;
  result.n = equations.velocities.size();
  result.rows = equations.rows.size();
  std::vector<Expr> outputs = equations.bias;
  for (const auto& row : equations.mass)
    for (const Entry& entry : row) outputs.push_back(entry.value);
  for (const ConstraintRow& row : equations.rows) {
    outputs.push_back(row.drift);
    outputs.push_back(row.offset);
    for (const Entry& entry : row.jacobian) outputs.push_back(entry.value);
  }
  std::vector<Tracked> values = evaluate_tracked(outputs, at);
  auto next = values.begin();
  result.bias.assign(next, next + static_cast<std::ptrdiff_t>(result.n));
  next += static_cast<std::ptrdiff_t>(result.n);
  result.mass.resize(result.n * result.n);
  for (std::size_t i = 0; i < result.n; ++i)
    for (const Entry& entry : equations.mass[i])
      result.mass[i * result.n + entry.column] = result.mass[entry.column * result.n + i] = *next++;
  result.jacobian.resize(result.rows * result.n);
  for (std::size_t r = 0; r < result.rows; ++r) {
    result.drift.push_back(*next++);
    result.offset.push_back(*next++);
    for (const Entry& entry : equations.rows[r].jacobian) result.jacobian[r * result.n + entry.column] = *next++;
  }
  return result;
}

}  // namespace dalembert
