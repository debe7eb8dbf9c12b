// What derive and reactions show of systems that people know: the page as it is, read by eye before it was kept.

#include <gtest/gtest.h>

#include <cstdlib>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/study/reactions.hpp>
#include <fstream>
#include <sstream>

#include "support/paths.hpp"

namespace dalembert {
namespace {

std::string golden_path(const std::string& name) {
  return std::string(testing_support::tests_folder) + "/golden/equations/" + name + ".txt";
}

/// Compares with the golden file; with DALEMBERT_UPDATE_GOLDEN=1 in the environment, writes it.
void expect_golden(const std::string& name, const std::string& text) {
  if (const char* update = std::getenv("DALEMBERT_UPDATE_GOLDEN"); update && std::string(update) == "1") {
    std::ofstream(golden_path(name)) << text;
    return;
  }
  std::ifstream file(golden_path(name));
  ASSERT_TRUE(file) << "cannot read " << golden_path(name);
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str()) << "golden file " << name << "; DALEMBERT_UPDATE_GOLDEN=1 rewrites it";
}

Model own_model(const std::string& name) {
  return load_model(std::string(testing_support::tests_folder) + "/golden/models/" + name + ".toml");
}

std::string reactions_page(const Model& model) {
  const Equations equations = derive_multipliers(model);
  ReactionsReport report;
  report.state = System(equations).make_initial_start().state;
  report.reactions = find_reactions(equations, report.state);
  return write_text(report);
}

}  // namespace

TEST(GoldenEquations, OfSystemsThatPeopleWriteOnABoard) {
  for (const char* name : {"dpspring", "robot6", "slider_crank", "two_bodies", "three_bodies"})
    expect_golden(name, write_text(derive_multipliers(own_model(name))));
  expect_golden("quaternion_body", write_text(derive_hamel(own_model("quaternion_body"))));
}

TEST(GoldenEquations, OfBundledSystems) {
  for (const char* name : {"double_pendulum", "rolling_disk_tilted", "chaplygin_sleigh_offset", "heavy_top_symmetric",
                           "paulus1_inclined_planes", "paulus2_compound_pendulum", "snakeboard"})
    expect_golden(name, write_text(derive_multipliers(load_model(std::string("models:") + name))));
}

TEST(GoldenEquations, OfListingsInQuasiVelocitiesAndOfTheBicycle) {
  expect_golden("rolling_ball_quaternion_hamel",
                write_text(derive_hamel(load_model("models:rolling_ball_quaternion"))));
  expect_golden("whipple_bicycle", write_text(derive_multipliers(load_model("models:whipple_bicycle"))));
}

TEST(GoldenEquations, AsLatex) {
  expect_golden("rolling_disk_tilted_latex", write_latex(derive_multipliers(load_model("models:rolling_disk_tilted"))));
}

TEST(GoldenReactions, OfWhatCarriesLoads) {
  expect_golden("slider_crank_reactions", reactions_page(own_model("slider_crank")));
  expect_golden("ball_on_incline_reactions", reactions_page(own_model("ball_on_incline")));
  for (const char* name : {"pendulum_with_rod", "snakeboard", "rolling_disk_tilted"})
    expect_golden(std::string(name) + "_reactions", reactions_page(load_model(std::string("models:") + name)));
}

}  // namespace dalembert
