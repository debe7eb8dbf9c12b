#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;
using Json = nlohmann::json;

namespace {

/// A model file for the time of a test.
class ModelText {
 public:
  explicit ModelText(const std::string& text)
      : path_(testing::TempDir() + "reactions_" + std::to_string(::getpid()) + ".toml") {
    std::ofstream(path_) << text;
  }
  ~ModelText() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Json reactions(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "reactions");
  arguments.push_back("--json");
  CommandResult result = run_command(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return Json::parse(result.out);
}

const std::string beam = R"toml(
name = "a weight on a beam"
gravity = [0, 0, -10]
[parameters]
m = 2
M = 3
L = 4
[coordinates]
s = 3
[frames.beam]
origin = [0, 0, 1]
rotate = [["z", 0.5]]
[bodies.beam]
frame = "beam"
centre = ["L/2", 0, 0]
mass = "M"
inertia = [0, 4, 4]
[points.weight]
frame = "beam"
position = ["s", 0, 0]
mass = "m"
)toml";

}  // namespace

/// Newton: what acts at the contact moves the ball; where the rolling is written at the contact's place is no force.
TEST(ReactionsCommand, ForcesOfRollingOnATurningTableAreMassTimesAcceleration) {
  const Json document = reactions({"models:rolling_ball_quaternion"});
  double force[2] = {0, 0};
  for (const Json& reaction : document["reactions"])
    if (reaction["on"].contains("contact"))
      for (std::size_t k = 0; k < 2; ++k) force[k] += reaction["on"]["contact"]["value"][k].get<double>();
  EXPECT_NEAR(force[0], document["accelerations"]["x''"].get<double>(), 1e-14);  // the mass is 1
  EXPECT_NEAR(force[1], document["accelerations"]["y''"].get<double>(), 1e-14);
}

TEST(ReactionsCommand, AConstantIsReleasedByNameAndOthersAreOffered) {
  Json document = reactions({"models:pendulum", "--release", "l"});
  EXPECT_EQ(document["reactions"][0]["by"], "release");
  EXPECT_EQ(document["reactions"][0]["multiplier"]["formula"], "-m*(l*theta'^2 + g*cos(theta))");
  CommandResult text = run_command({"reactions", "models:double_pendulum", "--release", "l1"});
  EXPECT_THAT(text.out, HasSubstr("orthogonal: yes, by (47)"));
  CommandResult offered = run_command({"reactions", "models:three_link_arm"});
  EXPECT_THAT(offered.out, HasSubstr("Can also be released, with --release NAME: h, o, l1, l2"));
}

TEST(ReactionsCommand, WhatCannotBeReleasedIsRefusedWithAListOfWhatCan) {
  for (const auto& [name, problem] :
       {std::pair("m", "'m' does not enter the geometry"), std::pair("k", "unknown name 'k'"),
        std::pair("theta", "'theta' is no constant"), std::pair("l +", "can be released: l")}) {
    CommandResult result = run_command({"reactions", "models:pendulum", "--release", name});
    EXPECT_EQ(result.status, 2) << name;
    EXPECT_THAT(result.err, HasSubstr(problem)) << name;
    EXPECT_THAT(result.err, HasSubstr("can be released: l")) << name;
  }
}

TEST(ReactionsCommand, AWrongConstraintOfAReleaseFailsVerify) {
  const std::string pendulum =
      "gravity = [0, 0, -10]\n[parameters]\nl = 2\n[coordinates]\na = { value = 0.3, rate = 1 }\n[points.P]\n"
      "position = [\"l*sin(a)\", 0, \"-l*cos(a)\"]\nmass = 1\n[release.l]\nconstraint = ";
  ModelText right(pendulum + "\"norm(position(P)) - l\"\n");
  EXPECT_EQ(run_command({"verify", right.path()}).status, 0);
  ModelText wrong(pendulum + "\"norm(position(P)) - l/2\"\n");
  CommandResult result = run_command({"verify", wrong.path()});
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("constraint of the release"));
}

TEST(ReactionsCommand, AWeldCarriesTheBeamAndTheWeightOnIt) {
  ModelText model(beam);
  Json joint = reactions({model.path(), "--joint", "beam", "--at-rest"})["joint"];
  EXPECT_EQ(joint["name"], "beam");
  EXPECT_EQ(joint["parent"], "world");
  // 50 upwards; the couple that holds 3*10*2 + 2*10*3 about the beam's cross axis, turned by 0.5 in the world.
  const double couple = 120;
  const std::vector<double> force = joint["force"]["world"]["value"], moment = joint["couple"]["world"]["value"];
  EXPECT_NEAR(force[2], 50, 1e-12);
  EXPECT_NEAR(moment[0], couple * std::sin(0.5), 1e-11);
  EXPECT_NEAR(moment[1], -couple * std::cos(0.5), 1e-11);
  EXPECT_NEAR(moment[2], 0, 1e-12);
  EXPECT_EQ(joint["force"]["parent"]["formula"][2], "10*(m + M)");
}

TEST(ReactionsCommand, JointsThatAreNoneAreRefused) {
  ModelText model(beam);
  for (const auto& [name, problem] :
       {std::pair("weight", "'weight' is a point"), std::pair("bem", "no frame or body 'bem'"),
        std::pair("world", "'world' hangs on nothing")}) {
    CommandResult result = run_command({"reactions", model.path(), "--joint", name});
    EXPECT_EQ(result.status, 2) << name;
    EXPECT_THAT(result.err, HasSubstr(problem)) << name;
    EXPECT_THAT(result.err, HasSubstr("has a joint: beam")) << name;
  }
}

TEST(ReactionsCommand, ATopTurnedByAQuaternionPressesWithItsWeight) {
  Json joint = reactions({"models:heavy_top_quaternion", "--joint", "top"})["joint"];
  const std::vector<double> force = joint["force"]["world"]["value"], couple = joint["couple"]["world"]["value"];
  EXPECT_NEAR(force[2], 9.81, 1e-12);
  for (double each : couple) EXPECT_NEAR(each, 0, 1e-10) << "the point of a top is held by a force alone";
}

TEST(ReactionsCommand, OutputsAndEventsReadReleasedReactions) {
  ModelText model(
      "gravity = [0, 0, -10]\n[parameters]\nl = 2\n[coordinates]\na = { value = 1.2, rate = 0 }\n[points.P]\n"
      "position = [\"l*sin(a)\", 0, \"-l*cos(a)\"]\nmass = 1\n[release.l]\n[outputs]\ntension = \"-reaction(l)\"\n"
      "[events]\nhard = { when = \"reaction(l) + 10\", direction = \"falling\", action = \"stop\" }\n[simulate]\nuntil "
      "= 5\n");
  CommandResult result = run_command({"simulate", model.path(), "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  Json document = Json::parse(result.out);
  EXPECT_EQ(document["status"], "event");
  const auto last = document["rows"].back().get<std::vector<double>>();
  const auto columns = document["columns"].get<std::vector<std::string>>();
  auto at = [&](const std::string& name) {
    return last.at(static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin()));
  };
  EXPECT_NEAR(at("tension"), 10, 1e-9);
  EXPECT_NEAR(at("reaction(l)"), -10, 1e-9);
}
