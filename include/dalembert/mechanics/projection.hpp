#pragma once
// The geometry of the kinetic metric (Spain 1940): what the projector, the reactions in an orthonormal basis and the
// affine connection of a motion are made of, as graphs. Numbers at a state are in geometry.hpp.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// Derivatives by the coordinates and, as last column, by time; velocities are held fixed.
using Slopes = std::vector<std::vector<Entry>>;

struct KineticGeometry {
  /// By "projection". Where the kinetic energy of the model gives no metric (quaternions, massless coordinates), half
  /// sigma times the square of constraints is added to it: the same motion and reactions, a metric of full rank
  /// (theory 1.4).
  Equations equations;
  std::vector<std::string> mended_by;  ///< the constraints that were added
  Slopes mass_slopes;                  ///< one list an entry of equations.mass, in its order
  Slopes jacobian_slopes;              ///< one list an entry of the rows' Jacobians, in their order
  Slopes offset_slopes;                ///< one list a row
  std::vector<Expr> force;             ///< X: all of the equations that is not M f with f = q'' + Gamma q' q'
  bool is_natural = true;              ///< M is free of the velocities
  bool is_scleronomic = true;          ///< natural, T of second degree in the rates, M free of time
};

KineticGeometry derive_projection(const Model& model);
KineticGeometry derive_projection(std::shared_ptr<const Model> own);

}  // namespace dalembert
