#include <gtest/gtest.h>

#include <cmath>

#include "unit/simulate/models.hpp"

using namespace dalembert;
using namespace dalembert::testing;

namespace {

Written angle_pendulum() {
  return {.parameters = {{"m", "1.3"}, {"l", "0.9"}, {"g", "9.81"}},
          .coordinates = {{"theta", 0.7, 0.4}},
          .kinetic = "m*l^2*theta'^2/2",
          .potential = "-m*g*l*cos(theta)",
          .lagrangian = "",
          .forces = {},
          .constraints = {},
          .frame = {},
          .outputs = {},
          .crossings = {}};
}

Written cartesian_pendulum() {
  Written w = angle_pendulum();
  const double l = 0.9, a = 0.7, r = 0.4;
  w.coordinates = {{"x", l * std::sin(a), l * std::cos(a) * r}, {"y", -l * std::cos(a), l * std::sin(a) * r}};
  w.kinetic = "m*(x'^2 + y'^2)/2";
  w.potential = "m*g*y";
  w.constraints = {{"rod", "x^2 + y^2 = l^2"}};
  return w;
}

TEST(Simulate, CartesianPendulumMovesLikeItsAngle) {
  const Trajectory angle = run(angle_pendulum(), 10, 1e-12), plane = run(cartesian_pendulum(), 10, 1e-12);
  ASSERT_EQ(angle.status, Status::finished);
  ASSERT_EQ(plane.status, Status::finished);
  ASSERT_EQ(angle.rows.size(), 101u);
  ASSERT_EQ(plane.rows.size(), 101u);
  for (std::size_t i = 0; i < plane.rows.size(); ++i) {
    const double theta = value_of(angle, i, "theta"), rate = value_of(angle, i, "theta'");
    EXPECT_EQ(value_of(plane, i, "t"), static_cast<double>(i) / 10);  // as 0.1 is written
    EXPECT_NEAR(value_of(plane, i, "x"), 0.9 * std::sin(theta), 1e-10);
    EXPECT_NEAR(value_of(plane, i, "y'"), 0.9 * std::sin(theta) * rate, 1e-9);
    // lambda of f = x^2 + y^2 - l^2: 2 lambda l is the force along the rod, minus the tension.
    const double tension = 1.3 * (9.81 * std::cos(theta) + 0.9 * rate * rate);
    EXPECT_NEAR(value_of(plane, i, "reaction(rod)"), -tension / (2 * 0.9), 1e-9);
    EXPECT_LE(value_of(plane, i, "residual"), 1e-13);
  }
  EXPECT_LT(plane.summary.energy.largest, 1e-10 * plane.summary.largest_kinetic);
}

}  // namespace
