#pragma once
// Equations in numbers, at one state.

#include <dalembert/simulate/system.hpp>

namespace dalembert {

/// The parts of M u' + bias = A^T lambda, A u' + drift = 0, q' = N u + n0 and their solution. A value that does not
/// exist is NaN.
struct EquationValues {
  State state;
  std::vector<std::vector<double>> mass, jacobian, kinematics;  ///< M, A, N: all rows, all columns
  std::vector<double> bias, drift, offset;                      ///< bias, drift, n0
  std::vector<double> accelerations, multipliers;               ///< u', lambda
};

/// Under the values that the model gives its parameters.
EquationValues evaluate_equations(const Equations& equations, const State& state);

}  // namespace dalembert
