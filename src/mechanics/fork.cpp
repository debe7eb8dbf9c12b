#include <dalembert/mechanics/equations.hpp>

// A derivation's copy: the same nodes under the same ids in another graph, so that every handle only has to be moved.

namespace dalembert {
namespace {

template <class Visit>
void visit_rows(std::vector<ConstraintRow>& rows, Visit&& visit) {
  for (ConstraintRow& row : rows) {
    for (Entry& entry : row.jacobian) visit(entry.value);
    for (Expr* part : {&row.offset, &row.drift, &row.position, &row.restitution}) visit(*part);
  }
}

template <class Visit>
void visit_all(std::vector<Expr>& expressions, Visit&& visit) {
  for (Expr& expression : expressions) visit(expression);
}

template <class Visit>
void visit_quasi(QuasiVelocities& quasi, Visit&& visit) {
  visit_all(quasi.formulas, visit);
  for (FrameVelocity& velocity : quasi.frame) visit(velocity.formula);
  for (ReactionFormula& reaction : quasi.reactions) visit(reaction.value);
  visit_rows(quasi.position_rows, visit);
  if (quasi.in_rates) quasi.in_rates = std::make_shared<const Equations>(fork(*quasi.in_rates));
  if (!quasi.completion) return;
  visit_all(quasi.completion->symbols, visit);
  for (auto* rows : {&quasi.completion->rows, &quasi.completion->mass})
    for (std::vector<Expr>& row : *rows) visit_all(row, visit);
}

}  // namespace

Equations fork(const Equations& equations) {
  Equations copy = equations;
  copy.model = std::make_shared<const Model>(fork(*equations.model));
  copy.graph = copy.model->graph;
  const auto visit = [&graph = *copy.graph](Expr& expression) {
    if (expression) expression = rebind(expression, graph);
  };
  for (Expr* part : {&copy.time, &copy.lagrangian, &copy.energy, &copy.jacobi, &copy.jacobi_power}) visit(*part);
  for (auto* list :
       {&copy.coordinates, &copy.velocities, &copy.accelerations, &copy.start_coordinates, &copy.start_velocities,
        &copy.rates, &copy.bias, &copy.model_coordinates, &copy.model_rates, &copy.model_accelerations, &copy.force})
    visit_all(*list, visit);
  for (auto& row : copy.mass)
    for (Entry& entry : row) visit(entry.value);
  visit_rows(copy.rows, visit);
  visit_rows(copy.contacts, visit);
  for (ReactionFormula& release : copy.released) visit(release.value);
  if (copy.quasi) visit_quasi(*copy.quasi, visit);
  if (copy.recovery) {
    visit_rows(copy.recovery->rows, visit);
    visit_all(copy.recovery->force, visit);
  }
  return copy;
}

}  // namespace dalembert
