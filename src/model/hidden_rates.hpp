#pragma once
// Hand-written formulas of rates may lack the rate of a constant that is released.

#include <dalembert/model/model.hpp>

namespace dalembert {

/// A differential constraint whose hand-written part depends on c without saying what c' does in it. What is written
/// with velocity() and omega() is formed again and hides nothing.
bool hides_rate(const Constraint& constraint, const Coordinate& c, std::span<const Expr> rates);
/// An energy that depends on c together with rates, and not on c'.
bool hides_rate(Expr energy, const Coordinate& c, std::span<const Expr> rates);

}  // namespace dalembert
