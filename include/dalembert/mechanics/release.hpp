#pragma once
// One reaction at a time (Paulus 1910): a constant of the description is released, and the one equation that it then
// has gives the force that held it. All formulas are in the model's t, q, q', q'', its parameters and the multipliers
// of constraints that are still carried, by the symbols reaction(c): any equations of the model can evaluate them.

#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// The force on a named point is lambda times this.
struct PointLoad {
  std::string on;
  std::optional<Vector3> direction;  ///< empty where it cannot be known
};

struct ReleasedReaction {
  std::string name;
  Expr rho;                          ///< (17): generalized force that holds the constant
  Expr gradient;                     ///< (18): d phi/d c with positions varying; empty without a Cartesian constraint
  Expr lambda;                       ///< (18): rho / gradient, or rho
  Expr rate;                         ///< of a drive: c', so that its power is rho c'; empty for a constant
  std::vector<std::string> carried;  ///< constraints whose multipliers enter
  std::vector<PointLoad> on;         ///< (8), or (46), (47)
  /// (47): the one point that the constraint restricts moves along the constraint's normal when c alone varies.
  Verdict orthogonal = Verdict::undecided;
  std::string remark;  ///< how the forces on points were found, or why there are none
};

/// Only the one row is derived, whatever the number of coordinates and constraints. At a glance forces on points are
/// left out. Throws ModelError where the constraint's gradient vanishes.
ReleasedReaction derive_release(const Model& model, const Release& release, Effort effort);
std::vector<ReleasedReaction> derive_releases(const Model& model, Effort effort = Effort::prove);

/// What the parent exerts on a frame at its origin, drives included: (17) for the six constants of the joint.
struct JointLoad {
  std::string name, parent;
  Vector3 force, couple;                ///< world axes
  Vector3 force_parent, couple_parent;  ///< the parent's axes
  std::vector<std::string> carried;
};
JointLoad derive_joint(const Model& model, const Joint& joint);

/// The symbols q'' and reaction(c) of these formulas by what the equations' solution has for them.
Expr eliminate_accelerations(const Model& model, const Equations& equations, const Solution& solution, Expr formula);

}  // namespace dalembert
