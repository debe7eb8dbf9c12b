#pragma once
// What people write of unit quaternions: |e|^2 is one.

#include <dalembert/model/model.hpp>

namespace dalembert {

/// Expressions on the constraints |e|^2 = 1 of the model's quaternions: |e|^2 as one and e.e' as zero, wherever they
/// stand by themselves. For reading only: what is computed with holds beside these constraints too.
class OnUnitQuaternions {
 public:
  explicit OnUnitQuaternions(const Model& model);
  Expr operator()(Expr expression) const;
  /// The same of the canonical form, in which powers of |e|^2 are cancelled first.
  Expr simplify(Expr expression) const;

 private:
  std::unordered_map<NodeId, NodeId> by_;
};

}  // namespace dalembert
