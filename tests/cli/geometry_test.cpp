#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/motion_table.hpp"
#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;
using Json = nlohmann::json;
namespace support = dalembert::testing_support;

TEST(GaussCommand, WritesTheDocumentThatScriptsRelyOn) {
  CommandResult result =
      run_command({"gauss", "models:double_pendulum", "--at", "a''=1", "--at", "b'' = 2*l1", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  Json document = Json::parse(result.out);
  for (const char* field : {"Z", "phi", "Q", "accelerations", "actual"}) EXPECT_TRUE(document.contains(field)) << field;
  EXPECT_EQ(document["accelerations"], Json({1.0, 1.6}));
  EXPECT_NEAR(document["Z"].get<double>(), document["phi"].get<double>() + document["excess"].get<double>(), 1e-11);
}

TEST(GaussCommand, AtALaterTimeTheStateIsTheOneReached) {
  Json early = Json::parse(run_command({"gauss", "models:double_pendulum", "--json"}).out);
  Json later = Json::parse(run_command({"gauss", "models:double_pendulum", "--json", "--time", "0.5"}).out);
  EXPECT_NE(early["actual"], later["actual"]);
}

TEST(GaussCommand, SaysWhereOnlyTheDifferenceIsDefined) {
  CommandResult text = run_command({"gauss", "models:spain_killing_suslov"});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("[energy] potential"));
  Json document = Json::parse(run_command({"gauss", "models:spain_killing_suslov", "--json"}).out);
  EXPECT_TRUE(document["phi"].is_null());
  EXPECT_EQ(document["Z"], document["excess"]);
}

TEST(GaussCommand, WrongAccelerationsAreStatus2WithTheReason) {
  CommandResult violated = run_command({"gauss", "models:spherical_pendulum", "--at", "x''=100"});
  EXPECT_EQ(violated.status, 2);
  EXPECT_THAT(violated.err, HasSubstr("violate the constraint rod"));
  CommandResult unknown = run_command({"gauss", "models:double_pendulum", "--at", "aa''=1"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean a?"));
  CommandResult bare = run_command({"gauss", "models:double_pendulum", "--at", "a=1"});
  EXPECT_EQ(bare.status, 2);
  EXPECT_THAT(bare.err, HasSubstr("gives no acceleration"));
  EXPECT_EQ(run_command({"gauss", "models:double_pendulum", "--at", "a''=1/0"}).status, 2);
}

TEST(DeriveCommand, ByGaussShowsZAndByProjectionTheGeometry) {
  CommandResult text = run_command({"derive", "models:pendulum", "--by", "gauss"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("Z = "));
  Json gauss = Json::parse(run_command({"derive", "models:pendulum", "--by", "gauss", "--json"}).out);
  EXPECT_EQ(gauss["by"], "gauss");
  EXPECT_EQ(gauss["mass_matrix"], Json::parse(R"([["m*l^2"]])"));
  CommandResult projection = run_command({"derive", "models:spain_knife_edge", "--by", "projection"});
  EXPECT_EQ(projection.status, 0) << projection.err;
  EXPECT_THAT(projection.out, HasSubstr("rank of the projector: 2 of 3"));
  Json later = Json::parse(
      run_command({"derive", "models:spain_knife_edge", "--by", "projection", "--json", "--time", "0.5"}).out);
  EXPECT_EQ(later["t"], 0.5);
  for (const char* field : {"Phi", "G", "theta", "cos_phi", "cos_psi", "connection"})
    EXPECT_TRUE(later.contains(field)) << field;
}

/// The same motion by every principle: the local errors are the integrator's own, so they agree far below what the
/// tolerance leaves of the motion.
TEST(SimulateByPrinciple, GaussAndProjectionGivesTheMotionByMultipliers) {
  for (const std::string model : {"models:rolling_disk_tilted", "models:redundant_parallelogram",
                                  "models:heavy_top_quaternion", "models:turntable_ball_driven"}) {
    std::vector<std::string> options{"--until", "0.5", "--every", "0.1", "--tolerance", "1e-12"};
    support::Table reference = support::simulate(model, options);
    for (const std::string by : {"gauss", "projection"}) {
      options.resize(6);
      options.insert(options.end(), {"--by", by});
      support::Table table = support::simulate(model, options);
      ASSERT_EQ(table.columns, reference.columns);
      ASSERT_EQ(table.rows.size(), 6U);
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        double size = 1;
        for (const auto& row : reference.rows) size = std::max(size, std::abs(row[c]));
        EXPECT_NEAR(table.rows.back()[c], reference.rows.back()[c], 1e-9 * size)
            << model << " " << by << " " << table.columns[c];
      }
    }
  }
}

TEST(HodographCommand, WritesACurveAndSaysWhatItFound) {
  CommandResult result = run_command({"hodograph", "models:spain_killing_suslov", "--until", "1", "--every", "0.25"});
  ASSERT_EQ(result.status, 0) << result.err;
  support::Table table = support::read_csv(result.out);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"t", "arc", "psi'", "theta'", "phi'"}));
  EXPECT_EQ(table.rows.size(), 5u);
  EXPECT_THAT(result.err, HasSubstr("Killing's"));
  Json document = Json::parse(
      run_command({"hodograph", "models:spain_killing_suslov", "--until", "1", "--every", "0.25", "--json"}).out);
  EXPECT_EQ(document["exceptional"], "killing");
  EXPECT_LT(document["geodesic"].get<double>(), 1e-11);  // the same motion, as a forced geodesic
  EXPECT_LT(document["relation"].get<double>(), 1e-13);  // (10) along it
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(document["cos_psi"][k][0].get<double>(), 0, 1e-12);
  // In Killing's case the connection of (13) carries the velocities as the metric does.
  for (std::size_t k = 0; k < 5; ++k)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(document["curve"][k][i].get<double>(), document["connection_curve"][k][i].get<double>(), 1e-11);
}

TEST(HodographCommand, RefusesAKineticEnergyThatDependsOnTimeOrGivesNoMetric) {
  CommandResult moving = run_command({"hodograph", "models:rotating_hoop"});
  EXPECT_EQ(moving.status, 2);
  EXPECT_THAT(moving.err, HasSubstr("depends on time"));
  CommandResult quaternion = run_command({"hodograph", "models:heavy_top_quaternion"});
  EXPECT_EQ(quaternion.status, 2);
  EXPECT_THAT(quaternion.err, HasSubstr("gives no metric"));
  CommandResult relativistic = run_command({"hodograph", "models:relativistic_magnetic_circle"});
  EXPECT_EQ(relativistic.status, 2);
  EXPECT_THAT(relativistic.err, HasSubstr("not quadratic"));
}

TEST(ReactionsCommand, ByProjectionAreThoseByMultipliers) {
  for (const std::string model :
       {"models:spain_knife_edge", "models:rolling_disk_tilted", "models:redundant_parallelogram"}) {
    Json own = Json::parse(run_command({"reactions", model, "--by", "projection", "--json"}).out)["reactions"];
    Json reference = Json::parse(run_command({"reactions", model, "--json"}).out)["reactions"];
    std::size_t with_theta = 0;
    for (std::size_t r = 0; r < own.size(); ++r) {
      EXPECT_EQ(own[r]["by"], "projection");
      EXPECT_EQ(own[r]["name"], reference[r]["name"]);
      double value = reference[r]["multiplier"]["value"];
      EXPECT_NEAR(own[r]["multiplier"]["value"].get<double>(), value, 1e-11 * (1 + std::abs(value))) << model;
      with_theta += own[r].contains("theta") ? 1 : 0;
    }
    EXPECT_GT(with_theta, 0u);
  }
}
