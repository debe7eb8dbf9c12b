#include "mechanics/simplify.hpp"

namespace dalembert {

Simplifier::Simplifier(double seconds, Form form)
    : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      form_(form) {}

Expr Simplifier::operator()(Expr expression) {
  if (expression.op() == Op::constant || expression.op() == Op::symbol) return expression;
  CanonicalLimits limits;
  limits.seconds = std::chrono::duration<double>(deadline_ - Clock::now()).count();
  if (limits.seconds <= 0) {
    exhausted_ = true;
    return expression;
  }
  Displayed simple =
      form_ == Form::canonical ? make_canonical(expression, limits) : make_display(expression, {}, limits);
  exhausted_ |= !simple.complete;
  return simple.expression;
}

}  // namespace dalembert
