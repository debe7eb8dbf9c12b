// Hamilton's principal function (Hamel 1904, section 3) against the reference case hamilton_principal_function: closed
// forms, and for the rigid body Euler's equations integrated elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

namespace {

Json action_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "action");
  arguments.push_back("--json");
  CommandResult result = run_command(arguments);
  EXPECT_EQ(result.status, 0) << result.err << result.out;
  return result.status == 0 ? Json::parse(result.out) : Json();
}

TEST(ActionCommand, OfTheOscillator) {
  // From rates that are wrong on purpose: only the two configurations count.
  Json document =
      action_of({"models:oscillator", "--set", "q'=1", "--from", "q=0.4", "--to", "q=-0.9", "--until", "0.8"});
  ASSERT_TRUE(document.is_object());
  EXPECT_NEAR(document["S"], 0.9369868639737586, 1e-12);
  EXPECT_NEAR(document["momenta"][0]["J1"], -0.6515396269839103, 1e-12);
  EXPECT_NEAR(document["momenta"][0]["J0"], -3.218970159154995, 1e-12);
  EXPECT_NEAR(document["energy"], 3.76701908397951, 1e-12);
  const double bound = document["momenta"][0]["bound1"];
  EXPECT_LT(bound, 1e-7);
  EXPECT_NEAR(document["momenta"][0]["dS1"], -0.6515396269839103, bound);
  EXPECT_NEAR(document["momenta"][0]["dS0"], 3.218970159154995, document["momenta"][0]["bound0"].get<double>());
  EXPECT_NEAR(document["dS_dt1"], -3.76701908397951, document["bound_t1"].get<double>());
  EXPECT_EQ(document["ok"], true);
}

TEST(ActionCommand, OfTheProjectile) {
  Json document = action_of({"models:projectile", "--set", "x'=0", "--set", "z'=0", "--from", "x=0.2", "--from", "z=1",
                             "--to", "x=3.1", "--to", "z=-0.5", "--until", "1.3"});
  ASSERT_TRUE(document.is_object());
  EXPECT_NEAR(document["S"], -4.7387177925, 1e-12);
  EXPECT_NEAR(document["momenta"][0]["J1"], 1.3384615384615386, 1e-12);
  EXPECT_NEAR(document["momenta"][1]["J1"], -4.518207692307692, 1e-12);
  EXPECT_NEAR(document["momenta"][0]["J0"], 1.3384615384615386, 1e-12);
  EXPECT_NEAR(document["momenta"][1]["J0"], 3.133592307692308, 1e-12);
}

/// A quaternion from the rotation matrix of the reference case.
std::array<double, 4> quaternion_of(const std::array<double, 9>& r) {
  const double e0 = std::sqrt(1 + r[0] + r[4] + r[8]) / 2;
  return {e0, (r[7] - r[5]) / (4 * e0), (r[2] - r[6]) / (4 * e0), (r[3] - r[1]) / (4 * e0)};
}

TEST(ActionCommand, OfTheFreeRigidBodyInBodyRates) {
  const std::string path = testing::TempDir() + "action_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path) << R"toml(
name = "free body"
[coordinates]
e0 = 1
e1 = { value = 0, rate = 0.25 }    # not the rates that arrive
e2 = { value = 0, rate = -0.4 }
e3 = { value = 0, rate = 0.25 }
[frames.body]
rotate = [["quaternion", "e0", "e1", "e2", "e3"]]
[bodies.body]
frame = "body"
mass = 1
inertia = [0.5, 0.8, 1.1]
[frame]
w1 = "dot(omega(body), axis(body, x))"
w2 = "dot(omega(body), axis(body, y))"
w3 = "dot(omega(body), axis(body, z))"
)toml";
  const std::array<double, 4> e = quaternion_of({0.2696706089913493, -0.9329904068229773, -0.238341484896165,
                                                 0.06157528739887355, 0.26371192652085323, -0.9626341484657597,
                                                 0.9609819179505764, 0.24491819162107084, 0.1285645082636851});
  std::vector<std::string> arguments{path, "--until", "1.5"};
  for (std::size_t i = 0; i < 4; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "e%zu=%.17g", i, e[i]);
    arguments.insert(arguments.end(), {"--to", text});
  }
  Json document = action_of(arguments);
  std::filesystem::remove(path);
  ASSERT_TRUE(document.is_object());
  EXPECT_NEAR(document["S"], 0.753, 1e-11);  // R1 is given to 1e-11
  const std::array<double, 3> j1{0.45939901966846924, -0.36200570482863664, 0.6781625250625186}, j0{0.3, -0.72, 0.44};
  for (std::size_t k = 0; k < 3; ++k) {
    const Json& momentum = document["momenta"][k];
    EXPECT_NEAR(momentum["J1"], j1[k], 3e-11);  // the momenta move with the end by about as much
    EXPECT_NEAR(momentum["J0"], j0[k], 3e-11);
    EXPECT_LT(momentum["bound1"], 1e-6);
  }
  EXPECT_EQ(document["ok"], true);
}

TEST(ActionCommand, AlongTheMotionOfANonHolonomicSystemThereIsAnActionButNoPrincipalFunction) {
  Json document = action_of({"models:skate", "--until", "0.5"});
  EXPECT_EQ(document["principal"], false);
  EXPECT_TRUE(document["dS_dt1"].is_null());
  CommandResult refused =
      run_command({"action", "models:skate", "--to", "x=0", "--to", "y=0", "--to", "theta=1", "--until", "0.5"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("blade is not integrable"));
}

/// After half a period every motion of the oscillator from q0 is at -q0: none ends beside it.
TEST(ActionCommand, BetweenConjugateEndsIsToldWithoutTheComparison) {
  Json document = action_of(
      {"models:oscillator", "--set", "w=1", "--set", "q=0.4", "--set", "q'=0.3", "--until", "3.141592653589793"});
  EXPECT_NEAR(document["S"], 0, 1e-11);  // (T - V) over half a period
  EXPECT_TRUE(document["unchecked"].is_string());
  EXPECT_TRUE(document["dS_dt1"].is_null());
}

/// Where the ends are turning points a step of the first size goes beyond what can be reached.
TEST(ActionCommand, AlongTenSecondsOfAPendulumMomentaAreDerivativesOfTheAction) {
  Json document = action_of({"models:pendulum"});
  EXPECT_TRUE(document["unchecked"].is_null());
  EXPECT_EQ(document["ok"], true);
}

/// atan(x) is asin(x/sqrt(x^2 + 1)), which no relation of their atoms says.
TEST(ActionCommand, WhetherAForceVanishesMayBeUndecided) {
  const std::string path = testing::TempDir() + "undecided_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path) << R"toml(
name = "undecided"
[coordinates]
x = { value = 0, rate = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "atan(x) - asin(x/sqrt(x^2 + 1))"
)toml";
  CommandResult refused = run_command({"action", path, "--to", "x=0.5", "--until", "0.5"});
  std::filesystem::remove(path);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("whether the force on x vanishes was not decided"));
}

/// The skate's blade lets no work be done, theta = 1.7 t, and L is known in closed form: x = (g sin a / 2 w^2) sin^2
/// wt.
TEST(ActionCommand, OfTheSkateIsTheIntegralOfItsLagrangian) {
  const double m = 2, inertia = 0.6, g = 9.81 * std::sin(0.4), w = 1.7, until = 0.5;
  double sum = 0;
  const int steps = 2000;
  auto lagrangian = [&](double t) {
    const double v = g / w * std::sin(w * t), x = g / (2 * w * w) * std::pow(std::sin(w * t), 2);
    return m * v * v / 2 + inertia * w * w / 2 + m * g * x;
  };
  for (int k = 0; k < steps; ++k) {
    const double h = until / steps, t = k * h;
    sum += h / 6 * (lagrangian(t) + 4 * lagrangian(t + h / 2) + lagrangian(t + h));
  }
  EXPECT_NEAR(action_of({"models:skate", "--until", "0.5"})["S"], sum, 1e-11);
}

TEST(ActionCommand, WrongInputIsNamed) {
  EXPECT_THAT(run_command({"action", "models:projectile", "--to", "x=1"}).err, HasSubstr("z is missing"));
  EXPECT_THAT(run_command({"action", "models:projectile", "--to", "y=1"}).err, HasSubstr("no coordinate y"));
  EXPECT_THAT(run_command({"action", "models:oscillator", "--to", "q=a b"}).err, HasSubstr("no number"));
  CommandResult off = run_command({"action", "models:spherical_pendulum", "--to", "x=3", "--to", "y=0", "--to", "z=0"});
  EXPECT_EQ(off.status, 2);
  EXPECT_THAT(off.err, HasSubstr("violates rod"));
}

}  // namespace
