#include <dalembert/expr/expr.hpp>

// The operators and functions that users of the graph write.

namespace dalembert {

std::string_view function_name(Op op) {
  switch (op) {
    case Op::sin: return "sin";
    case Op::cos: return "cos";
    case Op::tan: return "tan";
    case Op::asin: return "asin";
    case Op::acos: return "acos";
    case Op::atan: return "atan";
    case Op::sinh: return "sinh";
    case Op::cosh: return "cosh";
    case Op::tanh: return "tanh";
    case Op::exp: return "exp";
    case Op::log: return "log";
    case Op::abs: return "abs";
    case Op::sign: return "sign";
    case Op::atan2: return "atan2";
    case Op::min: return "min";
    case Op::max: return "max";
    default: return "";
  }
}

Expr operator+(Expr a, Expr b) {
  Expr terms[] = {a, b};
  return a.graph().sum(terms);
}
Expr operator-(Expr a, Expr b) { return a + (-b); }
Expr operator*(Expr a, Expr b) {
  Expr factors[] = {a, b};
  return a.graph().product(factors);
}
Expr operator/(Expr a, Expr b) { return a * pow(b, -1); }
Expr operator-(Expr a) { return a * a.graph()[a.graph().minus_one()]; }

Expr operator+(Expr a, long b) { return a + a.graph().constant(b); }
Expr operator+(long a, Expr b) { return b.graph().constant(a) + b; }
Expr operator-(Expr a, long b) { return a - a.graph().constant(b); }
Expr operator-(long a, Expr b) { return b.graph().constant(a) - b; }
Expr operator*(Expr a, long b) { return a * a.graph().constant(b); }
Expr operator*(long a, Expr b) { return b.graph().constant(a) * b; }
Expr operator/(Expr a, long b) { return a / a.graph().constant(b); }
Expr operator/(long a, Expr b) { return b.graph().constant(a) / b; }

Expr pow(Expr base, long exponent) { return base.graph().power(base, mpq_class(exponent)); }
Expr pow(Expr base, Expr exponent) { return base.graph().power(base, exponent); }
Expr sqrt(Expr a) { return a.graph().power(a, mpq_class(1, 2)); }

Expr sin(Expr a) { return a.graph().unary(Op::sin, a); }
Expr cos(Expr a) { return a.graph().unary(Op::cos, a); }
Expr tan(Expr a) { return a.graph().unary(Op::tan, a); }
Expr asin(Expr a) { return a.graph().unary(Op::asin, a); }
Expr acos(Expr a) { return a.graph().unary(Op::acos, a); }
Expr atan(Expr a) { return a.graph().unary(Op::atan, a); }
Expr sinh(Expr a) { return a.graph().unary(Op::sinh, a); }
Expr cosh(Expr a) { return a.graph().unary(Op::cosh, a); }
Expr tanh(Expr a) { return a.graph().unary(Op::tanh, a); }
Expr exp(Expr a) { return a.graph().unary(Op::exp, a); }
Expr log(Expr a) { return a.graph().unary(Op::log, a); }
Expr abs(Expr a) { return a.graph().unary(Op::abs, a); }
Expr sign(Expr a) { return a.graph().unary(Op::sign, a); }
Expr atan2(Expr y, Expr x) { return y.graph().atan2(y, x); }
Expr min(Expr a, Expr b) {
  Expr arguments[] = {a, b};
  return a.graph().extremum(Op::min, arguments);
}
Expr max(Expr a, Expr b) {
  Expr arguments[] = {a, b};
  return a.graph().extremum(Op::max, arguments);
}

}  // namespace dalembert
