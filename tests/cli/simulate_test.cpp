#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test, with a pendulum in it.
class SimulateCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) / ("simulate_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    write("pendulum.toml", R"toml(
name = "Pendulum"
gravity = [0, "-g", 0]
[parameters]
g = 9.81
l = 1
[coordinates]
x = { value = "l*sin(0.5)", rate = 0 }
y = { value = "-l*cos(0.5)", rate = 0 }
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
rod = "x^2 + y^2 = l^2"
[reduction]
coordinates = { s = { value = 0.5, rate = 0 } }
x = "l*sin(s)"
y = "-l*cos(s)"
[outputs]
height = "y + l"
[simulate]
until = 1
every = 0.25
)toml");
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::string read(const std::string& name) {
    std::stringstream text;
    text << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return text.str();
  }
  CommandResult simulate(std::vector<std::string> more, const std::string& model = "pendulum.toml") {
    std::vector<std::string> arguments{"simulate", model};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments, {.folder = folder.string()});
  }
  fs::path folder;
};

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_F(SimulateCommand, WritesCsvToStandardOutputAndASummaryToStandardError) {
  CommandResult result = simulate({});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("t,x,y,x',y',reaction(rod),height,energy,residual\n0,"));
  EXPECT_EQ(count_lines(result.out), 6u);
  EXPECT_THAT(result.err, StartsWith("finished"));
  EXPECT_THAT(result.err, testing::ContainsRegex("residual +[0-9]"));
  EXPECT_THAT(result.err, HasSubstr("evaluations"));
  EXPECT_EQ(simulate({"--quiet"}).err, "");
}

TEST_F(SimulateCommand, TimesAndToleranceMayBeGiven) {
  CommandResult result = simulate({"--until", "2", "--every", "1", "--tolerance", "1e-8"});
  EXPECT_EQ(count_lines(result.out), 4u);
  EXPECT_THAT(result.out, HasSubstr("\n2,"));
  for (std::vector<std::string> wrong : {std::vector<std::string>{"--until", "-1"},
                                         {"--every", "0"},
                                         {"--tolerance", "nan"},
                                         {"--until", "soon"},
                                         {"--method", "euler"},
                                         {"--by", "magic"}}) {
    CommandResult refused = simulate(wrong);
    EXPECT_EQ(refused.status, 2) << wrong[0];
    EXPECT_EQ(refused.out, "") << wrong[0];
    EXPECT_THAT(refused.err, HasSubstr(wrong[0])) << wrong[0];
  }
}

TEST_F(SimulateCommand, JsonHasTheContractsFields) {
  CommandResult result = simulate({"--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  nlohmann::json document = nlohmann::json::parse(result.out);
  EXPECT_EQ(document["status"], "finished");
  EXPECT_EQ(document["columns"][1], "x");
  EXPECT_EQ(document["rows"].size(), 5u);
  EXPECT_GT(document["statistics"]["steps"], 0);
  EXPECT_TRUE(document["events"].empty());
}

TEST_F(SimulateCommand, WritesFilesByExtension) {
  EXPECT_EQ(simulate({"-o", "a.csv"}).out, "");
  EXPECT_EQ(read("a.csv"), simulate({}).out);
  EXPECT_EQ(simulate({"-o", "a.json"}).status, 0);
  EXPECT_EQ(nlohmann::json::parse(read("a.json"))["status"], "finished");
  EXPECT_EQ(simulate({"-o", "a.h5"}).status, 0);
  EXPECT_THAT(read("a.h5"), StartsWith("\x89HDF"));
  EXPECT_EQ(simulate({"-o", "a.svg"}).status, 0);
  EXPECT_THAT(read("a.svg"), StartsWith("<svg"));
}

TEST_F(SimulateCommand, WrongFilesAndColumnsAreRefusedBeforeAnythingIsWritten) {
  EXPECT_EQ(simulate({"-o", "a.jpg"}).status, 2);
  EXPECT_THAT(simulate({"-o", "missing/a.csv"}).err, HasSubstr("its folder does not exist"));
  CommandResult column = simulate({"-o", "a.csv", "--columns", "reaction(rd)"});
  EXPECT_EQ(column.status, 2);
  EXPECT_THAT(column.err, HasSubstr("did you mean reaction(rod)?"));
  EXPECT_FALSE(fs::exists(folder / "a.csv"));
}

TEST_F(SimulateCommand, ColumnsMayBeChosen) {
  EXPECT_THAT(simulate({"--columns", "y,height"}).out, StartsWith("t,y,height\n"));
  EXPECT_EQ(simulate({"--columns", "y", "-o", "a.svg"}).status, 0);
  EXPECT_THAT(read("a.svg"), testing::AllOf(HasSubstr(">y<"), testing::Not(HasSubstr(">height<"))));
}

TEST_F(SimulateCommand, ParametersAndStartMayBeSet) {
  CommandResult result = simulate({"--set", "l=2", "--set", "x'=0", "--columns", "y"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("t,y\n0,-1.755165123780745"));  // -2 cos 0.5
  EXPECT_EQ(simulate({"--set", "nothing=1"}).status, 2);
  EXPECT_EQ(simulate({"--set", "l"}).status, 2);
}

TEST_F(SimulateCommand, ReducedEquationsGiveTheSameMotion) {
  CommandResult reduced = simulate({"--by", "reduced", "--columns", "x,y,reaction(rod)", "--tolerance", "1e-12"});
  CommandResult full = simulate({"--columns", "x,y,reaction(rod)", "--tolerance", "1e-12"});
  ASSERT_EQ(reduced.status, 0) << reduced.err;
  std::string a, b;
  std::istringstream left(reduced.out), right(full.out);
  ASSERT_EQ(full.status, 0) << full.err;
  int compared = 0;
  while (std::getline(left, a) && std::getline(right, b)) {
    if (a[0] == 't') continue;
    for (auto& text : {&a, &b}) std::replace(text->begin(), text->end(), ',', ' ');
    std::istringstream x(a), y(b);
    for (double p, q; x >> p && y >> q; ++compared) EXPECT_NEAR(p, q, 1e-9);
  }
  EXPECT_EQ(compared, 20);  // five rows of four columns
}

TEST_F(SimulateCommand, AnUnknownPrincipleNamesTheNearest) {
  CommandResult result = simulate({"--by", "gaus"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean gauss?"));
}

TEST_F(SimulateCommand, RestartsFromAFile) {
  ASSERT_EQ(simulate({"-o", "half.csv", "--until", "0.5", "--tolerance", "1e-12"}).status, 0);
  CommandResult rest = simulate({"--from", "half.csv", "--tolerance", "1e-12", "--columns", "x"});
  CommandResult whole = simulate({"--tolerance", "1e-12", "--columns", "x"});
  ASSERT_EQ(rest.status, 0) << rest.err;
  auto last = [](const std::string& text) { return std::stod(text.substr(text.rfind(',') + 1)); };
  EXPECT_NEAR(last(rest.out), last(whole.out), 1e-10);
  EXPECT_THAT(simulate({"--from", "half.csv", "--until", "0.5"}).err, HasSubstr("later --until"));
  EXPECT_EQ(simulate({"--from", "nowhere.csv"}).status, 2);
}

TEST_F(SimulateCommand, AnInconsistentStartIsRefusedOrProjected) {
  CommandResult refused = simulate({"--set", "x=0.9"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--project-initial"));
  CommandResult projected = simulate({"--set", "x=0.5", "--project-initial"});
  EXPECT_EQ(projected.status, 0) << projected.err;
  EXPECT_THAT(projected.err, HasSubstr("note:"));
}

TEST_F(SimulateCommand, EstimatesItsError) {
  EXPECT_THAT(simulate({"--estimate-error"}).err, HasSubstr("estimated error:"));
  EXPECT_TRUE(nlohmann::json::parse(simulate({"--estimate-error", "--json"}).out).contains("error"));
}

TEST_F(SimulateCommand, WhatCannotGoOnIsStatus3WithTheRowsUntilThen) {
  write("blow.toml",
        "name = \"blow\"\n[coordinates]\nx = { value = 1, rate = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n"
        "[forces]\nx = \"2*x^3 + 0*t\"\n[simulate]\nuntil = 3\nevery = 0.1\n");
  CommandResult result = simulate({}, "blow.toml");  // x = 1/(1 - t)
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\n0.9,"));
  EXPECT_EQ(simulate({"-o", "blow.csv"}, "blow.toml").status, 3);
  EXPECT_THAT(read("blow.csv"), HasSubstr("\n0.9,"));
}

namespace {

#if defined(DALEMBERT_SMALL_TESTS)
const std::string links = "150";
#else
const std::string links = "1000";
#endif

/// All but the time of the last row.
std::vector<double> last_row(const std::string& csv) {
  std::stringstream row(csv.substr(csv.rfind('\n', csv.size() - 2) + 1));
  std::vector<double> values;
  for (std::string cell; std::getline(row, cell, ',');) values.push_back(std::stod(cell));
  return {values.begin() + 1, values.end()};
}

TEST(SimulateLargeSystems, AThousandLinksMoveAlikeByMultipliersLeastConstraintAndProjection) {
  std::vector<double> expected;
  const std::string columns = "x1,y1,x" + links + ",y" + links + ",reaction(link1),reaction(link" + links + ")";
  for (const char* principle : {"multipliers", "gauss", "projection"}) {
    const CommandResult result =
        run_command({"simulate", "models:chain_1000", "--set", "N=" + links, "--by", principle, "--until", "0.02",
                     "--every", "0.02", "--tolerance", "1e-10", "--columns", columns},
                    {.seconds = 60});
    ASSERT_EQ(result.status, 0) << principle << ": " << result.err;
    const std::vector<double> row = last_row(result.out);
    if (expected.empty()) expected = row;
    ASSERT_EQ(row.size(), 6u);
    for (std::size_t k = 0; k < row.size(); ++k)  // the tolerance and what a thousand links make of it
      EXPECT_NEAR(row[k], expected[k], 1e-6 * std::max(1.0, std::abs(expected[k]))) << principle << ", column " << k;
  }
}

// M of a chain in relative angles has a condition of about the fourth power of its length.
TEST_F(SimulateCommand, AChainInRelativeAnglesTakesAsManyStepsByEveryPrinciple) {
  write("chain.toml", R"toml(
gravity = [0, -9.81, 0]
[parameters]
N = 40
[repeat]
k = "1..N"
[coordinates]
"q{k}" = { value = "0.3/{k}", rate = "0.1*{k}/N" }
[frames.l0]
[frames."l{k}"]
parent = "l{k-1}"
origin = ["min({k}-1,1)/N", 0, 0]
rotate = [["z", "q{k}"]]
[bodies."l{k}"]
frame = "l{k}"
mass = "1/N"
centre = ["1/(2*N)", 0, 0]
inertia = [0, 0, "1/N^3/12"]
)toml");
  double expected = 0;
  for (const char* by : {"multipliers", "gauss", "projection"}) {
    const CommandResult result = simulate({"--by", by, "--until", "0.1", "--every", "0.1", "--json"}, "chain.toml");
    ASSERT_EQ(result.status, 0) << by << result.err;
    const double steps = nlohmann::json::parse(result.out)["statistics"]["steps"];
    if (expected == 0) expected = steps;
    EXPECT_LT(steps, 1.5 * expected) << by;
  }
}

}  // namespace
