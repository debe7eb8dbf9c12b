#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/base/failure.hpp>
#include <dalembert/study/periodic.hpp>
#include <numbers>

using namespace dalembert;
using std::numbers::pi;
using testing::HasSubstr;

namespace {

PeriodicMotion find(const Description& d, const Overrides& overrides = {}) {
  return find_periodic(make_model(with_section(d), overrides), periodic_options(d));
}

double product(const PeriodicMotion& motion) {
  std::complex<double> all = 1;
  for (const auto& value : motion.multipliers) all *= value;
  return all.real();
}

Description pendulum() {
  Description d("pendulum");
  d.gravity = {0, 0, -9.81};
  d.coordinate("theta", {.value = 1});
  d.point("P", {.position = {"0.7*sin(theta)", 0, "-0.7*cos(theta)"}, .mass = 2});
  d.periodic = {.section = "theta' = 0", .period = {}, .free = {"theta", "T"}};
  return d;
}

/// 4 sqrt(l/g) K(sin(theta/2)).
double pendulum_period(double theta) { return 4 * std::sqrt(0.7 / 9.81) * std::comp_ellint_1(std::sin(theta / 2)); }

TEST(Periodic, the_period_of_a_pendulum_is_the_elliptic_integral) {
  const PeriodicMotion found = find(pendulum());
  EXPECT_NEAR(found.start.q[0], 1, 1e-9);  // nothing has to change it
  EXPECT_NEAR(found.period, pendulum_period(found.start.q[0]), 1e-10);
  ASSERT_EQ(found.multipliers.size(), 2u);
  for (const auto& value : found.multipliers) EXPECT_NEAR(std::abs(value - 1.0), 0, 1e-5);  // double: to the root
  EXPECT_NEAR(product(found), 1, 1e-9);                                                     // Liouville
  EXPECT_FALSE(found.stable);
}

// Over the top: 4/w K(2 sqrt(g/l)/w), w the rate below.
TEST(Periodic, an_angle_may_go_round) {
  Description d("pendulum");
  d.gravity = {0, 0, -9.81};
  d.coordinate("theta", {.value = 0, .rate = 9});
  d.point("P", {.position = {"0.7*sin(theta)", 0, "-0.7*cos(theta)"}, .mass = 2});
  d.periodic = {.section = "sin(theta) = 0", .period = "0.9", .free = {"T"}};
  const PeriodicMotion found = find(d);
  const double w = found.start.rates[0];
  EXPECT_NEAR(found.period, 4 / w * std::comp_ellint_1(2 * std::sqrt(9.81 / 0.7) / w), 1e-10);
  EXPECT_EQ(found.turns, (NamedNumbers{{"theta", 1.0}}));
}

// Every amplitude has the same period here: none is better than the one that is given.
TEST(Periodic, along_a_family_what_is_free_stays) {
  Description d("oscillator");
  d.coordinate("x", {.value = 1});
  d.energy = {.kinetic = "x'^2/2", .potential = "x^2/2"};
  d.periodic = {.section = "x' = 0", .period = {}, .free = {"x", "T"}};
  const PeriodicMotion found = find(d);
  EXPECT_NEAR(found.period, 2 * pi, 1e-10);
  EXPECT_NEAR(found.start.q[0], 1, 1e-9);
}

TEST(Periodic, a_constraint_changes_nothing) {
  Description d("rod");
  d.gravity = {0, 0, -9.81};
  d.parameter("a", 1).coordinate("x", {.value = "0.7*sin(a)"}).coordinate("z", {.value = "-0.7*cos(a)"});
  d.point("P", {.position = {"x", 0, "z"}, .mass = 2}).constraint("rod", "x^2 + z^2 = 0.49");
  d.periodic = {.section = "x*z' - z*x' = 0", .period = {}, .free = {"T"}};
  const PeriodicMotion found = find(d);
  EXPECT_NEAR(found.period, pendulum_period(1), 1e-9);
  EXPECT_EQ(found.multipliers.size(), 2u);
}

// x'' + 2 d x' + k x = f cos(w t): x = Re(f exp(i w t) / (k - w^2 + 2 i d w)); multipliers exp(T (-d ± i sqrt(k -
// d^2))).
TEST(Periodic, a_driven_oscillator_has_its_closed_form_and_multipliers) {
  Description d("driven");
  d.parameter("w", 2).coordinate("x").output("energy_in", "cos(w*t)*x'");
  d.energy = {.kinetic = "x'^2/2", .potential = "3*x^2/2"};
  d.force("x", "cos(w*t) - 0.4*x'");
  d.periodic = {.section = {}, .period = "2*pi/w", .free = {"x", "x'"}};
  const PeriodicMotion found = find(d);
  const std::complex<double> amplitude = 1.0 / std::complex<double>(3 - 4, 0.4 * 2);
  EXPECT_NEAR(found.start.q[0], amplitude.real(), 1e-11);
  EXPECT_NEAR(found.start.rates[0], -2 * amplitude.imag(), 1e-11);
  const std::complex<double> expected = std::exp(pi * std::complex<double>(-0.2, std::sqrt(3 - 0.04)));
  EXPECT_NEAR(found.multipliers[0].real(), expected.real(), 1e-10);
  EXPECT_NEAR(std::abs(found.multipliers[0].imag()), std::abs(expected.imag()), 1e-10);
  EXPECT_EQ(found.stable, true);
}

/// The trace of one period of Mathieu's equation x'' = (p + q cos(W t)) x, by Runge and Kutta's method of order 4.
double mathieu_trace(double p, double q, double W) {
  constexpr int steps = 4000;
  const double h = 2 * pi / W / steps;
  double trace = 0;
  for (const int column : {0, 1}) {
    double x = column == 0 ? 1 : 0, v = 1 - x;
    for (int k = 0; k < steps; ++k) {
      const double t = k * h;
      const auto force = [&](double at, double y) { return (p + q * std::cos(W * at)) * y; };
      const double v1 = v, a1 = force(t, x), v2 = v + h / 2 * a1, a2 = force(t + h / 2, x + h / 2 * v1),
                   v3 = v + h / 2 * a2, a3 = force(t + h / 2, x + h / 2 * v2), v4 = v + h * a3,
                   a4 = force(t + h, x + h * v3);
      x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    trace += column == 0 ? x : v;
  }
  return trace;
}

// theta from upright, the pivot at a cos(W t): theta'' = (g - a W^2 cos(W t)) theta / l; Kapitza's threshold a W =
// sqrt(2 g l) lies at W = 99.
TEST(Periodic, kapitzas_pendulum_stands_where_mathieus_equation_says) {
  Description d("kapitza");
  d.gravity = {0, 0, -9.81};
  d.parameter("W", 120).coordinate("theta", {.value = "0.02"});
  d.point("P", {.position = {"0.2*sin(theta)", 0, "0.02*cos(W*t) + 0.2*cos(theta)"}, .mass = 1});
  d.periodic = {.section = {}, .period = "2*pi/W", .free = {"theta", "theta'"}};
  for (const auto& [W, falls] : {std::pair(120.0, false), std::pair(80.0, true)}) {
    const PeriodicMotion found = find(d, {{"W", W == 120 ? "120" : "80"}});
    EXPECT_NEAR(found.start.q[0], 0, 1e-9);
    const double trace = (found.multipliers[0] + found.multipliers[1]).real();
    EXPECT_NEAR(trace, mathieu_trace(9.81 / 0.2, -0.1 * W * W, W), 1e-8);
    EXPECT_EQ(std::abs(trace) > 2, falls);
    EXPECT_EQ(found.stable == false, falls);
    EXPECT_NEAR(product(found), 1, 1e-9);
  }
}

// Van der Pol's oscillator with mu = 1: period 6.66328685932 and amplitude 2.00861986087 (Amore, Boyd, Fernandez 2018).
TEST(Periodic, a_self_excited_oscillation_is_found_with_its_period) {
  Description d("van der Pol");
  d.coordinate("x", {.value = 2});
  d.energy = {.kinetic = "x'^2/2", .potential = "x^2/2"};
  d.force("x", "(1 - x^2)*x'");
  d.periodic = {.section = "x' = 0", .period = {}, .free = {"x", "T"}};
  const PeriodicMotion found = find(d);
  EXPECT_NEAR(found.period, 6.66328685932, 1e-10);
  EXPECT_NEAR(found.start.q[0], 2.00861986087, 1e-10);
  EXPECT_TRUE(found.has_own);
  EXPECT_NEAR(std::abs(found.multipliers[0] - 1.0), 0, 1e-9);
  EXPECT_EQ(found.stable, true);
}

// A ball that loses nothing: 2 sqrt(2 h / g).
TEST(Periodic, bouncing_returns_through_its_impact) {
  Description d("ball");
  d.gravity = {0, 0, -10};
  d.coordinate("z", {.value = "0.8"}).point("P", {.position = {0, 0, "z"}, .mass = 1}).constraint("floor", "z >= 0", 1);
  d.periodic = {.section = "z' = 0", .period = "0.7", .free = {"T"}};
  EXPECT_NEAR(find(d).period, 0.8, 1e-10);
}

std::string complaint_of(const Description& d) {
  try {
    find(d);
  } catch (const InputError& error) {
    return error.what();
  } catch (const ComputationError& error) {
    return error.what();
  }
  return "";
}

TEST(Periodic, what_cannot_be_is_said) {
  Description d = pendulum();
  d.periodic.free = {};
  EXPECT_THAT(complaint_of(d), HasSubstr("nothing is free"));
  d.periodic.free = {"theta"};
  EXPECT_THAT(complaint_of(d), HasSubstr("the period is neither given nor free"));
  d.periodic.free = {"thta", "T"};
  EXPECT_THAT(complaint_of(d), HasSubstr("did you mean theta?"));
  d = pendulum();
  d.periodic.section = "theta'";
  EXPECT_THAT(complaint_of(d), HasSubstr("'theta'' is no equation"));
  d = pendulum();
  d.periodic.section = {};
  EXPECT_THAT(complaint_of(d), HasSubstr("nothing says where on the motion the start lies"));
  d.periodic = {.section = "theta' = 0", .period = "1.5", .free = {"theta", "T"}};
  EXPECT_THAT(complaint_of(d), HasSubstr("ended at rest"));
  d = pendulum();
  d.force("theta", "-theta'");
  d.periodic = {.section = {}, .period = "theta", .free = {"theta'"}};
  EXPECT_THAT(complaint_of(d), HasSubstr("periodic.period: it depends on theta"));
  d.periodic.period = 1;
  EXPECT_THAT(complaint_of(d), HasSubstr("no periodic motion was found"));
}

}  // namespace
