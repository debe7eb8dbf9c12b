// --from: what a file's columns say of its last state must be what the model makes of that state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "support/folder.hpp"
#include "support/paths.hpp"
#include "support/run_command.hpp"

namespace dalembert::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Restart : public FolderTest {
 protected:
  CommandResult simulate(const std::string& text, std::vector<std::string> options) const {
    write("model.toml", text);
    options.insert(options.begin(), {"simulate", "model.toml"});
    return run_command(options, {.seconds = 60, .folder = folder.string()});
  }
};

const std::vector<std::string> go_on{"--from", "run.csv", "--until", "2"};

constexpr const char* swing = R"toml(gravity = [0, -9.81, 0]
[parameters]
m = 1
k = 1
[coordinates]
x = 1
y = 0
[points.P]
position = ["x", "y", 0]
mass = "m"
[energy]
potential = "k*x^2/2"
[constraints]
rod = "x^2 + y^2 = 1"
[simulate]
until = 1
every = 0.25
)toml";

TEST_F(Restart, WhatMayHaveNoEndIsRefusedAtOnce) {
  const CommandResult refused = simulate(swing, {"--from", "/dev/zero"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("no ordinary file"));
}

TEST_F(Restart, AFileOfManyColumnsIsReadSoon) {
  std::string names = "t,x,y,x',y'", values = "0,1,0,0,0";
  for (int k = 0; k < 100'000; ++k) {
    names += ",c" + std::to_string(k);
    values += ",0";
  }
  write("run.csv", names + "\n" + values + "\n");
  write("model.toml", swing);
  const CommandResult result = run_command({"simulate", "model.toml", "--from", "run.csv", "--until", "1"},
                                           {.seconds = 20, .folder = folder.string()});
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(Restart, ANameThatTwoColumnsHaveIsRefused) {
  write("run.csv", "t,x,y,x',y',x\n0,1,0,0,0,0.5\n");
  const CommandResult refused = simulate(swing, go_on);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("run.csv:1: there are two columns x; give each column a name of its own"));
}

TEST_F(Restart, AFileWithOtherCoordinatesIsRefused) {
  ASSERT_EQ(simulate(swing, {"-o", "run.csv"}).status, 0);
  const CommandResult refused =
      simulate("[coordinates]\nx = 0\n[points.A]\nposition = [\"x\", 0, 0]\nmass = 2\n", go_on);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("y is a coordinate that this model does not have"));
}

TEST_F(Restart, AFileOfAnotherModelWithTheSameColumnsIsRefused) {
  ASSERT_EQ(simulate(swing, {"-o", "run.csv"}).status, 0);
  EXPECT_EQ(simulate(swing, go_on).status, 0);
  for (const auto& [from, to] :
       {std::array{"m = 1\n", "m = 2\n"}, {"k = 1\n", "k = 1.001\n"}, {"-9.81", "-9.80"}, {"x^2/2", "x^4/2"}}) {
    std::string other = swing;
    other.replace(other.find(from), std::string(from).size(), to);
    const CommandResult refused = simulate(other, go_on);
    EXPECT_EQ(refused.status, 2) << to;
    EXPECT_THAT(refused.err, HasSubstr("run.csv:6: reaction(rod) is ")) << to;
    EXPECT_THAT(refused.err, HasSubstr("the file is of another model")) << to;
  }
}

TEST_F(Restart, WithValuesThatAreSetTheDifferenceIsSaid) {
  ASSERT_EQ(simulate(swing, {"-o", "run.csv"}).status, 0);
  std::vector<std::string> other = go_on;
  other.insert(other.end(), {"--set", "m=2"});
  const CommandResult result = simulate(swing, other);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("note: run.csv: reaction(rod) is "));
  other.back() = "m=1";
  EXPECT_THAT(simulate(swing, other).err, Not(HasSubstr("note:")));
}

TEST_F(Restart, WithoutColumnsThatTellARowIsAStateLikeAnyOther) {
  ASSERT_EQ(simulate(swing, {"-o", "run.csv", "--columns", "x,y,x',y'"}).status, 0);
  std::string other = swing;
  other.replace(other.find("m = 1\n"), 6, "m = 2\n");
  EXPECT_EQ(simulate(other, go_on).status, 0);
}

TEST_F(Restart, EveryBundledModelGoesOnFromItsOwnRowsByEveryPrinciple) {
#if defined(DALEMBERT_SMALL_TESTS)
  GTEST_SKIP() << "many runs: without sanitizers";
#endif
  std::size_t runs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(source_folder) / "models")) {
    const std::string name = entry.path().stem().string();
    if (name == "chain_1000" || name == "chain_10" || entry.path().extension() != ".toml") continue;
    std::filesystem::remove(folder / "run.csv");
    run_command({"simulate", "models:" + name, "--until", "0.1", "--every", "0.05", "-o", "run.csv"},
                {.seconds = 60, .folder = folder.string()});
    if (!std::filesystem::exists(folder / "run.csv")) continue;
    for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
      const CommandResult result =
          run_command({"simulate", "models:" + name, "--by", by, "--from", "run.csv", "--until", "0.11"},
                      {.seconds = 60, .folder = folder.string()});
      EXPECT_THAT(result.err, Not(HasSubstr("another model"))) << name << " by " << by;
      ++runs;
    }
  }
  EXPECT_GE(runs, 160U);
}

}  // namespace
}  // namespace dalembert::testing_support
