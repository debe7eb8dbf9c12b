#include <dalembert/expr/linear.hpp>
#include <dalembert/mechanics/equations.hpp>

namespace dalembert {
namespace {

/// u' = M^-1 (-bias + A^T lambda) with (A M^-1 A^T) lambda = -drift + A M^-1 bias, factors unrolled.
std::vector<Expr> solve_by_factors(const Equations& equations) {
  Graph& graph = *equations.graph;
  const std::size_t size = equations.velocities.size(), row_count = equations.rows.size();
  LdltFactor mass = factor_ldlt(equations.mass);
  std::vector<Expr> pull;
  for (const Expr& bias : equations.bias) pull.push_back(-bias);
  std::vector<Expr> free = solve_ldlt(mass, pull);
  std::vector<std::vector<Expr>> response;  // M^-1 A^T by columns
  auto row_times = [&](const ConstraintRow& row, const std::vector<Expr>& column) {
    std::vector<Expr> terms;
    for (const Entry& entry : row.jacobian) terms.push_back(entry.value * column[entry.column]);
    return graph.sum(terms);
  };
  for (const ConstraintRow& row : equations.rows) {
    std::vector<Expr> column(size, graph.constant(0));
    for (const Entry& entry : row.jacobian) column[entry.column] = entry.value;
    response.push_back(solve_ldlt(mass, column));
  }
  std::vector<std::vector<Expr>> gram(row_count, std::vector<Expr>(row_count));
  std::vector<Expr> right;
  for (std::size_t a = 0; a < row_count; ++a) {
    for (std::size_t b = 0; b < row_count; ++b) gram[a][b] = row_times(equations.rows[a], response[b]);
    right.push_back(-equations.rows[a].drift - row_times(equations.rows[a], free));
  }
  std::vector<Expr> multipliers = row_count == 0 ? right : solve_ldlt(factor_ldlt(make_symmetric_rows(gram)), right);
  std::vector<Expr> outputs = free;
  for (std::size_t a = 0; a < row_count; ++a)
    for (std::size_t i = 0; i < size; ++i) outputs[i] = outputs[i] + response[a][i] * multipliers[a];
  outputs.insert(outputs.end(), multipliers.begin(), multipliers.end());
  return outputs;
}

}  // namespace

std::vector<Expr> solve_unrolled(const Equations& equations) {
  constexpr std::size_t largest = 60;  // velocities; the unrolled solution grows with their cube
  if (equations.velocities.size() > largest) return {};
  try {
    return solve_by_factors(equations);
  } catch (const InputError&) {  // M or A M^-1 A^T is singular as it stands: a coordinate has no inertia
    return {};
  }
}

}  // namespace dalembert
