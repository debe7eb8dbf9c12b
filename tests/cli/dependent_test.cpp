// Constraints that say nothing, or depend on each other for an instant or for good.

#include <cmath>

#include "cli/starts.hpp"

namespace dalembert::testing_support {

class DependentConstraints : public Starts {};

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// --- rows that say nothing

TEST_F(DependentConstraints, ARowThatReadsNothingIsNamedRedundant) {
  const std::string model = R"toml(
[coordinates]
x = { value = 0, rate = 1 }
y = 0
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
flat = "y = 0"
empty = "x - x = 0"
identity = "sin(x)^2 + cos(x)^2 = 1"
[simulate]
until = 1
every = 1
)toml";
  const CommandResult derive = run("derive", model);
  EXPECT_THAT(derive.out, AllOf(HasSubstr("note: empty, identity hold by themselves"), Not(HasSubstr("0 = 0"))));
  const CommandResult check = run("check", model), motion = run("simulate", model);
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, AllOf(HasSubstr("rank 1"), HasSubstr("redundant: empty reads 0 = 0"),
                               HasSubstr("redundant: identity reads 0 = 0"), Not(HasSubstr("follows from \n"))));
  ASSERT_EQ(motion.status, 0) << motion.err;
  EXPECT_NEAR(read_csv(motion.out).rows.back()[1], 1, 1e-12);  // a hundredth of the tolerance: it is linear
}

TEST_F(DependentConstraints, APlanarLinkageMayBeClosedAlongTurnedAxes) {
  // A rhombus slides along the x axis of a plane that is turned in space. The equation across the plane is only
  // rounding.
  for (int k = 0; k < 12; ++k) {
    const std::string turn = std::to_string(0.1 + 0.37 * k);
    const std::string model = R"toml(
[coordinates]
a = { value = 0.4, rate = 1 }
b = { value = "-0.8", rate = -2 }
x = { value = "2*cos(0.4)", rate = "-2*sin(0.4)" }
[frames.base]
rotate = [["z", ")toml" + turn +
                              R"toml("], ["x", 0.4], ["y", 0.3]]
[frames.f1]
parent = "base"
rotate = [["z", "a"]]
[frames.f2]
parent = "f1"
origin = [1, 0, 0]
rotate = [["z", "b"]]
[frames.f3]
parent = "base"
origin = ["x", 0, 0]
[points.A]
frame = "f2"
position = [1, 0, 0]
[bodies.b1]
frame = "f1"
centre = [0.5, 0, 0]
mass = 1
inertia = [0.1, 0.1, 0.1]
[bodies.b2]
frame = "f2"
centre = [0.5, 0, 0]
mass = 1
inertia = [0.1, 0.1, 0.1]
[points.B]
frame = "f3"
mass = 1
[constraints]
cx = "dot(position(A) - position(B), axis(base, x)) = 0"
cy = "dot(position(A) - position(B), axis(base, y)) = 0"
cz = "dot(position(A) - position(B), axis(base, z)) = 0"
[simulate]
until = 0.5
every = 0.5
)toml";
    const CommandResult check = run("check", model), motion = run("simulate", model);
    EXPECT_EQ(check.status, 0) << turn << check.err;
    EXPECT_THAT(check.out, AllOf(HasSubstr("degrees of freedom  1"), HasSubstr("redundant: cz reads 0 = 0"))) << turn;
    EXPECT_EQ(motion.status, 0) << turn << motion.err;
    EXPECT_LE(read_csv(motion.out).rows.back().back(), 1e-14) << turn;
  }
}

// --- where constraints become dependent for an instant, or for good

/// A parallelogram of bars 1, 2, 1 on a ground of 2, its last bar without mass, at rates of its three angles.
std::string four_bar(const std::string& a, const std::string& b, const std::string& c) {
  return "[coordinates]\na = " + a + "\nb = " + b + "\nc = " + c + R"toml(
[frames.f1]
rotate = [["z", "a"]]
[frames.f2]
origin = ["cos(a)", "sin(a)", 0]
rotate = [["z", "b"]]
[bodies.b1]
frame = "f1"
centre = [0.5, 0, 0]
mass = 1
inertia = [0, 0, 0.1]
[bodies.b2]
frame = "f2"
centre = [1, 0, 0]
mass = 1
inertia = [0, 0, 0.1]
[constraints]
cx = "cos(a) + 2*cos(b) = 2 + cos(c)"
cy = "sin(a) + 2*sin(b) = sin(c)"
[simulate]
until = 1
every = 0.25
)toml";
}

TEST_F(DependentConstraints, AFlatLinkageStartsAlongTheBranchThatItsVelocitySelects) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const CommandResult parallel =
        run("simulate", four_bar("{ value = 0, rate = -1 }", "0", "{ value = 0, rate = -1 }"), {"--by", by});
    ASSERT_EQ(parallel.status, 0) << by << parallel.err;
    EXPECT_THAT(parallel.err, HasSubstr("the velocity selects the branch")) << by;
    const Table table = read_csv(parallel.out);
    ASSERT_EQ(table.rows.size(), 5u);
    EXPECT_TRUE(std::isnan(table.rows[0][table.index("reaction(cx)")]));
    for (const std::vector<double>& row : table.rows) {
      // Nothing turns against anything: the bars go round with constant rates, and the coupler stays parallel.
      EXPECT_NEAR(row[table.index("a")], -row[0], 1e-9) << by;
      EXPECT_NEAR(row[table.index("b")], 0, 1e-9) << by;
    }
    // Second derivatives along the other branch: a'^2 + 2 b'^2 = c'^2 with a' + 2 b' = c'.
    const std::string crossing =
        four_bar("{ value = 0, rate = 1 }", "{ value = 0, rate = -2 }", "{ value = 0, rate = -3 }");
    const CommandResult crossed = run("simulate", crossing, {"--by", by});
    ASSERT_EQ(crossed.status, 0) << by << crossed.err;
    const Table other = read_csv(crossed.out);
    ASSERT_EQ(other.rows.size(), 5u);
    for (const std::vector<double>& row : other.rows) {
      EXPECT_NEAR(row[other.index("energy")], 0.875, 1e-9) << by;
      // Rates that are solved from quasi-velocities round by the inverse of the smallest pivot, 1e-4 or more.
      EXPECT_LE(row[other.index("residual")], by == std::string("hamel") ? 1e-12 : 1e-14) << by;
    }
    if (by == std::string("projection")) continue;  // its solver keeps seven digits of this linkage from any start
    // The same motion from where it has come to, as a start of its own.
    write("crossed.csv", crossed.out.substr(0, crossed.out.find("\n0.5,") + 1));
    const CommandResult later = run("simulate", crossing, {"--by", by, "--from", "crossed.csv"});
    ASSERT_EQ(later.status, 0) << by << later.err;
    EXPECT_NEAR(read_csv(later.out).rows.back()[1], other.rows.back()[1], 1e-8) << by;
  }
}

/// A bead where two branches of its wire cross, both at 45 degrees.
std::string crossed_wire(const std::string& constraint, const std::string& speed) {
  return "gravity = [0, -9.81, 0]\n[coordinates]\nx = { value = 0, rate = " + speed +
         " }\ny = { value = 0, rate = " + speed +
         " }\n[points.bead]\nposition = [\"x\", \"y\", 0]\nmass = 1\n[constraints]\nwire = \"" + constraint +
         "\"\n[simulate]\nuntil = 1\nevery = 0.25\n";
}

TEST_F(DependentConstraints, ABeadWhereStraightWiresCrossSlidesAlongTheOneOfItsVelocity) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"})
    for (const char* wire : {"x^2 - y^2 = 0", "1e-6*(x^2 - y^2) = 0"}) {
      const CommandResult result = run("simulate", crossed_wire(wire, "2"), {"--by", by});
      ASSERT_EQ(result.status, 0) << by << result.err;
      EXPECT_THAT(result.err, HasSubstr("the velocity selects the branch")) << by;
      const Table table = read_csv(result.out);
      ASSERT_EQ(table.rows.size(), 5u);
      EXPECT_EQ(table.rows[0][1], 0) << by;
      EXPECT_EQ(table.rows[0][3], 2) << by;
      EXPECT_TRUE(std::isnan(table.rows[0][table.index("reaction(wire)")])) << by;
      // It falls along the slope with g/sqrt(2), so by g/2 in either direction.
      for (const std::vector<double>& row : table.rows) {
        EXPECT_NEAR(row[1], 2 * row[0] - 9.81 / 4 * row[0] * row[0], 1e-9) << by << " at " << row[0];
        EXPECT_NEAR(row[2], row[1], 1e-9) << by;
      }
    }
}

// The faster one would go ten times as far as the lemniscate is long until gravity stopped it.
TEST_F(DependentConstraints, ABeadInTheMiddleOfALemniscateGoesRoundItByEveryPrinciple) {
  for (const double speed : {3, 10}) {
    std::vector<double> ends;
    for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
      const CommandResult result = run("simulate", crossed_wire("(x^2 + y^2)^2 = x^2 - y^2", std::to_string(speed)),
                                       {"--by", by, "--tolerance", "1e-11", "--until", std::to_string(3 / speed)});
      ASSERT_EQ(result.status, 0) << by << result.err;
      const Table table = read_csv(result.out);
      for (const std::vector<double>& row : table.rows)
        EXPECT_NEAR(row[table.index("energy")], speed * speed, 1e-9 * speed * speed) << by;
      ends.push_back(table.rows.back()[1]);
    }
    for (double end : ends) EXPECT_NEAR(end, ends.front(), 1e-7);
  }
}

TEST_F(DependentConstraints, ABeadAtRestWhereWiresCrossHasNoMotionThatOneStateDetermines) {
  for (const char* by : {"multipliers", "hamel"}) {
    const CommandResult result = run("simulate", crossed_wire("x^2 - y^2 = 0", "0"), {"--by", by});
    EXPECT_EQ(result.status, 3) << by;
    EXPECT_THAT(result.err, HasSubstr("undetermined: branches of the motion meet at the start")) << by;
  }
}

TEST_F(DependentConstraints, AVelocityAlongNoBranchIsRefusedAsSuch) {
  std::string model = crossed_wire("x^2 - y^2 = 0", "2");
  model.replace(model.find("y = { value = 0, rate = 2 }"), 27, "y = { value = 0, rate = 1 }");
  for (const char* by : {"multipliers", "hamel"}) {
    const CommandResult result = run("simulate", model, {"--by", by});
    EXPECT_EQ(result.status, 2) << by;
    EXPECT_THAT(result.err, HasSubstr("no acceleration keeps it at this velocity; give a velocity along one")) << by;
  }
}

// A frame of the user's own is not chosen anew.
TEST_F(DependentConstraints, AGivenFrameThatIsSingularAtTheStartIsRefusedByName) {
  const CommandResult result = run(
      "simulate", crossed_wire("x^2 - y^2 = 0", "1") + "[frame]\ns = \"x'\"\nd = \"x*x' - y*y'\"\n", {"--by", "hamel"});
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("frame.d"), HasSubstr("the frame is not invertible")));
}

TEST_F(DependentConstraints, AFlatLinkageAtRestHasNoMotionThatOneStateDetermines) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const CommandResult result = run("simulate", four_bar("0", "0", "0"), {"--by", by});
    EXPECT_EQ(result.status, 3) << by;
    EXPECT_THAT(result.err, HasSubstr("undetermined")) << by;
  }
}

TEST_F(DependentConstraints, AMasslessRockerPassesTheFlatLinkageByEveryPrinciple) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"})
    for (const double from : {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
      if (by == std::string("projection") && from != 0.5) continue;  // its solver keeps seven digits of this linkage
      const std::string turned = "{ value = " + std::to_string(from) + ", rate = -1 }";
      const CommandResult result = run("simulate", four_bar(turned, "0", turned), {"--by", by});
      ASSERT_EQ(result.status, 0) << by << from << result.err;
      EXPECT_NEAR(read_csv(result.out).rows.back()[1], from - 1, 1e-9) << by;
    }
}

// It is flat at t = 0.5. Bars that stay parallel go round with constant rates; the rocker's rod carries what turns the
// coupler round in a circle, half of its mass: -cos(a)/2 along x.
TEST_F(DependentConstraints, RowsAtAndNearTheFlatInstantHaveTheRatesOfTheMotion) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"})
    for (const char* every : {"0.5", "0.499999", "0.49"}) {
      const CommandResult result =
          run("simulate", four_bar("{ value = 0.5, rate = -1 }", "0", "{ value = 0.5, rate = -1 }"),
              {"--by", by, "--every", every, "--until", every});
      ASSERT_EQ(result.status, 0) << by << result.err;
      const Table table = read_csv(result.out);
      const std::vector<double>& row = table.rows.back();
      EXPECT_NEAR(row[table.index("a'")], -1, 1e-9) << by << " at " << every;
      EXPECT_NEAR(row[table.index("b'")], 0, 1e-9) << by << " at " << every;
      EXPECT_NEAR(row[table.index("c'")], -1, 1e-9) << by << " at " << every;
      EXPECT_LE(row[table.index("residual")], 1e-9) << by << " at " << every;
      const double reaction = row[table.index("reaction(cx)")];
      EXPECT_EQ(std::isnan(reaction), every != std::string("0.49")) << by << " at " << every;
      const double expected = -std::cos(row[table.index("a")]) / 2;
      EXPECT_TRUE(std::isnan(reaction) || std::abs(reaction - expected) < 1e-5) << by << " at " << every << reaction;
    }
}

TEST_F(DependentConstraints, WithoutFreedomEveryPrincipleHasTheReactionsOfStatics) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const CommandResult result = run("simulate", held_point(0, 2, "x = 0", "z = 0"), {"--by", by});
    ASSERT_EQ(result.status, 0) << by << result.err;
    const Table table = read_csv(result.out);
    for (const std::vector<double>& row : table.rows)
      EXPECT_NEAR(row[table.index("reaction(b)")], 2 * 9.81, 1e-14) << by;
  }
}

TEST_F(DependentConstraints, AMassMatrixThatIsSingularOnTheWayIsPassedWhereVirtualDisplacementsHaveInertia) {
  const CommandResult result = run("simulate", R"toml(
[coordinates]
x = { value = -1, rate = 1 }
y = { value = -1, rate = 1 }
[energy]
kinetic = "(x'^2 + x^2*y'^2)/2"
[constraints]
same = "y = x"
[simulate]
until = 2
every = 1
)toml");
  ASSERT_EQ(result.status, 0) << result.err;
  // (1 + x^2) x'^2 = 2: the way is (x sqrt(1 + x^2) + asinh x)/2 = sqrt(2) t and its value at -1.
  const auto way = [](double x) { return (x * std::sqrt(1 + x * x) + std::asinh(x)) / 2; };
  for (const std::vector<double>& row : read_csv(result.out).rows)
    EXPECT_NEAR(way(row[1]), std::sqrt(2) * row[0] + way(-1), 1e-9);
}

TEST_F(DependentConstraints, DrivesThatContradictEachOtherEndTheRunByName) {
  const CommandResult result = run("simulate", held_point(1, 1, "x = 0", "x = t^3"));
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("b depended on the other constraints at the start and contradicts them")));
}

TEST_F(DependentConstraints, NoRowShowsAConstraintThatIsContradicted) {
  const std::string text = R"toml(
[coordinates]
x = 0
z = { value = 1, rate = 0.5 }
[points.P]
position = ["x", 0, "z"]
mass = 1
[constraints]
a = "x = 0"
b = "x = max(t - 1, 0)^3"
[simulate]
until = 3
every = 0.001
)toml";
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const CommandResult result = run("simulate", text, {"--by", by});
    EXPECT_EQ(result.status, 3) << by;
    EXPECT_THAT(result.err, AllOf(HasSubstr("contradicts them from t = 1.0"), HasSubstr("it would be off by"))) << by;
    const Table table = read_csv(result.out);
    EXPECT_NEAR(table.rows.back()[0], 1, 0.01) << by;
    // Its rate 3 (t - 1)^2 counts as rounding up to a thousand tolerances of the speed at hand, 0.5.
    for (const std::vector<double>& row : table.rows) EXPECT_LE(row[table.index("residual")], 1e3 * 1e-10 * 4 * 0.5);
  }
}

}  // namespace dalembert::testing_support
