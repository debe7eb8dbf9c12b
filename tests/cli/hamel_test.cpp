// --by hamel in derive and reactions: what people and programs read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/folder.hpp"
#include "support/run_command.hpp"

namespace {

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

TEST(DeriveByHamel, ShowsFrameKinematicsEquationsAndReactionsOfTheSleigh) {
  CommandResult result = run_command({"derive", "models:chaplygin_sleigh_offset", "--by", "hamel"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("sideways = y'*cos(theta) - x'*sin(theta) = 0"));
  EXPECT_THAT(result.out, HasSubstr("x' = forward*cos(theta)"));
  EXPECT_THAT(result.out, HasSubstr("m*(forward' - a*turning^2) = 0"));
  EXPECT_THAT(result.out, HasSubstr("reaction(blade) = m*(a*turning' + forward*turning)"));
}

// Ten times the tolerance, relative to motions of about one.
TEST(SimulateByHamel, FollowsTheIntegralsThatLagrangesEquationsHave) {
  for (const char* name : {"models:heavy_top_symmetric", "models:skate", "models:spherical_pendulum"}) {
    std::vector<Json> integrals;
    for (const char* by : {"multipliers", "hamel"}) {
      const CommandResult result =
          run_command({"simulate", name, "--until", "0.5", "--every", "0.5", "--by", by, "--json"});
      ASSERT_EQ(result.status, 0) << name << result.err;
      integrals.push_back(Json::parse(result.out)["summary"]["integrals"]);
    }
    ASSERT_EQ(integrals[0].size(), integrals[1].size()) << name;
    EXPECT_GE(integrals[0].size(), 2u) << name;
    for (std::size_t k = 0; k < integrals[0].size(); ++k) {
      EXPECT_EQ(integrals[0][k]["name"], integrals[1][k]["name"]);
      EXPECT_NEAR(integrals[0][k]["start"], integrals[1][k]["start"], 1e-12) << integrals[0][k]["name"];
      EXPECT_LT(integrals[1][k]["largest"], 1e-9) << integrals[0][k]["name"];
    }
  }
}

/// Each formula went through the solved frame by itself: 2.8 seconds for these 48 velocities, half a minute for 80.
TEST(SimulateByHamel, GoesThroughTheFormulasOfASolvedFrameOnce) {
  const CommandResult result = run_command({"simulate", "models:chain_1000", "--set", "N=24", "--by", "hamel",
                                            "--until", "0.001", "--every", "0.001", "--limit-work", "2.5"},
                                           {.seconds = 60});
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST(DeriveByHamel, HasItsPartsInJson) {
  CommandResult result = run_command({"derive", "models:rolling_disk_tilted", "--by", "hamel", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  Json document = Json::parse(result.out);
  EXPECT_EQ(document["by"], "hamel");
  EXPECT_EQ(document["mass_matrix"].size(), 3u);
  EXPECT_EQ(document["bias"].size(), 3u);
  EXPECT_TRUE(document["jacobian"].empty());
  EXPECT_EQ(document["kinematics"]["N"].size(), 5u);
  EXPECT_EQ(document["kinematics"]["N"][0].size(), 3u);
  EXPECT_EQ(document["equations"][0]["name"], "leaning");
  ASSERT_EQ(document["frame"].size(), 5u);
  EXPECT_EQ(document["frame"][4]["name"], "slip_across");
  EXPECT_EQ(document["frame"][4]["vanishes"], true);
  EXPECT_EQ(document["reactions"].size(), 2u);
}

TEST(DeriveByHamel, WritesLatexAndC) {
  CommandResult latex = run_command({"derive", "models:rolling_disk_tilted", "--by", "hamel", "--as", "latex"});
  EXPECT_EQ(latex.status, 0) << latex.err;
  EXPECT_THAT(latex.out, HasSubstr("\\begin{align}"));
  CommandResult c = run_command({"derive", "models:rolling_disk_tilted", "--by", "hamel", "--as", "c"});
  EXPECT_EQ(c.status, 0) << c.err;
  EXPECT_THAT(c.out, HasSubstr("void kinematics("));
}

TEST(ReactionsByHamel, AreThoseOfTheMultipliersWithFormulasOfTheirOwn) {
  Json one = Json::parse(run_command({"reactions", "models:rolling_disk_tilted", "--json"}).out);
  Json other = Json::parse(run_command({"reactions", "models:rolling_disk_tilted", "--by", "hamel", "--json"}).out);
  ASSERT_EQ(one["reactions"].size(), 2u);
  ASSERT_EQ(other["reactions"].size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(other["reactions"][k]["by"], "surplus");
    EXPECT_EQ(other["reactions"][k]["name"], one["reactions"][k]["name"]);
    EXPECT_FALSE(other["reactions"][k]["multiplier"]["formula"].is_null());
    EXPECT_NEAR(other["reactions"][k]["multiplier"]["value"].get<double>(),
                one["reactions"][k]["multiplier"]["value"].get<double>(), 1e-12);
  }
}

TEST(ReactionsByHamel, OfDependentConstraintsAreOfLeastNorm) {
  Json one = Json::parse(run_command({"reactions", "models:redundant_parallelogram", "--json"}).out);
  Json other = Json::parse(run_command({"reactions", "models:redundant_parallelogram", "--by", "hamel", "--json"}).out);
  ASSERT_EQ(one["reactions"].size(), other["reactions"].size());
  for (std::size_t k = 0; k < one["reactions"].size(); ++k) {
    EXPECT_EQ(other["reactions"][k]["unique"], one["reactions"][k]["unique"]);
    EXPECT_NEAR(other["reactions"][k]["multiplier"]["value"].get<double>(),
                one["reactions"][k]["multiplier"]["value"].get<double>(), 1e-10);
  }
}

/// Six bodies turned by quaternions, each hung on the one before by a ball joint.
constexpr const char* ball_chain = R"toml(
gravity = [0, 0, -9.81]
[repeat]
k = "1..6"
[coordinates]
"x{k}" = "{k} - 1/2"
"y{k}" = 0
"z{k}" = 0
"a{k}" = 1
"b{k}" = 0
"c{k}" = 0
"d{k}" = 0
[frames."F{k}"]
origin = ["x{k}", "y{k}", "z{k}"]
rotate = [["quaternion", "a{k}", "b{k}", "c{k}", "d{k}"]]
[points.R0]
[points."L{k}"]
frame = "F{k}"
position = [-0.5, 0, 0]
[points."R{k}"]
frame = "F{k}"
position = [0.5, 0, 0]
[bodies."B{k}"]
frame = "F{k}"
mass = 1
inertia = [0.01, 0.08, 0.09]
[constraints]
"joint{k}" = "position(L{k}) = position(R{k-1})"
)toml";

class LargeFrames : public dalembert::testing_support::FolderTest {};

TEST_F(LargeFrames, AreToldOnTwentyKilobytesInShortLines) {
  write("m.toml", ball_chain);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"frame", "m.toml"}, {"derive", "m.toml", "--by", "hamel"}}) {
    const CommandResult result = run_command(arguments, {.folder = folder.string()});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_LT(result.out.size(), 20'480u) << arguments[0];
    std::istringstream lines(result.out);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    EXPECT_LE(longest, 3 * 160u) << arguments[0];  // bytes: rules of tables have three a character
  }
  const CommandResult text = run_command({"frame", "m.toml"}, {.folder = folder.string()});
  EXPECT_THAT(text.out, HasSubstr("more that do not vanish: --json has them all"));
  const CommandResult all =
      run_command({"derive", "--by", "hamel", "--as", "json", "m.toml"}, {.folder = folder.string()});
  EXPECT_EQ(Json::parse(all.out)["frame"].size(), 42u);
}

}  // namespace
