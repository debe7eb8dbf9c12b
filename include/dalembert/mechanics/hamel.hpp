#pragma once
// Frames of quasi-velocities (Hamel 1904): transition coefficients and the Lagrange-Euler equations. `own` as in
// equations.hpp: a frame and what follows from it are formulas of the model's graph.

#include <dalembert/mechanics/equations.hpp>
#include <optional>

namespace dalembert {

/// omega_r = pi_rl q'_l + pi_r0 and its inverse q'_l = xi_rl omega_r + xi_0l. Time is the last index: pi[r][n] is
/// pi_r0 and xi[n][l] is xi_0l, with omega_n = 1 (Hamel 1904, sections 1 and 3).
struct QuasiFrame {
  struct Velocity {
    std::string name;
    Expr symbol;
    Expr acceleration;               ///< the symbol of its time derivative
    std::optional<std::size_t> row;  ///< the constraint (index in Model::constraints) that says it is zero
    Expr scale;                      ///< omega = scale * psi of that constraint
    Place place;
  };
  std::vector<Velocity> velocities;
  std::vector<std::vector<Expr>> pi;  ///< [r][l], l to n
  std::vector<std::vector<Expr>> xi;  ///< [r][l], r to n

  std::vector<std::size_t> dependent;    ///< constraints (index in Model::constraints) that follow from the others
  std::optional<Completion> completion;  ///< where free velocities are numbers times others
  /// pi has no short inverse: xi is a factorisation, for computing; it is neither simplified nor differentiated.
  bool is_solved = false;

  std::size_t size() const { return velocities.size(); }
};

/// The user's [frame], else the coordinates' rates; velocities are exchanged for constraints that are not among them,
/// so that each constraint that is independent of those before it at the initial state is a velocity that vanishes.
/// Quaternions' unit constraints belong to the frame.
QuasiFrame make_frame(const Model& own);
/// The same for a motion: where the user's velocities do not contain the constraints, free velocities are numbers times
/// them, so that they can be chosen again.
QuasiFrame make_motion_frame(const Model& own);
/// Numbers for a completion at a state (t, q, the model's rates, parameters); empty where the constraints are dependent
/// there or the kinetic energy is not positive definite on their kernel.
std::vector<double> choose_completion(const Completion& completion, std::span<const Binding> at);
/// The same from values: `rows` constraints over `size` velocities, then the mass matrix over them, by rows.
std::vector<double> choose_completion(std::size_t rows, std::size_t size, std::span<const double> values);

/// beta_mnr with m < n over all velocities and time (last), r over velocities: only those that are not zero.
struct TransitionCoefficient {
  std::size_t mu, nu, rho;
  Expr value;
};
std::vector<TransitionCoefficient> derive_transition_coefficients(const Model& own, const QuasiFrame& frame);

/// Which constraints are geometric ones in disguise (theory 3.6; Frobenius). Constant rank is assumed.
struct Integrability {
  struct Entry {
    std::string name;
    std::optional<bool> in_system;  ///< empty: undecided
    std::optional<bool> by_itself;
  };
  std::vector<Entry> constraints;        ///< one an equality constraint of the model, unit constraints included
  std::optional<std::size_t> integrals;  ///< how many independent combinations integrate
  std::string remark;                    ///< why something is undecided
};
Integrability decide_integrability(const Model& model, double work = 3e8);

/// The terms of (IIIa) in one velocity, without those in omega', on the constraints:
/// convective + coupling - pull - force is what M omega' must balance.
struct LagrangeEulerTerms {
  Expr convective;  ///< d/dt J_l along (t, q)
  Expr coupling;    ///< beta_lnr omega_n J_r
  Expr pull;        ///< X_l L
  Expr force;       ///< Q_l
};
std::vector<LagrangeEulerTerms> derive_lagrange_euler_terms(const Model& own, const QuasiFrame& frame,
                                                            const std::vector<TransitionCoefficient>& beta);

/// The Lagrange-Euler equations (III) in the independent velocities; reactions from the surplus equations.
Equations derive_hamel(std::shared_ptr<const Model> own, const QuasiFrame& frame,
                       const std::vector<TransitionCoefficient>& beta);

/// A frame with what follows from it.
struct HamelDerivation {
  QuasiFrame frame;
  std::vector<TransitionCoefficient> beta;
  Equations equations;
};
/// By make_frame, to be read.
Equations derive_hamel(const Model& model);
/// Whether formulas are made short before they are computed with: not where they are evaluated once.
enum class Patience : std::uint8_t { none, some };
/// By make_motion_frame, to be computed with. None beside constraints in over 60 rates: these, with multipliers.
HamelDerivation derive_hamel_motion(const Model& model, Patience patience = Patience::some);
HamelDerivation derive_hamel_motion(std::shared_ptr<const Model> own, Patience patience = Patience::some);

}  // namespace dalembert
