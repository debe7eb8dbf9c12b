#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/equations.hpp>

namespace dalembert {
namespace {

bool vanishes(Expr expression, Effort effort) {
  if (expression.is_zero()) return true;
  return effort == Effort::prove && test_zero(expression).verdict == Verdict::zero;
}

bool column_is_free(const std::vector<ConstraintRow>& rows, std::uint32_t column, Effort effort) {
  for (const ConstraintRow& row : rows)
    for (const Entry& entry : row.jacobian)
      if (entry.column == column && !vanishes(entry.value, effort)) return false;
  return true;
}

/// Jacobi's integral changes by -dL/dt + F q' - lambda b (theory 1.7).
bool jacobi_is_conserved(const Equations& equations, Effort effort) {
  if (!equations.contacts.empty() || !vanishes(equations.jacobi_power, effort)) return false;
  return std::ranges::all_of(equations.rows, [&](const ConstraintRow& row) { return vanishes(row.offset, effort); });
}

}  // namespace

bool is_natural(const Equations& equations, Effort effort) {
  std::vector<Expr> entries;
  for (const auto& row : equations.mass)
    for (const Entry& entry : row) entries.push_back(entry.value);
  for (const Expr& symbol : free_symbols(entries)) {
    if (std::ranges::find(equations.velocities, symbol) == equations.velocities.end()) continue;
    for (const Expr& slope : derivative(entries, symbol))
      if (!vanishes(slope, effort)) return false;
  }
  return true;
}

std::vector<FirstIntegral> find_integrals(const Equations& equations, Effort effort) {
  std::vector<FirstIntegral> integrals;
  if (jacobi_is_conserved(equations, effort)) {
    if (equations.energy_is_jacobi)
      integrals.push_back({"energy", equations.energy});
    else
      integrals.push_back({"jacobi", equations.jacobi});
  }
  std::vector<Expr> momentum = gradient(equations.lagrangian, equations.velocities);
  std::vector<Expr> pull = gradient(equations.lagrangian, equations.coordinates);
  for (std::uint32_t i = 0; i < equations.velocities.size(); ++i) {
    if (equations.rates != equations.velocities) break;  // quasi-velocities: momenta belong to their frame
    bool cyclic = vanishes(pull[i], effort) && vanishes(equations.force[i], effort) &&
                  column_is_free(equations.rows, i, effort) && column_is_free(equations.contacts, i, effort) &&
                  !momentum[i].is_zero();
    if (cyclic) integrals.push_back({"momentum of " + equations.coordinates[i].name(), momentum[i]});
  }
  return integrals;
}

}  // namespace dalembert
