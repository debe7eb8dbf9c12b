// compare: equations of textbooks against a model's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

namespace {

Json compare(const std::string& model, const std::string& equation, int status) {
  CommandResult result = run_command({"compare", model, "--equation", equation, "--json"});
  EXPECT_EQ(result.status, status) << equation << result.err << result.out;
  return Json::parse(result.out);
}

std::string golden_model(const std::string& name) {
  return std::string(dalembert::testing_support::tests_folder) + "/golden/models/" + name + ".toml";
}

TEST(Compare, ProvesThePendulum) {
  EXPECT_EQ(compare("models:pendulum", "theta'' = -g/l*sin(theta)", 0)["equal"], Json(true));
  EXPECT_EQ(compare("models:pendulum", "l*theta'' + g*sin(theta) = 0", 0)["equal"], Json(true));
  EXPECT_EQ(compare("models:pendulum", "energy = m*l^2*theta'^2/2 - m*g*l*cos(theta)", 0)["equal"], Json(true));
  EXPECT_EQ(compare("models:pendulum", "momentum(theta) = m*l^2*theta'", 0)["equal"], Json(true));
}

TEST(Compare, ProvesAndRefutesMomentaEnergiesAndTransitionCoefficients) {
  // Space rates of a rigid body: [X_1, X_2] = -X_3 (Hamel 1904).
  const std::string body = "models:free_body_space_frame";
  EXPECT_EQ(compare(body, "beta(w1, w2, w3) = -1", 0)["equal"], Json(true));
  EXPECT_EQ(compare(body, "beta(w2, w1, w3) = 1", 0)["equal"], Json(true));
  EXPECT_EQ(compare(body, "beta(w1, w2, w1) = 0", 0)["equal"], Json(true));
  EXPECT_EQ(compare(body, "beta(w1, w2, w3) = 1", 1)["equal"], Json(false));
  const std::string pair = "models:double_pendulum";
  EXPECT_EQ(compare(pair, "momentum(b) = m2*l2*(l2*b' + l1*a'*cos(a - b))", 0)["equal"], Json(true));
  EXPECT_EQ(compare(pair, "momentum(b) = m2*l2^2*b'", 1)["equal"], Json(false));
  EXPECT_EQ(compare("models:pendulum", "energy = m*l^2*theta'^2/2", 1)["equal"], Json(false));
}

/// A spring in polar coordinates: its length is abs(r), which the start and what is near it do not tell from r.
TEST(Compare, AStateWithTheOtherSignRefutesWhatHoldsForOneSignOnly) {
  const std::string model = testing::TempDir() + "polar_spring.toml";
  std::ofstream(model) << R"toml(gravity = [0, 0, "-g"]
[parameters]
g = 9.81
k = { value = 20, positive = true }
L = { value = 1, positive = true }
m = 1
[coordinates]
r = 1.2
theta = 0.4
[points.P]
position = ["r*sin(theta)", 0, "-r*cos(theta)"]
mass = "m"
[energy]
potential = "k/2*(norm(position(P)) - L)^2"
)toml";
  const std::string motion = "m*r'' = m*r*theta'^2 + m*g*cos(theta) - ";
  const Json refuted = compare(model, motion + "k*(r - L)", 1);
  EXPECT_EQ(refuted["equal"], Json(false));
  EXPECT_LT(refuted["counterexample"]["state"]["r"].get<double>(), 0);
  const Json proved = compare(model, motion + "k*r*(abs(r) - L)/abs(r)", 0);
  EXPECT_EQ(proved["equal"], Json(true));
  EXPECT_EQ(proved["conditions"], Json::array());
}

TEST(Compare, WhatHoldsForOneSignOfAParameterIsProvedUnderThatConditionByItsName) {
  const Json proved = compare("models:pendulum", "sqrt(l^2)*theta'' = -g*sin(theta)", 0);
  EXPECT_EQ(proved["equal"], Json(true));
  EXPECT_EQ(proved["conditions"], Json::array({"l >= 0"}));
  EXPECT_THAT(proved["evidence"].get<std::string>(), HasSubstr("where l >= 0"));
  EXPECT_EQ(compare("models:pendulum", "sqrt(l^2)*theta'' = -g*sin(theta)/2", 1)["equal"], Json(false));
}

TEST(Compare, WhatIsWrongInTheEquationIsSaidOfTheEquation) {
  for (const std::string equation : {"theta'' = ", "phi'' = -g", "theta''"}) {
    const CommandResult result = run_command({"compare", "models:pendulum", "--equation", equation});
    EXPECT_EQ(result.status, 2) << equation;
    EXPECT_THAT(result.err, testing::Not(HasSubstr("outputs"))) << equation;
    EXPECT_THAT(result.err, testing::Not(HasSubstr(".toml"))) << equation;
  }
}

TEST(Compare, RefutesWithAStateAndByHowMuch) {
  const Json result = compare("models:pendulum", "theta'' = -g/l*theta", 1);
  EXPECT_EQ(result["equal"], Json(false));
  const Json& state = result["counterexample"]["state"];
  const double theta = state["theta"], left = result["counterexample"]["left"],
               right = result["counterexample"]["right"];
  // The start of the model comes first, with its own parameters: g = 9.81, l = 0.9.
  EXPECT_NEAR(left, -9.81 / 0.9 * std::sin(theta), 1e-12 * 9.81 / 0.9);
  EXPECT_NEAR(right, -9.81 / 0.9 * theta, 1e-12 * 9.81 / 0.9);
}

TEST(Compare, HoldsOnTheConstraintsOnly) {
  // In Cartesian coordinates: x'' = 2*x*lambda/m with lambda = -(m*(x'^2 + y'^2) - m*g*y)/(2*L^2); L^2 = x^2 + y^2.
  EXPECT_EQ(compare("models:iftomm_A01_pendulum", "reaction(bar) = -m*(x'^2 + y'^2 - g*y)/(2*L^2)", 0)["equal"],
            Json(true));
  EXPECT_EQ(compare("models:iftomm_A01_pendulum", "reaction(bar) = -m*(x'^2 + y'^2 - g*y)/(2*(x^2 + y^2))", 0)["equal"],
            Json(true));
  EXPECT_EQ(compare("models:iftomm_A01_pendulum", "reaction(bar) = -m*(x'^2 + y'^2)/(2*L^2)", 1)["equal"], Json(false));
}

/// One equation is proved, and the same with one term changed is refuted.
void expect_only(const std::string& model, const std::string& right, const std::string& wrong) {
  EXPECT_EQ(compare(model, right, 0)["equal"], Json(true)) << right;
  EXPECT_EQ(compare(model, wrong, 1)["equal"], Json(false)) << wrong;
}

TEST(Compare, DecidesWhatTheEquationsOfALinkageImply) {
  const std::string crank = golden_model("slider_crank");
  expect_only(crank, "reaction(along) = -m3*s'' - F0", "reaction(along) = -m3*s''");
  // Differentiated by hand: once, twice, and solved.
  expect_only(crank, "s' = -r*phi'*sin(phi + psi)/cos(psi)", "s' = -r*phi'*sin(phi - psi)/cos(psi)");
  expect_only(crank, "r*(phi''*cos(phi) - phi'^2*sin(phi)) = l*(psi''*cos(psi) - psi'^2*sin(psi))",
              "r*(phi''*cos(phi) + phi'^2*sin(phi)) = l*(psi''*cos(psi) - psi'^2*sin(psi))");
  expect_only(crank, "psi'' = (r*phi''*cos(phi) - r*phi'^2*sin(phi) + l*psi'^2*sin(psi))/(l*cos(psi))",
              "psi'' = (r*phi''*cos(phi) - r*phi'^2*sin(phi))/(l*cos(psi))");
}

TEST(Compare, DecidesWhatABallOnAnInclineDoes) {
  // A homogeneous ball rolls with 5/7 of the acceleration it would slide with; friction takes the rest.
  const std::string ball = golden_model("ball_on_incline");
  expect_only(ball, "x'' = 5/7*g*sin(al)", "x'' = 2/3*g*sin(al)");
  expect_only(ball, "reaction(roll.z) = g*m*cos(al)", "reaction(roll.z) = g*m");
  expect_only(ball, "reaction(roll.x) = -2/7*g*m*sin(al)", "reaction(roll.x) = 2/7*g*m*sin(al)");
  // On a turning table its centre moves in circles with 2/7 of the table's rate.
  expect_only("models:rolling_ball_quaternion", "x'' = -2/7*W*y'", "x'' = -W*y'");
}

TEST(Compare, AConstraintThatCannotBeSolvedIsStillItself) {
  expect_only("models:chain_10", "2*((x2 - x1)^2 + (y2 - y1)^2) = 2*L^2/N^2", "(x2 - x1)^2 + (y2 - y1)^2 = L^2/N");
  // Three rods of which two would do: each of them holds.
  expect_only("models:redundant_parallelogram", "(x - c*cos(theta))^2 + (y - c*sin(theta))^2 = l^2",
              "(x - b*cos(theta))^2 + (y - c*sin(theta))^2 = l^2");
}

TEST(Compare, WhatHoldsWhetherContactsPressOrNot) {
  EXPECT_EQ(compare("models:bouncing_ball", "m*(z'' + g) = reaction(floor)", 0)["equal"], Json(true));
  EXPECT_EQ(compare("models:bouncing_ball", "m*(z'' - g) = reaction(floor)", 1)["equal"], Json(false));
  EXPECT_EQ(compare("models:bouncing_ball", "z'' = -g", 0)["equal"], Json(nullptr));  // in the air only
}

TEST(Compare, AnotherDescription) {
  const std::string path = testing::TempDir() + "compare_" + std::to_string(::getpid()) + ".toml";
  auto with_energy = [&](const std::string& potential) {
    std::ofstream(path)
        << "name = \"by energies\"\n[parameters]\nm = 1\nl = 1\ng = 1\n[coordinates]\ntheta = 1\n[energy]\n"
           "kinetic = \"m*l^2*theta'^2/2\"\npotential = \""
        << potential << "\"\n";
    return run_command({"compare", "models:pendulum", "--with", path, "--json"});
  };
  EXPECT_EQ(Json::parse(with_energy("-m*g*l*cos(theta)").out)["equal"], Json(true));
  CommandResult other = with_energy("m*g*l*theta^2/2");
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(Json::parse(other.out)["equal"], Json(false));
  EXPECT_EQ(run_command({"compare", "models:pendulum", "--with", "models:double_pendulum"}).status, 2);
}

TEST(Compare, SaysWhatIsWrongWithTheQuestion) {
  EXPECT_THAT(run_command({"compare", "models:pendulum"}).err, HasSubstr("--equation"));
  EXPECT_EQ(run_command({"compare", "models:pendulum", "--equation", "theta''"}).status, 2);
  EXPECT_EQ(run_command({"compare", "models:pendulum", "--equation", "thet'' = 0"}).status, 2);
}

}  // namespace
