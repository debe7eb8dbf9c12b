#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

namespace {

std::string write_model() {
  const std::string file = testing::TempDir() + "periodic.toml";
  std::ofstream(file) << "[parameters]\nk = 4\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n"
                         "potential = \"k*x^2/2\"\n[periodic]\nsection = \"x' = 0\"\nfree = [\"x\", \"T\"]\n";
  return file;
}

TEST(PeriodicCommand, writes_text_and_json) {
  const CommandResult text = run_command({"periodic", write_model()});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("period      3.14159265359\n"));
  const CommandResult json = run_command({"periodic", write_model(), "--json", "--set", "k=16"});
  ASSERT_EQ(json.status, 0) << json.err;
  const Json document = Json::parse(json.out);
  EXPECT_NEAR(document["period"].get<double>(), std::acos(0.0), 1e-11);
  EXPECT_EQ(document["independent"], Json({"x", "x'"}));
  EXPECT_EQ(document["multipliers"].size(), 2u);
  EXPECT_TRUE(document["stable"].is_null());
}

TEST(PeriodicCommand, what_is_free_may_be_given_instead) {
  const CommandResult found =
      run_command({"periodic", write_model(), "--json", "--set", "k=9", "--free", "k", "--period", "2"});
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_NEAR(Json::parse(found.out)["found"]["k"].get<double>(), std::pow(std::acos(-1.0), 2), 1e-9);
}

// x'' = -k x: every motion has the period 2 pi/sqrt(k).
TEST(PeriodicCommand, follows_a_motion_over_a_parameter) {
  const CommandResult json =
      run_command({"periodic", write_model(), "--json", "--quiet", "--free", "T", "--over", "k=4:9:1"});
  ASSERT_EQ(json.status, 0) << json.err;
  const Json document = Json::parse(json.out);
  ASSERT_GE(document["points"].size(), 6u);
  for (const Json& point : document["points"])
    EXPECT_NEAR(point["period"].get<double>(), 2 * std::acos(-1.0) / std::sqrt(point["value"].get<double>()), 1e-9);
  EXPECT_NEAR(document["points"].back()["value"].get<double>(), 9, 1e-9);
  const CommandResult csv = run_command({"periodic", write_model(), "--quiet", "--free", "T", "--over", "k=4:9:1"});
  EXPECT_THAT(csv.out, HasSubstr("k,x,x',T,re(multiplier1)"));
  const std::string picture = testing::TempDir() + "periodic.svg";
  EXPECT_EQ(run_command({"periodic", write_model(), "--free", "T", "--over", "k=4:9:1", "-o", picture}).status, 0);
  EXPECT_EQ(run_command({"periodic", write_model(), "--over", "k=9:4:1"}).status, 2);
}

TEST(PeriodicCommand, says_where_there_is_none) {
  EXPECT_EQ(run_command({"periodic", write_model(), "--free", "x'", "--period", "2"}).status, 3);
  const CommandResult nothing = run_command({"periodic", "models:pendulum"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("write [periodic] free"));
}

}  // namespace
