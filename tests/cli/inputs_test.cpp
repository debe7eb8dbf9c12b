#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;

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

}  // namespace
