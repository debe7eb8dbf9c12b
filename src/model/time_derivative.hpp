#pragma once
// Total time derivatives of many formulas of one model.

#include <dalembert/model/model.hpp>
#include <unordered_map>

namespace dalembert {

/// q -> q', q' -> q'', t -> 1, collected once: a formula then costs what it has, however many coordinates there are.
class TimeDerivative {
 public:
  /// In the graph of `own`, which is the caller's alone.
  explicit TimeDerivative(const Model& own);

  Expr operator()(Expr expression) const;
  Vector3 operator()(const Vector3& vector) const;

 private:
  std::vector<Expr> derive(std::span<const Expr> expressions) const;

  std::unordered_map<NodeId, Expr> rates_;  // by symbol
};

}  // namespace dalembert
