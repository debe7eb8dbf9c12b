#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;

TEST(VerifyCommand, ABundledModelAgreesWithItsReduction) {
  CommandResult result = run_command({"verify", "models:spherical_pendulum", "--json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  nlohmann::json document = nlohmann::json::parse(result.out);
  EXPECT_EQ(document["ok"], true);
  ASSERT_GT(document["agreements"].size(), 10u);
  for (const auto& agreement : document["agreements"]) {
    EXPECT_TRUE(agreement["quantity"].is_string());
    EXPECT_EQ(agreement["between"].size(), 2u);
    EXPECT_LE(agreement["largest"].get<double>(), agreement["bound"].get<double>());
    EXPECT_EQ(agreement["ok"], true);
  }
}

TEST(VerifyCommand, TextIsATableWithASeed) {
  CommandResult result = run_command({"verify", "models:pendulum", "--seed", "7", "--states", "3"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("(seed 7)"));
  EXPECT_THAT(result.out, HasSubstr("everything agrees"));
}

/// There the contact is held as a row of the reduced equations.
TEST(VerifyCommand, AReductionBesideAContactAgrees) {
  const std::string path = testing::TempDir() + "reduced_contact_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path) << R"toml(
gravity = [0, -9.81, 0]
[coordinates]
x = { value = 1, rate = 0 }
y = { value = 0, rate = 0.5 }
[points.P]
position = ["x", "y", 0]
mass = 2
[constraints]
circle = "x^2 + y^2 = 1"
wall = "x >= -2"
[reduction]
coordinates = { phi = { value = 0, rate = 0.5 } }
x = "cos(phi)"
y = "sin(phi)"
[simulate]
until = 1
)toml";
  const CommandResult result = run_command({"verify", path});
  std::filesystem::remove(path);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("everything agrees"));
}

// Its front wheel comes to lie almost flat there, where directions in its plane are quotients of small numbers.
TEST(VerifyCommand, ABicycleFarFromItsStartKeepsTheRowOfItsFrontWheel) {
  for (const char* seed : {"5", "6", "7", "8"}) {
    const CommandResult result = run_command({"verify", "models:whipple_bicycle", "--seed", seed});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
  }
}

TEST(VerifyCommand, AWrongReductionIsStatus1) {
  std::string path = testing::TempDir() + "wrong_reduction_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path) << R"toml(
name = "wrong"
gravity = [0, -9.81, 0]
[coordinates]
x = { value = 0, rate = 1 }
y = -1
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
rod = "x^2 + y^2 = 1"
[reduction]
coordinates = { s = { value = 0, rate = 1 } }
x = "sin(s)"
y = "-1 + s^2/2"
)toml";
  CommandResult result = run_command({"verify", path});
  std::filesystem::remove(path);
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("DISAGREE"));
}

TEST(VerifyCommand, StatesAroundALaterTimeMayBeAskedFor) {
  EXPECT_EQ(run_command({"verify", "models:pendulum", "--time", "0.5", "--states", "2"}).status, 0);
}

/// Ends with one of the documented statuses and says why nothing was compared.
void expect_said(const std::string& command, const std::string& text) {
  const std::string path = testing::TempDir() + "not_finite_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path) << text;
  std::vector<std::string> arguments{command, path};
  if (command == "derive") arguments.insert(arguments.end(), {"--by", "projection"});
  const CommandResult result = run_command(arguments);
  std::filesystem::remove(path);
  EXPECT_LE(result.status, 3) << command << ": " << text;
  EXPECT_THAT(result.out + result.err,
              testing::AnyOf(HasSubstr("not finite"), HasSubstr("singular"), HasSubstr("undefined")));
}

TEST(VerifyCommand, AKineticEnergyThatIsNotFiniteAtTheStartIsSaidToBeSo) {
  const std::string coordinates = "name = \"grows\"\n[coordinates]\nx = 1\ny = 1\n";
  for (const char* command : {"verify", "derive"}) {
    expect_said(command, coordinates + "[energy]\nkinetic = \"x'^2/(2*t) + y'^2/2\"\n");
    expect_said(command, coordinates + "[energy]\nkinetic = \"x'^2/(2*t) + y'^2/2\"\n[constraints]\na = \"x = y\"\n");
    expect_said(command, coordinates + "[energy]\nkinetic = \"x'^2/2 + y'^2/2\"\npotential = \"1e400*x\"\n");
  }
}

TEST(VerifyCommand, WrongInputIsStatus2) {
  EXPECT_EQ(run_command({"verify", "models:nothing"}).status, 2);
  EXPECT_EQ(run_command({"verify", "models:pendulum", "--states", "0"}).status, 2);
}
