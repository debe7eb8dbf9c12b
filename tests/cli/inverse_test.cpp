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

std::string write_model(const std::string& follow) {
  const std::string file = testing::TempDir() + "inverse.toml";
  std::ofstream(file) << "[inputs]\nf = 0\n[coordinates]\nx = { guess = 0, rate_guess = 0 }\n"
                         "[energy]\nkinetic = \"x'^2\"\n[forces]\nx = \"f - 3*x\"\n[inverse]\nfollow = "
                      << follow << "\nby = [\"f\"]\n[simulate]\nuntil = 1\nevery = 0.5\n";
  return file;
}

TEST(InverseCommand, writes_the_inputs_after_the_rates) {
  const CommandResult csv = run_command({"inverse", write_model("{ x = \"t^2\" }")});
  ASSERT_EQ(csv.status, 0) << csv.err;
  EXPECT_THAT(csv.out, HasSubstr("t,x,x',f,energy,residual\n0,0,0,4,0,0\n0.5,0.25,1,4.75,"));
  EXPECT_THAT(csv.err, HasSubstr("index 3"));
  const CommandResult json = run_command({"inverse", write_model("{ x = \"t^2\" }"), "--json", "--quiet"});
  EXPECT_EQ(Json::parse(json.out)["columns"], Json({"t", "x", "x'", "f", "energy", "residual"}));
  EXPECT_EQ(json.err.find("index"), std::string::npos);
}

TEST(InverseCommand, names_the_section_and_the_place_of_what_is_wrong) {
  const CommandResult unknown = run_command({"inverse", write_model("{ y = \"t\" }")});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("inverse.toml:10:12:"));
  const CommandResult missing = run_command({"inverse", "models:pendulum"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("write [inverse] follow"));
}

}  // namespace
