#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/expr/print.hpp>

#include "unit/expr/random_graphs.hpp"

using namespace dalembert;
using testing_support::RandomGraph;
using testing_support::RandomGraphOptions;

namespace {

std::string reprint(std::string_view text) {
  Graph g;
  for (const char* name : {"m", "g", "al", "a", "b", "x", "y", "z"}) g.symbol(name);
  Expr parsed = parse_expression(g, text);
  std::string printed = to_text(parsed);
  EXPECT_EQ(parse_expression(g, printed), parsed) << text << " printed as " << printed;
  return printed;
}

TEST(PrintText, ReadsAsPeopleWrite) {
  EXPECT_EQ(reprint("-m*g*cos(al)^2"), "-m*g*cos(al)^2");
  EXPECT_EQ(reprint("a/b"), "a/b");
  EXPECT_EQ(reprint("x/2"), "x/2");
  EXPECT_EQ(reprint("3*x*y/2"), "3*x*y/2");
  EXPECT_EQ(reprint("x/(2*y*z)"), "x/(2*y*z)");
  EXPECT_EQ(reprint("a - b"), "a - b");
  EXPECT_EQ(reprint("-a + b"), "b - a");
  EXPECT_EQ(reprint("-a - b"), "-a - b");
  EXPECT_EQ(reprint("1 - x^2"), "1 - x^2");
  EXPECT_EQ(reprint("x + 1"), "x + 1");
  EXPECT_EQ(reprint("x - 1/2"), "x - 1/2");
  EXPECT_EQ(reprint("x^(1/2)"), "sqrt(x)");
  EXPECT_EQ(reprint("x^(-1/2)"), "1/sqrt(x)");
  EXPECT_EQ(reprint("y*x^(-3/2)"), "y/x^(3/2)");
  EXPECT_EQ(reprint("(a + b)*(x - y)"), "(a + b)*(x - y)");
  EXPECT_EQ(reprint("-(a + b)/(x - y)"), "-(a + b)/(x - y)");
  EXPECT_EQ(reprint("x*(a + b)^(-1)/2"), "1/2*x/(a + b)");
  EXPECT_EQ(reprint("x/(a + b)^2/2"), "x/(2*(a + b)^2)");
  EXPECT_EQ(reprint("x^y^z"), "x^y^z");
  EXPECT_EQ(reprint("(x^y)^z"), "(x^y)^z");
  EXPECT_EQ(reprint("2^(-x)"), "2^(-x)");
  EXPECT_EQ(reprint("sqrt(x^2)"), "sqrt(x^2)");
  EXPECT_EQ(reprint("(-2)^x"), "(-2)^x");
  EXPECT_EQ(reprint("(1/2)^x"), "(1/2)^x");
  EXPECT_EQ(reprint("sqrt(2)*sqrt(3)"), "sqrt(2)*sqrt(3)");
  EXPECT_EQ(reprint("min(x, max(y, 2))"), "min(x, max(y, 2))");
  EXPECT_EQ(reprint("atan2(-y, x)"), "atan2(-y, x)");
  EXPECT_EQ(reprint("2*pi*x'"), "2*pi*x'");
  EXPECT_EQ(reprint("0.1"), "1/10");
  EXPECT_EQ(reprint("-3"), "-3");
}

TEST(PrintText, ParsesBackToTheSameNodeOnRandomGraphs) {
  RandomGraphOptions options;
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Graph g;
    options.steps = 5 + seed % 40;
    RandomGraph random(g, seed, options);
    Expr e;
    try {
      e = random.make();
    } catch (const FormulaError&) {
      continue;  // an exact zero was divided by, or a number grew beyond bounds
    }
    if (count_written(e) > 20000) continue;
    std::string text = to_text(e);
    ASSERT_EQ(parse_expression(g, text), e) << "seed " << seed << ": " << text;
    ++compared;
  }
  EXPECT_GE(compared, 1000);
}

}  // namespace
