#pragma once
// Enclosures of expressions in ball arithmetic (Arb): what the exact value at a rational point, or anywhere in a box,
// must lie in.

#include <arb.h>

#include <dalembert/expr/expr.hpp>
#include <map>
#include <string>

#include "expr/canonical/poly.hpp"

namespace dalembert::canonical {

/// arb_t as a value.
class Ball {
 public:
  Ball() { arb_init(ball_); }
  Ball(const Ball& other) : Ball() { arb_set(ball_, other.ball_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(ball_, other.ball_); }
  Ball& operator=(Ball other) noexcept {
    arb_swap(ball_, other.ball_);
    return *this;
  }
  ~Ball() { arb_clear(ball_); }
  arb_struct* arb() { return ball_; }
  const arb_struct* arb() const { return ball_; }
  bool is_finite() const { return arb_is_finite(ball_) != 0; }
  bool excludes_zero() const { return is_finite() && arb_contains_zero(ball_) == 0; }
  std::string text(int digits = 8) const;

 private:
  arb_t ball_;
};

using Point = std::map<NodeId, mpq_class>;  ///< values of symbols
using Box = std::map<NodeId, Ball>;         ///< ranges of them

/// Not finite where the expression is undefined or not real there, or the precision does not tell.
Ball evaluate_ball(Expr expression, const Point& point, long bits, Budget& budget);
/// The same of several over a box: none is finite where one of them is not.
std::vector<Ball> evaluate_balls(std::span<const Expr> expressions, const Box& box, long bits, Budget& budget);
/// Of an expression without symbols: its sign if precision up to 512 bits tells, else 0.
int constant_sign(Expr expression, Budget& budget);

}  // namespace dalembert::canonical
