#pragma once
// Seeded random expressions, for tests that compare two routes.

#include <dalembert/expr/expr.hpp>
#include <random>
#include <string>
#include <vector>

namespace dalembert::testing_support {

struct RandomGraphOptions {
  std::size_t symbols = 4;  ///< "x0", "x1", ...
  std::size_t steps = 30;   ///< operations; each takes arguments made before
  bool rational = false;    ///< only + - * / and whole powers
  bool smooth = false;      ///< no abs, sign, min, max
  bool tame = false;        ///< values stay near 1 for symbols near 1: for comparisons of numbers
  bool powers = true;       ///< exponents that are no constants
  double constants = 0.15;  ///< share of operands that are constants
};

/// Makes expressions in one graph; the same seed gives the same expressions.
class RandomGraph {
 public:
  RandomGraph(Graph& graph, std::uint64_t seed, RandomGraphOptions options = {})
      : graph_(graph), engine_(seed), options_(options) {
    for (std::size_t i = 0; i < options.symbols; ++i) symbols_.push_back(graph.symbol("x" + std::to_string(i)));
    pool_ = symbols_;
  }

  const std::vector<Expr>& symbols() const { return symbols_; }

  /// An expression of about options.steps operations, sharing what was made before.
  Expr make() {
    pool_.resize(symbols_.size());
    for (std::size_t i = 0; i < options_.steps; ++i) pool_.push_back(options_.tame ? make_tame() : make_any());
    return pool_.back();
  }

  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_); }
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }

  /// A small rational number, never zero.
  mpq_class number() {
    long numerator = static_cast<long>(below(9)) + 1;
    mpq_class value(below(2) == 0 ? numerator : -numerator, static_cast<unsigned long>(below(4) + 1));
    value.canonicalize();
    return value;
  }

 private:
  /// Recent expressions are preferred, so that graphs are deep; old ones are shared.
  Expr operand() {
    if (uniform(0, 1) < options_.constants) return graph_.constant(number());
    if (below(3) == 0) return pool_[below(pool_.size())];
    std::size_t recent = std::min<std::size_t>(pool_.size(), 6);
    return pool_[pool_.size() - 1 - below(recent)];
  }

  std::vector<Expr> operands() {
    std::vector<Expr> list;
    for (std::size_t count = 2 + below(3); count > 0; --count) list.push_back(operand());
    return list;
  }

  Expr nonzero() {
    Expr e = operand();
    return e.is_zero() ? graph_.constant(number()) : e;
  }

  Expr make_any() {
    std::size_t kinds = options_.rational ? 5 : options_.smooth ? 9 : 11;
    switch (below(kinds)) {
      case 0: return graph_.sum(operands());
      case 1: return graph_.product(operands());
      case 2: return operand() - operand();
      case 3: return operand() / nonzero();
      case 4: return graph_.power(nonzero(), mpq_class(static_cast<long>(below(5)) - 2));
      case 5: return graph_.power(nonzero(), number() / 2);
      case 6: return options_.powers ? graph_.power(nonzero(), operand() + symbols_[0]) : -operand();
      case 7: {
        auto last = static_cast<std::size_t>(Op::log) - static_cast<std::size_t>(Op::sin) + 1;
        return graph_.unary(static_cast<Op>(static_cast<std::size_t>(Op::sin) + below(last)), operand());
      }
      case 8: return atan2(operand(), operand());
      case 9: return graph_.unary(below(2) == 0 ? Op::abs : Op::sign, operand());
      default: return graph_.extremum(below(2) == 0 ? Op::min : Op::max, operands());
    }
  }

  /// Every value lies in about [1/3, 3] when the symbols do in [1/2, 2], whatever was made before.
  Expr make_tame() {
    Expr a = operand_tame(), b = operand_tame();
    switch (below(options_.rational ? 4 : options_.smooth ? 13 : 16)) {
      case 0: return (a + b) / 2;
      case 1: return a * b / (a + b) + graph_.constant(mpq_class(1, 2));
      case 2: return (1 + pow(a, 2)) / (1 + pow(b, 2) / 4) / 3 + graph_.constant(mpq_class(1, 3));
      case 3: return (a - b) / (a + b) / 2 + 1;
      case 4: return sin(a + b) / 2 + 1;
      case 5: return cos(a - 2 * b) / 2 + 1;
      case 6: return atan2(a, b) + graph_.constant(mpq_class(1, 3));
      case 7: return sqrt(a * b);
      case 8: return exp(a / 4 - b / 4);
      case 9: return 1 + log(1 + a) / 3;
      case 10: return tanh(a) + cosh(b / 4) / 2;
      case 11: return pow(1 + a / 4, b / 2);
      case 12: return asin(a / 4) + acos(b / 4) / 2 + atan(a - b) / 4 + graph_.constant(mpq_class(1, 3));
      case 13: return abs(a - b) / 2 + 1;
      case 14: return max(a, b);
      default: return min(a, b) + sign(a - b) / 8;
    }
  }
  Expr operand_tame() {
    if (uniform(0, 1) < options_.constants) return graph_.constant(mpq_class(static_cast<long>(below(5)) + 2, 4));
    return pool_[below(pool_.size())];
  }

  Graph& graph_;
  std::mt19937_64 engine_;
  RandomGraphOptions options_;
  std::vector<Expr> symbols_;
  std::vector<Expr> pool_;
};

}  // namespace dalembert::testing_support
