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

/// With the model whose graph the formulas are of: they live as long as it does.
struct ReleasedReactions {
  std::shared_ptr<const Model> model;
  std::vector<ReleasedReaction> reactions;  ///< in the order of Model::releases
};

/// Only the one row of each is derived, whatever the number of coordinates and constraints. At a glance forces on
/// points are left out. Throws ModelError where a constraint's gradient vanishes.
ReleasedReactions derive_releases(const Model& model, Effort effort = Effort::prove);
std::vector<ReleasedReaction> derive_releases(const std::shared_ptr<const Model>& own, Effort effort = Effort::prove);

/// What the parent exerts on a frame at its origin, drives included: (17) for the six constants of the joint.
struct JointLoad {
  std::string name, parent;
  Vector3 force, couple;                ///< world axes
  Vector3 force_parent, couple_parent;  ///< the parent's axes
  std::vector<std::string> carried;
};
/// With the model whose graph the formulas are of: they live as long as it does.
struct JointLoads {
  std::shared_ptr<const Model> model;
  std::vector<JointLoad> loads;  ///< in the order of Model::joints
};
JointLoads derive_joints(const Model& model);
std::vector<JointLoad> derive_joints(const std::shared_ptr<const Model>& own);

/// The symbols q'' and reaction(c) of these formulas by what the equations' solution has for them.
Expr eliminate_accelerations(const Equations& own, const Solution& solution, Expr formula);

}  // namespace dalembert
