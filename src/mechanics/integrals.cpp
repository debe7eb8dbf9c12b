#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/equations.hpp>

#include "mechanics/symmetries.hpp"

namespace dalembert {
namespace {

bool vanishes(Expr expression, Effort effort) {
  if (expression.is_zero()) return true;
  return effort == Effort::prove && test_zero(expression).verdict == Verdict::zero;
}

/// Coordinates that neither the Lagrangian, a force nor a constraint knows, with a momentum.
std::vector<bool> find_cyclic(const Equations& equations, const std::vector<Expr>& momentum,
                              const std::vector<Expr>& pull, Effort effort) {
  std::vector<bool> cyclic(momentum.size());
  for (std::size_t i = 0; i < cyclic.size(); ++i)
    cyclic[i] = !momentum[i].is_zero() && vanishes(pull[i], effort) && vanishes(equations.force[i], effort);
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows)
      for (const Entry& entry : row.jacobian)
        if (cyclic[entry.column] && !vanishes(entry.value, effort)) cyclic[entry.column] = false;
  return cyclic;
}

/// Jacobi's integral changes by -dL/dt + F q' - lambda b (theory 1.7).
bool jacobi_is_conserved(const Equations& equations, Effort effort) {
  if (!equations.contacts.empty() || !vanishes(equations.jacobi_power, effort)) return false;
  return std::ranges::all_of(equations.rows, [&](const ConstraintRow& row) { return vanishes(row.offset, effort); });
}

/// The displacement changes neither L nor the constraints, and forces do no work on it: then its momentum, p xi, is
/// constant (Noether 1918; rates change with xi').
bool is_symmetry(const Equations& equations, const std::vector<Expr>& xi, Effort effort) {
  Graph& graph = *equations.graph;
  std::vector<Expr> work;
  for (std::size_t i = 0; i < xi.size(); ++i) work.push_back(equations.force[i] * xi[i]);
  if (!vanishes(graph.sum(work), effort)) return false;
  for (const auto* rows : {&equations.rows, &equations.contacts}) {
    for (const ConstraintRow& row : *rows) {
      std::vector<Expr> along;
      for (const Entry& entry : row.jacobian) along.push_back(entry.value * xi[entry.column]);
      if (!vanishes(graph.sum(along), effort)) return false;
    }
  }
  std::vector<Replacement> in_time, displacement;
  for (std::size_t i = 0; i < xi.size(); ++i) in_time.push_back({equations.coordinates[i], equations.velocities[i]});
  const std::vector<Expr> rates = directional_derivative(xi, in_time);
  for (std::size_t i = 0; i < xi.size(); ++i) {
    displacement.push_back({equations.coordinates[i], xi[i]});
    displacement.push_back({equations.velocities[i], rates[i]});
  }
  return vanishes(directional_derivative(equations.lagrangian, displacement), effort);
}

void add_symmetries(const Equations& equations, const std::vector<Expr>& momentum, const std::vector<bool>& cyclic,
                    Effort effort, std::vector<FirstIntegral>& integrals) {
  for (const Symmetry& symmetry : find_candidates(equations)) {
    bool is_new = false;  // not only a sum of momenta that are conserved by themselves
    for (std::size_t i = 0; i < symmetry.xi.size(); ++i)
      is_new |= !symmetry.xi[i].is_zero() && !(cyclic[i] && symmetry.xi[i].is_constant());
    if (!is_new || !is_symmetry(equations, symmetry.xi, effort)) continue;
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < symmetry.xi.size(); ++i) parts.push_back(momentum[i] * symmetry.xi[i]);
    integrals.push_back({symmetry.name, equations.graph->sum(parts)});
  }
}

}  // namespace

bool is_natural(const Equations& equations, Effort effort) {
  std::vector<Expr> entries;
  for (const auto& row : equations.mass)
    for (const Entry& entry : row) entries.push_back(entry.value);
  std::vector<Expr> symbols = free_symbols(entries);
  std::erase_if(symbols, [&](const Expr& symbol) {
    return std::ranges::find(equations.velocities, symbol) == equations.velocities.end();
  });
  if (symbols.empty()) return true;
  Graph own(*equations.graph);
  for (Expr& entry : entries) entry = rebind(entry, own);
  for (const Expr& symbol : symbols)
    for (const Expr& slope : derivative(entries, rebind(symbol, own)))
      if (!vanishes(slope, effort)) return false;
  return true;
}

FirstIntegrals find_integrals(const Equations& equations, Effort effort) {
  FirstIntegrals made{fork(equations), {}};
  made.found = find_integrals_in(made.equations, effort);
  return made;
}

std::vector<FirstIntegral> find_integrals_in(const Equations& equations, Effort effort) {
  std::vector<FirstIntegral> integrals;
  if (jacobi_is_conserved(equations, effort)) {
    if (equations.energy_is_jacobi)
      integrals.push_back({"energy", equations.energy});
    else
      integrals.push_back({"jacobi", equations.jacobi});
  }
  if (equations.rates != equations.velocities) return integrals;  // quasi-velocities: momenta belong to their frame
  const std::vector<Expr> momentum = gradient(equations.lagrangian, equations.velocities);
  const std::vector<Expr> pull = gradient(equations.lagrangian, equations.coordinates);
  const std::vector<bool> cyclic = find_cyclic(equations, momentum, pull, effort);
  for (std::size_t i = 0; i < cyclic.size(); ++i)
    if (cyclic[i]) integrals.push_back({"momentum of " + equations.coordinates[i].name(), momentum[i]});
  if (equations.coordinates == equations.model_coordinates)
    add_symmetries(equations, momentum, cyclic, effort, integrals);
  return integrals;
}

}  // namespace dalembert
