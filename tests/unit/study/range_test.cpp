// The largest reaction over the range that the energy leaves, against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <numbers>

#include "study/writer.hpp"

using namespace dalembert;

namespace {

struct Case {
  Graph graph;
  std::optional<OverRange> range(const std::string& square, const std::string& value, double start) {
    Expr q = graph.symbol("q");
    return find_over_range(parse_expression(graph, square), parse_expression(graph, value), q, start, {});
  }
};

}  // namespace

TEST(OverRange, PendulumFromRestIsPulledMostAtTheBottom) {
  auto range = Case().range("2*(cos(q) - cos(1.1))", "cos(q) + 2*(cos(q) - cos(1.1))", 1.1);
  ASSERT_TRUE(range);
  // Ends are roots of the square, found to its rounding over its slope; a maximum to the root of rounding.
  const double rounding = 8 * 2.2e-16 / std::sin(1.1);
  EXPECT_NEAR(range->from, -1.1, rounding);
  EXPECT_NEAR(range->to, 1.1, rounding);
  EXPECT_NEAR(range->at, 0, 4 * std::sqrt(2.2e-16));
  EXPECT_NEAR(range->largest, 3 - 2 * std::cos(1.1), 8e-16);
  EXPECT_FALSE(range->is_full_turn);
}

TEST(OverRange, PendulumThatTurnsRightRoundIsSeenOverAFullTurn) {
  auto range = Case().range("5 + 2*cos(q)", "5 + 3*cos(q)", 0.3);
  ASSERT_TRUE(range);
  EXPECT_TRUE(range->is_full_turn);
  EXPECT_DOUBLE_EQ(range->to - range->from, 2 * std::numbers::pi);
  EXPECT_NEAR(range->largest, 8, 1e-14);
}

TEST(OverRange, SpringBetweenItsTurningPoints) {
  auto range = Case().range("4 - 9*q^2", "q^3 - q", 0.1);
  ASSERT_TRUE(range);
  EXPECT_NEAR(range->from, -2.0 / 3, 1e-15);
  EXPECT_NEAR(range->to, 2.0 / 3, 1e-15);
  EXPECT_NEAR(std::fabs(range->largest), 2 / (3 * std::sqrt(3.0)), 1e-15);
}

TEST(OverRange, NoEndNoMaximum) { EXPECT_FALSE(Case().range("1 + q^2", "q", 0.5)); }
