#include <dalembert/mechanics/gauss.hpp>
#include <dalembert/mechanics/projection.hpp>

#include "mechanics/lagrange/dynamics.hpp"

// Zubelevich 2020, section 3: the pull-back of Lagrangian, forces and remaining constraints along q = phi(t, s).

namespace dalembert {
namespace {

/// Puts phi and its time derivatives in place of q, q', q''.
class PullBack {
 public:
  PullBack(const Model& model, Equations& equations) {
    const std::vector<Expr>& embedding = model.reduction->embedding;
    auto first = drift_direction(equations.time, equations.coordinates, equations.velocities);
    std::vector<Replacement> second = first;
    for (std::size_t i = 0; i < equations.velocities.size(); ++i)
      second.push_back({equations.velocities[i], equations.accelerations[i]});
    equations.model_coordinates = embedding;
    equations.model_rates = directional_derivative(embedding, first);
    equations.model_accelerations = directional_derivative(equations.model_rates, second);
    for (std::size_t k = 0; k < embedding.size(); ++k) {
      replacements_.push_back({model.coordinates[k].q, equations.model_coordinates[k]});
      replacements_.push_back({model.coordinates[k].rate, equations.model_rates[k]});
      replacements_.push_back({model.coordinates[k].acceleration, equations.model_accelerations[k]});
    }
  }

  Expr operator()(Expr expression) const { return substitute(expression, replacements_); }
  std::vector<Expr> operator()(std::span<const Expr> expressions) const {
    return substitute(expressions, replacements_);
  }

 private:
  std::vector<Replacement> replacements_;
};

void set_symbols(const Model& model, Equations& equations) {
  for (const Coordinate& coordinate : model.reduction->coordinates) {
    equations.coordinates.push_back(coordinate.q);
    equations.velocities.push_back(coordinate.rate);
    equations.accelerations.push_back(coordinate.acceleration);
    equations.start_coordinates.push_back(coordinate.value);
    equations.start_velocities.push_back(coordinate.rate_value);
  }
  equations.rates = equations.velocities;
}

/// Q_i = F_k dphi_k/ds_i.
std::vector<Expr> pull_back_force(const Equations& equations, const std::vector<Expr>& force) {
  std::vector<std::vector<Expr>> terms(equations.coordinates.size());
  auto columns = sparse_jacobian(equations.model_coordinates, equations.coordinates);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (const Entry& entry : columns[k]) terms[entry.column].push_back(entry.value * force[k]);
  std::vector<Expr> result;
  for (const auto& sum : terms) result.push_back(equations.graph->sum(sum));
  return result;
}

/// What the constraints must exert for the reduced motion to satisfy the full equations: M q'' + h - F. Contacts are
/// among the rows: the reduced equations have their multipliers already.
Recovery make_recovery(const Equations& full, const PullBack& pull_back) {
  Recovery recovery;
  std::vector<std::vector<Expr>> terms(full.velocities.size());
  for (std::size_t i = 0; i < full.mass.size(); ++i) {
    terms[i].push_back(full.bias[i]);
    for (const Entry& entry : full.mass[i]) {
      terms[i].push_back(entry.value * full.accelerations[entry.column]);
      if (entry.column != i) terms[entry.column].push_back(entry.value * full.accelerations[i]);
    }
  }
  for (const auto& sum : terms) recovery.force.push_back(pull_back(full.graph->sum(sum)));
  for (const auto* rows : {&full.rows, &full.contacts}) {
    for (ConstraintRow row : *rows) {
      for (Entry& entry : row.jacobian) entry.value = pull_back(entry.value);
      row.offset = pull_back(row.offset);
      row.drift = pull_back(row.drift);
      if (row.position) row.position = pull_back(row.position);
      recovery.rows.push_back(std::move(row));
    }
  }
  return recovery;
}

}  // namespace

Equations derive_reduced(const Model& model) { return derive_reduced(std::make_shared<const Model>(fork(model))); }

Equations derive_reduced(std::shared_ptr<const Model> own) {
  const Model& model = *own;
  if (!model.reduction)
    throw ModelError({model.file,
                      {},
                      "reduction",
                      "the model has no [reduction]",
                      "give its coordinates and each coordinate in terms of them, or use --by multipliers"});
  Equations full = derive_multipliers(own);
  Equations equations;
  equations.model = own;
  equations.graph = model.graph;
  equations.by = "reduced";
  equations.time = model.time;
  set_symbols(model, equations);
  PullBack pull_back(model, equations);

  fill_dynamics(equations, pull_back(full.lagrangian), pull_back_force(equations, pull_back(full.force)));
  equations.energy = pull_back(full.energy);
  // A pulled-back T stays homogeneous exactly when the embedding does not move by itself.
  equations.energy_is_jacobi =
      full.energy_is_jacobi && derivative(equations.model_coordinates, equations.time) ==
                                   std::vector(full.coordinates.size(), full.graph->constant(0));
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind == ConstraintKind::geometric) continue;
    bool one_sided = constraint.kind == ConstraintKind::one_sided;
    (one_sided ? equations.contacts : equations.rows)
        .push_back(make_row(equations, constraint, pull_back(constraint.f)));
  }
  equations.recovery = make_recovery(full, pull_back);
  equations.released = full.released;
  return equations;
}

}  // namespace dalembert
