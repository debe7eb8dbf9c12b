// One-sided constraints, run by the command at a tolerance of 1e-13, meet the reference numbers: each to its own
// tolerance, or to 1e-10 where its own is tighter.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reference/reference.hpp"
#include "support/run_command.hpp"

namespace {

using nlohmann::json;
using reference::Quantity;

json simulate(const std::string& model, std::vector<std::string> options) {
  options.insert(options.begin(), {"simulate", "models:" + model, "--json", "--tolerance=1e-13"});
  const auto result = dalembert::testing_support::run_command(options, {.seconds = 100, .folder = {}});
  EXPECT_EQ(result.status, 0) << result.err;
  return json::parse(result.out);
}

/// The events of a name and kind, in order.
std::vector<json> events(const json& motion, const std::string& name, const std::string& kind) {
  std::vector<json> found;
  for (const json& event : motion.at("events"))
    if (event.at("name") == name && event.at("kind") == kind) found.push_back(event);
  return found;
}

double value(const json& motion, const json& row, const std::string& column) {
  const json& columns = motion.at("columns");
  return row.at(static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin()));
}

TEST(BouncingBall, impacts_come_when_the_formula_says_and_accumulate_where_their_sum_does) {
  const json motion = simulate("bouncing_ball", {});
  const std::vector<json> impacts = events(motion, "floor", "impact");
  const std::vector<json> ends = events(motion, "floor", "chattering ends");
  ASSERT_GT(impacts.size(), 5U);
  ASSERT_EQ(ends.size(), 1U);
  std::size_t met = 0;
  for (const Quantity& quantity : reference::read_case("bouncing_ball")) {
    const double tolerance = std::max(quantity.tolerance, 1e-10);
    if (quantity.name == "Zeno time") {
      EXPECT_NEAR(ends[0].at("t").get<double>(), quantity.value[0], tolerance);
      ++met;
      continue;
    }
    for (std::size_t k = 0; k < quantity.value.size(); ++k, ++met)
      EXPECT_NEAR(impacts[k].at("t").get<double>(), quantity.value[k], tolerance) << quantity.name;
  }
  EXPECT_EQ(met, 7U);
}

TEST(BouncingBall, it_rests_after_its_last_impact_with_the_floor_carrying_its_weight) {
  const json motion = simulate("bouncing_ball", {"--every=0.5"});
  EXPECT_EQ(motion.at("status"), "finished");
  for (const json& row : motion.at("rows")) {
    const double t = row.at(0);
    EXPECT_GE(value(motion, row, "z"), -1e-12) << "at t = " << t;
    EXPECT_NEAR(value(motion, row, "reaction(floor)"), t < 4.7 ? 0.0 : 9.81, 1e-12) << "at t = " << t;
  }
  EXPECT_NEAR(value(motion, motion.at("rows").back(), "z'"), 0, 1e-15);
}

struct Slide {
  std::string state;
  std::vector<std::string> options;
};

TEST(LiftOffFromASphere, angle_time_and_landing_are_those_of_the_closed_form) {
  const std::vector<Slide> slides = {{"theta0=0.1, thetadot0=0.0", {"--set=theta0=0.1", "--set=w0=0"}},
                                     {"theta0=0.0, thetadot0=0.5", {"--set=theta0=0", "--set=w0=0.5"}},
                                     {"theta0=0.2, thetadot0=1.0", {"--set=theta0=0.2", "--set=w0=1"}}};
  std::size_t met = 0;
  for (const Slide& slide : slides) {
    const json motion = simulate("unilateral_sphere_liftoff", slide.options);
    EXPECT_EQ(motion.at("status"), "event");
    const std::vector<json> lifts = events(motion, "sphere", "lift-off"), watched = events(motion, "lift", "record"),
                            landings = events(motion, "landing", "stop");
    ASSERT_EQ(lifts.size(), 1U);
    ASSERT_EQ(watched.size(), 1U);
    ASSERT_EQ(landings.size(), 1U);
    const json &lift = lifts[0].at("state"), &landing = landings[0].at("state");
    EXPECT_NEAR(watched[0].at("t").get<double>(), lifts[0].at("t").get<double>(), 1e-12);
    const auto expect = [&](const Quantity& quantity, const std::string& name, double seen) {
      if (quantity.state != slide.state || !quantity.name.starts_with(name)) return;
      EXPECT_NEAR(seen, quantity.value[0], std::max(quantity.tolerance, 1e-10)) << slide.state << ": " << quantity.name;
      ++met;
    };
    const double speed = std::hypot(value(motion, lift, "x'"), value(motion, lift, "z'"));
    for (const Quantity& quantity : reference::read_case("unilateral_sphere_liftoff")) {
      expect(quantity, "theta at lift-off", value(motion, lift, "theta"));
      expect(quantity, "time of lift-off", lifts[0].at("t"));
      expect(quantity, "thetadot at lift-off", speed / 0.7);
      expect(quantity, "N at start", value(motion, motion.at("rows")[0], "reaction(sphere)"));
      expect(quantity, "time of landing", landings[0].at("t"));
      expect(quantity, "x at landing", value(motion, landing, "x"));
    }
  }
  EXPECT_EQ(met, 18U);
}

TEST(BallsInARow, with_gaps_the_last_takes_all_the_speed_and_without_them_the_impact_is_shared) {
  const json apart = simulate("newtons_cradle", {});
  const json& last = apart.at("rows").back();
  EXPECT_NEAR(value(apart, last, "x1'"), 0, 1e-14);
  EXPECT_NEAR(value(apart, last, "x2'"), 0, 1e-14);
  EXPECT_NEAR(value(apart, last, "x3'"), 1, 1e-14);
  EXPECT_NEAR(apart.at("events")[1].at("t").get<double>(), 0.52, 1e-13);
  const json touching = simulate("newtons_cradle", {"--set=gap=0"});
  const json& after = touching.at("rows").back();
  EXPECT_NEAR(value(touching, after, "x1'"), -1.0 / 3, 1e-14);
  EXPECT_NEAR(value(touching, after, "x2'"), 2.0 / 3, 1e-14);
  EXPECT_NEAR(value(touching, after, "x3'"), 2.0 / 3, 1e-14);
}

}  // namespace
