#pragma once
// Displacements of a whole system that may leave it as it is.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// A displacement of all coordinates at once, to first order: q_i moves by xi_i.
struct Symmetry {
  std::string name;  ///< of its momentum: "momentum along x", "angular momentum about z"
  std::vector<Expr> xi;
};

/// Translations along the world's axes and rotations about them, as far as the model's coordinates are positions,
/// quaternions or first angles; those of a single coordinate are left out. Nothing says that the system is the same
/// afterwards.
std::vector<Symmetry> find_candidates(const Equations& equations);

}  // namespace dalembert
