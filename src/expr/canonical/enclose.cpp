#include <dalembert/expr/enclose.hpp>

#include "expr/canonical/ball.hpp"

namespace dalembert {
namespace {

using canonical::Ball;

Range to_range(const Ball& ball) {
  if (!ball.is_finite()) return {};
  Range range;
  range.middle = arf_get_d(arb_midref(ball.arb()), ARF_RND_NEAR);
  Ball middle, rest;
  arb_set_d(middle.arb(), range.middle);
  arb_sub(rest.arb(), ball.arb(), middle.arb(), 53);
  mag_t size;
  mag_init(size);
  arb_get_mag(size, rest.arb());  // from above, with 30 bits: as a double it is what it is
  range.radius = mag_get_d(size);
  mag_clear(size);
  return range;
}

}  // namespace

std::vector<Range> enclose(std::span<const Expr> formulas, std::span<const Around> box, double work) {
  constexpr long bits = 96;  // half as many again as a double has: what cancels leaves more than the box is wide
  std::vector<Range> ranges(formulas.size());
  if (formulas.empty()) return ranges;
  CanonicalLimits limits;
  limits.work = work;
  canonical::Budget budget(limits);
  try {
    canonical::Box balls;
    for (const Around& around : box) {
      Ball ball = canonical::evaluate_ball(around.value, {}, bits, budget);
      Ball radius;
      arb_set_d(radius.arb(), around.radius);
      arb_add_error(ball.arb(), radius.arb());
      balls.emplace(around.symbol.id(), std::move(ball));
    }
    std::vector<Ball> values = canonical::evaluate_balls(formulas, balls, bits, budget);
    for (std::size_t i = 0; i < values.size(); ++i) ranges[i] = to_range(values[i]);
  } catch (const canonical::TooLarge&) {
    ranges.assign(formulas.size(), {});
  }
  return ranges;
}

}  // namespace dalembert
