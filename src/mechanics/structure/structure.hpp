#pragma once
// Accelerations and multipliers from the structure that the model keeps, without its mass matrix.

#include <dalembert/mechanics/equations.hpp>

#include "mechanics/structure/gauss_system.hpp"

namespace dalembert {

/// A row r whose sigma A_r^T A_r is added to a singular mass matrix (theory 1.4): the motion is the same.
struct MendingRow {
  std::size_t row;
  Expr sigma;
};

/// How many terms the elimination may add up, each an instruction or two.
struct TermLimit {
  std::size_t base = 1'000'000, of_an_unknown = 0;
};

/// Lagrange's equations with multipliers in the model's own coordinates and rates, or Hamel's in quasi-velocities: what
/// solve_structured takes.
bool has_structure(const Equations& equations);

/// u', then the multipliers, as formulas of (t, q, u) to compute with. They are made in the equations' graph. Nothing
/// where that takes too many terms. An InputError where a pivot is zero for every value. In quasi-velocities Gauss's
/// function is one of their rates alone (Appell's equations, which are Hamel's): no multiplier and no transition
/// coefficient is needed.
std::vector<Expr> solve_structured(const Equations& equations, std::span<const MendingRow> mending, Order order,
                                   TermLimit limit = {});

/// M and the bias of the model's own coordinates and rates: entries of M take a few operations each, and the bias is
/// linear in the number of bodies.
void fill_from_structure(Equations& equations);

}  // namespace dalembert
