#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

namespace {

TEST(EquilibriaCommand, lists_them_with_their_stability) {
  const CommandResult result = run_command({"equilibria", "models:rotating_hoop", "--box", "theta=-1.6:1.6", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json document = Json::parse(result.out);
  ASSERT_EQ(document["equilibria"].size(), 3);
  const double theta = std::acos(9.81 / (0.4 * 49));
  EXPECT_NEAR(document["equilibria"][0]["state"]["theta"].get<double>(), -theta, 1e-11);
  EXPECT_EQ(document["equilibria"][1]["stable"], false);
  EXPECT_EQ(document["equilibria"][2]["stable"], true);
  EXPECT_THAT(run_command({"equilibria", "models:rotating_hoop"}).out, HasSubstr("the energy has a minimum here"));
}

TEST(EquilibriaCommand, says_where_there_is_none_and_what_to_do) {
  const CommandResult none = run_command({"equilibria", "models:projectile"});
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.err, HasSubstr("no equilibrium was found from 100 starts; look in other boxes"));
  const CommandResult wrong = run_command({"equilibria", "models:pendulum", "--box", "theta"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("write NAME=LOW:HIGH"));
}

}  // namespace
