#pragma once
// A formula against a model's: proved equal on the constraints, refuted at a state, or neither.

#include <dalembert/simulate/system.hpp>

namespace dalembert {

struct Comparison {
  /// Where the two sides differ: parameters, t, coordinates and rates, by name.
  struct Counterexample {
    NamedNumbers state;
    double left = 0, right = 0;
  };
  std::optional<bool> equal;  ///< empty: undecided
  std::string evidence;       ///< how it was proved or refuted, or what was tried
  std::optional<Counterexample> counterexample;
  std::vector<std::string> conditions;  ///< "l >= 0": it is proved where these hold
};

/// left = right along every motion of the equations (derive_multipliers'): formulas of t, q, q', q'', parameters and
/// the symbols of reactions and of energy, in the graph of the equations, which are the caller's alone.
Comparison compare_sides(const Equations& own, Expr left, Expr right);

/// Accelerations, and reactions of constraints that both have, of two descriptions with the same coordinates.
/// Parameters of one name are one parameter, and have the first model's value. InputError where the coordinates differ.
Comparison compare_models(const Equations& one, const Equations& other);

}  // namespace dalembert
