#pragma once
// Expressions in real balls of many digits, written independently of the library's own evaluators.

#include <arb.h>
#include <flint/fmpq.h>

#include <dalembert/expr/expr.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dalembert::testing_support {

constexpr slong ball_bits = 700;  // about 210 digits

/// A ball as a value.
class Ball {
 public:
  Ball() { arb_init(ball_); }
  explicit Ball(const mpq_class& value) : Ball() {
    fmpq_t rational;
    fmpq_init(rational);
    fmpq_set_mpq(rational, value.get_mpq_t());
    arb_set_fmpq(ball_, rational, ball_bits);
    fmpq_clear(rational);
  }
  Ball(const Ball& other) : Ball() { arb_set(ball_, other.ball_); }
  Ball& operator=(const Ball& other) {
    arb_set(ball_, other.ball_);
    return *this;
  }
  ~Ball() { arb_clear(ball_); }

  arb_ptr raw() { return ball_; }
  arb_srcptr raw() const { return ball_; }
  double middle() const { return arf_get_d(arb_midref(ball_), ARF_RND_NEAR); }
  /// The largest absolute value in the ball.
  double magnitude() const {
    mag_t bound;
    mag_init(bound);
    arb_get_mag(bound, ball_);
    double value = mag_get_d(bound);
    mag_clear(bound);
    return value;
  }

 private:
  arb_t ball_;
};

inline Ball operator-(const Ball& a, const Ball& b) {
  Ball result;
  arb_sub(result.raw(), a.raw(), b.raw(), ball_bits);
  return result;
}
inline Ball operator/(const Ball& a, const Ball& b) {
  Ball result;
  arb_div(result.raw(), a.raw(), b.raw(), ball_bits);
  return result;
}

inline void apply_function(Op op, Ball& result, const std::vector<Ball>& arguments) {
  arb_ptr r = result.raw();
  arb_srcptr x = arguments[0].raw();
  switch (op) {
    case Op::power: return arb_pow(r, x, arguments[1].raw(), ball_bits);
    case Op::sin: return arb_sin(r, x, ball_bits);
    case Op::cos: return arb_cos(r, x, ball_bits);
    case Op::tan: return arb_tan(r, x, ball_bits);
    case Op::asin: return arb_asin(r, x, ball_bits);
    case Op::acos: return arb_acos(r, x, ball_bits);
    case Op::atan: return arb_atan(r, x, ball_bits);
    case Op::sinh: return arb_sinh(r, x, ball_bits);
    case Op::cosh: return arb_cosh(r, x, ball_bits);
    case Op::tanh: return arb_tanh(r, x, ball_bits);
    case Op::exp: return arb_exp(r, x, ball_bits);
    case Op::log: return arb_log(r, x, ball_bits);
    case Op::abs: return arb_abs(r, x);
    case Op::sign: return arb_sgn(r, x);
    case Op::atan2: return arb_atan2(r, x, arguments[1].raw(), ball_bits);
    case Op::min:
    case Op::max:
      arb_set(r, x);
      for (const Ball& argument : arguments) (op == Op::min ? arb_min : arb_max)(r, r, argument.raw(), ball_bits);
      return;
    default: return;
  }
}

/// Values of the roots; every symbol must be bound.
inline std::vector<Ball> evaluate_balls(std::span<const Expr> roots, const std::unordered_map<NodeId, Ball>& bindings) {
  const Graph& graph = roots[0].graph();
  NodeId last = 0;
  for (const Expr& root : roots) last = std::max(last, root.id());
  std::vector<bool> needed(last + 1, false);
  for (const Expr& root : roots) needed[root.id()] = true;
  for (NodeId id = last + 1; id-- > 0;)
    if (needed[id]) graph.for_each_child(id, [&](NodeId child) { needed[child] = true; });

  std::vector<Ball> values(last + 1);
  for (NodeId id = 0; id <= last; ++id) {
    if (!needed[id]) continue;
    Ball& value = values[id];
    Op op = graph.op(id);
    if (op == Op::constant) {
      value = Ball(graph.value(id));
    } else if (op == Op::pi) {
      arb_const_pi(value.raw(), ball_bits);
    } else if (op == Op::symbol) {
      value = bindings.at(id);
    } else if (op == Op::sum) {
      value = Ball(graph.value(graph.offset(id)));
      for (const Part& part : graph.parts(id))
        arb_addmul(value.raw(), Ball(graph.value(part.weight)).raw(), values[part.node].raw(), ball_bits);
    } else if (op == Op::product) {
      value = Ball(mpq_class(1));
      for (const Part& part : graph.parts(id)) {
        Ball power;
        fmpq_t exponent;
        fmpq_init(exponent);
        fmpq_set_mpq(exponent, graph.value(part.weight).get_mpq_t());
        arb_pow_fmpq(power.raw(), values[part.node].raw(), exponent, ball_bits);
        fmpq_clear(exponent);
        arb_mul(value.raw(), value.raw(), power.raw(), ball_bits);
      }
    } else {
      std::vector<Ball> arguments;
      for (NodeId argument : graph.arguments(id)) arguments.push_back(values[argument]);
      apply_function(op, value, arguments);
    }
  }
  std::vector<Ball> result;
  for (const Expr& root : roots) result.push_back(values[root.id()]);
  return result;
}

}  // namespace dalembert::testing_support
