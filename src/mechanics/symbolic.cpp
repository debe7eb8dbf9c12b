#include <dalembert/mechanics/equations.hpp>

#include "mechanics/simplify.hpp"

// Elimination with simplification after every step, which keeps intermediate expressions small. For reading only.

namespace dalembert {
namespace {

using Dense = std::vector<std::vector<Expr>>;

constexpr std::size_t largest_system = 12;  // unknowns; larger solutions are of no use to a reader

enum class Outcome { solved, singular, too_large };

/// Gauss-Jordan elimination of a symmetric matrix that is definite or singular: pivots on the diagonal only.
Outcome eliminate(Dense& matrix, Dense& right, Simplifier& simplify) {
  const std::size_t size = matrix.size();
  for (std::size_t k = 0; k < size; ++k) {
    if (matrix[k][k].is_zero()) return Outcome::singular;
    Expr inverse = pow(matrix[k][k], -1);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k || matrix[i][k].is_zero()) continue;
      Expr factor = matrix[i][k] * inverse;
      for (std::size_t j = k; j < size; ++j)
        if (!matrix[k][j].is_zero()) matrix[i][j] = simplify(matrix[i][j] - factor * matrix[k][j]);
      for (std::size_t j = 0; j < right[i].size(); ++j)
        if (!right[k][j].is_zero()) right[i][j] = simplify(right[i][j] - factor * right[k][j]);
      if (simplify.is_exhausted()) return Outcome::too_large;
    }
  }
  for (std::size_t k = 0; k < size; ++k)
    for (Expr& entry : right[k]) entry = simplify(entry / matrix[k][k]);
  return simplify.is_exhausted() ? Outcome::too_large : Outcome::solved;
}

Dense dense_mass(const Equations& equations, Simplifier& simplify) {
  const std::size_t size = equations.velocities.size();
  Dense mass(size, std::vector<Expr>(size, equations.graph->constant(0)));
  for (std::size_t i = 0; i < size; ++i)
    for (const Entry& entry : equations.mass[i]) mass[i][entry.column] = mass[entry.column][i] = simplify(entry.value);
  return mass;
}

/// Columns A^T and F - h, to be multiplied by the inverse of M.
Dense right_sides(const Equations& equations) {
  Dense right(equations.velocities.size(), std::vector<Expr>(equations.rows.size() + 1, equations.graph->constant(0)));
  for (std::size_t a = 0; a < equations.rows.size(); ++a)
    for (const Entry& entry : equations.rows[a].jacobian) right[entry.column][a] = entry.value;
  for (std::size_t i = 0; i < right.size(); ++i) right[i].back() = -equations.bias[i];
  return right;
}

Expr row_times_column(const ConstraintRow& row, const Dense& columns, std::size_t column) {
  std::vector<Expr> terms;
  for (const Entry& entry : row.jacobian) terms.push_back(entry.value * columns[entry.column][column]);
  return row.drift.graph().sum(terms);
}

void add_outer_products(Dense& mass, const std::vector<ConstraintRow>& rows, Simplifier& simplify) {
  for (const ConstraintRow& row : rows)
    for (const Entry& a : row.jacobian)
      for (const Entry& b : row.jacobian)
        mass[a.column][b.column] = simplify(mass[a.column][b.column] + a.value * b.value);
}

}  // namespace

/// (A M^-1 A^T) lambda = -gamma - A M^-1 (F - h),  u' = M^-1 (F - h + A^T lambda)  (Zubelevich 2020, (13)-(15)).
Solution solve_symbolically_in(const Equations& equations, double work) {
  const std::size_t row_count = equations.rows.size();
  Solution solution;
  if (equations.velocities.size() + row_count > largest_system) {
    solution.remark = "too many unknowns to solve for reading";
    return solution;
  }
  Simplifier simplify(work);
  auto give_up = [&](Outcome outcome) {
    solution.remark = outcome == Outcome::singular
                          ? "the constraints are dependent: the multipliers are not determined one by one"
                          : "the solution grows too large to read";
    return solution;
  };
  Dense response = right_sides(equations);
  Dense mass = dense_mass(equations, simplify);
  Outcome outcome = eliminate(mass, response, simplify);
  bool shifted = outcome == Outcome::singular;
  if (shifted) {
    mass = dense_mass(equations, simplify);
    add_outer_products(mass, equations.rows, simplify);
    response = right_sides(equations);
    outcome = eliminate(mass, response, simplify);
  }
  if (outcome != Outcome::solved) return give_up(outcome);

  Dense gram(row_count, std::vector<Expr>(row_count)), pull(row_count, std::vector<Expr>(1));
  for (std::size_t a = 0; a < row_count; ++a) {
    for (std::size_t b = 0; b < row_count; ++b) gram[a][b] = simplify(row_times_column(equations.rows[a], response, b));
    pull[a][0] = simplify(-equations.rows[a].drift - row_times_column(equations.rows[a], response, row_count));
  }
  outcome = eliminate(gram, pull, simplify);
  if (outcome != Outcome::solved) return give_up(outcome);

  for (std::size_t i = 0; i < response.size(); ++i) {
    std::vector<Expr> terms{response[i][row_count]};
    for (std::size_t a = 0; a < row_count; ++a) terms.push_back(response[i][a] * pull[a][0]);
    solution.accelerations.push_back(equations.graph->sum(terms));
  }
  for (std::size_t a = 0; a < row_count; ++a)
    solution.multipliers.push_back(shifted ? simplify(pull[a][0] + equations.rows[a].drift) : pull[a][0]);
  return solution;
}

SymbolicSolution solve_symbolically(const Equations& equations, double work) {
  SymbolicSolution made{fork(equations), {}};
  made.solution = solve_symbolically_in(made.equations, work);
  return made;
}

}  // namespace dalembert
