#pragma once
// Multipliers from the balance of forces alone, accelerations left as symbols: what a person writes first.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// A sum of left sides of equations of motion, each times a factor, through a divisor.
struct BalanceFormula {
  struct Term {
    Expr factor, side;
  };
  std::vector<Term> terms;
  Expr divisor;

  Expr value() const;
};

/// A multiplier, and the ways that it was found in.
struct BalancedReaction {
  std::size_t row;  ///< of the equations
  std::vector<BalanceFormula> formulas;
};

/// A^T lambda = M u' + bias, solved for one multiplier after the other, or for two of two equations: formulas in t, q,
/// u, u' and reaction(c) of others. Each has one without those that come later, or, where all of its equations have
/// several unknowns, stands after what it is expressed by. Accelerations that a constraint gives by itself (q1 = f(t))
/// are put in. `at` has the values of all symbols: nothing is divided by what vanishes there. Missing are what the
/// work does not suffice for, and the last of dependent ones.
std::vector<BalancedReaction> solve_balance(const Equations& equations, std::span<const Binding> at, double work);

}  // namespace dalembert
