// Starts: what is given is kept, what is guessed is solved for, what contradicts is refused; in every command.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/folder.hpp"
#include "support/motion_table.hpp"

namespace dalembert::testing_support {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Starts : public FolderTest {
 protected:
  CommandResult run(const std::string& command, const std::string& model, std::vector<std::string> more = {}) const {
    write("model.toml", model);
    std::vector<std::string> arguments{command, "model.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments, {.folder = folder.string()});
  }
  /// The first row of the motion, by column.
  double first(const CommandResult& result, const std::string& column) const {
    const Table table = read_csv(result.out);
    return table.rows.at(0).at(table.index(column));
  }
};

constexpr double r = 0.1, l = 0.3, c0 = 0.5, W = 20;

/// Crank, rod and piston; `coordinates` says what is known of the start.
std::string slider_crank(const std::string& coordinates, const std::string& more = "") {
  return R"toml(
[parameters]
r = 0.1
l = 0.3
[coordinates]
)toml" + coordinates +
         R"toml(
[frames.crank]
rotate = [["z", "crank"]]
[frames.rod]
origin = ["r*cos(crank)", "r*sin(crank)", 0]
rotate = [["z", "-rod"]]
[points.pin]
frame = "rod"
position = ["l", 0, 0]
[points.piston]
position = ["s", 0, 0]
mass = 0.8
[bodies.crank]
frame = "crank"
mass = 1
inertia = [0, 0, 0.02]
[bodies.rod]
frame = "rod"
centre = ["l/3", 0, 0]
mass = 0.5
inertia = [0, 0, 0.004]
[constraints]
pin_x = "position(pin).x = position(piston).x"
pin_y = "position(pin).y = position(piston).y"
[simulate]
until = 0.1
every = 0.1
)toml" + more;
}
const std::string one_angle = "crank = { value = 0.5, rate = 20 }\nrod = { guess = 0.1 }\ns = { guess = 0.3 }\n";

/// A point on a circle, off it; the commands differ in what they need.
const std::string off_circle = R"toml(
gravity = [0, -9.81, 0]
[coordinates]
x = { value = 0.6, rate = 0.4 }
y = { value = -0.7, rate = 0 }
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
rod = "x^2 + y^2 = 1"
[simulate]
until = 0.2
every = 0.1
)toml";

}  // namespace

// --- linkages, bodies, platforms

TEST_F(Starts, ALinkageStartsFromOneAngleAndItsSpeedWhichAreKeptToTheLastDigit) {
  const CommandResult result = run("simulate", slider_crank(one_angle));
  ASSERT_EQ(result.status, 0) << result.err;
  const double root = std::sqrt(l * l - r * r * std::sin(c0) * std::sin(c0));  // closed form of the triangle
  EXPECT_EQ(first(result, "crank"), 0.5);
  EXPECT_EQ(first(result, "crank'"), 20.0);
  EXPECT_NEAR(first(result, "rod"), std::asin(r / l * std::sin(c0)), 1e-15);
  EXPECT_NEAR(first(result, "s"), r * std::cos(c0) + root, 1e-15);
  EXPECT_NEAR(first(result, "rod'"), W * r * std::cos(c0) / root, 1e-13);
  EXPECT_NEAR(first(result, "s'"), -W * r * std::sin(c0) * (1 + r * std::cos(c0) / root), 1e-14);
  EXPECT_LE(first(result, "residual"), 1e-15);
  EXPECT_THAT(result.err,
              HasSubstr("note: the start was moved onto the constraints: rod by 0.0605, s by 0.0839, rod' by "));
  EXPECT_THAT(result.err, Not(HasSubstr("not determined")));
}

TEST_F(Starts, OptionsMarkTheSameAsTheFileDoes) {
  const std::string given = "crank = { value = 0.5, rate = 20 }\nrod = 0.1\ns = 0.3\n";
  const CommandResult written = run("simulate", slider_crank(one_angle));
  const CommandResult asked = run("simulate", slider_crank(given), {"--solve", "rod, s,rod',s'"});
  EXPECT_EQ(asked.status, 0) << asked.err;
  EXPECT_EQ(asked.out, written.out);
}

TEST_F(Starts, WhatSetGivesIsGivenAndNoGuess) {
  const CommandResult result = run("simulate", slider_crank(one_angle), {"--set", "rod=0.1"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("crank = 0.5"), HasSubstr("rod = 0.1"), HasSubstr("--solve")));
}

TEST_F(Starts, EveryPrincipleStartsFromTheSameState) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const CommandResult result = run("simulate", slider_crank(one_angle), {"--by", by});
    ASSERT_EQ(result.status, 0) << by << result.err;
    EXPECT_EQ(first(result, "crank"), 0.5) << by;
    EXPECT_NEAR(first(result, "rod"), std::asin(r / l * std::sin(c0)), 1e-15) << by;
    EXPECT_NEAR(first(result, "crank'"), 20.0, 1e-14) << by;
  }
}

TEST_F(Starts, AQuaternionBodyStartsFromItsAngularVelocity) {
  const CommandResult result = run("simulate", R"toml(
[coordinates]
e0 = { value = 0.8, rate_guess = 0 }
e1 = { value = 0, rate_guess = 0 }
e2 = { value = 0.6, rate_guess = 0 }
e3 = { value = 0, rate_guess = 0 }
[frames.top]
rotate = [["quaternion", "e0", "e1", "e2", "e3"]]
[bodies.top]
frame = "top"
mass = 1
inertia = [1, 2, 3]
[initial]
spin = "omega(top) = [0.5, 0.2, 30]"
[outputs]
w = "omega(top)"
[simulate]
until = 0.01
every = 0.01
)toml");
  ASSERT_EQ(result.status, 0) << result.err;
  // e' = (0, w) e / 2 for w in world axes.
  const double e0 = 0.8, e2 = 0.6, wx = 0.5, wy = 0.2, wz = 30;
  EXPECT_NEAR(first(result, "e0'"), -wy * e2 / 2, 1e-14);
  EXPECT_NEAR(first(result, "e1'"), (wx * e0 - wz * e2) / 2, 1e-14);
  EXPECT_NEAR(first(result, "e2'"), wy * e0 / 2, 1e-14);
  EXPECT_NEAR(first(result, "e3'"), (wz * e0 + wx * e2) / 2, 1e-14);
  EXPECT_NEAR(first(result, "w.z"), 30, 1e-13);
  EXPECT_EQ(first(result, "e2"), 0.6);
  EXPECT_THAT(result.err, Not(HasSubstr("not determined")));
}

TEST_F(Starts, APlatformOnSixLegsStartsFromItsPose) {
  const CommandResult result = run("simulate", R"toml(
[repeat]
k = "1..6"
[parameters]
h = 1.2
a = 0.2
[coordinates]
x = { value = 0.1, rate = 0.3 }
y = 0
z = { value = "h", rate = 0.5 }
tilt = { value = "a", rate = 1 }
"leg{k}" = { guess = 1 }
[frames.platform]
origin = ["x", "y", "z"]
rotate = [["x", "tilt"]]
[points."A{k}"]
frame = "platform"
position = ["0.5*cos({k}*pi/3 + (-1)^{k}*0.2)", "0.5*sin({k}*pi/3 + (-1)^{k}*0.2)", 0]
[points."B{k}"]
position = ["cos({k}*pi/3 - (-1)^{k}*0.2)", "sin({k}*pi/3 - (-1)^{k}*0.2)", 0]
[bodies.platform]
frame = "platform"
mass = 3
inertia = [0.2, 0.2, 0.4]
[constraints]
"length{k}" = "norm(position(A{k}) - position(B{k})) = leg{k}"
[simulate]
until = 0.01
every = 0.01
)toml");
  ASSERT_EQ(result.status, 0) << result.err;
  for (int k = 1; k <= 6; ++k) {
    const double sign = k % 2 == 0 ? 1 : -1, pa = k * M_PI / 3 + sign * 0.2, pb = k * M_PI / 3 - sign * 0.2;
    const double ax = 0.1 + 0.5 * std::cos(pa), ay = 0.5 * std::sin(pa) * std::cos(0.2);
    const double az = 1.2 + 0.5 * std::sin(pa) * std::sin(0.2);
    const double dx = ax - std::cos(pb), dy = ay - std::sin(pb), length = std::hypot(dx, dy, az);
    // The tilt turns A about x with unit rate.
    const double vx = 0.3, vy = -0.5 * std::sin(pa) * std::sin(0.2), vz = 0.5 + 0.5 * std::sin(pa) * std::cos(0.2);
    EXPECT_NEAR(first(result, "leg" + std::to_string(k)), length, 1e-15 * 4);
    EXPECT_NEAR(first(result, "leg" + std::to_string(k) + "'"), (dx * vx + dy * vy + az * vz) / length, 1e-15 * 8);
  }
  EXPECT_EQ(first(result, "tilt"), 0.2);
}

TEST_F(Starts, AConditionOnPlacesIsMetByWhatIsGuessed) {
  const CommandResult result =
      run("simulate", slider_crank("crank = { guess = 0.4 }\nrod = { guess = 0.1 }\ns = { guess = 0.3 }\n",
                                   "[initial]\nreach = \"position(piston).x = 0.25\"\nspeed = \"s' = -1.5\"\n"));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NEAR(first(result, "s"), 0.25, 1e-16 * 4);
  // The law of cosines in the triangle of crank, rod and way.
  EXPECT_NEAR(std::cos(first(result, "crank")), (0.25 * 0.25 + r * r - l * l) / (2 * 0.25 * r), 1e-14);
  EXPECT_NEAR(first(result, "s'"), -1.5, 1e-15 * 4);
}

TEST_F(Starts, AnAngleThatOnlyRatesDetermineIsFound) {
  const CommandResult result = run("simulate", R"toml(
[coordinates]
x = { value = 0, rate = 1 }
y = { value = 0, rate = 0.5 }
theta = { guess = 0.1, rate = 0.2 }
[frames.s]
origin = ["x", "y", 0]
rotate = [["z", "theta"]]
[bodies.s]
frame = "s"
mass = 1
inertia = [0, 0, 0.2]
[constraints]
blade = "-sin(theta)*x' + cos(theta)*y' = 0"
[simulate]
until = 0.1
)toml");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NEAR(first(result, "theta"), std::atan2(0.5, 1), 1e-15);
  EXPECT_EQ(first(result, "x'"), 1.0);
  EXPECT_EQ(first(result, "y'"), 0.5);
}

TEST_F(Starts, WhatNothingDeterminesMovesLeastInTheKineticMetricAndIsNamed) {
  const CommandResult result = run("simulate", R"toml(
[coordinates]
x = { guess = 0.9 }
y = { guess = 0.7 }
z = { value = 0.25, rate = 1 }
[energy]
kinetic = "(x'^2 + 9*y'^2 + z'^2)/2"
[constraints]
ball = "x^2 + y^2 + z^2 = 1"
[simulate]
until = 0.1
)toml");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("not determined by what is given, and moved least: x, y, x', y'"));
  const double x = first(result, "x"), y = first(result, "y"), vx = first(result, "x'"), vy = first(result, "y'");
  EXPECT_EQ(first(result, "z"), 0.25);
  // Lagrange's condition of the nearest place: M (q - guess) is along the gradient (x, y) of the constraint.
  EXPECT_NEAR((x - 0.9) * y - 9 * (y - 0.7) * x, 0, 1e-8);
  EXPECT_NEAR(x * x + y * y, 1 - 0.25 * 0.25, 1e-15);
  // And of the nearest rates to rest: M q' along the gradient.
  EXPECT_NEAR(vx * y - 9 * vy * x, 0, 1e-14);
  EXPECT_NEAR(x * vx + y * vy + 0.25, 0, 1e-15);
}

// --- every command

TEST_F(Starts, EveryCommandThatRecommendsAnOptionHasIt) {
  const std::vector<std::vector<std::string>> commands{
      {"check"}, {"simulate"},  {"derive", "--time", "0"},    {"derive", "--by", "projection"}, {"reactions"},
      {"gauss"}, {"hodograph"}, {"action", "--until", "0.1"}, {"verify", "--states", "1"},
  };
  for (std::vector<std::string> more : commands) {
    const std::string command = more[0];
    more.erase(more.begin());
    const CommandResult refused = run(command, off_circle, more);
    EXPECT_EQ(refused.status, 2) << command;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("rod: -0.15"), HasSubstr("--solve"), HasSubstr("--project-initial")));
    std::vector<std::string> solve = more, project = more;
    solve.insert(solve.end(), {"--solve", "y,y'"});
    project.push_back("--project-initial");
    const CommandResult solved = run(command, off_circle, solve), moved = run(command, off_circle, project);
    EXPECT_EQ(solved.status, 0) << command << solved.err;
    EXPECT_THAT(solved.err, AllOf(HasSubstr("y by -0.1, y' by 0.3"), Not(HasSubstr("x by")))) << command;
    EXPECT_EQ(moved.status, 0) << command << moved.err;
    EXPECT_THAT(moved.err, AllOf(HasSubstr("x by 0.0"), HasSubstr("y by -0.0"))) << command;
  }
}

TEST_F(Starts, ReactionsAndGaussAreThoseOfTheStateSolvedFor) {
  const CommandResult result = run("reactions", off_circle, {"--solve", "y,y'", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  // x = 0.6, y = -0.8, x' = 0.4, y' = 0.3: 2 lambda r = m (v^2 + g y) / l towards the centre.
  const auto document = nlohmann::json::parse(result.out);
  EXPECT_NEAR(document["reactions"][0]["multiplier"]["value"].get<double>(), -(0.25 + 9.81 * 0.8) / 2, 1e-14);
}

TEST_F(Starts, AnUnknownNameInSolveIsRefusedWithTheNearest) {
  const CommandResult result = run("simulate", slider_crank(one_angle), {"--solve", "cranc"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("cranc"), HasSubstr("did you mean 'crank'?")));
}

// --- what contradicts

TEST_F(Starts, GivensThatContradictAreNamedWithResiduals) {
  const CommandResult result =
      run("simulate",
          slider_crank("crank = { value = 0.5, rate = 20 }\nrod = { value = 0.1, rate = 0 }\ns = { guess = 0.3 }\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("cannot be assembled"), HasSubstr("crank = 0.5"), HasSubstr("rod = 0.1"),
                                HasSubstr("pin_y: 0.018"), Not(HasSubstr("pin_x: "))));
}

TEST_F(Starts, RatesThatContradictAreNamedWithResiduals) {
  const CommandResult result =
      run("simulate",
          slider_crank("crank = { value = 0.5, rate = 20 }\nrod = { guess = 0.1, rate = 1 }\ns = { guess = 0.3 }\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("no rates satisfy the constraints"), HasSubstr("crank' = 20"),
                                HasSubstr("rod' = 1"), HasSubstr("pin_y (rates): ")));
}

TEST_F(Starts, APositionThatCannotBeAssembledIsReportedWithTheGapAtEachConstraint) {
  const CommandResult result = run("check", slider_crank("crank = 0.5\nrod = { guess = 0.1 }\ns = 0.6\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("cannot be assembled"), HasSubstr("gaps left: pin_x: -0.2"), HasSubstr("pin_y: ")));
}

TEST_F(Starts, ConditionsThatContradictAreNamed) {
  const CommandResult result =
      run("simulate", slider_crank(one_angle, "[initial]\nreach = \"position(piston).x = 0.25\"\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("initial.reach: "));
}

TEST_F(Starts, CheckFailsOnAnInconsistentStartAndStillSaysWhatItIs) {
  const CommandResult result = run("check", off_circle);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("degrees of freedom  1"), HasSubstr("0.48")));
  EXPECT_THAT(result.err, HasSubstr("rod: -0.15"));
}

TEST_F(Starts, CheckFailsOnConstraintsThatContradictEachOther) {
  const CommandResult result = run("check", R"toml(
[coordinates]
x = 0
z = 1
[points.P]
position = ["x", 0, "z"]
mass = 1
[constraints]
a = "x = 0"
b = "x = t^2*z"
)toml");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("constraints.b"), HasSubstr("another acceleration than a")));
}

const std::string reduced_pendulum = R"toml(
gravity = [0, -9.81, 0]
[coordinates]
x = { value = "sin(0.5)", rate = "0.7*cos(0.5)" }
y = { value = "-cos(0.5)", rate = "0.7*sin(0.5)" }
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
rod = "x^2 + y^2 = 1"
[reduction]
coordinates = { s = { value = 0.5, rate = 0.7 } }
x = "sin(s)"
y = "-cos(s)"
[simulate]
until = 0.1
)toml";

TEST_F(Starts, AReductionMustAgreeWithTheCoordinates) {
  EXPECT_EQ(run("simulate", reduced_pendulum, {"--by", "reduced"}).status, 0);
  EXPECT_EQ(run("check", reduced_pendulum).status, 0);
  for (const auto& [name, wrong] :
       std::vector<std::pair<std::string, std::string>>{{"s", "x = 0.479"}, {"s'", "x' = 0.61"}}) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"check"}, std::vector<std::string>{"simulate", "--by", "reduced"}}) {
      std::vector<std::string> more(command.begin() + 1, command.end());
      more.insert(more.end(), {"--set", name + "=0.6"});
      const CommandResult result = run(command[0], reduced_pendulum, more);
      EXPECT_EQ(result.status, 2) << command[0] << name;
      EXPECT_THAT(result.err, AllOf(HasSubstr(wrong), HasSubstr("by [reduction]")));
    }
  }
}

TEST_F(Starts, GuessesOfAReductionFollowFromTheCoordinatesAndTheOtherWayRound) {
  const CommandResult follows =
      run("simulate", reduced_pendulum, {"--by", "reduced", "--set", "s=0.4", "--set", "s'=0", "--solve", "s,s'"});
  ASSERT_EQ(follows.status, 0) << follows.err;
  EXPECT_NEAR(first(follows, "s"), 0.5, 1e-15);
  EXPECT_NEAR(first(follows, "s'"), 0.7, 1e-15);
  const std::vector<std::string> open{"--set", "s=0.6", "--set", "s'=0.1", "--solve", "x,y,x',y'"};
  const CommandResult wide = run("simulate", reduced_pendulum, open);
  ASSERT_EQ(wide.status, 0) << wide.err;
  EXPECT_NEAR(first(wide, "x"), std::sin(0.6), 1e-15);
  EXPECT_NEAR(first(wide, "y'"), 0.1 * std::sin(0.6), 1e-15);
}

// --- what is written

TEST_F(Starts, ValueAndGuessTogetherAreRefused) {
  const CommandResult result = run("check", slider_crank("crank = { value = 0.5, guess = 0.4 }\nrod = 0\ns = 0.4\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("model.toml:6:"), HasSubstr("coordinates.crank.guess"), HasSubstr("write one of them")));
}

TEST_F(Starts, AConditionIsAnEquationOfTheState) {
  const CommandResult sided = run("check", slider_crank(one_angle, "[initial]\nhigh = \"s >= 0.2\"\n"));
  EXPECT_EQ(sided.status, 2);
  EXPECT_THAT(sided.err, AllOf(HasSubstr("initial.high"), HasSubstr("is an equation")));
  const CommandResult idle = run("check", slider_crank(one_angle, "[initial]\nnone = \"r = l\"\n"));
  EXPECT_EQ(idle.status, 2);
  EXPECT_THAT(idle.err, AllOf(HasSubstr("initial.none"), HasSubstr("depends on no coordinate")));
}

// --- rows that say nothing

TEST_F(Starts, ARowThatReadsNothingIsNamedRedundant) {
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
  const CommandResult check = run("check", model), motion = run("simulate", model);
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, AllOf(HasSubstr("rank 1"), HasSubstr("redundant: empty reads 0 = 0"),
                               HasSubstr("redundant: identity reads 0 = 0"), Not(HasSubstr("follows from \n"))));
  ASSERT_EQ(motion.status, 0) << motion.err;
  EXPECT_NEAR(read_csv(motion.out).rows.back()[1], 1, 1e-12);  // a hundredth of the tolerance: it is linear
}

TEST_F(Starts, APlanarLinkageMayBeClosedAlongTurnedAxes) {
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

// --- from a file

TEST_F(Starts, ARunsOwnRowsAreAcceptedAsAStart) {
  const std::string sleigh = R"toml(
[coordinates]
x = { value = 0, rate = 1 }
y = { value = 0, rate = 1e-30 }
theta = { value = 0, rate = 0.5 }
[frames.s]
origin = ["x", "y", 0]
rotate = [["z", "theta"]]
[bodies.s]
frame = "s"
centre = [0.3, 0, 0]
mass = 1
inertia = [0, 0, 0.2]
[constraints]
blade = "-sin(theta)*x' + cos(theta)*y' = 0"
[simulate]
every = 0.5
)toml";
  EXPECT_EQ(run("simulate", sleigh, {"--until", "1", "-o", "run.csv"}).status, 0);
  const CommandResult result = run("simulate", sleigh, {"--until", "2", "--from", "run.csv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("moved")));
}

TEST_F(Starts, TheBicycleIsPutOnItsWheels) {
  const CommandResult result =
      run_command({"simulate", "models:whipple_bicycle", "--set", "phi=0.3", "--set", "delta=0.2", "--set", "theta=0.1",
                   "--project-initial", "--until", "1", "--every", "0.1"});
  ASSERT_EQ(result.status, 0) << result.err;
  for (const std::vector<double>& row : read_csv(result.out).rows) EXPECT_LE(row.back(), 1e-14);
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

TEST_F(Starts, AFlatLinkageStartsAlongTheBranchThatItsVelocitySelects) {
  for (const char* by : {"multipliers", "gauss", "projection"}) {
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
    const CommandResult crossed =
        run("simulate", four_bar("{ value = 0, rate = 1 }", "{ value = 0, rate = -2 }", "{ value = 0, rate = -3 }"),
            {"--by", by});
    ASSERT_EQ(crossed.status, 0) << by << crossed.err;
    const Table other = read_csv(crossed.out);
    ASSERT_EQ(other.rows.size(), 5u);
    for (const std::vector<double>& row : other.rows) {
      EXPECT_NEAR(row[other.index("energy")], 0.875, 1e-9) << by;
      EXPECT_LE(row[other.index("residual")], 1e-14) << by;
    }
    if (by == std::string("projection")) continue;  // its solver keeps seven digits of this linkage from any start
    // The same motion from where it has come to, as a start of its own.
    write("crossed.csv", crossed.out.substr(0, crossed.out.find("\n0.5,") + 1));
    const CommandResult later = run("simulate", four_bar("0", "0", "0"), {"--by", by, "--from", "crossed.csv"});
    ASSERT_EQ(later.status, 0) << by << later.err;
    EXPECT_NEAR(read_csv(later.out).rows.back()[1], other.rows.back()[1], 1e-8) << by;
  }
}

TEST_F(Starts, AFlatLinkageAtRestHasNoMotionThatOneStateDetermines) {
  const CommandResult result = run("simulate", four_bar("0", "0", "0"));
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("undetermined"));
}

TEST_F(Starts, AMasslessRockerPassesTheFlatLinkageByEveryPrinciple) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const CommandResult result =
        run("simulate", four_bar("{ value = 0.5, rate = -1 }", "0", "{ value = 0.5, rate = -1 }"), {"--by", by});
    ASSERT_EQ(result.status, 0) << by << result.err;
    EXPECT_NEAR(read_csv(result.out).rows.back()[1], -0.5, 1e-9) << by;
  }
}

TEST_F(Starts, WithoutFreedomEveryPrincipleHasTheReactionsOfStatics) {
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const CommandResult result = run("simulate", R"toml(
gravity = [0, 0, -9.81]
[coordinates]
x = 0
z = 0
[points.P]
position = ["x", 0, "z"]
mass = 2
[constraints]
a = "x = 0"
b = "z = 0"
[simulate]
until = 1
every = 0.5
)toml",
                                     {"--by", by});
    ASSERT_EQ(result.status, 0) << by << result.err;
    const Table table = read_csv(result.out);
    for (const std::vector<double>& row : table.rows)
      EXPECT_NEAR(row[table.index("reaction(b)")], 2 * 9.81, 1e-14) << by;
  }
}

TEST_F(Starts, AMassMatrixThatIsSingularOnTheWayIsPassedWhereVirtualDisplacementsHaveInertia) {
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

TEST_F(Starts, DrivesThatContradictEachOtherEndTheRunByName) {
  const CommandResult result = run("simulate", R"toml(
[coordinates]
x = 0
z = 1
[points.P]
position = ["x", 0, "z"]
mass = 1
[constraints]
a = "x = 0"
b = "x = t^3"
)toml");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("b depended on the other constraints at the start and contradicts them")));
}

}  // namespace dalembert::testing_support
