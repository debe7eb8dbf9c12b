#include "study/functions.hpp"

#include "expr/walk.hpp"

namespace dalembert {
namespace {

Tracked square_root(Tracked x) {
  double root = std::sqrt(x.value);
  return applied(root, 0.5 / root, x);
}

/// x ^ p for a number p.
Tracked raise(Tracked x, double p) {
  if (p == 0) return 1;
  if (p == 1) return x;
  if (p == 2) return x * x;
  if (p == 0.5) return square_root(x);
  return applied(std::pow(x.value, p), p * std::pow(x.value, p - 1), x);
}

/// Value, slope and curvature of the functions of one argument.
struct Behaviour {
  Tracked value, slope, curvature;
};

Behaviour behaviour(Op op, Tracked x) {
  auto f = [&](double (*function)(double), double slope) { return applied(function(x.value), slope, x); };
  switch (op) {
    case Op::sin: {
      Tracked s = f(std::sin, std::cos(x.value)), c = f(std::cos, std::sin(x.value));
      return {s, c, -s};
    }
    case Op::cos: {
      Tracked s = f(std::sin, std::cos(x.value)), c = f(std::cos, std::sin(x.value));
      return {c, -s, -c};
    }
    case Op::tan: {
      Tracked t = f(std::tan, 1 + std::pow(std::tan(x.value), 2)), slope = Tracked(1) + t * t;
      return {t, slope, Tracked(2) * t * slope};
    }
    case Op::asin:
    case Op::acos: {
      Tracked rest = Tracked(1) - x * x, slope = Tracked(1) / square_root(rest), curvature = x * slope / rest;
      if (op == Op::asin) return {f(std::asin, slope.value), slope, curvature};
      return {f(std::acos, slope.value), -slope, -curvature};
    }
    case Op::atan: {
      Tracked slope = Tracked(1) / (Tracked(1) + x * x);
      return {f(std::atan, slope.value), slope, Tracked(-2) * x * slope * slope};
    }
    case Op::sinh:
    case Op::cosh: {
      Tracked s = f(std::sinh, std::cosh(x.value)), c = f(std::cosh, std::sinh(x.value));
      return op == Op::sinh ? Behaviour{s, c, s} : Behaviour{c, s, c};
    }
    case Op::tanh: {
      Tracked t = f(std::tanh, 1), slope = Tracked(1) - t * t;
      return {t, slope, Tracked(-2) * t * slope};
    }
    case Op::exp: {
      Tracked e = f(std::exp, std::exp(x.value));
      return {e, e, e};
    }
    case Op::log: return {f(std::log, 1 / x.value), Tracked(1) / x, Tracked(-1) / (x * x)};
    case Op::abs: return {{std::abs(x.value), x.error}, double((x.value > 0) - (x.value < 0)), 0};
    default: return {double((x.value > 0) - (x.value < 0)), 0, 0};  // sign
  }
}

Tracked tracked_value(const Tracked& x) { return x; }
Tracked tracked_value(const Jet& x) { return x.v; }

Tracked apply_unary(Op op, const Tracked& x) { return behaviour(op, x).value; }
Jet apply_unary(Op op, const Jet& x) {
  Behaviour at = behaviour(op, x.v);
  return chain(x, at.value, at.slope, at.curvature);
}

Tracked apply_exponent(const Tracked& x, double p) { return raise(x, p); }
Jet apply_exponent(const Jet& x, double p) {
  Tracked slope = p == 0 ? Tracked(0) : Tracked(p) * raise(x.v, p - 1);
  Tracked curvature = p * (p - 1) == 0 ? Tracked(0) : Tracked(p * (p - 1)) * raise(x.v, p - 2);
  return chain(x, raise(x.v, p), slope, curvature);
}

template <class Number>
Number apply_power(const Number& base, const Number& exponent) {
  return apply_unary(Op::exp, exponent * apply_unary(Op::log, base));
}

/// The angle of (x, y). Away from x = 0 it is atan(y/x) and else pi/2 - atan(x/y), up to a constant: same derivatives.
template <class Number>
Number apply_atan2(const Number& y, const Number& x) {
  double dy = tracked_value(y).value, dx = tracked_value(x).value;
  bool flat = std::abs(dx) >= std::abs(dy);
  Number turned = apply_unary(Op::atan, flat ? y * apply_exponent(x, -1) : -(x * apply_exponent(y, -1)));
  double angle = std::atan2(dy, dx);
  return turned + Number(Tracked(angle - tracked_value(turned).value, tolerance::epsilon * std::abs(angle)));
}

Tracked tracked_constant(const mpq_class& value) {
  double nearest = value.get_d();
  if (!std::isfinite(nearest)) return {nearest, std::numeric_limits<double>::infinity()};  // beyond 1e308
  return {nearest, mpq_class(nearest) == value ? 0 : tolerance::epsilon * std::abs(nearest)};
}

template <class Number>
std::vector<Number> evaluate_as(std::span<const Expr> expressions, const Values<Number>& values) {
  if (expressions.empty()) return {};
  Graph& graph = expressions[0].graph();
  auto constant = [&](NodeId id) { return Number(tracked_constant(graph.value(id))); };
  return walk_values<Number>(graph, expressions, [&](NodeId id, auto& at) -> Number {
    auto arguments = graph.arguments(id);
    switch (Op op = graph.op(id)) {
      case Op::constant: return constant(id);
      case Op::pi: return Number(Tracked(M_PI, tolerance::epsilon * M_PI));
      case Op::symbol: {
        auto found = values.find(id);
        return found == values.end() ? Number(std::numeric_limits<double>::quiet_NaN()) : found->second;
      }
      case Op::sum: {
        Number total = constant(graph.offset(id));
        for (const Part& part : graph.parts(id)) total = total + constant(part.weight) * at(part.node);
        return total;
      }
      case Op::product: {
        Number total = 1.0;
        for (const Part& part : graph.parts(id))
          total = total * apply_exponent(at(part.node), graph.value(part.weight).get_d());
        return total;
      }
      case Op::power: return apply_power(at(arguments[0]), at(arguments[1]));
      case Op::atan2: return apply_atan2(at(arguments[0]), at(arguments[1]));
      case Op::min:
      case Op::max: {
        Number best = at(arguments[0]);
        for (NodeId argument : arguments.subspan(1)) {
          const Number& other = at(argument);
          bool less = tracked_value(other).value < tracked_value(best).value;
          if (less == (op == Op::min)) best = other;
        }
        return best;
      }
      default: return apply_unary(op, at(arguments[0]));
    }
  });
}

}  // namespace

std::vector<Tracked> evaluate_tracked(std::span<const Expr> expressions, const Values<Tracked>& values) {
  return evaluate_as(expressions, values);
}

std::vector<Jet> evaluate_jets(std::span<const Expr> expressions, const Values<Jet>& values) {
  return evaluate_as(expressions, values);
}

}  // namespace dalembert
