#pragma once
// Values at a state: Gauss's measure of constraint at imagined accelerations (Radakovic 1896), and the geometry of the
// kinetic metric (Spain 1940).

#include <dalembert/mechanics/gauss.hpp>
#include <dalembert/mechanics/projection.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert {

/// What `gauss` shows (theory 5.2): Z = Q M^-1 Q + phi with Q = M (imagined - actual accelerations).
struct GaussReport {
  State state;
  std::vector<std::string> names;  ///< of the model's symbols: LaTeX tells them apart
  std::vector<std::string> coordinates;
  std::vector<double> accelerations;  ///< imagined
  std::vector<double> actual;         ///< where Z is least
  std::vector<double> Q;
  std::vector<std::string> constraints;
  std::vector<double> multipliers;  ///< lambda at the actual accelerations: half the multipliers of Z
  double excess = 0;                ///< Z - phi
  std::optional<double> Z, phi;     ///< empty where only Z - phi is defined
  std::vector<std::string> loose;   ///< why it is
};

/// An acceleration to imagine, by the coordinate's index.
struct ImaginedAcceleration {
  std::size_t coordinate;
  double value;
};

/// Accelerations that are not given take their actual value. Throws InputError where those given violate a constraint
/// (it is named) and ComputationError where there is no actual motion.
GaussReport evaluate_gauss(const LeastConstraint& gauss, const State& state,
                           std::span<const ImaginedAcceleration> imagined);

/// The constraints' unit vectors in the kinetic metric, the projector and what they do to force and acceleration
/// (theory 4.1 to 4.3). Raised indices are contravariant.
struct GeometryReport {
  State state;
  std::vector<std::string> coordinates;
  std::vector<std::string> constraints;  ///< all rows
  std::vector<std::string> basis;        ///< the constraint with which each Phi came; dependent ones have none
  std::vector<std::vector<double>> Phi, Phi_raised;
  std::vector<std::vector<double>> G;  ///< G[i][j] = delta - Phi^i Phi_j
  std::vector<double> theta, lambda;   ///< reactions along the Phi; multipliers of the constraints as written
  double f = 0, X = 0;                 ///< lengths of acceleration and active force
  std::vector<double> f_raised, X_raised;
  std::vector<double> cos_phi, cos_psi;     ///< of force and acceleration with each Phi; NaN where X or f vanishes
  double relation_f = 0, relation_X = 0;    ///< both sides of Spain's (10)
  std::vector<double> accelerations;        ///< by the projector
  std::vector<double> geodesic;             ///< as a forced geodesic of the connection
  std::vector<double> christoffel, affine;  ///< [i][j][k], flat: of the metric, and the connection of (13)
  std::vector<std::string> remarks;

  std::size_t rank() const { return coordinates.size() - Phi.size(); }  ///< of G
};

/// Throws ComputationError where the metric is singular at the state.
GeometryReport evaluate_geometry(const KineticGeometry& geometry, const State& state);

/// Spain's exceptional case (theory 4.4): the constraints themselves keep the acceleration in the virtual
/// displacements, so that f = G X for every motion.
struct ExceptionalCase {
  enum class Kind : std::uint8_t { no, general, killing, undecided };
  Kind kind = Kind::undecided;
  std::string evidence;
  std::vector<std::string> kA;  ///< of (11), for one constraint in the exceptional case
};
/// Zero is proved symbolically; that it is not zero is shown at `state`, which is on the constraints.
ExceptionalCase decide_exceptional(const KineticGeometry& geometry, const State& state, double work = 5e8);

/// What `derive --by projection` shows.
struct ProjectionReport {
  KineticGeometry geometry;
  GeometryReport at;
  ExceptionalCase exceptional;
};

}  // namespace dalembert
