#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/study/linearize.hpp>

#include "study/linearize/spectrum.hpp"

using namespace dalembert;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

Model model_of(const std::string& text, const Overrides& overrides = {}) {
  return make_model(parse_description(text), overrides);
}

std::string complaint_of(const Model& model, const LinearizeOptions& options = {}) {
  try {
    linearize(model, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string pendulum = R"toml(
gravity = [0, 0, "-g"]
[parameters]
l = 0.7
m = 2
g = 9.81
torque = 0
damping = 0
[coordinates]
a = 0
[points.P]
position = ["l*sin(a)", 0, "-l*cos(a)"]
mass = "m"
[energy]
dissipation = "damping*a'^2/2"
[forces]
a = "torque"
[outputs]
height = "-l*cos(a)"
reach  = "l*sin(a)"
push   = "a''"
)toml";

/// The same in Cartesian coordinates, with the rod as a constraint.
const std::string rod_pendulum = R"toml(
gravity = [0, 0, "-g"]
[parameters]
l = 0.7
m = 2
g = 9.81
[coordinates]
x = 0
z = "-l"
[points.P]
position = ["x", 0, "z"]
mass = "m"
[constraints]
rod = "x^2 + z^2 = l^2"
[outputs]
tension = "-2*l*reaction(rod)"
)toml";

// x'' = -(g/l) x: the closed form.
TEST(Linearize, a_pendulum_swings_at_the_root_of_g_over_l) {
  const Linearization result = linearize(model_of(pendulum), {.inputs = {"torque"}});
  EXPECT_THAT(result.state, ElementsAre("a", "a'"));
  const double w2 = 9.81 / 0.7;
  EXPECT_DOUBLE_EQ(result.A(0, 1), 1);
  EXPECT_NEAR(result.A(1, 0), -w2, 1e-14 * w2);
  EXPECT_NEAR(result.B(1, 0), 1 / (2 * 0.49), 1e-15);
  EXPECT_NEAR(result.C(0, 0), 0, 1e-15);    // height at the lowest place
  EXPECT_NEAR(result.C(1, 0), 0.7, 1e-15);  // reach
  EXPECT_NEAR(result.C(2, 0), -w2, 1e-14 * w2);
  EXPECT_NEAR(result.D(2, 0), 1 / (2 * 0.49), 1e-15);
  ASSERT_TRUE(result.second_order);
  EXPECT_NEAR(result.second_order->mass(0, 0), 2 * 0.49, 1e-15);
  EXPECT_NEAR(result.second_order->stiffness(0, 0), 2 * 9.81 * 0.7, 1e-13);
  ASSERT_EQ(result.modes.size(), 2);
  EXPECT_NEAR(std::abs(result.modes[0].eigenvalue.imag()), std::sqrt(w2), 1e-14 * w2);
  EXPECT_EQ(result.stable, true);
  EXPECT_THAT(result.verdict, HasSubstr("minimum"));
}

TEST(Linearize, upside_down_it_falls_and_the_verdict_names_the_mode) {
  const Linearization result = linearize(model_of(pendulum, {{"a", "pi"}}));
  EXPECT_EQ(result.stable, false);
  EXPECT_THAT(result.verdict, HasSubstr("unstable: the mode 3.7435"));
  EXPECT_THAT(result.verdict, HasSubstr("mostly a"));
}

TEST(Linearize, with_damping_it_comes_to_rest) {
  const Linearization result = linearize(model_of(pendulum, {{"damping", "0.4"}}));
  EXPECT_EQ(result.stable, true);
  EXPECT_THAT(result.verdict, HasSubstr("asymptotically stable"));
  EXPECT_NEAR(result.modes[0].eigenvalue.real(), -0.4 / (2 * 2 * 0.49), 1e-14);
}

// Two descriptions of one system: the constraint's own curvature, through its multiplier, is all of the stiffness.
TEST(Linearize, a_constraint_in_place_of_the_angle_gives_the_same_roots) {
  const Linearization result = linearize(model_of(rod_pendulum));
  EXPECT_THAT(result.state, ElementsAre("x", "x'"));
  EXPECT_NEAR(result.A(1, 0), -9.81 / 0.7, 1e-13);
  EXPECT_NEAR(result.C(0, 0), 0, 1e-13);  // the tension is largest below
  EXPECT_EQ(result.stable, true);
}

// Beside the pivot the tension changes with the angle: m g sin(a) to first order in x at a fixed rope held by a force.
TEST(Linearize, reactions_in_outputs_are_differentiated) {
  // At rest at an angle b, held by a horizontal force m g tan(b): the tension is m g cos(b) + F sin(b) + m l a'^2.
  const std::string text = rod_pendulum + "[forces]\nx = \"m*g*tan(0.3)\"\n";
  const Model model = model_of(text, {{"x", "l*sin(0.3)"}, {"z", "-l*cos(0.3)"}});
  const Linearization result = linearize(model, {.independent = {"x"}});
  const double slope = 2 * 9.81 * (-std::sin(0.3) + std::tan(0.3) * std::cos(0.3)) / (0.7 * std::cos(0.3));
  EXPECT_NEAR(result.C(0, 0), slope, 1e-12);
  EXPECT_NEAR(result.A(1, 0), -9.81 / (0.7 * std::cos(0.3)), 1e-12);
}

// A bar on three rods where two would do moves as a pendulum of their length.
TEST(Linearize, redundant_constraints_change_nothing) {
  const Linearization result =
      linearize(load_model("models:redundant_parallelogram", {{"phi0", "0"}, {"w0", "0"}, {"c", "0"}}));
  ASSERT_EQ(result.modes.size(), 2);
  EXPECT_NEAR(std::abs(result.modes[0].eigenvalue.imag()), std::sqrt(9.81 / 0.8), 1e-13);
  EXPECT_EQ(result.stable, true);
}

// R W^2 = g: the bottom of the turning hoop loses its stability (pitchfork).
TEST(RootLocus, the_bead_leaves_the_bottom_of_the_hoop_where_R_W2_is_g) {
  const RootLocus locus = find_root_locus(load_model("models:rotating_hoop", {{"theta", "0"}}), {"W", 1, 10, 0.5});
  ASSERT_EQ(locus.changes.size(), 1);
  // What is left of W^2 - g/R counts as zero below 4096 epsilon of its terms: 5e-12 in W.
  EXPECT_NEAR(locus.changes[0].value, std::sqrt(9.81 / 0.4), 2e-11);
  EXPECT_EQ(locus.changes[0].kind, "divergence");
  EXPECT_EQ(locus.changes[0].before, 0);
  EXPECT_EQ(locus.changes[0].after, 1);
}

const std::string sleeping_top = R"toml(
[parameters]
I1 = 0.05
I3 = 0.02
m  = 1
c  = 0.3
g  = 9.81
[coordinates]
a   = 0
b   = 0
phi = { value = 0, rate = 30 }
[frames.top]
rotate = [["x", "a"], ["y", "b"], ["z", "phi"]]
[points.G]
frame = "top"
position = [0, 0, "c"]
[bodies.top]
frame = "top"
mass = "m"
inertia = ["I1", "I1", "I3"]
[energy]
potential = "m*g*position(G).z"
)toml";

// 4 A m g l = C^2 w^2 (Klein and Sommerfeld).
TEST(RootLocus, a_top_sleeps_from_four_A_m_g_l_on) {
  const RootLocus locus = find_root_locus(model_of(sleeping_top), {"phi'", 10, 60, 1.7});
  ASSERT_EQ(locus.changes.size(), 1);
  EXPECT_NEAR(locus.changes[0].value, std::sqrt(4 * 0.05 * 9.81 * 0.3) / 0.02, 1e-9);
  EXPECT_EQ(locus.changes[0].kind, "flutter");
  EXPECT_EQ(locus.changes[0].before, 2);
  EXPECT_EQ(locus.changes[0].after, 0);
}

TEST(Linearize, of_a_sleeping_top_only_the_spin_has_a_family_and_centres_are_left_undecided) {
  const Linearization result = linearize(model_of(sleeping_top, {{"phi'", "50"}}));
  EXPECT_THAT(result.state, ElementsAre("a", "b", "a'", "b'", "phi'"));
  EXPECT_THAT(result.carried, ElementsAre("phi"));
  EXPECT_THAT(result.family, ElementsAre("phi'"));
  EXPECT_EQ(result.stable, std::nullopt);
  EXPECT_THAT(result.verdict, HasSubstr("does not decide"));
}

/// Straight on at speed v, upright; disk: 1/2, hoop: 1 is the axle's moment of inertia in m r^2.
Model rolling(const std::string& axle) {
  const std::string text = R"toml(
[parameters]
m = 2
r = 0.3
g = 9.81
v = 1
Ia = "m*r^2*)toml" + axle + R"toml("
[coordinates]
X = { value = 0, rate = "v*cos(0.4)" }
Y = { value = 0, rate = "v*sin(0.4)" }
psi = 0.4
theta = 0
phi = { value = 0, rate = "v/r" }
[energy]
kinetic = "m*(X'^2 + Y'^2 + r^2*theta'^2*sin(theta)^2)/2 + Ia*(theta'^2 + psi'^2*cos(theta)^2)/4 + Ia*(phi' + psi'*sin(theta))^2/2"
potential = "m*g*r*cos(theta)"
[constraints]
along  = "X'*cos(psi) + Y'*sin(psi) = r*(phi' + psi'*sin(theta))"
across = "-X'*sin(psi) + Y'*cos(psi) = -r*theta'*cos(theta)"
)toml";
  return model_of(text);
}

// v^2 = g r / 3 for a disk, g r / 4 for a hoop (Routh, Advanced Rigid Dynamics, section 244).
TEST(RootLocus, a_rolling_disk_and_a_hoop_stay_upright_above_their_speeds) {
  for (const auto& [axle, part] : {std::pair("1/2", 3.0), std::pair("1", 4.0)}) {
    const RootLocus locus = find_root_locus(rolling(axle), {"v", 0.1, 3, 0.1});
    ASSERT_EQ(locus.changes.size(), 1) << axle;
    EXPECT_NEAR(locus.changes[0].value, std::sqrt(9.81 * 0.3 / part), 1e-8) << axle;
  }
}

TEST(Linearize, of_a_rolling_disk_speed_and_turning_are_families_of_steady_motions) {
  const Linearization result = linearize(rolling("1/2"));
  EXPECT_THAT(result.carried, testing::UnorderedElementsAre("X", "Y", "psi", "phi"));
  EXPECT_EQ(result.zero_roots, 2);
  EXPECT_EQ(result.zero_blocks, 2);
  EXPECT_THAT(result.family, testing::IsSupersetOf({"phi'", "psi'"}));
}

// At the threshold itself nothing is left to hold the bead: the zero root is no family.
TEST(Linearize, at_a_branch_point_it_does_not_decide) {
  const Linearization result = linearize(load_model("models:rotating_hoop", {{"theta", "0"}, {"W", "sqrt(g/R)"}}));
  EXPECT_EQ(result.stable, std::nullopt);
  EXPECT_EQ(result.zero_roots, 2);
  EXPECT_EQ(result.zero_blocks, 1);
  EXPECT_THAT(result.family, IsEmpty());
}

// Central differences of accelerations by another solver, at a state in full motion: off by the square of the step.
TEST(Linearize, the_matrices_of_a_moment_are_differences_of_accelerations) {
  const Model model = load_model("models:double_pendulum");
  const Linearization found = linearize(model, {.frozen = true});
  const System system(derive_equations(model, "gauss"));
  const State state = system.initial_state();
  constexpr double h = 1e-5;
  for (std::size_t j = 0; j < 4; ++j) {
    State low = state, high = state;
    (j < 2 ? low.q[j] : low.u[j - 2]) -= h;
    (j < 2 ? high.q[j] : high.u[j - 2]) += h;
    const std::vector<double> a = system.evaluate_motion(low).acceleration,
                              b = system.evaluate_motion(high).acceleration;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(found.A(2 + i, j), (b[i] - a[i]) / (2 * h), 1e-7) << i << ", " << j;
  }
}

TEST(Linearize, says_what_moves_where_the_start_is_not_steady) {
  EXPECT_THAT(complaint_of(model_of(pendulum, {{"a", "0.2"}})), HasSubstr("a'' = -2.78"));
  EXPECT_THAT(complaint_of(model_of(pendulum, {{"a'", "0.2"}})), HasSubstr("a' = 0.2"));
  EXPECT_THAT(linearize(model_of(pendulum, {{"a", "0.2"}}), {.frozen = true}).verdict, HasSubstr("no verdict"));
}

// W^2 cos(theta) = g/R: the other equilibrium of the turning hoop, with the closed form W sin(theta) of its frequency.
TEST(Linearize, looks_for_a_steady_motion_beside_the_start) {
  const Linearization result = linearize(load_model("models:rotating_hoop", {{"theta", "1"}}), {.steady = {"theta"}});
  const double theta = std::acos(9.81 / (0.4 * 49));
  EXPECT_NEAR(result.about.q[0], theta, 1e-12);
  EXPECT_NEAR(std::abs(result.modes[0].eigenvalue.imag()), 7 * std::sin(theta), 1e-11);
  EXPECT_EQ(result.stable, true);
}

// A coin that leans goes round in a circle: with the friction m r w2 psi' that turns its path, w2 the rate about the
// axle, Lagrange's equation of theta at rest is (Ia + m r^2) w2 psi' cos(theta) - Id psi'^2 sin(theta) cos(theta) + m g
// r sin(theta) = 0.
TEST(Linearize, finds_the_circle_of_a_leaning_disk) {
  const std::vector<std::string> moved{"X'", "Y'"};
  const Model model = with_guesses(load_model("models:rolling_disk_tilted", {{"theta'", "0"}}), moved);
  const Linearization result = linearize(model, {.steady = {"psi'", "theta'"}});
  const double m = 2, r = 0.3, g = 9.81, theta = 0.3, psi = result.about.rates[2], phi = result.about.rates[4];
  const double w2 = phi + psi * std::sin(theta);
  const double balance = 1.5 * m * r * r * w2 * psi * std::cos(theta) -
                         m * r * r / 4 * psi * psi * std::sin(theta) * std::cos(theta) + m * g * r * std::sin(theta);
  EXPECT_NEAR(balance, 0, 1e-12);
  EXPECT_GT(std::abs(psi), 0.1);
}

TEST(Linearize, says_where_no_steady_motion_is_found) {
  EXPECT_THAT(complaint_of(load_model("models:projectile"), {.steady = {"z'"}}), HasSubstr("no steady motion"));
  EXPECT_THAT(complaint_of(model_of(pendulum), {.steady = {"b"}}), HasSubstr("the state has a, a'"));
}

// x'' = p - x^2 has x = sqrt(p) where p is positive, and the roots +-i sqrt(2 x) there.
TEST(Linearize, a_locus_leaves_out_the_values_without_a_steady_motion_and_names_them) {
  const Model model = model_of(R"toml(
[parameters]
p = 1
[coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
potential = "x^3/3 - p*x"
)toml");
  const RootLocus locus = find_root_locus(model, {"p", -0.9, 0.85, 0.25}, {.steady = {"x"}});
  ASSERT_EQ(locus.values.size(), 4);
  ASSERT_EQ(locus.roots.size(), 4);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(locus.values[k], 0.1 + 0.25 * static_cast<double>(k), 1e-12);
    EXPECT_NEAR(std::abs(locus.roots[k][0].imag()), std::sqrt(2 * std::sqrt(locus.values[k])), 1e-9);
  }
  EXPECT_THAT(locus.notes, testing::Contains(HasSubstr("left out, with the changes of stability beside them: p = "
                                                       "-0.9 to -0.15; at the first of them no steady motion")));
  try {
    find_root_locus(model, {"p", -3, -1, 0.5}, {.steady = {"x"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("none of p = -3 to -1 has linear equations; at the first no steady motion"));
  }
}

TEST(Linearize, refuses_names_that_are_none_and_more_than_is_free) {
  EXPECT_THAT(complaint_of(model_of(pendulum), {.independent = {"b"}}), HasSubstr("there is no coordinate b"));
  EXPECT_THAT(complaint_of(model_of(pendulum), {.inputs = {"torqe"}}), HasSubstr("did you mean torque?"));
  EXPECT_THAT(complaint_of(model_of(rod_pendulum), {.independent = {"x", "z"}}),
              HasSubstr("cannot all be independent"));
  EXPECT_THROW(find_root_locus(model_of(pendulum), {"q", 0, 1, 0.1}), InputError);
  EXPECT_THROW(find_root_locus(model_of(pendulum), {"l", 1, 0, 0.1}), InputError);
}

TEST(Linearize, refuses_equations_that_depend_on_time) {
  const std::string text = pendulum + "\n";
  const std::size_t at = text.find("\"torque\"");
  EXPECT_THAT(complaint_of(model_of(std::string(text).replace(at, 8, "\"0.1*sin(a)*cos(t)\""))),
              HasSubstr("depend on time"));
}

// Roots that rounding would spread to the third root of epsilon: a Jordan block of three zeros beside -1 and 2.
TEST(Spectrum, zero_roots_of_a_jordan_block_are_zero) {
  NumberMatrix a(5, 5);
  a(0, 1) = 1;
  a(1, 2) = 1;
  a(3, 3) = -1;
  a(4, 4) = 2;
  for (const auto& [i, j] : {std::pair(0, 4), std::pair(2, 3), std::pair(4, 3), std::pair(1, 3)}) {  // similar ones
    const double s = 0.37 + 0.1 * j;
    for (std::size_t k = 0; k < 5; ++k) a(static_cast<std::size_t>(i), k) += s * a(static_cast<std::size_t>(j), k);
    for (std::size_t k = 0; k < 5; ++k) a(k, static_cast<std::size_t>(j)) -= s * a(k, static_cast<std::size_t>(i));
  }
  const Spectrum spectrum = find_spectrum(a, 0);
  EXPECT_THAT(spectrum.zeros, ElementsAre(1, 1, 1));
  ASSERT_EQ(spectrum.modes.size(), 3);  // 2, the kernel, -1
  EXPECT_NEAR(spectrum.modes[0].eigenvalue.real(), 2, 1e-13);
  EXPECT_NEAR(spectrum.modes[2].eigenvalue.real(), -1, 1e-13);
}

}  // namespace
