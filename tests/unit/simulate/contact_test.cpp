// Motions under one-sided constraints: against closed forms, against other descriptions of the same system, and the
// laws that hold for all of them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "unit/simulate/models.hpp"

namespace {

using namespace dalembert;
using namespace dalembert::testing;

constexpr double g = 9.81;

std::vector<EventRecord> events(const Trajectory& motion, const std::string& name, const std::string& kind) {
  std::vector<EventRecord> found;
  for (const EventRecord& event : motion.events)
    if (event.name == name && event.kind == kind) found.push_back(event);
  return found;
}

double at(const Trajectory& motion, const EventRecord& event, const std::string& column) {
  for (std::size_t k = 0; k < motion.columns.size(); ++k)
    if (motion.columns[k] == column) return event.state[k];
  throw std::out_of_range(column);
}

/// A ball of mass 2 over a floor at height f(t).
Written ball_over(const std::string& floor, double height, double speed, double restitution = 0) {
  Written w;
  w.coordinates = {{"z", height, speed}};
  w.kinetic = "z'^2";
  w.potential = "2*9.81*z";
  w.contacts = {{"floor", "z - (" + floor + ")", restitution}};
  return w;
}

TEST(Contact, a_ball_stays_on_a_shaking_floor_whose_acceleration_is_less_than_gravity) {
  const Trajectory motion = run(ball_over("0.1*sin(5*t)", 0, 0.5), 3, 1e-12);
  EXPECT_EQ(motion.status, Status::finished);
  EXPECT_TRUE(motion.events.empty());
  for (std::size_t k = 0; k < motion.rows.size(); ++k) {
    const double t = motion.rows[k][0];
    EXPECT_NEAR(value_of(motion, k, "z"), 0.1 * std::sin(5 * t), 1e-13);
    EXPECT_NEAR(value_of(motion, k, "reaction(floor)"), 2 * (g - 2.5 * std::sin(5 * t)), 1e-10);
  }
  EXPECT_LT(motion.summary.balance.largest, 1e-9);
}

TEST(Contact, a_floor_that_falls_faster_than_gravity_lets_the_ball_fly_and_meets_it_again) {
  const Trajectory motion = run(ball_over("0.1*sin(20*t)", 0, 2), 0.6, 1e-12, 0.005);
  const double lift = std::asin(g / 40) / 20;  // 0.1 w^2 sin(w t) = g
  ASSERT_GE(motion.events.size(), 2U);
  EXPECT_EQ(motion.events[0].kind, "lift-off");
  EXPECT_NEAR(motion.events[0].t, lift, 1e-11);
  const double landing = motion.events[1].t, flight = landing - lift;
  // Without rebound it stays only where the floor does not fall away under it.
  EXPECT_EQ(motion.events[1].kind, 40 * std::sin(20 * landing) > g ? "impact" : "touch-down");
  const double height = 0.1 * std::sin(20 * lift) + 2 * std::cos(20 * lift) * flight - g / 2 * flight * flight;
  EXPECT_NEAR(height, 0.1 * std::sin(20 * landing), 1e-11);
  EXPECT_LT(motion.summary.balance.largest, 1e-9);
}

TEST(Contact, a_ceiling_is_a_floor_upside_down_with_a_reaction_of_the_other_sign) {
  Written floor = ball_over("0", 1, 0, 0.5), ceiling = floor;
  ceiling.coordinates = {{"z", -1, 0}};
  ceiling.potential = "-2*9.81*z";
  ceiling.contacts[0].upper = true;
  const Trajectory down = run(floor, 3, 1e-10), up = run(ceiling, 3, 1e-10);
  ASSERT_EQ(down.rows.size(), up.rows.size());
  for (std::size_t k = 0; k < down.rows.size(); ++k) {
    EXPECT_EQ(value_of(down, k, "z"), -value_of(up, k, "z"));
    EXPECT_EQ(value_of(down, k, "reaction(floor)"), -value_of(up, k, "reaction(floor)"));
  }
  EXPECT_NEAR(last_of(up, "reaction(floor)"), -2 * g, 1e-12);
}

TEST(Contact, a_pendulum_on_a_rod_strikes_a_wall_as_its_angle_strikes_the_wall_s_angle) {
  Written cartesian, angle;
  cartesian.coordinates = {{"x", 0.8, 0}, {"y", -0.6, 0}};
  cartesian.kinetic = "(x'^2 + y'^2)/2";
  cartesian.potential = "9.81*y";
  cartesian.constraints = {{"rod", "x^2 + y^2 = 1"}};
  cartesian.contacts = {{"wall", "x + 0.28", 0.7}};
  angle.coordinates = {{"a", std::asin(0.8), 0}};
  angle.kinetic = "a'^2/2";
  angle.potential = "-9.81*cos(a)";
  angle.contacts = {{"wall", "a + asin(0.28)", 0.7}};
  const Trajectory one = run(cartesian, 6, 1e-12), other = run(angle, 6, 1e-12);
  ASSERT_GT(one.events.size(), 3U);
  ASSERT_EQ(one.events.size(), other.events.size());
  for (std::size_t k = 0; k < one.events.size(); ++k) {
    EXPECT_EQ(one.events[k].kind, other.events[k].kind);
    EXPECT_NEAR(one.events[k].t, other.events[k].t, 1e-9);
  }
  for (std::size_t k = 0; k < one.rows.size(); ++k)
    EXPECT_NEAR(value_of(one, k, "x"), std::sin(value_of(other, k, "a")), 1e-8);
}

TEST(Contact, a_string_goes_slack_where_its_pull_ends_and_is_taut_again_where_the_parabola_meets_the_circle) {
  // From the bottom of a circle with v^2 = 3.5 g: slack at height cos = -(v^2 - 2g)/(3g) from above, that is 1/2.
  Written w;
  w.coordinates = {{"x", 0, std::sqrt(3.5 * g)}, {"y", -1, 0}};
  w.kinetic = "(x'^2 + y'^2)/2";
  w.potential = "9.81*y";
  w.contacts = {{"string", "x^2 + y^2 - 1", 0, true}};
  const Trajectory motion = run(w, 2, 1e-12);
  const std::vector<EventRecord> slack = events(motion, "string", "lift-off");
  const std::vector<EventRecord> taut = events(motion, "string", "touch-down");
  ASSERT_GE(slack.size(), 1U);
  ASSERT_GE(taut.size(), 1U);
  EXPECT_NEAR(at(motion, slack[0], "y"), 0.5, 1e-10);
  // From there the parabola meets the circle again after 4 sin(b) sqrt(cos(b)/g), b = 60 degrees from the top.
  const double flight = 4 * std::sqrt(0.75) * std::sqrt(0.5 / g);
  EXPECT_NEAR(taut[0].t - slack[0].t, flight, 1e-10);
  for (std::size_t k = 0; k < motion.rows.size(); ++k) {
    EXPECT_LE(value_of(motion, k, "reaction(string)"), 1e-10);
    EXPECT_LE(std::hypot(value_of(motion, k, "x"), value_of(motion, k, "y")), 1 + 1e-12);
  }
}

TEST(Contact, a_path_that_only_touches_goes_on) {
  Written w;
  w.coordinates = {{"x", 1, -2}};
  w.kinetic = "x'^2/2";
  w.potential = "-2*x";
  w.contacts = {{"wall", "x", 1}};
  EXPECT_NEAR(last_of(run(w, 2, 1e-10), "x"), 1, 1e-7);
  // A little lower it strikes; without rebound it leaves with the acceleration 2 that it has.
  w.coordinates = {{"x", 1 - 1e-4, -2}};
  w.contacts[0].restitution = 0;
  const Trajectory struck = run(w, 2, 1e-10);
  const double t = 1 - 1e-2;
  ASSERT_GE(struck.events.size(), 1U);
  EXPECT_NEAR(struck.events[0].t, t, 1e-10);
  EXPECT_NEAR(last_of(struck, "x"), (2 - t) * (2 - t), 1e-10);
}

TEST(Contact, a_thin_wall_inside_one_long_step_is_not_jumped_over) {
  Written w;
  w.coordinates = {{"x", 0, 1}};
  w.kinetic = "x'^2/2";
  w.contacts = {{"wall", "(x - 37)^2 - 1e-6", 1}};
  const Trajectory motion = run(w, 100, 1e-10, 1);
  ASSERT_EQ(motion.events.size(), 1U);
  EXPECT_NEAR(motion.events[0].t, 37 - 1e-3, 1e-9);
  EXPECT_NEAR(last_of(motion, "x"), 2 * (37 - 1e-3) - 100, 1e-9);
}

TEST(Contact, two_contacts_that_let_go_together_have_one_time) {
  Written w;
  w.coordinates = {{"a", 0, 2}, {"b", 0, 2}};
  w.kinetic = "a'^2 + b'^2/2";
  w.potential = "9.81*(2*a + b)";
  w.contacts = {{"left", "a - 0.1*sin(20*t)"}, {"right", "b - 0.1*sin(20*t)"}};
  const Trajectory motion = run(w, 0.1, 1e-12, 0.01);
  ASSERT_GE(motion.events.size(), 2U);
  EXPECT_EQ(motion.events[0].kind, "lift-off");
  EXPECT_EQ(motion.events[1].kind, "lift-off");
  EXPECT_NEAR(motion.events[0].t, std::asin(g / 40) / 20, 1e-10);
  EXPECT_NEAR(motion.events[1].t, motion.events[0].t, 1e-10);
}

TEST(Contact, walls_that_close_on_a_ball_end_the_motion_with_their_names) {
  Written w;
  w.coordinates = {{"x", 0.5, 0}};
  w.kinetic = "x'^2/2";
  w.contacts = {{"left", "x - t"}, {"right", "x - 1 + t", 0, true}};
  const Trajectory motion = run(w, 1, 1e-10);
  EXPECT_EQ(motion.status, Status::singular);
  EXPECT_NEAR(motion.last.t, 0.5, 0.1 + 1e-9);
  EXPECT_NE(motion.message.find("left, right"), std::string::npos) << motion.message;
}

/// A flat block of half width 1 and half height 0.5, upright, on two corners.
Written block(double height, double tilt, double restitution) {
  Written w;
  w.coordinates = {{"z", height, 0}, {"a", tilt, 0}};
  w.kinetic = "z'^2/2 + 5/24*a'^2";  // m (w^2 + h^2)/3 with m = 1
  w.potential = "9.81*z";
  w.contacts = {{"left", "z - 0.5*cos(a) - sin(a)", restitution}, {"right", "z - 0.5*cos(a) + sin(a)", restitution}};
  return w;
}

TEST(Contact, a_block_dropped_flat_strikes_with_both_corners_and_comes_to_rest_on_them) {
  const Trajectory motion = run(block(1.5, 0, 0.5), 3, 1e-10);
  const double first = std::sqrt(2 / g);
  for (const std::string name : {"left", "right"}) {
    const std::vector<EventRecord> impacts = events(motion, name, "impact"),
                                   end = events(motion, name, "chattering ends");
    ASSERT_GT(impacts.size(), 3U);
    ASSERT_EQ(end.size(), 1U);
    EXPECT_NEAR(impacts[1].t, 2 * first, 1e-12);
    EXPECT_NEAR(end[0].t, 3 * first, 1e-11);  // (1 + e)/(1 - e)
    EXPECT_NEAR(last_of(motion, "reaction(" + name + ")"), g / 2, 1e-12);
  }
  EXPECT_NEAR(last_of(motion, "a"), 0, 1e-14);
}

TEST(Contact, a_tilted_block_rocks_from_corner_to_corner_and_comes_to_rest) {
  for (const double restitution : {0.0, 0.3}) {
    const Trajectory motion = run(block(0.5 * std::cos(0.2) + std::sin(0.2), 0.2, restitution), 5, 1e-10, 0.01);
    EXPECT_EQ(motion.status, Status::finished) << motion.message;
    EXPECT_NEAR(last_of(motion, "a"), 0, 1e-9);
    EXPECT_NEAR(last_of(motion, "reaction(left)") + last_of(motion, "reaction(right)"), g, 1e-9);
    double energy = 1e300;
    for (std::size_t k = 0; k < motion.rows.size(); ++k) {
      EXPECT_LE(value_of(motion, k, "energy"), energy + 1e-9);
      energy = value_of(motion, k, "energy");
    }
  }
}

TEST(Contact, an_impact_at_the_start_is_passed_before_the_first_row) {
  const Trajectory motion = run(ball_over("0", 0, -3, 0.5), 0.1, 1e-10);
  EXPECT_DOUBLE_EQ(value_of(motion, 0, "z'"), 1.5);
  ASSERT_EQ(motion.events.size(), 1U);
  EXPECT_EQ(motion.events[0].kind, "impact");
  EXPECT_EQ(motion.events[0].t, 0);
}

TEST(Contact, a_row_at_an_impact_is_after_it) {
  Written w = ball_over("0", 0, 0, 1);
  w.coordinates = {{"z", 1, -1}};
  w.potential = "";
  const Trajectory motion = run(w, 2, 1e-10, 1);
  ASSERT_EQ(motion.rows.size(), 3U);
  EXPECT_NEAR(value_of(motion, 1, "z'"), 1, 1e-14);
  const Trajectory ends_there = run(w, 1, 1e-10, 0.5);
  ASSERT_EQ(ends_there.rows.size(), 3U);
  EXPECT_NEAR(last_of(ends_there, "z'"), 1, 1e-14);
}

TEST(Contact, a_start_below_the_floor_is_refused_by_name) {
  try {
    run(ball_over("0", -1e-3, 0), 1, 1e-10);
    FAIL() << "it was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.complaint().key, "constraints.floor");
    EXPECT_NE(error.complaint().problem.find("-0.001"), std::string::npos) << error.complaint().problem;
  }
}

TEST(Contact, project_initial_raises_a_start_that_is_below_the_floor) {
  const Model model = make_model(ball_over("0.5", 0.2, 0, 0.5));
  SimulateOptions options;
  options.until = 0.1;
  options.project_initial = true;
  const Trajectory motion = System(derive_multipliers(model)).simulate(options);
  EXPECT_NEAR(value_of(motion, 0, "z"), 0.5, 1e-15);
  EXPECT_NEAR(last_of(motion, "reaction(floor)"), 2 * g, 1e-12);
  ASSERT_EQ(motion.notes.size(), 1U);
  EXPECT_NE(motion.notes[0].find("z by 0.3"), std::string::npos) << motion.notes[0];
}

/// Balls of random masses in a room with a sloping floor, walls and a ceiling, that also keep apart from each other.
Written room(std::mt19937_64& random, int balls) {
  std::uniform_real_distribution<double> part(0, 1);
  Written w;
  const auto restitution = [&] { return part(random) < 0.2 ? 0.0 : part(random) < 0.2 ? 1.0 : part(random); };
  for (int i = 0; i < balls; ++i) {
    const std::string x = "x" + std::to_string(i), y = "y" + std::to_string(i), m = std::to_string(0.5 + part(random));
    w.coordinates.push_back({x, 2.0 * i + part(random), 2 * part(random) - 1});
    w.coordinates.push_back({y, 1 + part(random), 2 * part(random) - 1});
    w.kinetic += (i > 0 ? "+ " : "") + m + "*(" + x + "'^2 + " + y + "'^2)/2 ";
    w.potential += (i > 0 ? "+ " : "") + m + "*9.81*" + y + " ";
    w.contacts.push_back({"floor" + x, y + " - 0.1*" + x + " + 0.2*sin(" + x + ")", restitution()});
    w.contacts.push_back({"wall" + x, x + " + 0.5", restitution()});
    w.contacts.push_back({"end" + x, x + " - 2*" + std::to_string(balls), restitution(), true});
    if (i > 0) {
      const std::string p = std::to_string(i - 1);
      w.contacts.push_back(
          {"apart" + x, "sqrt((" + x + " - x" + p + ")^2 + (" + y + " - y" + p + ")^2) - 0.6", restitution()});
    }
  }
  return w;
}

TEST(Contact, energy_never_grows_gaps_stay_open_and_only_closed_contacts_push) {
  std::mt19937_64 random(11);
  std::size_t impacts = 0, closings = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Written w = room(random, 1 + trial % 3);
    for (const OneSided& c : w.contacts) w.outputs.push_back({"gap_" + c.name, c.f});
    const Trajectory motion = run(w, 3, 1e-10, 0.02);
    ASSERT_EQ(motion.status, Status::finished) << motion.message << " in trial " << trial;
    double energy = 1e300;
    for (std::size_t k = 0; k < motion.rows.size(); ++k) {
      EXPECT_LE(value_of(motion, k, "energy"), energy + 1e-7) << "trial " << trial << " at t = " << motion.rows[k][0];
      energy = value_of(motion, k, "energy");
      for (const OneSided& c : w.contacts) {
        const double sign = c.upper ? -1 : 1, gap = sign * value_of(motion, k, "gap_" + c.name),
                     load = sign * value_of(motion, k, "reaction(" + c.name + ")");
        EXPECT_GE(gap, -1e-10) << c.name << " in trial " << trial << " at t = " << motion.rows[k][0];
        EXPECT_GE(load, -1e-8) << c.name << " in trial " << trial << " at t = " << motion.rows[k][0];
        EXPECT_LE(std::abs(gap * load), 1e-8) << c.name << " in trial " << trial << " at t = " << motion.rows[k][0];
      }
    }
    for (const EventRecord& event : motion.events) {
      impacts += event.kind == "impact" ? 1 : 0;
      closings += event.kind == "touch-down" || event.kind == "chattering ends" ? 1 : 0;
    }
    EXPECT_LT(motion.summary.balance.largest, 1e-6) << "trial " << trial;
  }
  EXPECT_GT(impacts, 100U);
  EXPECT_GT(closings, 10U);
}

}  // namespace
