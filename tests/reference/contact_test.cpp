// One-sided constraints, run by the command at a tolerance of 1e-13, meet the reference numbers: each to its own
// tolerance, or to 1e-10 where its own is tighter.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reference/reference.hpp"
#include "support/run_command.hpp"

namespace {

using nlohmann::json;
using reference::Quantity;

json simulate_file(const std::string& model, std::vector<std::string> options) {
  options.insert(options.begin(), {"simulate", model, "--json", "--tolerance=1e-13"});
  const auto result = dalembert::testing_support::run_command(options, {.seconds = 100, .folder = {}});
  EXPECT_EQ(result.status, 0) << result.err;
  return json::parse(result.out);
}

json simulate(const std::string& model, const std::vector<std::string>& options) {
  return simulate_file("models:" + model, options);
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

TEST(LiftOffFromASphere, is_the_same_by_every_principle) {
  const json by_multipliers = simulate("unilateral_sphere_liftoff", {});
  for (const std::string by : {"gauss", "projection", "hamel"}) {
    const json motion = simulate("unilateral_sphere_liftoff", {"--by=" + by});
    ASSERT_FALSE(by_multipliers.at("events").empty());
    ASSERT_EQ(motion.at("events").size(), by_multipliers.at("events").size()) << by;
    for (std::size_t k = 0; k < motion.at("events").size(); ++k) {
      EXPECT_EQ(motion.at("events")[k].at("kind"), by_multipliers.at("events")[k].at("kind")) << by;
      EXPECT_NEAR(motion.at("events")[k].at("t").get<double>(), by_multipliers.at("events")[k].at("t").get<double>(),
                  1e-10)
          << by;
    }
  }
}

TEST(PendulumAgainstAWall, its_reduction_has_the_same_impacts_and_the_same_reactions_of_rod_and_wall) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "pendulum_wall.toml";
  std::ofstream(file) << R"toml(
gravity = [0, -9.81, 0]
[coordinates]
x = 0.8
y = -0.6
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
wall = { relation = "x >= 0.28", restitution = 0.5 }
rod = "x^2 + y^2 = 1"
[reduction]
coordinates = { angle = "asin(0.8)" }
x = "sin(angle)"
y = "-cos(angle)"
[simulate]
until = 6
every = 0.5
)toml";
  const json full = simulate_file(file.string(), {}), reduced = simulate_file(file.string(), {"--by=reduced"});
  ASSERT_EQ(full.at("events").size(), reduced.at("events").size());
  EXPECT_EQ(events(full, "wall", "chattering ends").size(), 1U);
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_NEAR(full.at("events")[k].at("t").get<double>(), reduced.at("events")[k].at("t").get<double>(), 1e-10);
  ASSERT_GE(full.at("rows").size(), 2U);
  ASSERT_EQ(full.at("rows").size(), reduced.at("rows").size());
  for (std::size_t k = 0; k < full.at("rows").size(); ++k)
    for (const std::string column : {"x", "y", "reaction(wall)", "reaction(rod)"})
      EXPECT_NEAR(value(full, full.at("rows")[k], column), value(reduced, reduced.at("rows")[k], column), 1e-8)
          << column << " in row " << k;
  // At rest 2 y rod = g and wall = -2 x rod.
  const json& last = full.at("rows").back();
  EXPECT_NEAR(value(full, last, "reaction(rod)"), -9.81 / (2 * 0.96), 1e-9);
  EXPECT_NEAR(value(full, last, "reaction(wall)"), 0.28 * 9.81 / 0.96, 1e-9);
}

TEST(PlateOnFourCorners, falls_tilted_and_loses_energy_at_every_impact_until_rounding_hides_its_hops) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "plate.toml";
  std::ofstream out(file);
  out << R"toml(
gravity = [0, 0, -9.81]
[coordinates]
e0 = 1
e1 = 0.05
e2 = 0
e3 = { value = 0, rate = 0.5 }
x = 0
y = 0
z = 1
[frames.plate]
origin = ["x", "y", "z"]
rotate = [["quaternion", "e0", "e1", "e2", "e3"]]
[bodies.plate]
frame = "plate"
mass = 1
inertia = [0.1, 0.2, 0.25]
[simulate]
until = 1.5
every = 0.005
)toml";
  const std::string corners[] = {"0.3, 0.2", "0.3, -0.2", "-0.3, 0.2", "-0.3, -0.2"};
  for (int k = 0; k < 4; ++k)
    out << "[points.p" << k << "]\nframe = \"plate\"\nposition = [" << corners[k] << ", -0.1]\n";
  out << "[constraints]\n";
  for (int k = 0; k < 4; ++k)
    out << "c" << k << " = { relation = \"position(p" << k << ").z >= 0\", restitution = 0.3 }\n";
  out.close();
  const json motion = simulate_file(file.string(), {"--project-initial"});
  EXPECT_EQ(motion.at("status"), "finished") << motion.at("message");
  EXPECT_GT(motion.at("events").size(), 20U);
  double energy = 1e300;
  for (const json& row : motion.at("rows")) {
    EXPECT_LE(value(motion, row, "energy"), energy + 1e-9) << "at t = " << row.at(0);
    energy = value(motion, row, "energy");
    EXPECT_LE(value(motion, row, "residual"), 1e-12) << "at t = " << row.at(0);
  }
}

json reactions(const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"reactions", "models:block_on_table", "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const auto result = dalembert::testing_support::run_command(arguments, {.seconds = 100, .folder = {}});
  EXPECT_EQ(result.status, 0) << result.err;
  return json::parse(result.out).at("reactions");
}

// Corners at (a, b), (a, -b), (-a, b), (-a, -b); weight W with its centre over (cx, cy).
constexpr double a = 0.3, b = 0.2, h = 0.4, W = 2 * 9.81, F = 8;

TEST(BlockOnATable, its_four_loads_are_not_unique_and_those_of_least_norm) {
  // W/4 (1 + x cx/a^2 + y cy/b^2) is linear in the corner's place, so orthogonal to the one free distribution (+ - -
  // +).
  const json found = reactions({});
  const double x[] = {a, a, -a, -a}, y[] = {b, -b, b, -b};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(found[k].at("unique"), false);
    const double expected = W / 4 * (1 + x[k] * 0.1 / (a * a) + y[k] * 0.05 / (b * b));
    EXPECT_NEAR(found[k].at("multiplier").at("value").get<double>(), expected, 1e-12);
  }
  EXPECT_EQ(found[4].at("unique"), true);
}

TEST(BlockOnATable, no_load_is_negative_where_the_least_norm_alone_would_have_one) {
  const json found = reactions({"--set=cx=0.25", "--set=cy=0.1"});
  const double expected[] = {13.08, 4.905, 1.635, 0};  // moments about the two axes with the last corner free
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(found[k].at("multiplier").at("value").get<double>(), expected[k], 1e-12);
}

TEST(BlockOnATable, it_stands_with_its_whole_weight_until_the_push_tips_it_over_its_front_edge) {
  const json motion = simulate("block_on_table", {});
  EXPECT_EQ(motion.at("status"), "finished");
  const double tips = W * (a - 0.1) / (F * h);
  for (const std::string corner : {"back_left", "back_right"}) {
    const std::vector<json> lifts = events(motion, corner, "lift-off");
    ASSERT_EQ(lifts.size(), 1U) << corner;
    EXPECT_NEAR(lifts[0].at("t").get<double>(), tips, 1e-10);
  }
  EXPECT_EQ(motion.at("events").size(), 2U);
  for (const json& row : motion.at("rows")) {
    const double t = row.at(0);
    double sum = 0;
    for (const std::string corner : {"front_left", "front_right", "back_left", "back_right"}) {
      const double load = value(motion, row, "reaction(" + corner + ")");
      EXPECT_GE(load, -1e-10) << corner << " at t = " << t;
      sum += load;
    }
    EXPECT_NEAR(value(motion, row, "load"), sum, 1e-12);
    if (t < tips) {
      EXPECT_NEAR(sum, W, 1e-10) << "at t = " << t;
    }
    if (t < tips) {
      EXPECT_NEAR(value(motion, row, "pit"), 0, 1e-12) << "at t = " << t;
    }
  }
  EXPECT_GT(value(motion, motion.at("rows").back(), "pit"), 0.01);
}

}  // namespace
