#pragma once
// Derivatives in a frame whose xi is solved for at each state: by those of pi alone, xi being numbers.

#include <dalembert/mechanics/hamel.hpp>

namespace dalembert {

/// L as a function of (t, q, omega), on the constraints: omega of the forbidden velocities is zero.
struct SolvedDerivatives {
  std::vector<Expr> momentum;    ///< J_r = dL/domega_r, of all velocities
  std::vector<Expr> pull;        ///< dL/dq_s at constant omega, then dL/dt
  std::vector<Expr> convective;  ///< dJ_r/dt at constant omega
  std::vector<Expr> drift;       ///< q'' at constant omega
};

/// `lagrangian` and `rates` are L(t, q, q') and q' by omega. Of xi nothing is differentiated: from pi xi = 1 follow
///   dxi_m = -(xi_m dpi_r) xi_r,   dL*/dq_s = dL/dq_s - J_r d(omega_r)/dq_s,
///   dJ_l/dt = xi_l (dp/dt - J_r dpi_r/dt)   with q'' = -xi_r (dpi_r/dt q' + dpi_r0/dt).
SolvedDerivatives differentiate_solved(const Model& model, const QuasiFrame& frame, Expr lagrangian,
                                       const std::vector<Expr>& rates);

}  // namespace dalembert
