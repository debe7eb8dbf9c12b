#pragma once
// Forces of constraints by the positions and velocities that they name.

#include <dalembert/model/model.hpp>

namespace dalembert {

/// A differential constraint acts through velocities alone: where it is written at positions, these give no force.
inline bool bears_force(const Constraint& constraint, const Mention& mention) {
  return constraint.kind != ConstraintKind::differential || mention.kind != Mention::Kind::position;
}

/// d written / d (the mention's symbols), in terms of t, q, q': the force there is lambda times this.
Vector3 slope_of(const Constraint& constraint, const Mention& mention);

}  // namespace dalembert
