#include <gtest/gtest.h>

#include <cmath>

#include "unit/simulate/models.hpp"

using namespace dalembert;
using namespace dalembert::testing;

namespace {

// Cranks p and r from the upward vertical, coupler c from the horizontal, all of length 1; the cranks turn over and
// over and are flat twice a turn, where the constraint in x vanishes to first order.
Written four_bar() {
  Written w;
  w.coordinates = {{"p", 0, 1}, {"c", 0, 0}, {"r", 0, 1}};
  w.kinetic = "(p'^2 + c'^2 + r'^2)/2";
  w.potential = "4*(cos(p) + cos(r))";
  w.constraints = {{"x", "sin(p) + cos(c) - sin(r) = 1"}, {"y", "cos(p) + sin(c) - cos(r) = 0"}};
  return w;
}

TEST(Crossing, AFourBarPassesItsFlatConfigurationsOnTheParallelBranch) {
  Written single;  // the branch itself: r = p, c = 0
  single.coordinates = {{"p", 0, 1}};
  single.kinetic = "p'^2";
  single.potential = "8*cos(p)";
  const Trajectory truth = run(single, 10, 1e-13), r = run(four_bar(), 10, 1e-11);
  ASSERT_EQ(r.status, Status::finished) << r.message;
  ASSERT_EQ(r.rows.size(), truth.rows.size());
  EXPECT_GE(r.statistics.crossings, 4u);
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    EXPECT_NEAR(value_of(r, i, "p"), value_of(truth, i, "p"), 1e-7);
    EXPECT_NEAR(value_of(r, i, "r"), value_of(truth, i, "p"), 1e-7);
    EXPECT_LE(value_of(r, i, "residual"), 1e-12);
  }
}

}  // namespace
