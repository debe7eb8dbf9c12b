#pragma once
// What absolute values, signs, roots of squares and the like make a difference by.

#include <dalembert/expr/evaluator.hpp>
#include <dalembert/expr/expr.hpp>

namespace dalembert {

class Signs {
 public:
  explicit Signs(std::span<const Expr> formulas);

  /// At one more place; true where something has a sign that it never had.
  bool meet(std::span<const Binding> at);
  bool are_one_sided() const;
  /// The symbols among what has been positive everywhere.
  std::vector<Expr> positive() const;

 private:
  struct Argument {
    Expr expression;
    bool was_positive = false, was_negative = false;
  };
  void look_into(std::span<const Expr> formulas, bool opens_roots);
  void add(Expr argument);

  std::vector<Argument> arguments_;
};

}  // namespace dalembert
