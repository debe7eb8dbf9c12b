#include <algorithm>

#include "mechanics/lagrange/assembly.hpp"

namespace dalembert {
namespace {

/// T is homogeneous of second degree in the rates: T and its slope vanish at rest and its Hessian is free of rates.
bool is_homogeneous(Expr kinetic, std::span<const Expr> rates) {
  Graph& graph = kinetic.graph();
  std::vector<Expr> slope = gradient(kinetic, rates);
  std::vector<Expr> at_rest_terms = slope;
  at_rest_terms.push_back(kinetic);
  std::vector<Replacement> rest;
  for (const Expr& rate : rates) rest.push_back({rate, graph.constant(0)});
  for (const Expr& term : substitute(at_rest_terms, rest))
    if (!term.is_zero()) return false;
  std::vector<Expr> hessian;
  for (const auto& row : sparse_jacobian(slope, rates))
    for (const Entry& entry : row) hessian.push_back(entry.value);
  for (const Expr& symbol : free_symbols(hessian))
    if (std::ranges::find(rates, symbol) != rates.end()) return false;
  return true;
}

}  // namespace

Equations derive_multipliers(const Model& model) {
  Equations equations;
  equations.graph = model.graph;
  equations.by = "multipliers";
  equations.time = model.time;
  for (const Coordinate& coordinate : model.coordinates) {
    equations.coordinates.push_back(coordinate.q);
    equations.velocities.push_back(coordinate.rate);
    equations.accelerations.push_back(coordinate.acceleration);
  }
  equations.rates = equations.velocities;
  equations.model_coordinates = equations.coordinates;
  equations.model_rates = equations.velocities;
  equations.model_accelerations = equations.accelerations;
  InitialState start = initial_state(model);
  equations.start_coordinates = start.q;
  equations.start_velocities = start.rate;

  Assembly assembly = assemble(model);
  fill_dynamics(equations, assembly.lagrangian, assembly.force);
  equations.energy = assembly.energy;
  equations.energy_is_jacobi = is_homogeneous(assembly.kinetic, equations.velocities);
  for (const Constraint& constraint : model.constraints) {
    bool one_sided = constraint.kind == ConstraintKind::one_sided;
    (one_sided ? equations.contacts : equations.rows).push_back(make_row(equations, constraint, constraint.f));
  }
  return equations;
}

}  // namespace dalembert
