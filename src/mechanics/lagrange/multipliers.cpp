#include <dalembert/mechanics/release.hpp>

#include "expr/flatten.hpp"
#include "mechanics/lagrange/dynamics.hpp"
#include "mechanics/structure/structure.hpp"

namespace dalembert {
namespace {

/// Of up to so many velocities M and bias are derivatives of the Lagrangian, as people read them. Of more nobody reads
/// them, and a chain's second derivatives grow with the cube of its links (100 links: 3 s, by structure 0.1 s).
constexpr std::size_t most_written_out = 40;

}  // namespace

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

  const bool written_out = equations.velocities.size() <= most_written_out;
  Flatten flatten(*equations.graph, written_out);
  Dynamics dynamics = make_dynamics(model);
  if (written_out) {
    fill_dynamics(equations, dynamics.lagrangian, dynamics.force);
  } else {
    const std::vector<Expr> momentum = gradient(dynamics.lagrangian, equations.velocities);
    fill_from_structure(equations);
    fill_energy(equations, dynamics.lagrangian, dynamics.force, momentum);
  }
  equations.energy = dynamics.energy;
  equations.energy_is_jacobi = is_homogeneous(model, dynamics.kinetic, equations.velocities);
  std::vector<const Constraint*> constraints;
  std::vector<Expr> formulas;
  for (const Constraint& constraint : model.constraints) {
    constraints.push_back(&constraint);
    formulas.push_back(constraint.f);
  }
  for (ConstraintRow& row : make_rows(equations, constraints, formulas))
    (row.kind == ConstraintKind::one_sided ? equations.contacts : equations.rows).push_back(std::move(row));
  for (const ReleasedReaction& release : derive_releases(equations.model, Effort::glance))
    equations.released.push_back({release.name, release.lambda});
  return equations;
}

}  // namespace dalembert
