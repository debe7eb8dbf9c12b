#include "report/scribe.hpp"

#include <gtest/gtest.h>

#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>

using namespace dalembert;

namespace {

constexpr Scribe::Allowance plenty{1e8, 1e9};

}  // namespace

TEST(Scribe, FormulasThatDifferInNamesReadAsEachWouldAlone) {
  Graph graph;
  for (const char* name : {"x1", "x2", "x3", "x1'", "x2'", "x3'", "z"}) graph.symbol(name);
  Scribe scribe(Scribe::Style::text, plenty);
  for (const char* formula : {"(x1^2 - x2^2)/(x1 - x2) + x1'*x2 + x2'*x2", "(x2^2 - x3^2)/(x2 - x3) + x2'*x3 + x3'*x3",
                              "(x2^2 - x1^2)/(x2 - x1) + x2'*x1 + x1'*x1", "(x1^2 - z^2)/(x1 - z) + x1'*z + x2'*z"}) {
    const Expr expression = parse_expression(graph, formula);
    EXPECT_EQ(scribe(expression), Scribe(Scribe::Style::text, plenty)(expression)) << formula;
  }
}

TEST(Scribe, ANumberBelowASumStandsBelowTheTermsThatItDoesNotDivide) {
  Graph graph;
  for (const char* name : {"m", "l", "k", "J", "g"}) graph.symbol(name);
  Scribe scribe(Scribe::Style::text, plenty);
  const std::pair<const char*, const char*> read_as[] = {
      {"m*(x'' + 9.81)", "m*(x'' + 981/100)"},
      {"x''*(m*l^2/4 + J)", "x''*(m*l^2/4 + J)"},
      {"9.81*m*l*sin(x) - k*sin(x - y) + m*l^2*x''", "m*l^2*x'' + 981*m*l*sin(x)/100 - k*sin(x - y)"},
      {"-3*(m + l)/2", "-3*(m + l)/2"},
      {"(m + l + k)/2", "(m + l + k)/2"},  // two divides none of them
  };
  const std::string first[] = {"x''"};
  for (const auto& [formula, text] : read_as) {
    const Expr given = parse_expression(graph, formula);
    EXPECT_EQ(scribe(given, first), text);
    EXPECT_TRUE(are_equal(parse_expression(graph, scribe(given, first)), given)) << formula;
  }
}

TEST(Scribe, RatesWithTheSameFactorStandTogetherWithTheirNumbers) {
  Graph graph;
  for (const char* name : {"m", "d", "x", "y", "z"}) graph.symbol(name);
  Scribe scribe(Scribe::Style::text, plenty);
  const std::pair<const char*, const char*> read_as[] = {
      {"m*y'' + 2*d*y' - d*x' - d*z'", "m*y'' + d*(2*y' - x' - z')"},
      {"m*y'' - 2*d*x' - 4*d*z'", "m*y'' - 2*d*(x' + 2*z')"},
      {"m*y'' + 3*d*y' - 2*d*x'", "m*y'' + d*(3*y' - 2*x')"},
  };
  const std::string first[] = {"y''"};
  for (const auto& [formula, text] : read_as) {
    const Expr given = parse_expression(graph, formula);
    EXPECT_EQ(scribe(given, first), text);
    EXPECT_TRUE(are_equal(parse_expression(graph, scribe(given, first)), given)) << formula;
  }
}

TEST(Scribe, WhatCannotBeWrittenIsRefusedBeforeItFillsTheMemory) {
  Graph graph;
  Expr doubled = graph.symbol("x");
  for (int k = 0; k < 60; ++k) doubled = sin(doubled) * doubled;  // more than 2^60 times x
  const Scribe scribe(Scribe::Style::text, {1e4, 1e4, std::size_t{1} << 50});
  EXPECT_THROW((void)scribe.plain(doubled), InputError);
}

TEST(PlainBrackets, AreAroundFactorsNoHigherThanALine) {
  EXPECT_EQ(plain_brackets("m \\left(x_{1} - \\left(a + b\\right) c\\right)"), "m (x_{1} - (a + b) c)");
  EXPECT_EQ(plain_brackets("\\left(\\frac{1}{2} + \\left(a + b\\right)\\right)^{2}"),
            "\\left(\\frac{1}{2} + (a + b)\\right)^{2}");
  EXPECT_EQ(plain_brackets("\\cos^{2}\\left(x \\left(a + b\\right)\\right)"), "\\cos^{2}\\left(x (a + b)\\right)");
  EXPECT_EQ(plain_brackets("\\left|\\left(a\\right)\\right| + x\\right)"), "\\left|(a)\\right| + x\\right)");
}

TEST(Scribe, WhatWasSimplifiedIsKnownWithOtherNamesWhenTheWorkIsUsedUp) {
  Graph graph;
  Scribe scribe(Scribe::Style::text, {1e8, 1});
  const Expr first = parse_expression(graph, "(a^2 - b^2)/(a - b)"),
             second = parse_expression(graph, "(c^2 - d^2)/(c - d)");
  scribe(first);
  EXPECT_EQ(scribe.unsimplified(), 1u);  // one unit of work does not do
  Scribe patient(Scribe::Style::text, {1e8, 1e5});
  EXPECT_EQ(patient(first), "a + b");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(patient(second), "c + d");
  EXPECT_EQ(patient.unsimplified(), 0u);
}
