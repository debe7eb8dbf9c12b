#include <dalembert/mechanics/release.hpp>

#include "mechanics/lagrange/assembly.hpp"

namespace dalembert {

Equations derive_multipliers(const Model& model) {
  return derive_multipliers(std::make_shared<const Model>(fork(model)));
}

Equations derive_multipliers(std::shared_ptr<const Model> own) {
  const Model& model = *own;
  Equations equations;
  equations.model = own;
  equations.graph = model.graph;
  equations.by = "multipliers";
  equations.time = model.time;
  for (const Coordinate& coordinate : model.coordinates) {
    equations.coordinates.push_back(coordinate.q);
    equations.velocities.push_back(coordinate.rate);
    equations.accelerations.push_back(coordinate.acceleration);
    equations.start_coordinates.push_back(coordinate.value);
    equations.start_velocities.push_back(coordinate.rate_value);
  }
  equations.rates = equations.velocities;
  equations.model_coordinates = equations.coordinates;
  equations.model_rates = equations.velocities;
  equations.model_accelerations = equations.accelerations;

  Assembly assembly = assemble(model);
  fill_dynamics(equations, assembly.lagrangian, assembly.force);
  equations.energy = assembly.energy;
  equations.energy_is_jacobi = is_homogeneous(assembly.kinetic, equations.velocities);
  for (const Constraint& constraint : model.constraints) {
    bool one_sided = constraint.kind == ConstraintKind::one_sided;
    (one_sided ? equations.contacts : equations.rows).push_back(make_row(equations, constraint, constraint.f));
  }
  for (const ReleasedReaction& release : derive_releases(model, Effort::glance))
    equations.released.push_back({release.name, release.lambda});
  return equations;
}

}  // namespace dalembert
