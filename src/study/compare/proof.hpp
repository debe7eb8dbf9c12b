#pragma once
// Proofs that formulas vanish along every motion, by the equations that the model itself has.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

bool reads_any(std::span<const Expr> expressions, std::span<const Expr> symbols);

/// All of them vanish wherever the constraints and their rates do. The relations are solved for one unknown after the
/// other, parameters included, and put in; one that cannot be solved is passed over. `at` has the values of all symbols
/// at a state on the constraints: what is divided by there does not vanish there.
bool vanish_on_constraints(const Equations& own, std::vector<Expr> expressions, std::span<const Binding> at);

/// An expression of first degree in accelerations and multipliers is, on the constraints, a combination of the
/// equations of motion and the constraints' second derivatives: M u' + bias - A^T lambda, A u' + drift. Numbers at the
/// state tell which of them take part; only these are eliminated as formulas.
bool follows_from_equations(const Equations& own, Expr expression, std::span<const Binding> at, double work);

}  // namespace dalembert
