#pragma once
// What people write of unit quaternions: |e|^2 is one.

#include <dalembert/model/model.hpp>
#include <unordered_map>

namespace dalembert {

/// Expressions on the constraints |e|^2 = 1 of the model's quaternions: |e|^2 as one and e.e' as zero, wherever they
/// stand by themselves. For reading only: what is computed with holds beside these constraints too.
class OnUnitQuaternions {
 public:
  explicit OnUnitQuaternions(const Model& model);
  Expr operator()(Expr expression) const;
  /// The shortest of this, the same of the canonical form, in which powers of |e|^2 are cancelled first, and the form
  /// in which the square of the quaternion's first component is put in from |e|^2 = 1.
  Expr simplify(Expr expression) const;

 private:
  Expr without_first_square(Expr expression) const;

  std::unordered_map<NodeId, NodeId> by_;
  std::vector<Replacement> first_square_;  // of each quaternion its first component, and what the square of that is
};

}  // namespace dalembert
