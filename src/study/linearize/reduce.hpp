#pragma once
// From the equations' slopes to first-order equations in independent coordinates and velocities (theory 8.2).

#include "study/linearize/terms.hpp"

namespace dalembert {

/// Which rows of the constraints are kept, and what they determine.
struct Choice {
  std::vector<std::size_t> rows;            ///< independent ones, geometric ones first
  std::size_t geometric = 0;                ///< how many of them
  std::vector<std::size_t> dependent;       ///< coordinates: the first `geometric` by position, all by velocity
  std::vector<std::size_t> free_q, free_u;  ///< the others, ascending
};

/// `fixed`: coordinates that stay independent. Fewer dependent ones than rows where that cannot be.
Choice choose(const Terms& terms, const TermValues& values, const std::vector<bool>& fixed);
/// The same rows with other dependent coordinates.
Choice exchange(const Choice& choice, std::size_t dependent, std::size_t by);

/// Accelerations and multipliers at a state that satisfies the constraints. False where the rows chosen do not
/// determine what depends on them, or M is not positive on what they leave free.
bool solve_motion(const TermValues& values, const Choice& choice, MotionPoint& at);
/// Moves what depends onto the constraints. False where Newton's method does not converge.
bool settle(Terms& terms, const Choice& choice, MotionPoint& at);

/// With free places e (inputs, time, free coordinates) and free velocities w:
/// M w' + damping w + stiffness e = 0, q' = kinematic_e e + kinematic_w w, y = output_e e + output_w w.
struct Reduced {
  bool ok = false;
  double condition = 1;  ///< reciprocal, of what determines the dependent coordinates
  NumberMatrix mass, damping, stiffness;
  NumberMatrix rate_e, rate_w;            ///< w' = rate_e e + rate_w w
  NumberMatrix kinematic_e, kinematic_w;  ///< of the free coordinates
  NumberMatrix output_e, output_w;
  double contradiction = 0;  ///< how far rows that were left out are from holding nearby, in their velocities
  double forces = 0;         ///< size of the accelerations that balance each other
  double slopes = 0;         ///< size of the terms whose sums the slopes of w' are
};
Reduced reduce(const TermValues& values, const SlopeValues& slopes, const Choice& choice, const MotionPoint& at);

}  // namespace dalembert
