#include "mechanics/simplify.hpp"

namespace dalembert {

Expr Simplifier::operator()(Expr expression) {
  if (expression.op() == Op::constant || expression.op() == Op::symbol) return expression;
  if (work_.is_used_up()) {
    exhausted_ = true;
    return expression;
  }
  CanonicalLimits limits;
  limits.work = work_.left();
  Displayed simple =
      form_ == Form::canonical ? make_canonical(expression, limits) : make_display(expression, {}, limits);
  work_.spend(simple.work);
  exhausted_ |= !simple.complete;
  return simple.expression;
}

}  // namespace dalembert
