// Reactions by release (Paulus 1910) through the command: the paper's examples, the reference cases, and Newton's and
// Euler's equations for the loads in joints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>
#include <nlohmann/json.hpp>

#include "reference/reference.hpp"
#include "support/motion_table.hpp"

namespace {

namespace support = dalembert::testing_support;
using Json = nlohmann::json;

Json reactions(const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"reactions", "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const support::CommandResult result = support::run_command(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return Json::parse(result.out);
}

Json reaction(const Json& document, const std::string& name) {
  for (const Json& each : document.at("reactions"))
    if (each.at("name") == name) return each;
  throw std::runtime_error("no reaction " + name);
}

double number(const std::string& reference_case, const std::string& name, const std::string& state = {},
              double time = -1) {
  for (const reference::Quantity& quantity : reference::read_case(reference_case))
    if (quantity.name == name && (state.empty() || quantity.state == state) && (time < 0 || quantity.time == time))
      return quantity.value.at(0);
  throw std::runtime_error("no quantity " + name);
}

double multiplier(const Json& document, const std::string& name) {
  return reaction(document, name).at("multiplier").at("value").get<double>();
}

/// Two formulas are the same function.
bool same(const Json& formula, const std::string& expected) {
  if (!formula.is_string()) return false;
  dalembert::Graph graph;
  return dalembert::are_equal(dalembert::parse_expression(graph, formula.get<std::string>()),
                              dalembert::parse_expression(graph, expected));
}

double norm(const Json& vector) {
  return std::hypot(vector[0].get<double>(), vector[1].get<double>(), vector[2].get<double>());
}

constexpr double exact = 1e-12;

TEST(Releases, Paulus_first_example_in_the_papers_form_by_release_and_by_multipliers) {
  const Json released = reactions({"models:paulus1_released"}), kept = reactions({"models:paulus1_inclined_planes"});
  const std::string string = "-m1*m2*g*(sin(al) + sin(be))/(m1 + m2)", plane1 = "-m1*g*cos(al)^2",
                    plane2 = "-m2*g*cos(be)^2";
  for (const auto& [by_release, by_multiplier, form] :
       {std::tuple("l", "string", string), std::tuple("al", "plane1", plane1), std::tuple("be", "plane2", plane2)}) {
    EXPECT_EQ(reaction(released, by_release).at("by"), "release");
    EXPECT_TRUE(same(reaction(released, by_release).at("multiplier").at("formula"), form)) << by_release;
    EXPECT_TRUE(same(reaction(kept, by_multiplier).at("multiplier").at("formula"), form)) << by_multiplier;
    EXPECT_NEAR(multiplier(released, by_release), multiplier(kept, by_multiplier), 15 * exact);
  }
  const std::string c = "paulus1_inclined_planes";
  EXPECT_NEAR(multiplier(released, "al"), number(c, "lambda1 = -m g cos^2 al"), 15 * exact);
  EXPECT_NEAR(multiplier(released, "be"), number(c, "lambda2 = -m' g cos^2 al'"), 15 * exact);
  EXPECT_NEAR(multiplier(released, "l"), number(c, "lambda3 = -m m' g (sin al+sin al')/(m+m')"), 15 * exact);
  auto rho = [&](const std::string& name) { return reaction(released, name).at("rho").at("value").get<double>(); };
  EXPECT_NEAR(rho("al"), number(c, "rho_alpha=-m g q cos al at q=0.8"), 15 * exact);
  EXPECT_NEAR(rho("be"), number(c, "rho_alpha'=-m' g (l-q) cos al' at q=0.8"), 22 * exact);
  EXPECT_NEAR(rho("l"), number(c, "rho_l"), 15 * exact);
  // (8): the planes press with m g cos(al) on A, m' g cos(be) on B; the string pulls both alike.
  EXPECT_NEAR(norm(reaction(released, "al").at("on").at("A").at("value")),
              -number(c, "R_1^1 = -m g cos al (eq. 8 signed)"), 17 * exact);
  EXPECT_NEAR(norm(reaction(released, "be").at("on").at("B").at("value")), -number(c, "R_2^2 = -m' g cos al' "),
              18 * exact);
  for (const std::string point : {"A", "B"})
    EXPECT_NEAR(norm(reaction(released, "l").at("on").at(point).at("value")),
                -number(c, "R_3^1=R_3^2 (string; negative = pull toward decreasing phi3)"), 15 * exact);
  EXPECT_EQ(reaction(released, "al").at("orthogonal"), true);
  EXPECT_EQ(reaction(released, "l").at("orthogonal"), false);
}

TEST(Releases, the_shortcut_is_refused_for_the_particle_on_two_planes) {
  const Json document = reactions({"models:paulus1b_released"}),
             kept = reactions({"models:paulus1b_formula50_counterexample"});
  const std::string c = "paulus1b_formula50_counterexample";
  const Json p = reaction(document, "p");
  EXPECT_NEAR(p.at("rho").at("value").get<double>(), number(c, "rho_p"), 10 * exact);
  EXPECT_NEAR(multiplier(document, "p"), number(c, "lambda1 = R_1 (true, Lagrange I = (18))"), 10 * exact);
  EXPECT_NEAR(multiplier(document, "p"), multiplier(kept, "floor"), 11 * exact);
  EXPECT_EQ(p.at("orthogonal"), false);
  EXPECT_NEAR(norm(p.at("on").at("P").at("value")), multiplier(document, "p"), 11 * exact);
}

TEST(Releases, the_pivots_force_of_Paulus_second_example) {
  const std::string c = "paulus2_compound_pendulum";
  for (const auto& [phi, rate, state] :
       {std::tuple("0.5", "1.2", "phi=0.5, phidot=1.2"), std::tuple("2.1", "-3.4", "phi=2.1, phidot=-3.4")}) {
    const Json document = reactions(
        {"models:paulus2_released", "--set", std::string("phi=") + phi, "--set", std::string("phi'=") + rate});
    EXPECT_NEAR(multiplier(document, "x0"), number(c, "R_x", state), 10 * exact);
    EXPECT_NEAR(multiplier(document, "z0"), number(c, "R_z", state), 28 * exact);
  }
  const Json document = reactions({"models:paulus2_released"});
  EXPECT_TRUE(same(reaction(document, "x0").at("multiplier").at("formula"),
                   "-phi'^2*s*sin(phi)*M - g*s^2*sin(phi)*cos(phi)*M^2/K"));
  EXPECT_TRUE(same(reaction(document, "z0").at("multiplier").at("formula"),
                   "g*s^2*sin(phi)^2*M^2/K - phi'^2*s*cos(phi)*M - g*M"));
  // Through the energy integral, released from rest at phi0 = 1.1: w2 = 2 M g s (cos phi - cos phi0)/K.
  EXPECT_TRUE(same(reaction(document, "x0").at("of_position"),
                   "-s*sin(phi)*M*(2*M*g*s*(cos(phi) - cos(1.1))/K + g*s*cos(phi)*M/K)"));
  EXPECT_TRUE(same(reaction(document, "z0").at("of_position"),
                   "g*s^2*sin(phi)^2*M^2/K - 2*M*g*s*(cos(phi) - cos(1.1))/K*s*cos(phi)*M - g*M"));
  const support::Table motion =
      support::simulate("models:paulus2_released", {"--tolerance=1e-13", "--until=1", "--every=0.5"});
  for (const double time : {0.5, 1.0}) {
    EXPECT_NEAR(motion.row_at(time)[motion.index("reaction(x0)")], number(c, "R_x(t)", {}, time), 1e-10);
    EXPECT_NEAR(motion.row_at(time)[motion.index("reaction(z0)")], number(c, "R_z(t)", {}, time), 1e-10);
  }
}

TEST(Releases, the_spherical_pendulums_tension_from_its_angles) {
  const support::Table motion =
      support::simulate("models:spherical_pendulum_angles", {"--tolerance=1e-13", "--every=0.5"});
  for (const double time : {0.5, 1.0, 2.0, 5.0})
    EXPECT_NEAR(-motion.row_at(time)[motion.index("reaction(l)")], number("spherical_pendulum", "tension T", {}, time),
                1e-10)
        << time;
  const Json document = reactions({"models:spherical_pendulum_angles"});
  EXPECT_TRUE(same(reaction(document, "l").at("multiplier").at("formula"),
                   "-m*(g*cos(theta) + l*(theta'^2 + sin(theta)^2*phi'^2))"));
}

TEST(Releases, the_normal_force_on_the_rolling_disk_and_the_side_force_on_the_upright_one) {
  const support::Table motion =
      support::simulate("models:rolling_disk_released", {"--tolerance=1e-13", "--until=2", "--every=0.25"});
  int compared = 0;
  for (const reference::Quantity& quantity : reference::read_case("rolling_disk_tilted")) {
    const bool normal = quantity.name.starts_with("N");
    if (!normal || quantity.time < 0) continue;
    EXPECT_NEAR(motion.row_at(quantity.time)[motion.index("reaction(h)")], quantity.value.at(0), 1e-10)
        << quantity.time;
    ++compared;
  }
  EXPECT_GT(compared, 0);
  const Json upright = reactions({"models:rolling_disk_vertical"});
  EXPECT_NEAR(multiplier(upright, "across"), number("rolling_disk_vertical", "F2 (side force) = m r s w"), 2 * exact);
}

TEST(Releases, the_relativistic_particles_circle_by_its_radius) {
  const Json document = reactions({"models:relativistic_circle_angle"});
  EXPECT_NEAR(multiplier(document, "R"),
              number("relativistic_magnetic_circle", "lambda=-(gamma m w^2+e B w) (f=(x^2+y^2-R^2)/2)"), 5 * exact);
}

TEST(Releases, a_drives_power_is_the_rate_of_the_energy) {
  const Json document = reactions({"models:rotating_hoop", "--time", "0.7"});
  const Json drive = reaction(document, "W*t");
  const double power = drive.at("power").at("value").get<double>();
  EXPECT_NEAR(power, 7 * drive.at("rho").at("value").get<double>(), std::abs(power) * exact);
  // Central differences of the energy along the motion, fourth order.
  const support::Table motion =
      support::simulate("models:rotating_hoop", {"--tolerance=1e-13", "--until=0.71", "--every=0.001"});
  auto energy = [&](double t) { return motion.row_at(t)[motion.index("energy")]; };
  const double h = 1e-3,
               rate =
                   (8 * (energy(0.7 + h) - energy(0.7 - h)) - (energy(0.7 + 2 * h) - energy(0.7 - 2 * h))) / (12 * h);
  EXPECT_NEAR(power, rate, 1e-7 * std::abs(power));
  EXPECT_GT(std::abs(power), 0.1);
}

TEST(Releases, reaction_columns_are_read_by_outputs_and_events) {
  const support::CommandResult result =
      support::run_command({"reactions", "models:double_pendulum", "--along", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json document = Json::parse(result.out);
  const Json along = reaction(document, "l1").at("along");
  EXPECT_EQ(along.at("t").size(), along.at("value").size());
  EXPECT_GE(std::abs(along.at("largest").get<double>()), std::abs(multiplier(document, "l1")));
}

// --- joints

using Vector = std::array<double, 3>;
Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// What a joint transmits at a row of the motion, in world axes.
struct Load {
  Vector force, couple;
};

class Arm : public testing::Test {
 protected:
  static Json joint(const std::string& name) {
    return reactions({"models:three_link_arm", "--joint", name, "--along"}).at("joint");
  }
  static Load load(const Json& along, std::size_t row) {
    return {along.at("force").at("world").at(row).get<Vector>(), along.at("couple").at("world").at(row).get<Vector>()};
  }
};

TEST_F(Arm, joint_loads_balance_Newtons_and_Eulers_equations_of_each_link) {
  const Json base = joint("base").at("along"), upper = joint("upper").at("along"), fore = joint("fore").at("along");
  // The same rows, with everything else that the equations need as outputs.
  const support::Table motion = support::simulate("models:three_link_arm", {"--every=0.02", "--until=1"});
  const double g = 9.81, mb = 4, m1 = 2.5, m2 = 1.2, mp = 0.8;
  for (const std::size_t row : {std::size_t(0), std::size_t(17), std::size_t(50)}) {
    auto vector = [&](const std::string& name) -> Vector {
      const std::size_t first = motion.index(name + ".x");
      const auto& values = motion.rows.at(row);
      return {values[first], values[first + 1], values[first + 2]};
    };
    const Load b = load(base, row), u = load(upper, row), f = load(fore, row);
    const Vector down{0, 0, -g}, pull{0.5, -1.5, 2};
    auto balanced = [&](const Vector& a, const Vector& c, const std::string& what) {
      const double size = 1 + std::hypot(c[0], c[1], c[2]) + mb * g;
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], c[k], exact * size) << what << " at row " << row;
    };
    balanced(f.force, m2 * (vector("a_fore") - down) + mp * (vector("a_hand") - down) - pull, "force of the forearm");
    balanced(u.force - f.force, m1 * (vector("a_upper") - down), "force of the upper arm");
    balanced(b.force - u.force, mb * (vector("a_base") - down), "force of the base");
    // Couples about each link's centre; H' is the rate of its angular momentum there.
    const Vector fore_arm = vector("fore_origin") - vector("fore_place"),
                 hand_arm = vector("hand_place") - vector("fore_place");
    balanced(f.couple + cross(fore_arm, f.force) + cross(hand_arm, pull - mp * (vector("a_hand") - down)),
             vector("spin_fore"), "couple of the forearm");
    balanced(u.couple - f.couple + cross(vector("upper_origin") - vector("upper_place"), u.force) -
                 cross(vector("fore_origin") - vector("upper_place"), f.force),
             vector("spin_upper"), "couple of the upper arm");
    balanced(b.couple - u.couple + cross(vector("base_origin") - vector("base_place"), b.force) -
                 cross(vector("upper_origin") - vector("base_place"), u.force),
             vector("spin_base"), "couple of the base");
  }
}

TEST_F(Arm, the_motors_couples_are_the_components_along_their_axes) {
  const Json document = joint("base"), shoulder = joint("upper");
  EXPECT_NEAR(document.at("couple").at("world").at("value").at(2).get<double>(), 0.7 - 0.2 * 0.9, 10 * exact);
  EXPECT_NEAR(shoulder.at("couple").at("parent").at("value").at(1).get<double>(), -9, 100 * exact);
  EXPECT_EQ(shoulder.at("parent"), "base");
}

}  // namespace
