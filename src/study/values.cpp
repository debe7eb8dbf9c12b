#include <dalembert/study/values.hpp>

namespace dalembert {
namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix evaluate_rows(const std::vector<std::vector<Entry>>& rows, std::size_t columns,
                     std::span<const Binding> bindings) {
  std::vector<Expr> entries;
  for (const auto& row : rows)
    for (const Entry& entry : row) entries.push_back(entry.value);
  const std::vector<double> values = evaluate(entries, bindings);
  Matrix matrix(rows.size(), std::vector<double>(columns, 0.0));
  std::size_t next = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Entry& entry : rows[i]) matrix[i][entry.column] = values[next++];
  return matrix;
}

}  // namespace

EquationValues evaluate_equations(const Equations& of, const State& state) {
  const Equations equations = fork(of);
  const std::vector<Binding> bindings = bind_symbols(equations, state, parameter_values(*equations.model));
  const std::size_t size = equations.velocities.size();
  EquationValues values;
  values.state = state;
  values.mass = evaluate_rows(equations.mass, size, bindings);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < i; ++j) values.mass[j][i] = values.mass[i][j];
  values.bias = evaluate(equations.bias, bindings);

  std::vector<std::vector<Entry>> rows;
  std::vector<Expr> drifts;
  for (const ConstraintRow& row : equations.rows) {
    rows.push_back(row.jacobian);
    drifts.push_back(row.drift);
  }
  values.jacobian = evaluate_rows(rows, size, bindings);
  values.drift = evaluate(drifts, bindings);

  std::vector<Replacement> rest;
  for (const Expr& velocity : equations.velocities) rest.push_back({velocity, equations.graph->constant(0)});
  values.kinematics = evaluate_rows(sparse_jacobian(equations.rates, equations.velocities), size, bindings);
  values.offset = evaluate(substitute(equations.rates, rest), bindings);

  Response motion = System(equations).evaluate_motion(state);
  values.accelerations = std::move(motion.acceleration);
  values.multipliers = std::move(motion.multipliers);
  return values;
}

}  // namespace dalembert
