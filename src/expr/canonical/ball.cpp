#include "expr/canonical/ball.hpp"

#include <flint/fmpq.h>

#include <algorithm>
#include <cstdlib>

#include "expr/canonical/cost.hpp"
#include "expr/walk.hpp"

namespace dalembert::canonical {
namespace {

void set_rational(arb_t ball, const mpq_class& value, slong bits) {
  fmpq_t number;
  fmpq_init(number);
  fmpq_set_mpq(number, value.get_mpq_t());
  arb_set_fmpq(ball, number, bits);
  fmpq_clear(number);
}

void apply_sign(arb_t result, const arb_t x) {
  if (arb_is_positive(x)) return arb_set_si(result, 1);
  if (arb_is_negative(x)) return arb_set_si(result, -1);
  if (arb_is_zero(x)) return arb_zero(result);
  if (!arb_is_finite(x)) return arb_indeterminate(result);
  arb_zero(result);
  mag_one(arb_radref(result));
}

/// base ^ exponent over the reals: a broken exponent needs a base that is not negative.
void apply_power(arb_t result, const arb_t base, const mpq_class& exponent, slong bits) {
  if (exponent.get_den() == 1) {
    fmpz_t n;
    fmpz_init(n);
    fmpz_set_mpz(n, exponent.get_num_mpz_t());
    arb_pow_fmpz(result, base, n, bits);
    fmpz_clear(n);
    return;
  }
  if (!arb_is_nonnegative(base)) return arb_indeterminate(result);
  if (arb_is_zero(base)) return sgn(exponent) > 0 ? arb_zero(result) : arb_indeterminate(result);
  if (exponent.get_den() == 2) {
    Ball root;
    arb_sqrt(root.arb(), base, bits);
    return apply_power(result, root.arb(), exponent * 2, bits);
  }
  if (!arb_is_positive(base)) {
    // Monotonous in the base: between 0 and the power of the upper end.
    if (sgn(exponent) < 0) return arb_indeterminate(result);
    Ball upper;
    arb_get_ubound_arf(arb_midref(upper.arb()), base, bits);
    apply_power(result, upper.arb(), exponent, bits);
    Ball zero;
    arb_union(result, result, zero.arb(), bits);
    return;
  }
  Ball logarithm, factor;
  arb_log(logarithm.arb(), base, bits);
  set_rational(factor.arb(), exponent, bits);
  arb_mul(logarithm.arb(), logarithm.arb(), factor.arb(), bits);
  arb_exp(result, logarithm.arb(), bits);
}

void apply_unary(arb_t result, Op op, const arb_t x, slong bits) {
  switch (op) {
    case Op::sin: return arb_sin(result, x, bits);
    case Op::cos: return arb_cos(result, x, bits);
    case Op::tan: return arb_tan(result, x, bits);
    case Op::asin: return arb_asin(result, x, bits);
    case Op::acos: return arb_acos(result, x, bits);
    case Op::atan: return arb_atan(result, x, bits);
    case Op::sinh: return arb_sinh(result, x, bits);
    case Op::cosh: return arb_cosh(result, x, bits);
    case Op::tanh: return arb_tanh(result, x, bits);
    case Op::exp: return arb_exp(result, x, bits);
    case Op::log: return arb_is_positive(x) ? arb_log(result, x, bits) : arb_indeterminate(result);
    case Op::abs: return arb_abs(result, x);
    default: return apply_sign(result, x);
  }
}

class Evaluation {
 public:
  Evaluation(Graph& graph, const Box& box, slong bits) : graph_(graph), box_(box), bits_(bits) {}

  template <class At>
  Ball operator()(NodeId id, At& at) {
    Ball result;
    arb_ptr out = result.arb();
    auto arguments = graph_.arguments(id);
    switch (Op op = graph_.op(id)) {
      case Op::constant: set_rational(out, graph_.value(id), bits_); break;
      case Op::pi: arb_const_pi(out, bits_); break;
      case Op::symbol: {
        auto found = box_.find(id);
        found == box_.end() ? arb_indeterminate(out) : arb_set(out, found->second.arb());
        break;
      }
      case Op::sum: add_terms(out, id, at); break;
      case Op::product: multiply_factors(out, id, at); break;
      case Op::power:
        if (arb_is_positive(at(arguments[0]).arb()))
          arb_pow(out, at(arguments[0]).arb(), at(arguments[1]).arb(), bits_);
        else if (arb_is_int(at(arguments[1]).arb()))
          arb_pow(out, at(arguments[0]).arb(), at(arguments[1]).arb(), bits_);
        else
          arb_indeterminate(out);
        break;
      case Op::atan2: arb_atan2(out, at(arguments[0]).arb(), at(arguments[1]).arb(), bits_); break;
      case Op::min:
      case Op::max:
        result = at(arguments[0]);
        for (NodeId argument : arguments.subspan(1))
          op == Op::min ? arb_min(out, out, at(argument).arb(), bits_) : arb_max(out, out, at(argument).arb(), bits_);
        break;
      default: apply_unary(out, op, at(arguments[0]).arb(), bits_);
    }
    // One part that is undefined makes the whole so, also where a function would forget it.
    if (!result.is_finite()) arb_indeterminate(out);
    return result;
  }

 private:
  template <class At>
  void add_terms(arb_ptr out, NodeId id, At& at) {
    Ball weight;
    set_rational(out, graph_.value(graph_.offset(id)), bits_);
    for (const Part& part : graph_.parts(id)) {
      set_rational(weight.arb(), graph_.value(part.weight), bits_);
      arb_addmul(out, weight.arb(), at(part.node).arb(), bits_);
    }
  }
  template <class At>
  void multiply_factors(arb_ptr out, NodeId id, At& at) {
    Ball factor;
    arb_one(out);
    for (const Part& part : graph_.parts(id)) {
      apply_power(factor.arb(), at(part.node).arb(), graph_.value(part.weight), bits_);
      if (!factor.is_finite()) return arb_indeterminate(out);
      arb_mul(out, out, factor.arb(), bits_);
    }
  }

  Graph& graph_;
  const Box& box_;
  slong bits_;
};

/// What takes more than some multiplications: not sums and products with whole or half exponents.
bool is_function(const Graph& graph, NodeId id) {
  Op op = graph.op(id);
  if (op == Op::product)
    return std::ranges::any_of(graph.parts(id),
                               [&](const Part& part) { return graph.value(part.weight).get_den() > 2; });
  return op == Op::pi || op >= Op::power;
}

}  // namespace

std::string Ball::text(int digits) const {
  char* text = arb_get_str(ball_, digits, 0);
  std::string result = text;
  flint_free(text);
  return result;
}

std::vector<Ball> evaluate_balls(std::span<const Expr> expressions, const Box& box, long bits, Budget& budget) {
  Graph& graph = expressions[0].graph();
  Evaluation evaluation(graph, box, bits);
  bool defined = true;
  std::vector<Ball> results = walk_values<Ball>(graph, expressions, [&](NodeId id, auto& at) {
    if (defined) budget.charge(cost::ball(is_function(graph, id), bits));
    Ball value = defined ? evaluation(id, at) : Ball();
    defined = defined && value.is_finite();
    return value;
  });
  if (!defined)
    for (Ball& result : results) arb_indeterminate(result.arb());
  return results;
}

Ball evaluate_ball(Expr expression, const Point& point, long bits, Budget& budget) {
  Box box;
  for (const auto& [symbol, value] : point) set_rational(box[symbol].arb(), value, bits);
  return evaluate_balls({&expression, 1}, box, bits, budget)[0];
}

int constant_sign(Expr expression, Budget& budget) {
  for (long bits : {64, 512}) {
    Ball value = evaluate_ball(expression, {}, bits, budget);
    if (value.excludes_zero()) return arb_is_positive(value.arb()) ? 1 : -1;
  }
  return 0;
}

}  // namespace dalembert::canonical
