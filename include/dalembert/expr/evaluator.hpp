#pragma once
// Formulas to be evaluated in double over and over.

#include <dalembert/expr/expr.hpp>

namespace dalembert {

/// What some formulas need, taken out of their graph once: the size of the graph costs nothing, and any number of
/// threads may evaluate one. Where speed is all, see program.hpp.
class Evaluator {
 public:
  Evaluator() = default;
  /// Other symbols are NaN.
  Evaluator(std::span<const Expr> formulas, std::span<const Expr> symbols);

  /// The formulas' values where the symbols have these.
  std::vector<double> operator()(std::span<const double> values) const;

 private:
  struct Step {
    Op op;
    std::uint32_t begin, count;  // of operands_; of a symbol, `begin` is its index and count 1 if it is given
    double constant;             // a constant's value, a sum's offset
  };
  struct Operand {
    std::uint32_t step;
    double weight;  // coefficient or exponent
  };
  double value_of(const Step& step, const std::vector<double>& done, std::span<const double> values) const;

  std::vector<Step> steps_;  // arguments first
  std::vector<Operand> operands_;
  std::vector<std::uint32_t> results_;
};

}  // namespace dalembert
