#pragma once
// Gauss's principle of least constraint (Radakovic 1896): the measure Z of how hard the constraints work, as a function
// of imagined accelerations, and the equations that its minimum gives.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

struct LeastConstraint {
  /// By "gauss": M is half the Hessian of Z and bias half its slope at zero accelerations, so that the stationarity
  /// conditions dZ/dq''/2 = A^T lambda are M q'' + bias = A^T lambda.
  Equations equations;
  Expr Z;  ///< sum of m |b - X/m|^2 over the mass elements, in t, q, q', q''
  /// What acts on no mass elements (a potential, a generalized force, ...): Z is then known up to a part that is free
  /// of the accelerations, and only Z minus its minimum phi has a meaning. Empty where Z is complete.
  std::vector<std::string> loose;
};

LeastConstraint derive_gauss(const Model& model);
LeastConstraint derive_gauss(std::shared_ptr<const Model> own);

}  // namespace dalembert
