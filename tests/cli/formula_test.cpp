#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

nlohmann::json formula(const std::string& text) {
  CommandResult result = run_command({"formula", text, "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

TEST(FormulaCommand, GivesTheFourFieldsOfItsDocument) {
  nlohmann::json document = formula("-m*g*cos(al)^2");
  EXPECT_EQ(document["text"], "-m*g*cos(al)^2");
  EXPECT_EQ(document["latex"], "-m g \\cos^{2}\\left(\\mathit{al}\\right)");
  EXPECT_TRUE(document.contains("zero"));
  EXPECT_TRUE(document["evidence"].is_string());
}

TEST(FormulaCommand, DecidesConstantsExactly) {
  EXPECT_EQ(formula("0.1 + 0.2 - 0.3")["zero"], true);
  EXPECT_EQ(formula("0.1 + 0.2 = 0.3")["zero"], true);
  EXPECT_EQ(formula("1e-20")["zero"], false);
}

TEST(FormulaCommand, GivesTheVerdictOfTheZeroTestWithItsEvidence) {
  nlohmann::json identity = formula("sin(a)*cos(b) + cos(a)*sin(b) = sin(a + b)");
  EXPECT_EQ(identity["zero"], true);
  EXPECT_EQ(identity["text"], "0");
  EXPECT_NE(identity["evidence"], "");
  EXPECT_EQ(formula("sqrt(x^2) - x")["zero"], false);
  EXPECT_EQ(formula("sqrt(2)*sqrt(3) - sqrt(6)")["zero"], true);
}

TEST(FormulaCommand, APowerOfANegativeBaseIsNoExponential) {
  EXPECT_EQ(formula("(x^y)^z = x^(y*z)")["zero"], false);
  EXPECT_EQ(formula("(x^n)^(1/n) = x")["zero"], false);
  EXPECT_EQ(formula("exp(log(x^y)/y) = x")["zero"], false);
  EXPECT_EQ(formula("x^y*x^z = x^(y + z)")["zero"], true);
}

TEST(FormulaCommand, FunctionsInsideEachOtherEnd) {
  EXPECT_EQ(formula("sin(exp(cos(y)))")["text"], "sin(exp(cos(y)))");
  EXPECT_EQ(formula("exp((exp(1)+1/3)^2)")["zero"], false);
}

TEST(FormulaCommand, TakesEquationsAndVectors) {
  EXPECT_EQ(formula("a = b")["text"], "a - b");
  nlohmann::json document = formula("cross([1, 0, 0], [0, 1, 0])");
  EXPECT_EQ(document["text"], "[0, 0, 1]");
  EXPECT_EQ(document["zero"], false);
  EXPECT_EQ(formula("cross([1, 2, 3], [1, 2, 3])")["zero"], true);
}

TEST(FormulaCommand, AFormulaMayBeginWithAMinus) {
  EXPECT_EQ(run_command({"formula", "-x"}).status, 0);
  EXPECT_EQ(run_command({"formula", "--", "-h"}).status, 0);
  EXPECT_THAT(run_command({"formula", "--json", "-2*x"}).out, HasSubstr("\"-2*x\""));
}

TEST(FormulaCommand, WrongInputIsStatus2WithThePlaceOnStandardError) {
  CommandResult result = run_command({"formula", "2 x"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "dalembert: error: 1:3: expected an operator, found 'x'; write * for a product\n");
  EXPECT_EQ(run_command({"formula", "x >= 0"}).status, 2);
  EXPECT_EQ(run_command({"formula", "[1, 2, 3] = 0"}).status, 2);
  EXPECT_EQ(run_command({"formula", "1/0"}).status, 2);
  EXPECT_EQ(run_command({"formula", "\xff"}).status, 2);
}

TEST(Command, WrongArgumentsAreStatus2WithAHelpfulMessage) {
  EXPECT_THAT(run_command({"fromula", "x"}).err, HasSubstr("did you mean 'formula'?"));
  EXPECT_THAT(run_command({"export", "x"}).err, HasSubstr("does not have the command 'export' yet"));
  EXPECT_THAT(run_command({"formula"}).err, HasSubstr("FORMULA is required; dalembert formula -h"));
  EXPECT_THAT(run_command({"formula", "x", "--jsno"}).err,
              HasSubstr("there is no option '--jsno'; did you mean '--json'?"));
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"fromula", "x"},
                                                                                         {"linearize"},
                                                                                         {"export"},
                                                                                         {"export", "x"},
                                                                                         {"formula"},
                                                                                         {"formula", "x", "--jsno"},
                                                                                         {"--x"},
                                                                                         {}})
    EXPECT_EQ(run_command(arguments).status, 2) << testing::PrintToString(arguments);
}

TEST(Command, HelpIsEverywhereAndShowsAnExample) {
  CommandResult help = run_command({"-h"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("formula"));
  CommandResult formula_help = run_command({"formula", "-h"});
  EXPECT_EQ(formula_help.status, 0);
  EXPECT_THAT(formula_help.out, HasSubstr("Example: dalembert formula"));
  EXPECT_EQ(run_command({"--version"}).status, 0);
}

TEST(FormulaCommand, HostileFormulasAreRefusedAndNeverCrash) {
  auto expect_no_crash = [](const std::string& text) {
    CommandResult result = run_command({"formula", text}, {.seconds = 60, .folder = {}});
    EXPECT_FALSE(result.timed_out);
    EXPECT_TRUE(result.status == 0 || result.status == 2) << result.status << result.err.substr(0, 200);
  };
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "sin(";
  expect_no_crash(deep + "x" + std::string(20'000, ')'));
  expect_no_crash(std::string(60'000, '(') + "x" + std::string(60'000, ')'));
  expect_no_crash(std::string(100'000, '-') + "x");
  expect_no_crash("2^2^2^2^2^2^2^2");
  expect_no_crash("9^9^9^9");
  expect_no_crash("1e1000000000");
}

}  // namespace
