#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/canonical.hpp>

#include "mechanics/lagrange/dynamics.hpp"

// The stationary paths of the action among those that satisfy the constraints (Hamel 1904, section 3): with psi = A q'
// + b the Lagrangian L + mu psi gives M q'' + h + kappa^T mu - F = -A^T mu', kappa_ai = dA_ai/dt - dpsi_a/dq_i. These
// are the equations with multipliers -mu' instead of reactions, and mu as further state.

namespace dalembert {
namespace {

[[noreturn]] void refuse(const Model& model, Place place, const std::string& key, const std::string& problem,
                         const std::string& remedy) {
  throw ModelError({model.file, place, key, problem, remedy});
}

/// The principle varies an action: every force must come from one.
void require_potential(const Model& model, const Equations& equations) {
  const std::vector<Expr>& force = equations.force;
  auto require_zero = [&](Expr expression, std::size_t i) {
    Verdict verdict = expression.is_zero() ? Verdict::zero : test_zero(expression).verdict;
    if (verdict == Verdict::zero) return;
    const std::string& name = model.coordinates[i].name;
    refuse(model, model.coordinates[i].place, "simulate.principle",
           verdict == Verdict::nonzero
               ? fmt::format("the force on {} has no potential, and a vakonomic motion needs one", name)
               : fmt::format(
                     "whether the force on {} has a potential was not decided, and a vakonomic motion needs one", name),
           "write the force as [energy] potential, leave it out, or use principle = \"dalembert\"");
  };
  for (std::size_t i = 0; i < force.size(); ++i)
    for (const Expr& slope : gradient(force[i], equations.velocities)) require_zero(slope, i);
  for (std::size_t i = 0; i < force.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      require_zero(derivative(force[i], model.coordinates[j].q) - derivative(force[j], model.coordinates[i].q), i);
}

void require_no_reactions(const Model& model) {
  for (const Constraint& constraint : model.constraints) {
    Expr symbol = model.graph->find_symbol(reaction_symbol(constraint.name));
    if (!symbol) continue;
    for (const Output& output : model.outputs)
      if (depends_on(output.formula, symbol))
        refuse(model, output.place, "outputs." + output.name, "a vakonomic motion has no reactions",
               "leave it out: the columns multiplier(c) have the multipliers");
    for (const Event& event : model.events)
      if (depends_on(event.when, symbol))
        refuse(model, event.place, "events." + event.name, "a vakonomic motion has no reactions", "leave it out");
  }
}

double initial_multiplier(const Model& model, const std::string& constraint) {
  auto found = std::ranges::find(model.simulate.multipliers, constraint, &std::pair<std::string, double>::first);
  return found == model.simulate.multipliers.end() ? 0.0 : found->second;
}

}  // namespace

Equations derive_vakonomic(const Model& of) {
  Equations equations = derive_multipliers(of);
  const Model& model = *equations.model;
  Graph& graph = *equations.graph;
  equations.by = "vakonomic";
  if (!equations.contacts.empty())
    refuse(model, equations.contacts[0].place, "constraints." + equations.contacts[0].name,
           "a vakonomic motion knows no one-sided constraints", "leave it out, or make it an equation");
  require_potential(model, equations);
  require_no_reactions(model);
  const std::vector<Expr> coordinates = equations.coordinates;
  const auto direction = drift_direction(equations.time, coordinates, equations.rates);
  std::vector<std::vector<Expr>> bias;
  for (const Expr& term : equations.bias) bias.push_back({term});
  std::vector<Expr> power{equations.jacobi_power};
  for (std::uint32_t a = 0; a < equations.rows.size(); ++a) {
    const ConstraintRow& row = equations.rows[a];
    if (row.is_unit) continue;  // geometric: kappa = 0, and no column
    Expr mu = graph.symbol("multiplier(" + row.name + ")");
    equations.impulses.push_back({static_cast<std::uint32_t>(equations.coordinates.size()), a});
    equations.coordinates.push_back(mu);
    equations.start_coordinates.push_back(graph.constant_from_double(initial_multiplier(model, row.name)));
    std::vector<Expr> terms{row.offset};
    for (const Entry& entry : row.jacobian) {
      terms.push_back(entry.value * equations.velocities[entry.column]);
      bias[entry.column].push_back(mu * directional_derivative(entry.value, direction));
    }
    Expr psi = graph.sum(terms);
    std::vector<Expr> slope = gradient(psi, coordinates);
    for (std::size_t i = 0; i < slope.size(); ++i) bias[i].push_back(-mu * slope[i]);
    // d/dt of Jacobi's function of L: minus d(L + mu psi)/dt at fixed q, q', plus d(mu b)/dt; mu' b is the rows' part.
    power.push_back(mu * (directional_derivative(row.offset, direction) - derivative(psi, equations.time)));
  }
  for (std::size_t i = 0; i < bias.size(); ++i) equations.bias[i] = graph.sum(bias[i]);
  equations.jacobi_power = graph.sum(power);
  equations.rates.resize(equations.coordinates.size(), graph.constant(0));
  return equations;
}

}  // namespace dalembert
