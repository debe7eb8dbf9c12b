#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/expr/print.hpp>

using namespace dalembert;

namespace {

constexpr std::size_t million = 1'000'000;
#if defined(DALEMBERT_SMALL_TESTS)  // with the sanitizers' wide frames a tenth overflows a stack as surely
constexpr std::size_t deep = million / 10;
#else
constexpr std::size_t deep = million;
#endif
// Formulas longer than users may write, so that depth alone is tried.
const FormulaLimits wide{.characters = 10'000'000, .nodes = 10'000'000, .nesting = 10'000'000};

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

TEST(Depth, AMillionParenthesesAreReadOrRefusedByTheirLimit) {
  Graph g;
  std::string text = repeat("(", million) + "x" + repeat(")", million);
  EXPECT_EQ(parse_expression(g, text, wide), g.symbol("x"));
  try {
    parse_expression(g, text);
    FAIL();
  } catch (const FormulaError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("limit `characters`"));
  }
  EXPECT_THROW(parse_expression(g, repeat("(", million), wide), FormulaError);
  EXPECT_THROW(parse_expression(g, repeat("[", million), wide), FormulaError);
}

TEST(Depth, AMillionNestedCallsMinusesAndPowersAreRead) {
  Graph g;
  Expr x = g.symbol("x");
  Expr nested = parse_expression(g, repeat("sin(", deep) + "x" + repeat(")", deep), wide);
  EXPECT_EQ(count_nodes({&nested, 1}), deep + 1);
  EXPECT_EQ(parse_expression(g, repeat("-", deep) + "x", wide), x);
  EXPECT_EQ(parse_expression(g, repeat("-", deep + 1) + "x", wide), -x);
  Expr tower = parse_expression(g, repeat("x^", deep) + "x", wide);
  EXPECT_EQ(count_nodes({&tower, 1}), deep + 1);
  Expr quotients = parse_expression(g, repeat("1/(1+", deep / 10) + "x" + repeat(")", deep / 10), wide);
  EXPECT_EQ(count_nodes({&quotients, 1}), deep / 5 + 1);
}

TEST(Depth, EveryPassTakesAGraphAMillionDeep) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y");
  Expr e = x;
  for (std::size_t i = 0; i < deep; ++i) e = sin(e);
  std::string text = to_text(e, {.characters = 10'000'000});
  EXPECT_EQ(parse_expression(g, text, wide), e);
  EXPECT_GT(to_latex(e, {.characters = 100'000'000}).size(), deep);
  EXPECT_GT(to_c(e, {.characters = 10'000'000}).size(), deep);
  EXPECT_EQ(parse_listing(g, to_text(std::vector{e})), std::vector{e});

  Replacement replacement{x, y};
  Expr substituted = substitute(e, {&replacement, 1});
  EXPECT_EQ(free_symbols({&substituted, 1}), std::vector{y});
  Graph other;
  EXPECT_EQ(copy_to(other, {&e, 1})[0].op(), Op::sin);

  Binding at{x, 1};
  double expected = 1, slope = 1;
  for (std::size_t i = 0; i < deep; ++i) {
    slope *= std::cos(expected);
    expected = std::sin(expected);
  }
  EXPECT_EQ(evaluate(e, {&at, 1}), expected);
  EXPECT_NEAR(evaluate(derivative(e, x), {&at, 1}) / slope, 1, 1e-9);
  EXPECT_NEAR(evaluate(gradient(e, {&x, 1})[0], {&at, 1}) / slope, 1, 1e-9);
}

TEST(Depth, FormulasThatWouldFillTheMemoryAreRefused) {
  Graph g;
  std::string powers = "a0";
  for (int i = 1; i < 50'000; ++i) powers += "*a" + std::to_string(i);
  EXPECT_THROW(parse_expression(g, repeat("(", 100'000) + powers + repeat(")^2", 100'000)), FormulaError);
  EXPECT_THROW(parse_expression(g, repeat("(", 100'000) + "x" + repeat("^99)", 100'000)), FormulaError);
  EXPECT_THROW(parse_expression(g, repeat("(", 100'000) + "2" + repeat("^9)", 100'000)), FormulaError);
  std::string harmonic = "0";
  for (int i = 1; i < 100'000; ++i) harmonic += "+x/" + std::to_string(i);
  EXPECT_THROW(parse_expression(g, harmonic), FormulaError);
  EXPECT_THROW(parse_expression(g, repeat("3*", 400'000) + "3"), FormulaError);
  EXPECT_THROW(parse_expression(g, repeat("2^21000*x+", 99'000) + "1"), FormulaError);
}

}  // namespace
