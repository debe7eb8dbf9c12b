#pragma once
// Integrals of differential constraints that are geometric ones in disguise.

#include <dalembert/mechanics/hamel.hpp>

namespace dalembert {

/// A function of coordinates and time that the constraints keep constant, proved by differentiating.
struct ConstraintIntegral {
  std::string constraint;
  Expr formula;
  Expr value;                ///< at the initial state: a formula of parameters
  bool is_by_itself = true;  ///< by this constraint alone; else together with others that fix coordinates
};

/// For those of the integrable constraints whose integral is elementary: exact, separable, linear (a factor of one
/// variable makes the form, or the form divided by one of its coefficients, exact).
std::vector<ConstraintIntegral> find_constraint_integrals(const Model& own, const Integrability& integrability);

/// How the user may write it: NAME = "F = value".
std::string write_as_geometric(const ConstraintIntegral& integral);

}  // namespace dalembert
