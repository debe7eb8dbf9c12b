#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

namespace {

TEST(InputsCommand, linearize_differentiates_to_them) {
  const std::string file = testing::TempDir() + "pendulum_inputs.toml";
  std::ofstream(file) << R"toml(
gravity = [0, 0, -9.81]
[inputs]
torque = 0
[coordinates]
a = 0
[points.P]
position = ["0.7*sin(a)", 0, "-0.7*cos(a)"]
mass = 2
[forces]
a = "torque"
)toml";
  const CommandResult result = run_command({"linearize", file, "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["inputs"], Json({"torque"}));
  EXPECT_NEAR(document["B"][1][0].get<double>(), 1 / (2 * 0.49), 1e-14);
}

std::string refusal(const std::string& input, const std::string& table) {
  const std::string model = testing::TempDir() + "wrong_inputs.toml";
  std::ofstream(model) << "[inputs]\nu = " + input +
                              "\n[coordinates]\nx = 0\n[points.P]\nposition = [\"x\", 0, 0]\nmass = 1\n"
                              "force = [\"u\", 0, 0]\n";
  std::ofstream(testing::TempDir() + "u.csv") << table;
  const CommandResult result = run_command({"simulate", model});
  EXPECT_EQ(result.status, 2) << table;
  return result.err;
}

TEST(InputsCommand, tables_that_tell_no_signal_are_refused_by_name) {
  const std::string u = "{ file = \"u.csv\", column = \"u\" }";
  EXPECT_THAT(refusal(u, "t,u,u\n0,1,2\n1,2,3\n"), HasSubstr("u.csv:1: there are two columns u"));
  for (const std::string rows : {"0,1\n5e-324,2\n1,3\n", "0,1e308\n0.5,-1e308\n1,1e308\n"})
    EXPECT_THAT(refusal(u, "t,u\n" + rows),
                HasSubstr("u.csv: u: no cubics of finite coefficients go through its rows"));
  EXPECT_THAT(refusal("{ file = \"\", column = \"u\" }", ""), HasSubstr("inputs.u: no file is given"));
  EXPECT_THAT(refusal("{ file = \"u.csv\", column = \"\" }", ""), HasSubstr("inputs.u: no column is given"));
}

}  // namespace
