// What contradicts itself is refused by name, with residuals.

#include <cmath>

#include "cli/starts.hpp"

namespace dalembert::testing_support {

class Contradictions : public Starts {};

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(Contradictions, GivensThatContradictAreNamedWithResiduals) {
  const CommandResult result =
      run("simulate",
          slider_crank("crank = { value = 0.5, rate = 20 }\nrod = { value = 0.1, rate = 0 }\ns = { guess = 0.3 }\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("cannot be assembled"), HasSubstr("crank = 0.5"), HasSubstr("rod = 0.1"),
                                HasSubstr("pin_y: 0.018"), Not(HasSubstr("pin_x: "))));
}

TEST_F(Contradictions, RatesThatContradictAreNamedWithResiduals) {
  const CommandResult result =
      run("simulate",
          slider_crank("crank = { value = 0.5, rate = 20 }\nrod = { guess = 0.1, rate = 1 }\ns = { guess = 0.3 }\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("no rates satisfy the constraints"), HasSubstr("crank' = 20"),
                                HasSubstr("rod' = 1"), HasSubstr("pin_y (rates): ")));
}

TEST_F(Contradictions, APositionThatCannotBeAssembledIsReportedWithTheGapAtEachConstraint) {
  const CommandResult result = run("check", slider_crank("crank = 0.5\nrod = { guess = 0.1 }\ns = 0.6\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("cannot be assembled"), HasSubstr("gaps left: pin_x: -0.2"), HasSubstr("pin_y: ")));
}

TEST_F(Contradictions, ConditionsThatContradictAreNamed) {
  const CommandResult result =
      run("simulate", slider_crank(one_angle, "[initial]\nreach = \"position(piston).x = 0.25\"\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("initial.reach: "));
}

TEST_F(Contradictions, CheckFailsOnAnInconsistentStartAndStillSaysWhatItIs) {
  const CommandResult result = run("check", off_circle);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("degrees of freedom  1"), HasSubstr("0.48")));
  EXPECT_THAT(result.err, HasSubstr("rod: -0.15"));
}

TEST_F(Contradictions, CheckFailsOnConstraintsThatContradictEachOther) {
  const CommandResult result = run("check", held_point(1, 1, "x = 0", "x = t^2*z"));
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

TEST_F(Contradictions, AReductionMustAgreeWithTheCoordinates) {
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

TEST_F(Contradictions, GuessesOfAReductionFollowFromTheCoordinatesAndTheOtherWayRound) {
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

TEST_F(Contradictions, ValueAndGuessTogetherAreRefused) {
  const CommandResult result = run("check", slider_crank("crank = { value = 0.5, guess = 0.4 }\nrod = 0\ns = 0.4\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("model.toml:6:"), HasSubstr("coordinates.crank.guess"), HasSubstr("write one of them")));
}

TEST_F(Contradictions, AConditionIsAnEquationOfTheState) {
  const CommandResult sided = run("check", slider_crank(one_angle, "[initial]\nhigh = \"s >= 0.2\"\n"));
  EXPECT_EQ(sided.status, 2);
  EXPECT_THAT(sided.err, AllOf(HasSubstr("initial.high"), HasSubstr("is an equation")));
  const CommandResult idle = run("check", slider_crank(one_angle, "[initial]\nnone = \"r = l\"\n"));
  EXPECT_EQ(idle.status, 2);
  EXPECT_THAT(idle.err, AllOf(HasSubstr("initial.none"), HasSubstr("depends on no coordinate")));
}

constexpr const char* pulled_point = R"toml(
[coordinates]
x = 0
z = 1
[points.P]
position = ["x", 0, "z"]
mass = 1
force = [0.3, 0, 0]
[constraints]
a = "x = 0"
)toml";

/// x = 0 and x = t^3 agree to the second derivative at the start only.
TEST_F(Contradictions, OnTheWayFailVerify) {
  const CommandResult wrong = run("verify", std::string(pulled_point) + "b = \"x = t^3\"\n");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("constraints of a run"));
  EXPECT_THAT(wrong.out, HasSubstr("not everything agrees"));
  const CommandResult right = run("verify", std::string(pulled_point) + "b = \"2*x = 0\"\n");
  EXPECT_EQ(right.status, 0) << right.out;
}

/// A flat parallelogram: the closure along its bars is stationary there, and no identity.
TEST_F(Contradictions, AStationaryConstraintIsNotSaidToReadNothing) {
  const std::string flat = R"toml(
[coordinates]
a = { value = 0, rate = 1 }
b = { value = 0, rate = -1 }
c = { value = 0, rate = 1 }
[points.B]
position = ["cos(a) + 2*cos(a + b)", "sin(a) + 2*sin(a + b)", 0]
mass = 1
[points.C]
position = ["2 + cos(c)", "sin(c)", 0]
mass = 1
[energy]
kinetic = "b'^2/2"
[constraints]
along = "position(B).x = position(C).x"
across = "position(B).y = position(C).y"
)toml";
  const CommandResult result = run("check", flat);
  EXPECT_THAT(result.out, HasSubstr("the derivatives of along vanish in this singular configuration"));
  EXPECT_THAT(result.out, Not(HasSubstr("0 = 0")));
}

}  // namespace dalembert::testing_support
