#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;

namespace {

void expect_refused(std::vector<std::string> arguments, const std::string& message) {
  CommandResult result = run_command(arguments);
  EXPECT_EQ(result.status, 2) << testing::PrintToString(arguments);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(message));
}

TEST(Options, NumbersThatAreNoneAreRefusedWithAnExample) {
  const std::string model = "models:double_pendulum";
  for (const std::string option : {"--until", "--every", "--tolerance"}) {
    for (const std::string value : {"abc", "1,5", "nan", "inf", "2x"})
      expect_refused({"simulate", model, option + "=" + value},
                     option + ": '" + value + "' is not a number; write it as 2.5 or 1e-3");
    expect_refused({"simulate", model, option, "-1"}, option + ": -1 is too small; give a number above 0");
    expect_refused({"simulate", model, option, "0"}, option + ": 0 is too small; give a number above 0");
  }
  expect_refused({"reactions", model, "--time", "soon"}, "--time: 'soon' is not a number");
  expect_refused({"reactions", model, "--time", "-3"}, "--time: -3 lies before the start at t = 0");
}

TEST(Options, CountsThatAreNoneAreRefused) {
  for (const std::string value : {"-1", "1.5", "x", "99999999999999999999", " 1"}) {
    const std::string message = ": '" + value + "' is not a whole number from ";
    for (const std::string option : {"--starts", "--seed"})
      expect_refused({"equilibria", "models:pendulum", option + "=" + value}, option + message);
    for (const std::string option : {"--states", "--seed"})
      expect_refused({"verify", "models:pendulum", option + "=" + value}, option + message);
    expect_refused({"sweep", "study.toml", "--threads=" + value}, "--threads" + message);
  }
}

/// As a shell makes of a variable that is not set: a run would start anew, or write elsewhere, without a word.
TEST(Options, EmptyValuesAreRefused) {
  const std::string model = "models:pendulum", message = ": the value is empty; give one, or leave the option out";
  for (const std::string option : {"--from", "-o", "--by", "--columns", "--set"})
    expect_refused({"simulate", model, option, ""}, (option == "-o" ? "--output" : option) + message);
  for (const std::string option : {"--chunk", "--folder"})
    expect_refused({"sweep", "study.toml", option, ""}, option + message);
  expect_refused({"linearize", model, "--over", ""}, "--over" + message);
  expect_refused({"linearize", model, "--over="}, "--over needs a value");
  expect_refused({"compare", model, "--with", ""}, "--with" + message);
}

TEST(Options, WhatIsGivenTwiceForOneNameIsRefused) {
  const std::string model = "models:pendulum", message = " is given twice; give it once";
  expect_refused({"gauss", model, "--at", "theta''=1", "--at", "theta'' = 2"}, "--at: theta''" + message);
  expect_refused({"action", model, "--to", "theta=1", "--to", "theta=2"}, "--to: theta" + message);
  expect_refused({"equilibria", model, "--box", "theta=0:1", "--box", "theta=0:2"}, "--box: theta" + message);
  expect_refused({"fit", model, "a.csv", "--parameters", "l", "--bounds", "l=0:1", "--bounds", "l=0:2"},
                 "--bounds: l" + message);
}

TEST(Options, FormulasAreToldWithTheirOption) {
  for (const std::string formula : {"1/0", "", "zz", "sum(k,1,3,k)", "1 +"})
    expect_refused({"gauss", "models:pendulum", "--at", "theta''=" + formula}, "--at: '" + formula + "' is no number");
}

TEST(Options, UnknownOnesNameTheNearest) {
  expect_refused({"simulate", "models:double_pendulum", "--untl", "3"}, "'--untl'; did you mean '--until'?");
  expect_refused({"simulate", "models:double_pendulum", "--tolerence=1e-9"}, "did you mean '--tolerance'?");
  expect_refused({"check", "models:double_pendulum", "--qqqqqqqq"},
                 "there is no option '--qqqqqqqq'; dalembert check -h");
  expect_refused({"check", "models:double_pendulum", "more"}, "unexpected 'more'; dalembert check -h");
}

TEST(Interrupt, KeepsTheRowsUntilThen) {
  dalembert::testing_support::RunOptions interrupt;
  interrupt.interrupt_after = 2;
  const std::vector<std::string> endless{"simulate", "models:double_pendulum", "--until", "1e6", "--every", "1"};
  CommandResult csv = run_command(endless, interrupt);
  EXPECT_EQ(csv.status, 3);
  EXPECT_THAT(csv.err, HasSubstr("interrupted: stopped at t = "));
  std::istringstream lines(csv.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const auto commas = std::ranges::count(line, ',');
  std::size_t rows = 0, broken = 0;
  for (; std::getline(lines, line); ++rows) broken += std::ranges::count(line, ',') == commas ? 0 : 1;
  EXPECT_EQ(broken, 0u);
  EXPECT_GT(rows, 2u);
  EXPECT_TRUE(csv.out.ends_with('\n'));

  std::vector<std::string> as_json = endless;
  as_json.push_back("--json");
  CommandResult json = run_command(as_json, interrupt);
  EXPECT_EQ(json.status, 3);
  nlohmann::json document = nlohmann::json::parse(json.out);
  EXPECT_EQ(document["status"], "interrupted");
  EXPECT_GT(document["rows"].size(), 1u);
}

}  // namespace
