#pragma once
// The action along a motion, and Hamilton's principal function between two configurations (Hamel 1904, (IV)).

#include <dalembert/simulate/system.hpp>
#include <dalembert/study/frame.hpp>

namespace dalembert {

/// J_l at both ends, and the derivatives of S that they must equal: J_1 = dS/dtheta_1, J_0 = -dS/dtheta_0.
struct ActionMomentum {
  std::string velocity;
  double start = 0, end = 0;
  double slope_start = 0, slope_end = 0;  ///< dS/dtheta at the ends, by differences between motions
  double bound_start = 0, bound_end = 0;  ///< of the differences' own error
};

struct ActionReport {
  std::string name;
  double from_time = 0, to_time = 0;
  double action = 0;  ///< the integral of L
  std::vector<std::string> coordinates;
  std::vector<double> from, to, rates_from, rates_to;  ///< configurations and rates at both ends
  bool is_principal = false;                           ///< between configurations that were given
  bool is_checked = false;                             ///< the slopes are there
  std::string unchecked;                               ///< why not, where it was tried
  std::vector<ActionMomentum> momenta;
  double jacobi = 0;                      ///< q' dL/dq' - L at the end: -dS/dt_1
  double slope_time = 0, bound_time = 0;  ///< dS/dt_1 by differences
  double miss = 0;                        ///< by how much the motion misses the configuration asked for
  std::size_t motions = 0;                ///< how many were computed
  bool ok = true;                         ///< slopes and momenta agree within the bounds
};

/// More momenta are not compared: each takes six motions at either end, each found with a matrix of differences, and
/// the work grows with the cube of their number.
inline constexpr std::size_t most_compared_momenta = 8;

struct ActionOptions {
  double until = 1;
  double tolerance = 1e-13;
  std::vector<double> from;  ///< of all coordinates; empty: the model's initial values
  std::vector<double> to;    ///< of all coordinates; empty: wherever the motion goes
  bool check = true;         ///< the momenta against differences of S
  const std::atomic<bool>* stop = nullptr;
};

/// Throws InputError where the principal function does not exist (non-holonomic constraints, forces outside the
/// Lagrangian), ComputationError where no motion was found.
ActionReport evaluate_action(const Model& model, const ActionOptions& options);

}  // namespace dalembert
