#include "mechanics/release/released_row.hpp"

#include "mechanics/lagrange/dynamics.hpp"

namespace dalembert {

/// rho = d/dt dL/dc' - dL/dc - P_c - sum over carried constraints of lambda A_c, on the true motion (Paulus 1910, (17);
/// the carried terms: theory 2).
ReleasedRow derive_released_row(const Variation& variation, std::size_t which) {
  const Model& varied = *variation.model;
  const Coordinate& c = variation.freed[which];
  Graph& graph = *varied.graph;
  Expr lagrangian = make_lagrangian(varied);
  std::vector<Expr> terms{time_derivative(varied, derivative(lagrangian, c.rate)), -derivative(lagrangian, c.q),
                          -load_forces(varied, {c.rate})[0]};
  ReleasedRow row;
  for (const Constraint& constraint : varied.constraints) {
    Expr part = derivative(constraint.f, constraint.kind == ConstraintKind::differential ? c.rate : c.q);
    part = substitute(part, variation.actual);
    if (part.is_zero()) continue;
    row.carried.push_back(constraint.name);
    terms.push_back(-graph.symbol(reaction_symbol(constraint.name)) * part);
  }
  row.rho = substitute(graph.sum(terms), variation.actual);
  return row;
}

}  // namespace dalembert
