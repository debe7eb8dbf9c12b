#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

namespace {

std::string measure() {
  const std::string file = testing::TempDir() + "measured.csv";
  const CommandResult result = run_command({"simulate", "models:pendulum", "--set", "l=0.95", "--until", "3", "--every",
                                            "0.1", "--columns", "theta", "--quiet", "-o", file});
  EXPECT_EQ(result.status, 0) << result.err;
  return file;
}

TEST(FitCommand, finds_the_length_that_a_table_was_made_with) {
  const std::string plot = testing::TempDir() + "residuals.svg";
  const CommandResult result =
      run_command({"fit", "models:pendulum", measure(), "--parameters", "l", "--json", "-o", plot});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json document = Json::parse(result.out);
  EXPECT_NEAR(document["parameters"]["l"]["value"].get<double>(), 0.95, 1e-8);
  EXPECT_EQ(document["correlation"], Json::parse("[[1.0]]"));
  EXPECT_EQ(document["not_identifiable"], Json::array());
  std::stringstream text;
  text << std::ifstream(plot).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("theta residual"));
}

TEST(FitCommand, says_what_is_wrong_and_what_to_do) {
  const auto complaint = [](std::vector<std::string> arguments) {
    const CommandResult result = run_command(std::move(arguments));
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  const std::string file = measure();
  EXPECT_THAT(complaint({"fit", "models:pendulum", "/nowhere.csv", "--parameters", "l"}), HasSubstr("cannot be read"));
  EXPECT_THAT(complaint({"fit", "models:pendulum", file, "--parameters", "ll"}), HasSubstr("did you mean l?"));
  EXPECT_THAT(complaint({"fit", "models:pendulum", file, "--parameters", "l", "--bounds", "m=1:2"}),
              HasSubstr("m is not fitted"));
  EXPECT_THAT(complaint({"fit", "models:pendulum", file, "--parameters", "l", "--deviation", "theta"}),
              HasSubstr("COLUMN=NUMBER"));
  EXPECT_THAT(complaint({"simulate", "models:pendulum", "--gradient", "l", "--by", "gauss"}),
              HasSubstr("leave out --by"));
}

TEST(FitCommand, a_column_counts_once) {
  const std::string file = testing::TempDir() + "twice.csv";
  std::ofstream(file) << "t,theta,theta\n0,1,1\n0.5,0.5,0.7\n1,-0.4,-0.3\n";
  const CommandResult twice = run_command({"fit", "models:pendulum", file, "--parameters", "l"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err, HasSubstr(":1: there are two columns theta"));
  std::ofstream(file) << "t,theta\n0,1\n0.5,0.5\n1,-0.4\n";
  const CommandResult named =
      run_command({"fit", "models:pendulum", file, "--parameters", "l", "--columns", "theta,theta"});
  EXPECT_EQ(named.status, 2);
  EXPECT_THAT(named.err, HasSubstr("theta is named twice; name it once: it would count twice"));
}

TEST(FitCommand, rows_at_the_start_alone_tell_nothing) {
  const std::string file = testing::TempDir() + "start.csv";
  std::ofstream(file) << "t,theta\n0,1\n";
  const CommandResult result = run_command({"fit", "models:pendulum", file, "--parameters", "l"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("t: all rows are at the start; measure later ones too"));
}

TEST(GradientCommand, gradient_adds_columns_of_slopes) {
  const CommandResult result = run_command({"simulate", "models:pendulum", "--gradient", "l", "--until", "0.1",
                                            "--every", "0.1", "--columns", "theta,d(theta)/d(l)", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("t,theta,d(theta)/d(l)\n0,1,0\n"));
}

/// What the base carries is what the upper arm's joint hands on, the base's own weight and inertia apart; at each joint
/// the same load as `reactions` finds at the start.
TEST(JointCommand, loads_of_several_joints_are_columns) {
  const CommandResult result =
      run_command({"simulate", "models:three_link_arm", "--joint", "upper", "--joint", "fore", "--until", "0.1",
                   "--every", "0.1", "--columns", "joint(upper).force.z,joint(fore).force.z", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json row = Json::parse(result.out)["rows"][0];
  for (const auto& [joint, column] : {std::pair("upper", 1), std::pair("fore", 2)}) {
    const CommandResult one = run_command({"reactions", "models:three_link_arm", "--joint", joint, "--json"});
    const double force = Json::parse(one.out)["joint"]["force"]["world"]["value"][2].get<double>();
    EXPECT_NEAR(row[column].get<double>(), force, 1e-10 * std::abs(force)) << joint;
  }
}

}  // namespace
