#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert {
namespace {

/// A mass on a rod of length 1, at the bottom, thrown sideways with speed^2 = 4 g l.
Model thrown_pendulum(const std::string& more = "") {
  return make_model(
      parse_description("gravity = [0, \"-g\", 0]\n[parameters]\ng = 9\n"
                        "[coordinates]\nx = { value = 0, rate = 6 }\ny = -1\n"
                        "[points.P]\nposition = [\"x\", \"y\", 0]\nmass = 2\n"
                        "[constraints]\nrod = \"x^2 + y^2 = 1\"\n" +
                        more));
}

SimulateOptions until(double time) {
  SimulateOptions options;
  options.until = time;
  options.every = 0.1;
  options.tolerance = 1e-12;
  return options;
}

TEST(Restart, FromAStateOfTheMotionGoesOnAsTheMotionDoes) {
  const Model model = thrown_pendulum();
  const Equations equations = derive_multipliers(model);
  const Trajectory whole = System(equations).simulate(until(2)), half = System(equations).simulate(until(0.95));
  ASSERT_EQ(half.status, Status::finished);
  EXPECT_EQ(half.last.t, 0.95);
  SimulateOptions options = until(2);
  options.start = half.last;
  const Trajectory rest = System(equations).simulate(options);
  ASSERT_EQ(rest.status, Status::finished) << rest.message;
  // Rows: the start, then k * every counted from time zero.
  ASSERT_EQ(rest.rows.size(), 12u);
  for (std::size_t k = 0; k < rest.columns.size(); ++k) EXPECT_NEAR(rest.rows[0][k], half.rows.back()[k], 1e-13);
  for (std::size_t i = 1; i < rest.rows.size(); ++i) {
    const Table::Row row = rest.rows[i], same = whole.rows[i + 9];
    EXPECT_EQ(row[0], same[0]);
    for (std::size_t k = 1; k < row.size(); ++k) EXPECT_NEAR(row[k], same[k], 1e-9) << rest.columns[k];
  }
}

TEST(Restart, FromAStateOffTheConstraintsIsRefused) {
  const Model model = thrown_pendulum();
  SimulateOptions options = until(2);
  options.start = State{1, {0.5, -1}, {0, 0}};
  EXPECT_THROW(System(derive_multipliers(model)).simulate(options), ModelError);
}

TEST(Endings, AFallIntoTheCentreEndsWhereNoStepIsSmallEnough) {
  // x'' = -1/x^2 from rest at 1 arrives at 0 after pi / (2 sqrt(2)) with unbounded speed.
  const Model model =
      make_model(parse_description("[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"-1/x\"\n"));
  const Trajectory r = System(derive_multipliers(model)).simulate(until(3));
  EXPECT_EQ(r.status, Status::step_underflow) << r.message;
  EXPECT_EQ(status_name(r.status), "step-underflow");
  EXPECT_NE(r.message.find("the step fell to"), std::string::npos) << r.message;
  ASSERT_EQ(r.rows.size(), 12u);  // those at 0, 0.1, ..., 1.1 are kept
  const double x = r.rows[11][1], speed = r.rows[11][2];
  EXPECT_NEAR(std::acos(std::sqrt(x)) + std::sqrt(x * (1 - x)), 1.1 * std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(speed * speed / 2 - 1 / x, -1, 1e-8);
}

TEST(Endings, DryFrictionThatComesToRestOnItsJumpEndsThere) {
  // x'' = -sign(x') from x' = 1: at rest at t = 1, where no smooth motion goes on.
  const Model model = make_model(parse_description(
      "[coordinates]\nx = { value = 0, rate = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"-sign(x')\"\n"));
  const Trajectory r = System(derive_multipliers(model)).simulate(until(10));
  EXPECT_EQ(r.status, Status::step_underflow) << r.message;
  EXPECT_NE(r.message.find("a force jumps there"), std::string::npos) << r.message;
  EXPECT_NEAR(r.last.t, 1, 0.1);
}

TEST(Events, MayReadReactions) {
  // m v^2 / l + m g cos(theta) = 0 with v^2 = 4 g l - 2 g l (1 - cos(theta)): the rod goes slack at cos(theta) = -2/3.
  const Model model =
      thrown_pendulum("[events]\nslack = { when = \"reaction(rod)\", direction = \"rising\", action = \"stop\" }\n");
  const Trajectory r = System(derive_multipliers(model)).simulate(until(5));
  ASSERT_EQ(r.status, Status::event) << r.message;
  ASSERT_EQ(r.events.size(), 1u);
  EXPECT_EQ(r.events[0].name, "slack");
  EXPECT_NEAR(r.last.q[1], 2.0 / 3, 1e-9);
  EXPECT_NEAR(r.last.u[0] * r.last.u[0] + r.last.u[1] * r.last.u[1], 6, 1e-8);
  const auto rod = std::ranges::find(r.columns, "reaction(rod)") - r.columns.begin();
  EXPECT_NEAR(r.rows.back()[static_cast<std::size_t>(rod)], 0, 1e-8);
}

}  // namespace
}  // namespace dalembert
