// Branches of periodic motions over a parameter, against closed forms.

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

PeriodicDiagram follow(const Description& d, const LocusRange& range, PeriodicOptions options) {
  return follow_periodic(make_model(with_section(d)), range, options);
}
PeriodicDiagram follow(const Description& d, const LocusRange& range) { return follow(d, range, periodic_options(d)); }

const SpecialPeriodic& the(const PeriodicDiagram& diagram, const std::string& kind) {
  static const SpecialPeriodic none;
  const SpecialPeriodic* found = nullptr;
  for (const SpecialPeriodic& special : diagram.special)
    if (special.kind == kind) {
      EXPECT_EQ(found, nullptr) << "two of " << kind;
      found = &special;
    }
  EXPECT_NE(found, nullptr) << "no " << kind;
  return found != nullptr ? *found : none;
}

// x'' + 0.4 x' + 3 x = cos(w t), with the period as a formula of the parameter that is followed.
TEST(PeriodicBranch, a_driven_oscillator_has_its_response_at_every_frequency) {
  Description d("driven");
  d.parameter("w", 1).coordinate("x");
  d.energy = {.kinetic = "x'^2/2", .potential = "3*x^2/2"};
  d.force("x", "cos(w*t) - 0.4*x'");
  d.periodic = {.section = {}, .period = "2*pi/w", .free = {"x", "x'"}};
  const PeriodicDiagram found = follow(d, {"w", 0.5, 3, 0.25});
  EXPECT_NEAR(found.points.front().value, 0.5, 1e-8);
  EXPECT_NEAR(found.points.back().value, 3, 1e-8);
  EXPECT_GE(found.points.size(), 11u);
  EXPECT_TRUE(found.special.empty());
  EXPECT_TRUE(found.notes.empty());
  for (const PeriodicPoint& point : found.points) {
    const double w = point.value;
    const std::complex<double> amplitude = 1.0 / std::complex<double>(3 - w * w, 0.4 * w);
    EXPECT_NEAR(point.start.q[0], amplitude.real(), 1e-10);
    EXPECT_NEAR(point.start.rates[0], -w * amplitude.imag(), 1e-10);
    EXPECT_NEAR(point.period, 2 * pi / w, 1e-12);
    EXPECT_NEAR(std::abs(point.multipliers[0]), std::exp(-0.2 * point.period), 1e-10);
  }
}

/// A particle in the plane on a spring that hardens, pushed by a force that goes round:
/// r = rho exp(i (w t + delta)), F^2 = rho^2 ((k + rho^2 - w^2)^2 + c^2 w^2).
Description whirl() {
  Description d("whirl");
  d.parameter("F", "0.2").coordinate("x", {.value = "-0.05"}).coordinate("y");
  d.energy = {.kinetic = "(x'^2 + y'^2)/2", .potential = "(x^2 + y^2)/2 + (x^2 + y^2)^2/4"};
  d.force("x", "F*cos(2*t) - 0.2*x'").force("y", "F*sin(2*t) - 0.2*y'");
  d.periodic = {.section = {}, .period = "pi", .free = {"x", "x'", "y", "y'"}};
  return d;
}

TEST(PeriodicBranch, a_hardening_spring_folds_where_the_slope_of_its_response_vanishes) {
#if defined(DALEMBERT_SMALL_TESTS)
  GTEST_SKIP() << "minutes under the sanitizers, by the code of the other branches";
#endif
  const PeriodicDiagram found = follow(whirl(), {"F", 0.2, 3, 0.2});
  ASSERT_EQ(found.special.size(), 2u);
  // With s = rho^2, a = w^2 - k = 3 and d = c^2 w^2: F^2 = s ((s - a)^2 + d), d/ds = 3 s^2 - 4 a s + a^2 + d.
  const double a = 3, d = 0.16;
  for (const int k : {0, 1}) {
    const double s = (2 * a + (k == 0 ? -1 : 1) * std::sqrt(a * a - 3 * d)) / 3;
    EXPECT_EQ(found.special[k].kind, "fold");
    EXPECT_NEAR(found.special[k].at.value, std::sqrt(s * (std::pow(s - a, 2) + d)), 1e-9);
    EXPECT_NEAR(std::hypot(found.special[k].at.start.q[0], found.special[k].at.start.q[1]), std::sqrt(s), 1e-4);
  }
  for (const PeriodicPoint& point : found.points) {
    const double s = std::pow(point.start.q[0], 2) + std::pow(point.start.q[1], 2);
    EXPECT_NEAR(std::sqrt(s * (std::pow(s - a, 2) + d)), point.value, 1e-8);
    EXPECT_EQ(point.unstable > 0, 3 * s * s - 4 * a * s + a * a + d < -1e-3) << point.value << " " << s;
  }
}

// x'' + x = x' (p + E - E^2) with E = x^2 + x'^2: circles of E = (1 ± sqrt(1 + 4 p))/2 with period 2 pi, which meet at
// p = -1/4; the smaller shrinks to rest at p = 0. The multiplier is exp(integral of the divergence) = exp(2 pi E (1 - 2
// E)).
TEST(PeriodicBranch, self_excited_cycles_meet_in_a_fold_and_end_at_a_hopf_point) {
  Description d("cycles");
  d.parameter("p", "0.2").coordinate("x", {.value = "1.1"});
  d.energy = {.kinetic = "x'^2/2", .potential = "x^2/2"};
  d.force("x", "x'*(p + (x^2 + x'^2) - (x^2 + x'^2)^2)");
  d.periodic = {.section = "x' = 0", .period = {}, .free = {"x", "T"}};
  const PeriodicDiagram found = follow(d, {"p", -0.5, 0.3, 0.04});
  EXPECT_NEAR(the(found, "fold").at.value, -0.25, 1e-10);
  // Near rest the period is not determined: the motion is followed down to x = 1e-4, and p is known to its square.
  EXPECT_NEAR(the(found, "hopf").at.value, 0, 1e-7);
  EXPECT_EQ(found.special.size(), 2u);
  for (const PeriodicPoint& point : found.points) {
    const double E = std::pow(point.start.q[0], 2);
    EXPECT_NEAR(point.period, 2 * pi, 1e-9);
    EXPECT_NEAR(point.value + E - E * E, 0, 1e-9);
    const double expected = std::exp(2 * pi * E * (1 - 2 * E));
    EXPECT_NEAR(std::abs(point.multipliers[0] - std::max(1.0, expected)), 0, 1e-6 * std::max(1.0, expected));
  }
}

/// A ball on a table that goes up and down, z = A sin(w t - 1), one impact in each period (e = 1/2). With V = pi g/w,
/// the speed of flight, and table speed V (1 - e)/(1 + e) at the impact, the map from impact to impact has determinant
/// e^2 and trace 1 + e^2 + (1 + e)^2 s''/g.
TEST(PeriodicBranch, a_bouncing_ball_folds_and_doubles_its_period_where_its_map_says) {
  constexpr double g = 10, w = 20, e = 0.5;
  Description d("ball on a table");
  d.gravity = {0, 0, "-10"};
  d.parameter("A", "0.03");
  const double speed = pi * g / w, ratio = speed * (1 - e) / (1 + e);
  // At the impact w t - 1 = phase in (0, pi/2), where the table slows down; from there back to t = 0.
  const double phase = std::acos(ratio / (0.03 * w)), ago = -(phase + 1) / w;
  const double height = 0.03 * std::sin(phase) + -speed * ago - g / 2 * ago * ago;
  d.coordinate("z", {.value = std::to_string(height), .rate = std::to_string(-speed - g * ago)});
  d.point("P", {.position = {0, 0, "z"}, .mass = 1}).constraint("table", "z - A*sin(20*t - 1) >= 0", "1/2");
  d.periodic = {.section = {}, .period = "pi/10", .free = {"z", "z'"}};
  const PeriodicDiagram found = follow(d, {"A", 0.02, 0.06, 0.001});
  const double fold = ratio / w;
  const double doubling = std::hypot(ratio / w, 2 * g * (1 + e * e) / std::pow((1 + e) * w, 2));
  EXPECT_NEAR(the(found, "fold").at.value, fold, 1e-9 * fold);
  EXPECT_NEAR(the(found, "period doubling").at.value, doubling, 1e-9);
  for (const PeriodicPoint& point : found.points)
    EXPECT_NEAR((point.multipliers[0] * point.multipliers[1]).real(), e * e, 1e-8);
}

/// The trace of one period of Mathieu's equation theta'' = (g/l - (a/l) W^2 cos(W t)) theta.
double mathieu_trace(double W) {
  constexpr int steps = 4000;
  const double p = 9.81 / 0.2, q = -0.1 * W * W, h = 2 * pi / W / steps;
  double trace = 0;
  for (const int column : {0, 1}) {
    double x = column == 0 ? 1 : 0, v = 1 - x;
    const auto force = [&](double t, double y) { return (p + q * std::cos(W * t)) * y; };
    for (int k = 0; k < steps; ++k) {  // Runge and Kutta's method of order 4
      const double t = k * h, a1 = force(t, x), v2 = v + h / 2 * a1, a2 = force(t + h / 2, x + h / 2 * v),
                   v3 = v + h / 2 * a2, a3 = force(t + h / 2, x + h / 2 * v2), v4 = v + h * a3,
                   a4 = force(t + h, x + h * v3);
      x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    trace += column == 0 ? x : v;
  }
  return trace;
}

// The motion that is followed is at rest: its steps are long, those of its gradients must not be.
TEST(PeriodicBranch, kapitzas_pendulum_begins_to_stand_where_mathieus_equation_says) {
  Description d("kapitza");
  d.gravity = {0, 0, "-9.81"};
  d.parameter("W", 120).coordinate("theta");
  d.point("P", {.position = {"0.2*sin(theta)", 0, "0.02*cos(W*t) + 0.2*cos(theta)"}, .mass = 1});
  d.periodic = {.section = {}, .period = "2*pi/W", .free = {"theta", "theta'"}};
  const PeriodicDiagram found = follow(d, {"W", 80, 120, 4});
  double low = 80, high = 120;
  while (high - low > 1e-9) (mathieu_trace((low + high) / 2) > 2 ? low : high) = (low + high) / 2;
  EXPECT_NEAR(the(found, "branch").at.value, low, 1e-6);  // the reference's own error
}

// The same spring, but excited by p at rest and damped by r^2: circular motion in step with the force loses its
// stability by a pair. In axes that turn with the force the motion is at rest and the equations have constant
// coefficients.
TEST(PeriodicBranch, a_motion_in_step_is_lost_by_a_pair_of_multipliers) {
#if defined(DALEMBERT_SMALL_TESTS)
  GTEST_SKIP() << "minutes under the sanitizers, by the code of the other branches";
#endif
  Description d("entrainment");
  // rho ((1 - w^2) - i w (a - rho^2)) = F exp(-i phi) with x + i y = rho exp(i (w t + phi)).
  const double w = 1.3, a = 0.3;
  const auto load = [&](double s) { return std::sqrt(s) * std::complex<double>(1 - w * w, w * (s - a)); };
  const std::complex<double> start = std::polar(std::sqrt(3.6), -std::arg(load(3.6)));
  d.parameter("F", std::abs(load(3.6)));
  d.coordinate("x", {.value = start.real(), .rate = -w * start.imag()});
  d.coordinate("y", {.value = start.imag(), .rate = w * start.real()});
  d.energy = {.kinetic = "(x'^2 + y'^2)/2", .potential = "(x^2 + y^2)/2"};
  const std::string damping = "(0.3 - (x^2 + y^2))";
  d.force("x", "F*cos(1.3*t) + " + damping + "*x'").force("y", "F*sin(1.3*t) + " + damping + "*y'");
  d.periodic = {.section = {}, .period = "2*pi/1.3", .free = {"x", "x'", "y", "y'"}};
  const PeriodicDiagram found = follow(d, {"F", 5, 9, 1});
  // z = exp(i w t) (rho + xi), xi'' + 2 i w xi' + (1 - w^2) xi = (a - s)(xi' + i w xi) - i w s (xi + conj xi), s =
  // rho^2: constant coefficients; a pair crosses the axis where Hurwitz's determinant vanishes.
  const auto hurwitz = [&](double s) {
    const double b = a - s;
    // lambda^2 + (2 i w - b) lambda + (1 - w^2 - i w b + i w s), and conj(xi) enters by i w s.
    const std::complex<double> i(0, 1), c1 = 2.0 * i * w - b, c0 = 1 - w * w - i * w * b + i * w * s, m = i * w * s;
    // |lambda^2 + c1 lambda + c0|^2 - |m|^2 with conjugate coefficients multiplied out.
    const double p3 = 2 * c1.real(), p2 = 2 * c0.real() + std::norm(c1), p1 = 2 * (c1 * std::conj(c0)).real(),
                 p0 = std::norm(c0) - std::norm(m);
    return p3 * p2 * p1 - p1 * p1 - p3 * p3 * p0;
  };
  double low = 2, high = 5;
  ASSERT_LT(hurwitz(low) * hurwitz(high), 0);
  while (high - low > 1e-14) (hurwitz((low + high) / 2) * hurwitz(high) > 0 ? high : low) = (low + high) / 2;
  EXPECT_NEAR(the(found, "Neimark-Sacker").at.value, std::abs(load(low)), 1e-8);
}

TEST(PeriodicBranch, says_what_cannot_be_followed) {
  const Description d = whirl();
  const auto complaint = [&](const LocusRange& range, const PeriodicOptions& options) -> std::string {
    try {
      follow(d, range, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  PeriodicOptions options = periodic_options(d);
  EXPECT_THAT(complaint({"F", 1, 0, 0.1}, options), HasSubstr("is no range"));
  EXPECT_THAT(complaint({"G", 0, 1, 0.1}, options), HasSubstr("there is no parameter G"));
  options.free.emplace_back("F");
  EXPECT_THAT(complaint({"F", 0, 1, 0.1}, options), HasSubstr("F is free"));
}

}  // namespace
