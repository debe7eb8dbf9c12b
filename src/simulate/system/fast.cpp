// The right-hand side of a small system as one straight-line program: L D L^T of M and of the Gram matrix, unrolled.

#include <dalembert/expr/linear.hpp>

#include "simulate/system/compiled.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_velocities = 25, most_rows = 12, most_nodes = 50'000;

using Vector = std::vector<Expr>;
using Matrix = std::vector<Vector>;  // lower triangles are filled

/// Reads expressions that were copied into another graph in the order in which they were listed.
class Copied {
 public:
  Copied(Graph& graph, const Vector& expressions) : copies_(copy_to(graph, expressions)) {}
  Expr next() { return copies_[at_++]; }

 private:
  Vector copies_;
  std::size_t at_ = 0;
};

}  // namespace

Kernel CompiledSystem::compile_fast(const std::vector<Index>& mending) const {
  if (!equations_.impulses.empty()) return {};  // their rates are the multipliers, which it does not give
  if (equations_.solver != Solver::gram_matrix) return {};
  if (u_count() > most_velocities || row_count() > most_rows) return {};
  Vector listed;
  for (const auto& row : equations_.mass) {
    for (const Entry& entry : row) listed.push_back(entry.value);
  }
  listed.insert(listed.end(), equations_.bias.begin(), equations_.bias.end());
  for (const ConstraintRow& row : equations_.rows) {
    for (const Entry& entry : row.jacobian) listed.push_back(entry.value);
    listed.push_back(row.drift);
    listed.push_back(row.offset);
  }
  if (has_work) listed.push_back(equations_.jacobi_power);
  if (count_nodes(listed) > most_nodes) return {};

  Graph graph;
  const auto zero = graph.constant(0);
  Copied copied(graph, listed);
  const std::size_t n = u_count(), rows = row_count();
  Matrix m(n), a(rows, Vector(n, zero));
  for (std::size_t i = 0; i < n; ++i) {
    m[i].assign(i + 1, zero);
    for (const Entry& entry : equations_.mass[i]) m[i][entry.column] = copied.next();
  }
  Vector bias, drift, offset;
  for (std::size_t i = 0; i < n; ++i) bias.push_back(copied.next());
  for (std::size_t r = 0; r < rows; ++r) {
    for (const Entry& entry : equations_.rows[r].jacobian) a[r][entry.column] = copied.next();
    drift.push_back(copied.next());
    offset.push_back(copied.next());
  }
  graph.flatten = false;  // sums of a factorisation are shared, writing them out would repeat them
  Vector sigma(rows, zero);
  Vector parameters = copy_to(graph, symbols_);
  for (Index r : mending) {
    sigma[r] = graph.symbol("sigma " + std::to_string(r));
    parameters.push_back(sigma[r]);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) m[i][j] += sigma[r] * a[r][i] * a[r][j];
    }
  }

  const LdltFactor mass = factor_ldlt(make_symmetric_rows(m));
  const Vector z = solve_lower(mass, bias);
  Matrix w;
  for (const Vector& row : a) w.push_back(solve_lower(mass, row));
  Matrix gram(rows);
  Vector lambda;
  for (std::size_t r = 0; r < rows; ++r) {
    Vector scaled(n);
    for (std::size_t i = 0; i < n; ++i) scaled[i] = w[r][i] * mass.reciprocal[i];
    for (std::size_t s = 0; s <= r; ++s) {
      Vector terms;
      for (std::size_t i = 0; i < n; ++i) terms.push_back(scaled[i] * w[s][i]);
      gram[r].push_back(graph.sum(terms));
    }
    Vector terms = {-drift[r]};
    for (std::size_t i = 0; i < n; ++i) terms.push_back(scaled[i] * z[i]);
    lambda.push_back(graph.sum(terms));
  }
  lambda = solve_ldlt(factor_ldlt(make_symmetric_rows(gram)), lambda);
  Vector acceleration(n);
  for (std::size_t i = 0; i < n; ++i) {
    Vector terms = {-z[i]};
    for (std::size_t r = 0; r < rows; ++r) terms.push_back(lambda[r] * w[r][i]);
    acceleration[i] = graph.sum(terms) * mass.reciprocal[i];
  }
  acceleration = solve_upper(mass, acceleration);
  if (has_work) {
    Vector terms = {copied.next()};
    for (std::size_t r = 0; r < rows; ++r) terms.push_back(-(lambda[r] + sigma[r] * drift[r]) * offset[r]);
    acceleration.push_back(graph.sum(terms));
  }
  return Kernel(copy_to(graph, state_inputs()), parameters, acceleration);
}

}  // namespace dalembert
