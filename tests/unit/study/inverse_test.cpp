#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/study/inverse.hpp>
#include <fstream>

using namespace dalembert;
using testing::HasSubstr;

namespace {

InverseMotion solve(const Description& d, double until, double every) {
  InverseOptions options{.until = until, .every = every};
  for (std::size_t k = 0; k < d.inverse.follow.size(); ++k) {
    options.follow.push_back(followed_name(d, k));
    options.shown.push_back(d.inverse.follow[k].name.text);
  }
  for (const Text& input : d.inverse.by) options.by.push_back(input.text);
  return solve_inverse(make_model(with_followed(d, Followed::constraints)),
                       make_model(with_followed(d, Followed::outputs)), options);
}

std::string complaint_of(const Description& d) {
  try {
    solve(d, 1, 0.5);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const CoordinateText open{.value = 0, .rate = 0, .is_guess = true, .is_rate_guess = true};

/// Open at the start, as what is followed asks for.
Description pendulum(const Text& output, const Text& path) {
  Description d("pendulum");
  d.gravity = {0, 0, -9.81};
  d.input("tau").coordinate("theta", open);
  d.point("P", {.position = {"2*sin(theta)", 0, "-2*cos(theta)"}, .mass = 1}).force("theta", "tau");
  d.inverse = {{{output, path}}, {"tau"}};
  return d;
}

/// A trolley pushed along x with a load on a rope of 0.8 m.
Description crane(const Text& output, const Text& path) {
  Description d("crane");
  d.file = testing::TempDir() + "crane.toml";
  d.gravity = {0, 0, -9.81};
  d.input("push").coordinate("x", open).coordinate("a");
  d.point("trolley", {.position = {"x", 0, 0}, .mass = 3, .force = {"push", 0, 0}});
  d.point("load", {.position = {"x + 0.8*sin(a)", 0, "-0.8*cos(a)"}, .mass = 1});
  d.inverse = {{{output, path}}, {"push"}};
  return d;
}

/// Shoulder p and elbow q with a couple each.
Description arm() {
  Description d("arm");
  d.gravity = {0, 0, -9.81};
  d.input("tau_p").input("tau_q").coordinate("p", {.value = "0.4"}).coordinate("q", {.value = "0.9"});
  d.frame("upper", {.rotate = {{"y", "p"}}});
  d.frame("lower", {.parent = "upper", .origin = {0, 0, "-0.5"}, .rotate = {{"y", "q"}}});
  d.point("elbow", {.frame = "upper", .position = {0, 0, "-0.5"}, .mass = 2});
  d.point("hand", {.frame = "lower", .position = {0, 0, "-0.4"}, .mass = 1});
  d.force("p", "tau_p").force("q", "tau_q");
  return d;
}
const Text path_x = "-0.5*sin(0.4) - 0.4*sin(1.3) + 0.1*(1 - cos(2*t))",
           path_z = "-0.5*cos(0.4) - 0.4*cos(1.3) + 0.2*sin(t)^2";

// tau = m l^2 theta'' + m g l sin(theta).
TEST(Inverse, the_couple_of_a_pendulum_is_that_of_its_equation) {
  const InverseMotion found = solve(pendulum("theta", "0.3 + sin(2*t)/2"), 2, 0.1);
  ASSERT_TRUE(found.motion) << found.motion.message;
  EXPECT_EQ(found.index, 3u);
  EXPECT_EQ(found.motion.rows.size(), 21u);
  for (std::size_t k = 0; k < found.motion.rows.size(); ++k) {
    const double t = found.motion["t"][k], theta = 0.3 + std::sin(2 * t) / 2;
    EXPECT_NEAR(found.motion["theta"][k], theta, 1e-14);
    EXPECT_NEAR(found.motion["tau"][k], -8 * std::sin(2 * t) + 2 * 9.81 * std::sin(theta), 1e-11);
  }
}

TEST(Inverse, a_rate_is_followed_with_index_two) {
  const InverseMotion found = solve(pendulum("theta'", "cos(t)"), 2, 0.5);
  EXPECT_EQ(found.index, 2u);
  EXPECT_NEAR(found.motion["theta"].back(), std::sin(2), 1e-9);
  EXPECT_NEAR(found.motion["tau"].back(), -4 * std::sin(2) + 2 * 9.81 * std::sin(std::sin(2)), 1e-8);
}

// The other route: the path as a constraint, whose force acts on the trolley as the push does.
TEST(Inverse, what_leads_a_trolley_is_the_reaction_of_a_constraint_that_does) {
  const Description d = crane("x", "(1 - cos(t))/2");
  const InverseMotion found = solve(d, 3, 0.25);
  Description led = d;
  led.constraint("path", "x = (1 - cos(t))/2");
  const Trajectory motion = System(derive_multipliers(make_model(led))).simulate({.until = 3, .every = 0.25});
  ASSERT_EQ(found.motion.rows.size(), motion.rows.size());
  for (std::size_t k = 0; k < motion.rows.size(); ++k) {
    EXPECT_NEAR(found.motion["push"][k], motion["reaction(path)"][k], 1e-8);
    EXPECT_NEAR(found.motion["a"][k], motion["a"][k], 1e-9);
  }
}

// A point of the rope: no constraint acts as the push does, and the load swings on. The push as a table, fourth
// derivatives below 1e3 and rows 0.01 apart, is good to 1e-7.
TEST(Inverse, inputs_fed_back_make_the_output_follow) {
  const Description d = crane("x + 0.3*sin(a)", "(1 - cos(t))/2");
  const InverseMotion found = solve(d, 2, 0.01);
  ASSERT_TRUE(found.motion) << found.motion.message;
  std::ofstream file(testing::TempDir() + "push.csv");
  file.precision(17);
  file << "t,push\n";
  for (std::size_t k = 0; k < found.motion.rows.size(); ++k)
    file << found.motion["t"][k] << ',' << found.motion["push"][k] << '\n';
  file.close();
  Description driven = d;
  driven.inputs[0].what = InputText("push.csv", "push");
  const Trajectory motion = System(derive_multipliers(make_model(driven))).simulate({.until = 2, .every = 0.5});
  ASSERT_TRUE(motion) << motion.message;
  for (std::size_t k = 0; k < motion.rows.size(); ++k)
    EXPECT_NEAR(motion["x"][k] + 0.3 * std::sin(motion["a"][k]), (1 - std::cos(motion["t"][k])) / 2, 1e-6);
}

// The other route: the hand led by a force, and that force's moments about the joints.
TEST(Inverse, an_arm_follows_a_path_of_its_hand_by_couples_in_its_joints) {
  Description d = arm();
  d.inverse = {{{"position(hand).x", path_x}, {"position(hand).z", path_z}}, {"tau_p", "tau_q"}};
  const InverseMotion found = solve(d, 2, 0.25);
  ASSERT_TRUE(found.motion) << found.motion.message;
  Description led = arm();
  led.constraint("x", "position(hand).x = " + path_x.text).constraint("z", "position(hand).z = " + path_z.text);
  led.output("of_p", "dot(cross(position(hand) - position(upper), [reaction(x), 0, reaction(z)]), axis(upper, y))");
  led.output("of_q", "dot(cross(position(hand) - position(lower), [reaction(x), 0, reaction(z)]), axis(lower, y))");
  const Trajectory motion = System(derive_multipliers(make_model(led))).simulate({.until = 2, .every = 0.25});
  ASSERT_EQ(found.motion.rows.size(), motion.rows.size());
  for (std::size_t k = 0; k < motion.rows.size(); ++k) {
    EXPECT_NEAR(found.motion["tau_p"][k], motion["of_p"][k], 1e-9);
    EXPECT_NEAR(found.motion["tau_q"][k], motion["of_q"][k], 1e-9);
  }
}

// tau^3 acts: Newton's method for the input.
TEST(Inverse, forces_need_not_be_linear_in_the_inputs) {
  Description d = pendulum("theta", "1 + t^2/4");
  d.forces[0].what = "tau + tau^3";
  const InverseMotion found = solve(d, 1, 0.5);
  const double tau = found.motion["tau"].back();
  EXPECT_NEAR(tau + tau * tau * tau, 2 + 2 * 9.81 * std::sin(1.25), 1e-9);
}

// The load hangs below the trolley: its place has the push in its fourth derivative only.
TEST(Inverse, what_cannot_be_followed_is_refused_with_the_reason) {
  EXPECT_THAT(complaint_of(crane("position(load).x", "(1 - cos(t))/2")),
              HasSubstr("position(load).x has index 5: its derivative of order 4 is the first that contains push"));
  Description apart = crane("b", "sin(t)");
  apart.coordinate("b", open).point("Q", {.position = {0, "b", 0}, .mass = 1});
  EXPECT_THAT(complaint_of(apart), HasSubstr("no derivative of b contains push"));
  Description same = arm();
  same.inverse = {{{"p", "0.4"}, {"q", "0.9"}}, {"tau_p", "tau_q"}};
  same.forces[1].what = 0;
  same.forces[0].what = "tau_p + tau_q";
  EXPECT_THAT(complaint_of(same), HasSubstr("fewer than 2 independent ways"));
  same.gravity = {};
  same.coordinates[0].what.value = same.coordinates[1].what.value = 0;
  same.inverse.follow[0].what = same.inverse.follow[1].what = 0;  // at rest, where nothing need be done
  EXPECT_THAT(complaint_of(same), HasSubstr("fewer than 2 independent ways"));
  same.inverse.by = {"tau_p", "tau_p"};
  EXPECT_THAT(complaint_of(same), HasSubstr("tau_p is named twice"));
  same.inverse.by.pop_back();
  EXPECT_THAT(complaint_of(same), HasSubstr("2 outputs are followed by 1 inputs"));
}

TEST(Inverse, wrong_names_are_refused_with_what_to_write) {
  Description d = pendulum("theta", "t");
  d.inverse.by = {"tauu"};
  EXPECT_THAT(complaint_of(d), HasSubstr("did you mean tau?"));
  d.inverse.by = {};
  EXPECT_THAT(complaint_of(d), HasSubstr("write [inverse] follow"));
  d.inverse.by = {"k"};
  d.parameter("k", 10);
  EXPECT_THAT(complaint_of(d), HasSubstr("k is a parameter and no input; name an input, or write k = 10 in [inputs] "
                                         "instead of [parameters]"));
  EXPECT_THAT(complaint_of(pendulum("thata", "t")), HasSubstr("thata"));
  Description varying = pendulum("theta", "t");
  varying.inputs[0].what = InputText(Text("sin(t)"));
  EXPECT_THAT(complaint_of(varying), HasSubstr("there is no input tau that is constant"));
}

}  // namespace
