#pragma once
// The group that a frame generates when its transition coefficients are constant (Hamel 1904, section 4), and what the
// Lagrangian has to do with it: Euler's equations, impulse equations, momenta.

#include <array>
#include <dalembert/mechanics/hamel.hpp>

namespace dalembert {

/// c[m][n][r] with [X_m, X_n] = c_mnr X_r, antisymmetric in m and n: expressions without symbols.
using StructureConstants = std::vector<std::vector<std::vector<Expr>>>;

/// What can be said of a Lie algebra whatever its basis. Ranks and signs are decided exactly.
struct Group {
  std::size_t dimension = 0;
  std::string kind;                        ///< abelian, nilpotent, solvable, semisimple, reductive, mixed
  std::string name;                        ///< "so(3) + R^3"; empty where it is none of the usual ones
  bool satisfies_jacobi = true;            ///< the constants are those of an algebra
  bool is_compact = false;                 ///< the Killing form is negative definite
  std::vector<std::size_t> derived;        ///< dimensions of the derived series, until they stop falling
  std::vector<std::size_t> lower_central;  ///< likewise of the lower central series
  std::size_t centre = 0;                  ///< its dimension
  std::vector<std::vector<Expr>> killing;  ///< K_mn = c_mkl c_nlk
  std::array<std::size_t, 2> signature{};  ///< of the Killing form: positive and negative squares
};
/// Empty where a number could not be proved to vanish or not.
std::optional<Group> classify_group(const StructureConstants& constants);

/// The velocities of the frame without those of quaternions' unit constraints, and the coefficients among them and time
/// (last), renumbered and in order: the fields on the unit quaternions.
std::vector<std::size_t> tangent_velocities(const Model& model, const QuasiFrame& frame);
std::vector<TransitionCoefficient> tangent_coefficients(const Model& model, const QuasiFrame& frame,
                                                        const std::vector<TransitionCoefficient>& beta);

/// Are all coefficients free of coordinates and time? Empty: undecided.
std::optional<bool> are_constant(const Model& own, const std::vector<TransitionCoefficient>& beta);
/// The constants of the frame's fields, parameters replaced by their values; the first `count` velocities.
StructureConstants make_structure_constants(const Model& own, const std::vector<TransitionCoefficient>& beta,
                                            std::size_t count);

enum class EulerKind : std::uint8_t { none, broad, restricted };

/// J_l = dL/domega_l, and what becomes of it along a motion.
struct Momentum {
  std::size_t velocity = 0;
  Expr formula;                      ///< in t, q and all velocities
  std::optional<bool> is_admitted;   ///< L admits the extended point transformation X_l: J_l' = Q_l
  std::optional<bool> is_conserved;  ///< proved: constant along every motion
};
struct FrameDynamics {
  std::vector<Momentum> momenta;
  EulerKind euler = EulerKind::none;  ///< proved
};
FrameDynamics derive_frame_dynamics(const Model& own, const QuasiFrame& frame,
                                    const std::vector<TransitionCoefficient>& beta);

/// Quaternions divided by their length: the same on their unit constraints, and independent of the length.
Expr normalize_quaternions(const Model& own, Expr expression);

}  // namespace dalembert
