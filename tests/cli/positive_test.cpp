// Parameters declared positive: formulas take them so, and other values are refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/run_command.hpp"

namespace {

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;
using testing::Not;

class Positive : public testing::Test {
 protected:
  /// A pendulum whose potential has the height of its bob as -|l| cos(theta).
  void write(const std::string& l, const std::string& height = "sqrt(l^2)") {
    std::ofstream(path_) << "[parameters]\ng = 9.81\nm = 2\nl = " << l << R"toml(
[coordinates]
theta = 0.3
[energy]
kinetic = "m*l^2*theta'^2/2"
potential = "-m*g*cos(theta)*)toml"
                         << height << "\"\n";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  const std::string path_ = testing::TempDir() + "positive_" + std::to_string(::getpid()) + ".toml";
};

TEST_F(Positive, ParametersLeaveNoAbsoluteValues) {
  write("1.5");
  EXPECT_THAT(run_command({"derive", path_}).out, HasSubstr("abs(l)"));
  write("{ value = 1.5, positive = true }");
  EXPECT_THAT(run_command({"derive", path_}).out, Not(HasSubstr("abs")));
  write("{ value = 1.5, positive = true }", "abs(l)");
  EXPECT_THAT(run_command({"derive", path_}).out, Not(HasSubstr("abs")));
}

TEST_F(Positive, ParametersAreRefusedOtherwise) {
  write("{ value = -1.5, positive = true }");
  CommandResult refused = run_command({"check", path_});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("-1.5 is not positive"));
  EXPECT_THAT(refused.err, HasSubstr(":4:"));
  write("{ value = 1.5, positive = true }");
  for (const char* value : {"l=-1", "l=0"}) {
    refused = run_command({"simulate", path_, "--set", value, "--until", "0.1"});
    EXPECT_EQ(refused.status, 2) << value;
    EXPECT_THAT(refused.err, HasSubstr("is not positive")) << value;
  }
  EXPECT_EQ(run_command({"simulate", path_, "--set", "l=2", "--until", "0.1"}).status, 0);
}

TEST_F(Positive, ItsTableSaysWhatIsWrong) {
  write("{ positive = true }");
  EXPECT_THAT(run_command({"check", path_}).err, HasSubstr("no value is given"));
  write("{ value = 1, positive = 1 }");
  EXPECT_THAT(run_command({"check", path_}).err, HasSubstr("true or false"));
  write("{ value = 1, positiv = true }");
  EXPECT_THAT(run_command({"check", path_}).err, HasSubstr("positive"));
}

TEST_F(Positive, AMassThatIsAParameterIsSoByItself) {
  write("1.5", "l*sqrt(m^2)/m");
  EXPECT_THAT(run_command({"derive", path_}).out, HasSubstr("abs(m)"));  // a mass by no point or body
  std::ofstream(path_) << "[parameters]\nm = 2\n[coordinates]\nx = 1\n[points.P]\nposition = [\"x\", 0, 0]\nmass = "
                          "\"m\"\n[energy]\npotential = \"sqrt(m^2)*x^2\"\n";
  EXPECT_THAT(run_command({"derive", path_}).out, Not(HasSubstr("abs")));
}

}  // namespace
