#include <gtest/gtest.h>

#include <cmath>

#include "support/larger.hpp"
#include "unit/simulate/models.hpp"

using namespace dalembert;
using namespace dalembert::testing;

namespace {

constexpr double pi = 3.14159265358979323846;

TEST(Laws, SphericalPendulumStaysOnItsSphereForAThousandSeconds) {
  Written w;
  w.coordinates = {{"x", 0.5, 0.0}, {"y", 0.0, 1.0}, {"z", -std::sqrt(0.75), 0.0}};
  w.kinetic = "(x'^2 + y'^2 + z'^2)/2";
  w.potential = "9.81*z";
  w.constraints = {{"rod", "x^2 + y^2 + z^2 = 1"}};
  const Trajectory r = run(w, 1000, 1e-10, 10);
  ASSERT_EQ(r.status, Status::finished) << r.message;
  ASSERT_EQ(r.rows.size(), 101u);
  EXPECT_LE(r.summary.largest_residual, 1e-12);
}

// A unit of length 2^20 times larger changes exponents only: the same steps, and the same digits but for rounding.
TEST(Laws, ErrorsScaleWithTheUnitOfLength) {
  const auto error_in_units = [](double unit) {
    Written w;
    const std::string l = unit == 1 ? "1" : "1/2^20";
    w.parameters = {{"l", l}, {"g", "9.81*l"}};
    w.coordinates = {{"x", unit * std::sin(1.0), 0}, {"y", -unit * std::cos(1.0), 0}};
    w.kinetic = "(x'^2 + y'^2)/2";
    w.potential = "g*y";
    w.constraints = {{"rod", "x^2 + y^2 = l^2"}};
    const Trajectory r = run(w, 5, 1e-10);
    EXPECT_EQ(r.status, Status::finished) << r.message;
    return std::pair(r.statistics.steps, last_of(r, "x") / unit);
  };
  const auto [steps, x] = error_in_units(1);
  const auto [small_steps, small_x] = error_in_units(1.0 / (1 << 20));
  EXPECT_EQ(steps, small_steps);
  EXPECT_NEAR(x, small_x, 1e-14);
}

/// A zigzag of rods whose upper joints have no mass: nothing holds the lower ones up, and each upper joint stays where
/// the two rods of length 1 let it. The third has a neighbour on either side that falls straight down with it.
TEST(Laws, JointsWithoutMassFollowThoseThatFall) {
  Written w;
  w.coordinates = {{"x1", 0.8, 0}, {"y1", 0.6, 0}, {"x2", 1.6, 0}, {"y2", 0, 0},
                   {"x3", 2.4, 0}, {"y3", 0.6, 0}, {"x4", 3.2, 0}, {"y4", 0, 0}};
  w.kinetic = "(x2'^2 + y2'^2 + x4'^2 + y4'^2)/2";
  w.potential = "9.81*(y2 + y4)";
  w.constraints = {{"a", "x1^2 + y1^2 = 1"},
                   {"b", "(x2 - x1)^2 + (y2 - y1)^2 = 1"},
                   {"c", "(x3 - x2)^2 + (y3 - y2)^2 = 1"},
                   {"d", "(x4 - x3)^2 + (y4 - y3)^2 = 1"}};
  const double t = 0.1, fallen = 9.81 * t * t / 2;
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const Trajectory r = run(w, t, 1e-10, t, by);
    ASSERT_EQ(r.status, Status::finished) << by << ": " << r.message;
    EXPECT_LT(r.statistics.steps + r.statistics.rejected, 30) << by;
    EXPECT_NEAR(last_of(r, "y2"), -fallen, 1e-12) << by;
    EXPECT_NEAR(last_of(r, "y3"), 0.6 - fallen, 1e-12) << by;
    EXPECT_NEAR(last_of(r, "x3"), 2.4, 1e-12) << by;
    // The origin, the first and the second joint are corners of an isosceles triangle.
    const double base = std::hypot(1.6, fallen), height = std::sqrt(1 - base * base / 4);
    EXPECT_NEAR(last_of(r, "x1"), 0.8 + height * fallen / base, 1e-12) << by;
  }
}

TEST(Laws, ADrivenConstraintMovesItsCoordinateAndItsWorkClosesTheBalance) {
  Written w;
  w.coordinates = {{"x", 0, 2}, {"y", 0.1, 0}};
  w.kinetic = "(x'^2 + y'^2)/2";
  w.potential = "(y - x)^2";
  w.constraints = {{"drive", "x = sin(2*t)"}};
  const Trajectory r = run(w, 3, 1e-12);
  ASSERT_EQ(r.status, Status::finished) << r.message;
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    const double t = value_of(r, i, "t"), x = value_of(r, i, "x"), y = value_of(r, i, "y");
    EXPECT_NEAR(x, std::sin(2 * t), 1e-14);
    // x'' = -4 sin 2t = lambda - dV/dx
    EXPECT_NEAR(value_of(r, i, "reaction(drive)"), -4 * std::sin(2 * t) - 2 * (y - x), 1e-10);
  }
  EXPECT_GT(r.summary.energy.largest, 0.1);
  EXPECT_LT(r.summary.balance.largest, 1e-10);
}

TEST(Laws, AnAffineConstraintHoldsAndDoesWork) {
  // A belt that runs at unit speed carries the mass: x' = 1 + y, m = 1, free in y.
  Written w;
  w.coordinates = {{"x", 0, 1.5}, {"y", 0.5, 0.25}};
  w.kinetic = "(x'^2 + y'^2)/2";
  w.constraints = {{"belt", "x' = 1 + y"}};
  const Trajectory r = run(w, 2, 1e-12);
  ASSERT_EQ(r.status, Status::finished) << r.message;
  // y'' = 0, x' = 1 + y, lambda = x'' = y'
  EXPECT_NEAR(last_of(r, "y"), 1.0, 1e-12);
  EXPECT_NEAR(last_of(r, "x"), 2 * 1.5 + 0.25 * 2, 1e-11);
  EXPECT_NEAR(last_of(r, "reaction(belt)"), 0.25, 1e-11);
  EXPECT_LT(r.summary.balance.largest, 1e-11);
}

// A bar on three parallel rods: one more than it needs.
Written parallelogram() {
  Written w;
  const double phi = 0.9, rate = 0.5, l = 0.8;
  w.parameters = {{"c", "0.1"}, {"b", "0.5"}, {"l", "0.8"}, {"g", "9.81"}};
  w.coordinates = {{"x", 0.1 + l * std::sin(phi), l * std::cos(phi) * rate},
                   {"y", -l * std::cos(phi), l * std::sin(phi) * rate},
                   {"a", 0, 0}};
  w.kinetic = "x'^2 + y'^2 + 0.15*a'^2/2";
  w.potential = "2*g*y";
  const auto rod = [](const std::string& k) {
    return "((x + (" + k + "*b - c)*cos(a) - " + k + "*b)^2 + (y + (" + k + "*b - c)*sin(a))^2)/2 = l^2/2";
  };
  w.constraints = {{"left", rod("(-1)")}, {"middle", rod("0")}, {"right", rod("1")}};
  return w;
}

TEST(Laws, RedundantRodsShareTheLoadWithLeastNormAndLeaveTheMotionAlone) {
  const Trajectory r = run(parallelogram(), 0.7, 1e-12);
  ASSERT_EQ(r.status, Status::finished) << r.message;
  const double phi = -0.5079563525038463, l = 0.8;  // reference case redundant_parallelogram
  EXPECT_NEAR(last_of(r, "x"), 0.1 + l * std::sin(phi), 1e-10);
  EXPECT_NEAR(last_of(r, "reaction(left)"), -8.002277980985054, 1e-8);
  EXPECT_NEAR(last_of(r, "reaction(middle)"), -11.431825687121506, 1e-8);
  EXPECT_NEAR(last_of(r, "reaction(right)"), -14.861373393257958, 1e-8);
}

TEST(Laws, TheRankReportNamesTheLastRodAndWhatItDependsOn) {
  const Model model = make_model(parallelogram());
  const System system(derive_multipliers(model));
  const RankReport report = system.analyse_constraints(system.initial_state());
  EXPECT_EQ(report.rank, 2u);
  ASSERT_EQ(report.redundant.size(), 1u);
  EXPECT_EQ(report.redundant[0].name, "right");
  EXPECT_EQ(report.redundant[0].depends_on, (std::vector<std::string>{"left", "middle"}));
  EXPECT_TRUE(report.redundant[0].consistent);
  EXPECT_EQ(report.unique, (std::vector<bool>{false, false, false}));
}

TEST(Laws, AQuaternionBodyTurnsLikeEulersEquations) {
  // Symmetric body I = (1, 1, 2): the spin axis component is constant and the others turn at (I3 - I1)/I1 w3 = w3.
  Written w;
  const double a = 0.3, c = 0.7;  // body rates (a, 0, c) at e = (1, 0, 0, 0)
  w.coordinates = {{"e0", 1, 0}, {"e1", 0, a / 2}, {"e2", 0, 0}, {"e3", 0, c / 2}};
  const std::string n = "(e0^2+e1^2+e2^2+e3^2)";
  const std::string w1 = "(2*(e0*e1' - e1*e0' - e2*e3' + e3*e2')/" + n + ")";
  const std::string w2 = "(2*(e0*e2' - e2*e0' - e3*e1' + e1*e3')/" + n + ")";
  const std::string w3 = "(2*(e0*e3' - e3*e0' - e1*e2' + e2*e1')/" + n + ")";
  w.kinetic = "(" + w1 + "^2 + " + w2 + "^2 + 2*" + w3 + "^2)/2";
  w.constraints = {{"unit(body)", "e0^2 + e1^2 + e2^2 + e3^2 = 1"}};
  w.outputs = {{"w1", w1}, {"w2", w2}, {"w3", w3}};
  const Trajectory r = run(w, 5, 1e-12);
  ASSERT_EQ(r.status, Status::finished) << r.message;
  EXPECT_NEAR(last_of(r, "w1"), a * std::cos(c * 5), 1e-10);
  EXPECT_NEAR(last_of(r, "w2"), a * std::sin(c * 5), 1e-10);
  EXPECT_NEAR(last_of(r, "w3"), c, 1e-10);
  EXPECT_LE(r.summary.largest_residual, 1e-13);
}

TEST(Events, ABodyThrownUpIsAtItsTopAndBackWhenTheFormulasSay) {
  Written w;
  w.coordinates = {{"z", 0, 5}};
  w.kinetic = "z'^2/2";
  w.potential = "10*z";
  w.crossings = {{{"top", "z'"}, {Direction::falling, false}}, {{"ground", "z"}, {Direction::falling, true}}};
  const Trajectory r = run(w, 10, 1e-12);
  EXPECT_EQ(r.status, Status::event);
  ASSERT_EQ(r.events.size(), 2u);
  EXPECT_EQ(r.events[0].name, "top");
  EXPECT_NEAR(r.events[0].t, 0.5, 1e-12);
  EXPECT_EQ(r.events[1].kind, "stop");
  EXPECT_NEAR(r.events[1].t, 1.0, 1e-12);
  EXPECT_NEAR(last_of(r, "t"), 1.0, 1e-12);
}

TEST(Events, EveryPassOfAnOscillatorIsFoundOnce) {
  Written w;
  w.coordinates = {{"x", 1, 0}};
  w.kinetic = "x'^2/2";
  w.potential = "x^2/2";
  w.crossings = {{{"pass", "x"}, {Direction::either, false}}};
  const Trajectory r = run(w, 20, 1e-12);
  ASSERT_EQ(r.events.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(r.events[k].t, pi / 2 + static_cast<double>(k) * pi, 1e-10);
  }
}

TEST(Endings, AStartOffTheConstraintsIsRefusedWithItsResidualOrMoved) {
  Written w;
  w.coordinates = {{"x", 1.1, 0}, {"y", 0, 0}};
  w.kinetic = "(x'^2 + y'^2)/2";
  w.constraints = {{"rod", "x^2 + y^2 = 1"}};
  const Model model = make_model(w);
  SimulateOptions options;
  options.until = 0.1;
  try {
    System(derive_multipliers(model)).simulate(options);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("rod: 0.21"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("--project-initial"), std::string::npos);
  }
  options.project_initial = true;
  const Trajectory r = System(derive_multipliers(model)).simulate(options);
  EXPECT_NEAR(value_of(r, 0, "x"), 1.0, 1e-14);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("x by -0.1"), std::string::npos) << r.notes[0];
}

TEST(Endings, ACoordinateWithoutInertiaIsNamed) {
  Written w;
  w.coordinates = {{"x", 0, 0}, {"loose", 0, 0}};
  w.kinetic = "x'^2/2 + 0*loose'";
  w.potential = "loose^2";
  try {
    run(w, 1, 1e-10);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("no inertia along loose"), std::string::npos) << error.what();
  }
}

TEST(Endings, AForceThatIsNoNumberIsNamedAndRowsAreKept) {
  Written w;
  w.coordinates = {{"x", 1, -1}};
  w.kinetic = "x'^2/2";
  w.forces = {{"x", "sqrt(x - 0.5) - 1"}};
  const Trajectory r = run(w, 10, 1e-10, 0.01);
  EXPECT_EQ(r.status, Status::not_finite) << r.message;
  EXPECT_NE(r.message.find("forces.x"), std::string::npos) << r.message;
  EXPECT_GT(r.rows.size(), 10u);
  EXPECT_NEAR(last_of(r, "x"), 0.5, 0.02);
}

TEST(Endings, ConstraintsThatContradictEachOtherAreNamed) {
  Written w;
  w.coordinates = {{"x", 0, 1}, {"y", 0, 0}};
  w.kinetic = "(x'^2 + y'^2)/2";
  w.constraints = {{"a", "x' = 1"}, {"b", "2*x' = 2 + t"}};
  try {
    run(w, 1, 1e-10);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("constraints.b"), std::string::npos) << error.what();
  }
}

TEST(Endings, AFlatFourBarAtRestIsUndetermined) {
  // Two cranks and a coupler of unit length, all on one line, at rest: it may fold either way.
  Written w;
  w.coordinates = {{"p", 0, 0}, {"c", 0, 0}, {"r", 0, 0}};
  w.kinetic = "(p'^2 + c'^2 + r'^2)/2";
  w.constraints = {{"x", "cos(p) + cos(c) - cos(r) = 1"}, {"y", "sin(p) + sin(c) - sin(r) = 0"}};
  const Trajectory r = run(w, 1, 1e-10);
  EXPECT_EQ(r.status, Status::undetermined) << r.message;
  EXPECT_EQ(r.rows.size(), 1u);
}

TEST(Endings, TheStopFlagKeepsWhatIsThere) {
  Written w;
  w.coordinates = {{"x", 1, 0}};
  w.kinetic = "x'^2/2";
  w.potential = "x^2/2";
  const Model model = make_model(w);
  std::atomic<bool> stop = true;
  SimulateOptions options;
  options.stop = &stop;
  const Trajectory r = System(derive_multipliers(model)).simulate(options);
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_EQ(r.rows.size(), 1u);
}

TEST(Endings, TheErrorEstimateBoundsTheTrueError) {
  Written w;
  w.coordinates = {{"x", 1, 0}};
  w.kinetic = "x'^2/2";
  w.potential = "x^2/2";
  const Model model = make_model(w);
  SimulateOptions options;
  options.until = 20;
  options.tolerance = 1e-8;
  options.estimate_error = true;
  const Trajectory r = System(derive_multipliers(model)).simulate(options);
  ASSERT_EQ(r.error.size(), r.columns.size());
  double truth = 0;
  for (const auto& row : r.rows) truth = testing_support::larger(truth, row[1] - std::cos(row[0]));
  EXPECT_GT(r.error[1], 0.5 * truth);
  EXPECT_LT(r.error[1], 2 * truth);
}

}  // namespace
