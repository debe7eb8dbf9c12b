// Starts: what is given is kept, and what is guessed is solved for; in every command.

#include "cli/starts.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace dalembert::testing_support {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double r = 0.1, l = 0.3, c0 = 0.5, W = 20;  // of slider_crank, at its start

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
  const CommandResult result =
      run("simulate",
          sleigh("x = { value = 0, rate = 1 }\ny = { value = 0, rate = 0.5 }\ntheta = { guess = 0.1, rate = 0.2 }", 0));
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

// --- from a file

TEST_F(Starts, ARunsOwnRowsAreAcceptedAsAStart) {
  const std::string model =
      sleigh("x = { value = 0, rate = 1 }\ny = { value = 0, rate = 1e-30 }\ntheta = { value = 0, rate = 0.5 }", 0.3);
  EXPECT_EQ(run("simulate", model, {"--until", "1", "-o", "run.csv"}).status, 0);
  const CommandResult result = run("simulate", model, {"--until", "2", "--from", "run.csv"});
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

}  // namespace dalembert::testing_support
