#pragma once
// Multipliers from the balance of forces alone, accelerations left as symbols: what a person writes first.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// A^T lambda = M u' + bias, solved for one multiplier after the other: formulas in t, q, u, u' and reaction(c) of
/// others that are found without it. Accelerations that a constraint gives by itself (q1 = f(t)) are put in. Empty
/// where the constraints are dependent and it is the last that could be found, or where the work does not suffice.
std::vector<Expr> solve_balance(const Equations& equations, double work);

}  // namespace dalembert
