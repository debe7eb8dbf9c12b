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

class Print : public testing::Test {
 protected:
  Print() {
    for (const char* name : {"m", "m2", "g", "alpha", "a", "b", "x", "y", "z"}) graph.symbol(name);
  }
  std::string latex(std::string_view text) { return to_latex(parse_expression(graph, text)); }
  std::string c(std::string_view text) { return to_c(parse_expression(graph, text)); }

  Graph graph;
};

TEST_F(Print, LatexNamesAreGreekWithSubscriptsAndDots) {
  EXPECT_EQ(latex("m2"), "m_{2}");
  EXPECT_EQ(latex("theta'"), "\\dot{\\theta}");
  EXPECT_EQ(latex("theta1''"), "\\ddot{\\theta}_{1}");
  EXPECT_EQ(latex("θ"), "\\theta");
  EXPECT_EQ(latex("x_cm"), "x_{\\mathit{cm}}");
  EXPECT_EQ(latex("q_12_a"), "q_{12,a}");
  EXPECT_EQ(latex("x{k-1}"), "x_{k-1}");
  EXPECT_EQ(latex("al"), "\\mathit{al}");
  EXPECT_EQ(latex("Ia"), "I_{a}");
  EXPECT_EQ(latex("Jw2'"), "\\dot{J}_{w,2}");
  EXPECT_EQ(latex("Xi"), "\\Xi");
  EXPECT_EQ(latex("omega_x'''''"), "{\\omega}^{(5)}_{x}");
  EXPECT_EQ(latex("_1"), "{}_{1}");
}

TEST_F(Print, LatexTellsNamesApartThatItWouldShowAlike) {
  EXPECT_EQ(latex("a1 + a_1"), "a_{1} + \\mathit{a\\_1}");
  EXPECT_EQ(latex("a_1' + x"), "x + \\dot{a}_{1}");
  EXPECT_EQ(latex("a1'*a_1''"), "\\dot{a}_{1} \\ddot{\\mathit{a\\_1}}");
  EXPECT_EQ(latex("theta + θ"), "\\mathit{theta} + \\theta");
  EXPECT_EQ(latex("I_a*Ia"), "\\mathit{I\\_a} I_{a}");
  EXPECT_EQ(latex("a + a_ + a__"), "a + a_{\\_} + a_{\\_,\\_}");
  EXPECT_EQ(latex("x{k-1} + x_k"), "x_{k-1} + x_{k}");
}

TEST_F(Print, LatexNamesAreToldApartInAllThatIsWrittenTogether) {
  int written = 0;
  const auto both = [&] {
    ++written;
    return latex("a_1") + " = " + latex("a1");
  };
  EXPECT_EQ(with_distinct_names(both), "\\mathit{a\\_1} = a_{1}");
  EXPECT_EQ(written, 2);
  EXPECT_EQ(with_distinct_names([&] { return with_distinct_names(both) + latex("x"); }), "\\mathit{a\\_1} = a_{1}x");
  EXPECT_EQ(latex("a_1"), "a_{1}") << "what was written before is forgotten";
}

TEST_F(Print, LatexOfNamesThatReadOtherNamesHasTheirDots) {
  EXPECT_EQ(to_latex(graph.symbol("xi(x', phi)")), "\\xi_{\\dot{x},\\phi}");
  EXPECT_EQ(to_latex(graph.symbol("reaction(roll.x)")), "\\lambda_{\\mathit{roll},x}");
  EXPECT_EQ(to_latex(graph.symbol("omega(link2)'")), "\\dot{\\omega}_{\\mathit{link},2}");
}

TEST_F(Print, LatexNamesOfOtherDocumentsCountAsWritten) {
  const std::vector<std::string> others{"a1", "b"};
  EXPECT_EQ(with_distinct_names([&] { return latex("a_1 + b"); }, others), "b + \\mathit{a\\_1}");
}

TEST_F(Print, LatexHasFractionsRootsAndPowersOfFunctions) {
  EXPECT_EQ(latex("-m*g*cos(alpha)^2"), "-m g \\cos^{2}\\left(\\alpha\\right)");
  EXPECT_EQ(latex("m*x'^2/2"), "\\frac{1}{2} m \\dot{x}^{2}");
  EXPECT_EQ(latex("a/(2*b)"), "\\frac{a}{2 b}");
  EXPECT_EQ(latex("(a + b)/(x - y)"), "\\frac{a + b}{x - y}");
  EXPECT_EQ(latex("a*(x + y)/sqrt(b)"), "\\frac{a \\left(x + y\\right)}{\\sqrt{b}}");
  EXPECT_EQ(latex("(a + b)^(3/2)"), "\\left(a + b\\right)^{3/2}");
  EXPECT_EQ(latex("x^(y + 1)"), "x^{y + 1}");
  EXPECT_EQ(latex("abs(x) - sign(y)"), "\\left|x\\right| - \\operatorname{sign}\\left(y\\right)");
  EXPECT_EQ(latex("atan(x) + atan2(y, x)"), "\\arctan\\left(x\\right) + \\operatorname{atan2}\\left(y, x\\right)");
  EXPECT_EQ(latex("a*2^(1/3)"), "a \\cdot 2^{1/3}");
  EXPECT_EQ(latex("x - 1/2"), "x - \\frac{1}{2}");
  EXPECT_EQ(latex("2*pi"), "2 \\pi");
}

TEST_F(Print, CHasNoIntegerDivisionAndOnlyNamesOfC) {
  EXPECT_EQ(c("x/2 + 1/3"), "x/2.0 + 1.0/3.0");
  EXPECT_EQ(c("-x'^2*theta''"), "-pow(x_dot, 2)*theta_ddot");
  EXPECT_EQ(c("x^(3/2)/sqrt(y)"), "pow(x, 3.0/2.0)/sqrt(y)");
  EXPECT_EQ(c("min(x, y, z)*abs(a)"), "fmin(x, fmin(y, z))*fabs(a)");
  EXPECT_EQ(c("atan2(y, x) - pi"), "atan2(y, x) - M_PI");
  EXPECT_EQ(c("x^y"), "pow(x, y)");
}

TEST_F(Print, WhatExplodesWrittenOutIsRefusedAsTextAndListedWithNames) {
  Expr e = graph.symbol("x");
  for (int i = 0; i < 100; ++i) e = sin(e) + cos(e) * graph.symbol("y");
  EXPECT_GT(count_written(e), 1e29);
  EXPECT_THROW(to_text(e), InputError);
  EXPECT_THROW(to_latex(e), InputError);
  EXPECT_THROW(to_c(e), InputError);
  std::string text = to_text(std::vector{e});
  EXPECT_LT(text.size(), 5000u);
  EXPECT_EQ(parse_listing(graph, text), std::vector{e});
}

TEST_F(Print, ListingsNameOnlyWhatIsSharedAndAvoidSymbolsNames) {
  Expr x = graph.symbol("x"), y = graph.symbol("y"), clash = graph.symbol("_1");
  Expr shared = sin(x + y * clash);
  std::vector<Expr> expressions{shared + 1, shared * x};
  Listing listing = make_listing(expressions);
  ASSERT_EQ(listing.definitions.size(), 1u);
  EXPECT_EQ(listing.definitions[0].name, "__1");
  EXPECT_EQ(to_text(listing), "__1 = sin(x + y*_1)\n__1 + 1\nx*__1\n");
  EXPECT_EQ(parse_listing(graph, to_text(listing)), expressions);
  EXPECT_EQ(to_text(std::vector{x + 1, y}), "x + 1\ny\n");
}

TEST_F(Print, ListingsOfRandomGraphsParseBackToTheSameNodes) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Graph g;
    RandomGraphOptions options;
    options.steps = 20 + seed;
    RandomGraph random(g, seed, options);
    std::vector<Expr> expressions;
    try {
      for (int i = 0; i < 3; ++i) expressions.push_back(random.make());
    } catch (const FormulaError&) {
      continue;  // an exact zero was divided by, or a number grew beyond bounds
    }
    std::string text = to_text(expressions);
    ASSERT_EQ(parse_listing(g, text), expressions) << "seed " << seed;
    ASSERT_LT(text.size(), 1000 * count_nodes(expressions));
    ++compared;
  }
  EXPECT_GE(compared, 150);
}

TEST_F(Print, ErrorsInListingsNameTheLine) {
  try {
    parse_listing(graph, "_1 = x\n\n_1 + 2 3\n");
    FAIL();
  } catch (const FormulaError& error) {
    EXPECT_EQ(error.complaint().place.line, 3u);
    EXPECT_EQ(error.complaint().place.column, 8u);
  }
  EXPECT_THROW(parse_listing(graph, "x + 1 = 2"), FormulaError);
}

}  // namespace
