#include "mechanics/lagrange/assembly.hpp"

namespace dalembert {

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
  ModelState start = initial_state(model);
  equations.start_coordinates = start.q;
  equations.start_velocities = start.rates;

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
