#include <gtest/gtest.h>

#include <dalembert/expr/evaluator.hpp>
#include <dalembert/expr/expr.hpp>

namespace dalembert {
namespace {

double size_of(Expr expression, std::vector<Binding> at) { return evaluate(majorant({&expression, 1})[0], at); }

TEST(Majorant, IsTheValueWhereNothingCancels) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  EXPECT_DOUBLE_EQ(size_of(3 * x * x / y, {{x, -2}, {y, 5}}), 12.0 / 5);
  EXPECT_DOUBLE_EQ(size_of(x * x - y * y, {{x, 3}, {y, 4}}), 25);
}

TEST(Majorant, OfAProductAddsUpWhatItsFactorsAreMagnifiedBy) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  const double d = 1e-6;
  const std::vector<Binding> at{{x, 1}, {y, 1 - d}, {z, 1 - 2 * d}};
  // Relative errors of x - y and x - z are about 2/d and 1/d, of the product of any powers their sum.
  const Expr product = (x - y) * (x - z), quotient = 1 / product, mixed = (x - y) / (x - z);
  EXPECT_NEAR(size_of(product, at) / (2 * d * d), 3 / d, 1e-5 * 3 / d);
  EXPECT_NEAR(size_of(quotient, at) * (2 * d * d), 3 / d, 1e-5 * 3 / d);
  EXPECT_NEAR(size_of(mixed, at) * 2, 3 / d, 1e-5 * 3 / d);
}

TEST(Majorant, OfWhatVanishesIsWhatItsTermsAmountTo) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  EXPECT_DOUBLE_EQ(size_of(y * (x - 2), {{x, 2}, {y, 3}}), 12);
}

}  // namespace
}  // namespace dalembert
