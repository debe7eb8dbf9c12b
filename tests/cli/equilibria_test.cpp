#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/folder.hpp"
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

class EquilibriaOfModels : public dalembert::testing_support::FolderTest {
 protected:
  Json find(const std::vector<std::string>& options) {
    write("m.toml",
          "[repeat]\nk = \"1..80\"\n[parameters]\nm = 1\ng = 10\nc = 1000\n[definitions]\nx0 = \"0\"\n[coordinates]\n"
          "\"x{k}\" = 0\n[energy]\nkinetic = \"sum(k, 1, 80, m*x{k}'^2/2)\"\n"
          "potential = \"sum(k, 1, 80, c*(x{k} - x{k-1})^2/2 - m*g*x{k})\"\n");
    std::vector<std::string> arguments{"equilibria", "m.toml", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandResult result = run_command(arguments, {.folder = folder.string()});
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out)["equilibria"][0]["state"];
  }
};

// A spring carries all that hangs below it. The matrix of 80 springs has a condition of 4*81^2/pi^2 = 2700.
TEST_F(EquilibriaOfModels, masses_on_springs_hang_as_deep_as_the_weights_say) {
  const Json state = find({});
  double depth = 0;
  for (int k = 1; k <= 80; ++k) {
    depth += (81 - k) * 10 / 1000.0;
    EXPECT_NEAR(state["x" + std::to_string(k)].get<double>(), depth, 2700 * 2.2e-16 * 32.4);
  }
}

// The branches of a bead on a hoop that turns with w, whose square is a parameter of its own, or is written out.
TEST_F(EquilibriaOfModels, branches_go_through_parameters_that_are_formulas) {
  const auto follow = [&](const std::string& parameters, const std::string& square) {
    write("hoop.toml", "[parameters]\nw = 5\n" + parameters +
                           "[coordinates]\nth = 0.5\n[energy]\nkinetic = \"th'^2/2\"\npotential = \"-9.81*cos(th) - " +
                           square + "*sin(th)^2/2\"\n");
    return run_command({"equilibria", "hoop.toml", "--over", "w=2:5:0.5"}, {.folder = folder.string()});
  };
  const CommandResult named = follow("W = \"w^2\"\n", "W"), written = follow("", "w^2");
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_EQ(named.out, written.out);
  EXPECT_THAT(named.err,
              HasSubstr("4 branches"));  // the lowest and the highest point, and the two that leave the lowest
}

TEST_F(EquilibriaOfModels, the_origin_is_found_from_elsewhere) {
  for (const Json& place : find({"--set", "g=0", "--set", "x80=3"})) EXPECT_NEAR(place.get<double>(), 0, 1e-12);
}

}  // namespace
