#include <gtest/gtest.h>

#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>
#include <fstream>

#include "support/paths.hpp"

using namespace dalembert;

namespace {

struct Line {
  Verdict truth;
  std::string formula;
};

std::vector<Line> read_identities() {
  std::ifstream file(std::string(testing_support::tests_folder) + "/unit/expr/identities.txt");
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text[0] == '#') continue;
    std::size_t space = text.find(' ');
    lines.push_back({text.substr(0, space) == "zero" ? Verdict::zero : Verdict::nonzero, text.substr(space + 1)});
  }
  return lines;
}

Verdict verdict_of(std::string_view formula, const CanonicalLimits& limits = {}) {
  Graph graph;
  return test_zero(parse_expression(graph, formula), limits).verdict;
}

TEST(ZeroTest, NeverWrongAndRarelyUndecidedOnTheIdentities) {
  int right = 0, undecided = 0, truths = 0;
  std::vector<Line> lines = read_identities();
  for (const Line& line : lines) {
    Graph graph;
    Expr expression = parse_expression(graph, line.formula);
    ZeroTest test = test_zero(expression, {.work = 2e9});
    truths += line.truth == Verdict::zero;
    if (test.verdict == line.truth) {
      ++right;
    } else if (test.verdict == Verdict::undecided) {
      ++undecided;
      std::cout << "undecided: " << line.formula << "\n  " << test.evidence << "\n";
    } else {
      ADD_FAILURE() << "wrong: " << line.formula << "\n  " << test.evidence;
    }
    EXPECT_FALSE(test.evidence.empty());
  }
  EXPECT_GE(lines.size(), 200u);
  EXPECT_GE(truths, 90);
  EXPECT_GE(static_cast<int>(lines.size()) - truths, 90);
  EXPECT_LE(undecided, 3);
  EXPECT_EQ(right + undecided, static_cast<int>(lines.size()));
}

TEST(ZeroTest, EqualityIsAskedOfTheDifference) {
  Graph g;
  Expr x = g.symbol("x");
  EXPECT_TRUE(are_equal(pow(sin(x), 2), 1 - pow(cos(x), 2)));
  EXPECT_FALSE(are_equal(sqrt(pow(x, 2)), x));
  EXPECT_EQ(test_equal(x, 2 * x).verdict, Verdict::nonzero);
}

TEST(ZeroTest, DomainsOfLowerDimensionGiveNoFalseProof) {
  // Defined for y >= 0 and on the line x = 0 below it, where |y| - y is not zero.
  EXPECT_NE(verdict_of("abs(y) - y + sqrt(x^2*y) - abs(x)*sqrt(abs(y))"), Verdict::zero);
  // Defined only at x = 0, where it is 1.
  EXPECT_NE(verdict_of("1 + sqrt(x) + sqrt(-x)"), Verdict::zero);
  // Real for x < 0 at integer y, where (x^y)^2 forgets a sign.
  EXPECT_NE(verdict_of("sqrt((x^y)^2) - x^y"), Verdict::zero);
}

TEST(ZeroTest, DefinedNowhereIsNeverNonzero) {
  EXPECT_NE(verdict_of("sqrt(-1 - x^2)"), Verdict::nonzero);
  EXPECT_NE(verdict_of("1/(sin(x)^2 + cos(x)^2 - 1)"), Verdict::nonzero);
  EXPECT_NE(verdict_of("log(-exp(x))"), Verdict::nonzero);
  EXPECT_NE(verdict_of("asin(2 + x^2)"), Verdict::nonzero);
}

TEST(ZeroTest, WorkIsCountedAndTheSameEachTime) {
  const char* formula = "(x + y + sqrt(z))^6*(sin(a + b) - sin(a)*cos(b) - cos(a)*sin(b))";
  Graph first, second;
  ZeroTest a = test_zero(parse_expression(first, formula)), b = test_zero(parse_expression(second, formula));
  EXPECT_EQ(a.verdict, Verdict::zero);
  EXPECT_GT(a.work, 0);
  EXPECT_EQ(a.work, b.work);
  // With as much it is proved, with less it is undecided, never denied.
  Graph graph;
  Expr expression = parse_expression(graph, formula);
  EXPECT_EQ(test_zero(expression, {.work = 2 * a.work}).verdict, Verdict::zero);
  for (double part : {0.0, 0.01, 0.3, 0.9}) {
    ZeroTest less = test_zero(expression, {.work = part * a.work});
    EXPECT_EQ(less.verdict, Verdict::undecided) << part;
    EXPECT_LE(less.work, part * a.work);
    EXPECT_NE(less.evidence.find("the work allowed is used up"), std::string::npos) << less.evidence;
  }
}

TEST(ZeroTest, HostileInputEndsWithinItsLimits) {
  std::string nested = "x", towers = "x";
  for (int i = 0; i < 1000; ++i) nested = "sqrt(1 + " + nested + ")";
  for (int i = 0; i < 30; ++i) towers = "exp(" + towers + ")";
  std::string product = "1";
  for (int i = 0; i < 60; ++i) product += "*(x" + std::to_string(i) + " + y" + std::to_string(i) + ")";
  const std::string formulas[] = {
      "(x + y + z)^1000000*(sin(x)^2 + cos(x)^2 - 1)",
      "sin(1000000*x) - 2*sin(500000*x)*cos(500000*x)",
      "x^(1/1000000)*x^(999999/1000000) - x",
      nested + " - " + nested + "*cos(y)^2 - " + nested + "*sin(y)^2",
      towers + "*(sin(x)^2 + cos(x)^2 - 1)",
      product + "*(sin(x)^2 + cos(x)^2 - 1)",
      "(x^1000 + y^999 + 1)^20 - (y^999 + x^1000 + 1)^19*(x^1000 + 1) - y^999*(x^1000 + y^999 + 1)^19",
      "(x + 1/(y + 1/(x + 1/(y + 1/(x + y)))))^50*(sin(a)^2 + cos(a)^2 - 1)",
      "10^(10^5)*x - 10^(10^5)*x*(sin(x)^2 + cos(x)^2)",
  };
  for (const std::string& formula : formulas) {
    Graph graph;
    Expr expression = parse_expression(graph, formula);
    ZeroTest test = test_zero(expression, {.work = 3e7});
    EXPECT_LE(test.work, 3e7) << formula.substr(0, 60);
    EXPECT_NE(test.verdict, Verdict::nonzero)
        << (formula.size() < 100 ? formula : formula.substr(0, 60)) << test.evidence;
  }
}

}  // namespace
