#pragma once
// The start that a model asks for: what it gives is kept, what it guesses is solved for, its conditions at t = 0 hold.

#include <dalembert/model/model.hpp>

namespace dalembert {

struct SettledStart {
  Model model;         ///< with the solution in place of the guesses, which are still marked as such
  std::string report;  ///< how far what was moved, and what nothing determines; empty where nothing is to be told
};

/// Solves for a model's guesses: the nearest state in the kinetic metric that satisfies the constraints and [initial],
/// givens fixed; guesses of [reduction] follow. Throws ModelError naming what contradicts what, with residuals. A
/// model without guesses and conditions comes back as it is.
SettledStart settle_start(Model model);

}  // namespace dalembert
