#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>
#include <iostream>
#include <random>

#include "expr/canonical/ball.hpp"

// What the zero test proves must hold wherever the formula is defined: for negative bases, at zero, where roots of
// parts are not real.

using namespace dalembert;

namespace {

ZeroTest test(std::string_view formula) {
  Graph graph;
  return test_zero(parse_expression(graph, formula));
}

TEST(ZeroTest, APowerIsAnExponentialOnlyOfAPositiveBase) {
  for (const char* formula : {"(x^y)^z - x^(y*z)", "(x^n)^(1/n) - x", "exp(log(x^y)/y) - x", "sqrt(x^(2*y)) - x^y",
                              "(x^2)^y - x^(2*y)*sign(x)"})
    EXPECT_EQ(test(formula).verdict, Verdict::nonzero) << formula;
  // Defined for a negative x only where y, z and with them all exponents are whole numbers.
  for (const char* formula :
       {"x^y*x^z - x^(y + z)", "x^(y + 1) - x*x^y", "x^y/x^z - x^(y - z)", "(x^y)^2 - x^(2*y)", "x^y*x^-y - 1"})
    EXPECT_EQ(test(formula).verdict, Verdict::zero) << formula << ": " << test(formula).evidence;
  // With log(x) in it the formula is defined for positive x only.
  for (const char* formula : {"log(x^y) - y*log(x)", "exp(y*log(x)) - x^y", "(x^y)^z - exp(y*z*log(x))"})
    EXPECT_EQ(test(formula).verdict, Verdict::zero) << formula << ": " << test(formula).evidence;
}

TEST(ZeroTest, AProofSaysOnWhichDomainItHolds) {
  EXPECT_NE(test("log(x^y) - y*log(x)").evidence.find("on its domain: x >= 0"), std::string::npos)
      << test("log(x^y) - y*log(x)").evidence;
  EXPECT_EQ(test("sin(x)^2 + cos(x)^2 - 1").evidence.find("domain"), std::string::npos);
}

TEST(ZeroTest, FunctionsInsideEachOtherEnd) {
  EXPECT_EQ(test("sin(exp(cos(y)))").verdict, Verdict::nonzero);
  EXPECT_EQ(test("exp((exp(1) + 1/3)^2)").verdict, Verdict::nonzero);
  EXPECT_EQ(test("exp((exp(1) + 1/3)^2) - exp(exp(2))*exp(2*exp(1)/3)*exp(1/9)").verdict, Verdict::zero);
  EXPECT_EQ(test("sin(exp(cos(y)) + y) - sin(exp(cos(y)))*cos(y) - cos(exp(cos(y)))*sin(y)").verdict, Verdict::zero);
  EXPECT_EQ(test("exp(exp(x) + exp(exp(x)) + x) - exp(exp(exp(x)))*exp(exp(x))*exp(x)").verdict, Verdict::zero);
}

TEST(Display, FunctionsInsideEachOtherEnd) {
  for (const char* formula : {"sin(exp(cos(y)))", "exp((exp(1) + 1/3)^2)", "cos(y)*sin(exp(cos(y)) + y)"}) {
    Graph graph;
    Expr given = parse_expression(graph, formula);
    Displayed shown = make_display(given);
    EXPECT_TRUE(shown.complete) << formula;
    std::vector<Binding> at{{graph.symbol("y"), 0.7}};
    const double value = evaluate(given, at);
    EXPECT_NEAR(evaluate(shown.expression, at), value, 1e-12 * std::abs(value)) << formula;
  }
}

/// Rules that tempt: some hold everywhere, some only for positive parts, some nearly nowhere.
const char* const rules[] = {
    "({u}^({v}))^({w}) - ({u})^(({v})*({w}))",
    "(({u})*({v}))^({w}) - ({u})^({w})*({v})^({w})",
    "sqrt(({u})^2) - ({u})",
    "sqrt(({u})*({v})) - sqrt({u})*sqrt({v})",
    "sqrt(({u})/({v})) - sqrt({u})/sqrt({v})",
    "log(({u})*({v})) - log({u}) - log({v})",
    "log(({u})^({v})) - ({v})*log({u})",
    "log(({u})^2) - 2*log({u})",
    "exp(({v})*log({u})) - ({u})^({v})",
    "exp(log(({u})^({v}))/({v})) - ({u})",
    "(({u})^({v}))^(1/({v})) - ({u})",
    "({u})^({v})*({u})^({w}) - ({u})^(({v}) + ({w}))",
    "({u})^({v})/({u})^({w}) - ({u})^(({v}) - ({w}))",
    "(({u})^(2*({v})))^(1/2) - ({u})^({v})",
    "(({u})^2)^({v}) - ({u})^(2*({v}))",
    "(({u})^3)^(1/3) - ({u})",
    "(({u})^(1/3))^3 - ({u})",
    "abs(({u})*({v})) - abs({u})*abs({v})",
    "abs(({u})^({v})) - abs({u})^({v})",
    "sign({u})*abs({u}) - ({u})",
    "sign({u})^2 - 1",
    "max({u}, {v}) + min({u}, {v}) - ({u}) - ({v})",
    "asin(sin({u})) - ({u})",
    "sin(asin({u})) - ({u})",
    "atan(tan({u})) - ({u})",
    "cos(2*({u})) - 1 + 2*sin({u})^2",
    "exp({u})^({v}) - exp(({u})*({v}))",
    "sqrt(({u})^2*({v})) - abs({u})*sqrt({v})",
    "sqrt(sqrt(({u})^2)) - sqrt({u})",
    "sqrt((({u})^({v}))^2) - ({u})^({v})",
    "abs({u})^({v})*sign({u}) - ({u})^({v})",
    "sqrt(({u})^({v})) - ({u})^(({v})/2)",
};
const char* const parts[] = {"x",     "y",   "z",      "-x", "x + 1", "x*y",    "x^2",   "2*z",    "-2",    "1/2",
                             "x - y", "2/3", "abs(x)", "3",  "1/x",   "exp(y)", "x^y",   "-y^2",   "x*y*z", "sin(x)",
                             "-3*x",  "y/2", "z - 1",  "-1", "y^z",   "x^3",    "x^2*y", "sqrt(x)"};

std::string fill(std::string rule, std::mt19937_64& random) {
  for (const std::string name : {"{u}", "{v}", "{w}"}) {
    const std::string part = parts[random() % std::size(parts)];
    for (std::size_t at = rule.find(name); at != std::string::npos; at = rule.find(name, at))
      rule.replace(at, name.size(), "(" + part + ")");
  }
  return rule;
}

mpq_class draw_value(std::mt19937_64& random) {
  mpq_class values[] = {-3,
                        -2,
                        -1,
                        mpq_class(-1, 2),
                        0,
                        mpq_class(1, 2),
                        1,
                        2,
                        3,
                        4,
                        mpq_class(static_cast<long>(random() % 4001) - 2000, 617)};
  mpq_class value = values[random() % std::size(values)];
  value.canonicalize();
  return value;
}

TEST(ZeroTest, EveryYesHoldsOnTheWholeDomain) {
  const std::uint64_t seed = std::getenv("SEED") ? std::strtoull(std::getenv("SEED"), nullptr, 10) : 20241;
  std::cout << "SEED=" << seed << "\n";
  std::mt19937_64 random(seed);
  int yes = 0, defined = 0;
  for (int round = 0; round < 600; ++round) {
    const std::string formula = fill(rules[static_cast<std::size_t>(round) % std::size(rules)], random);
    Graph graph;
    Expr expression;
    try {
      expression = parse_expression(graph, formula);
    } catch (const InputError&) {
      continue;  // divides by an exact zero
    }
    const ZeroTest result = test_zero(expression, {.work = 2e7});
    if (result.verdict != Verdict::zero) continue;
    ++yes;
    canonical::Budget budget({.work = 1e9});
    const std::vector<Expr> symbols = free_symbols({&expression, 1});
    for (int trial = 0; trial < 60; ++trial) {
      canonical::Point point;
      std::string where;
      for (const Expr& symbol : symbols) {
        point[symbol.id()] = draw_value(random);
        where += " " + symbol.name() + " = " + point[symbol.id()].get_str();
      }
      const canonical::Ball value = canonical::evaluate_ball(expression, point, 192, budget);
      defined += value.is_finite();
      EXPECT_FALSE(value.excludes_zero()) << formula << where << ": " << value.text() << "\n" << result.evidence;
    }
  }
  EXPECT_GE(yes, 100);
  EXPECT_GE(defined, 1000);
}

}  // namespace
