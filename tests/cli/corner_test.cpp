#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "support/folder.hpp"
#include "support/run_command.hpp"

// Many contacts that meet in one corner: what they exert is shared among all of them, and costs little.

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;

namespace {

class Corner : public dalembert::testing_support::FolderTest {
 protected:
  static constexpr double gravity = 9.81;
  static double angle(int k, int count) { return std::numbers::pi * (0.25 + 0.5 * (k + 0.5) / count); }

  /// A mass above planes through the origin, with normals from 45 to 135 degrees.
  void planes(int count, double height) {
    std::string model = fmt::format(
        "gravity = [0, 0, -{}]\n[coordinates]\nx = 0\nz = {}\n[points.P]\nposition = [\"x\", 0, \"z\"]\nmass = 1\n"
        "[simulate]\nuntil = 2\n[constraints]\n",
        gravity, height);
    for (int k = 0; k < count; ++k)
      model += fmt::format("c{} = \"{:.12f}*x + {:.12f}*z >= 0\"\n", k, std::cos(angle(k, count)),
                           std::sin(angle(k, count)));
    write("m.toml", model);
  }
  nlohmann::json simulate() {
    const CommandResult result =
        run_command({"simulate", "m.toml", "--json"}, {.seconds = 30, .folder = folder.string()});
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
};

TEST_F(Corner, TheImpulseAndTheLoadAreSharedByAllContacts) {
  constexpr int count = 300;
  planes(count, 1);
  const nlohmann::json run = simulate();
  ASSERT_EQ(run["events"].size(), count);
  double impulse = 0, load = 0;
  const nlohmann::json& last = run["rows"].back();
  for (int k = 0; k < count; ++k) {
    const nlohmann::json& event = run["events"][static_cast<std::size_t>(k)];
    EXPECT_EQ(event["kind"], "touch-down");
    EXPECT_NEAR(event["energy_lost"].get<double>(), gravity, 1e-9) << k;
    EXPECT_GT(event["impulse"].get<double>(), 0) << k;
    impulse += event["impulse"].get<double>() * std::sin(angle(k, count));
    load += last[static_cast<std::size_t>(5 + k)].get<double>() * std::sin(angle(k, count));
    const double other = run["events"][static_cast<std::size_t>(count - 1 - k)]["impulse"];
    EXPECT_NEAR(event["impulse"].get<double>(), other, 1e-9) << "it falls in the middle";
  }
  EXPECT_NEAR(impulse, std::sqrt(2 * gravity), 1e-9);
  EXPECT_NEAR(load, gravity, 1e-9);
}

/// Nothing has a size there but the forces, which cancel to rounding.
TEST_F(Corner, WhatRestsThereStays) {
  for (int count : {2, 3, 20, 60, 300}) {
    planes(count, 0);
    const nlohmann::json run = simulate();
    EXPECT_EQ(run["status"], "finished") << count << run["message"];
    EXPECT_EQ(run["rows"].size(), 1001u) << count;
    for (std::size_t column : {1, 2}) EXPECT_NEAR(run["rows"].back()[column].get<double>(), 0, 1e-12) << count;
  }
}

/// A push to the side that some of the planes hold and the others do not see.
TEST_F(Corner, ALoadToOneSideIsCarriedByThoseThatFaceIt) {
  constexpr int count = 40;
  planes(count, 0);
  write("m.toml", read("m.toml") + "[forces]\nx = 8\n");
  const nlohmann::json run = simulate();
  const nlohmann::json& last = run["rows"].back();
  double across = 0, up = 0;
  bool is_free = false;
  for (int k = 0; k < count; ++k) {
    const double load = last[static_cast<std::size_t>(5 + k)];
    EXPECT_GE(load, -1e-12) << k;
    is_free |= load == 0;
    across += load * std::cos(angle(k, count));
    up += load * std::sin(angle(k, count));
  }
  EXPECT_NEAR(across, -8, 1e-9);
  EXPECT_NEAR(up, gravity, 1e-9);
  EXPECT_TRUE(is_free);
}

TEST_F(Corner, CheckAndReactionsAnswerToo) {
  planes(300, 0);
  for (const std::string command : {"check", "reactions"}) {
    const CommandResult result = run_command({command, "m.toml"}, {.seconds = 60, .folder = folder.string()});
    EXPECT_EQ(result.status, 0) << command << result.err;
  }
}

}  // namespace
