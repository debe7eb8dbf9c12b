#include "program/sizing.hpp"

#include <gtest/gtest.h>

#include <dalembert/expr/evaluator.hpp>

namespace dalembert {
namespace {

double size_of(Expr expression, const std::vector<Expr>& inputs, const std::vector<double>& values,
               const std::vector<Expr>& parameters = {}, const std::vector<double>& numbers = {}) {
  Sizing sizing(compile(make_program(inputs, parameters, {&expression, 1})));
  sizing.set_parameters(numbers);
  double size = 0;
  sizing(values.data(), &size);
  return size;
}

TEST(Sizing, IsTheMajorantOfSumsProductsAndQuotients) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  const std::vector<double> at{1, 1 - 1e-6, 1 - 2e-6};
  const std::vector<Binding> bindings{{x, at[0]}, {y, at[1]}, {z, at[2]}};
  for (Expr formula : {x * x - y * y, (x - y) * (x - z), 1 / ((x - y) * (x - z)), (x - y) / (x - z), y * (x - 1),
                       sqrt(x - y), pow(x - y, 2)}) {
    const double expected = evaluate(majorant({&formula, 1})[0], bindings);
    EXPECT_NEAR(size_of(formula, {x, y, z}, at), expected, 1e-9 * expected);
  }
}

TEST(Sizing, IsTheMajorantOfFunctions) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const std::vector<double> at{0.3, 0.4};
  const std::vector<Binding> bindings{{x, at[0]}, {y, at[1]}};
  const Expr d = x - y;
  for (Expr formula : {sin(d), cos(d), tan(d), asin(d), acos(d), atan(d), sinh(d), cosh(d), tanh(d), exp(d), log(x),
                       abs(d), sign(d), atan2(d, x), min(x, y), max(x, y), pow(x, y)}) {
    const double expected = evaluate(majorant({&formula, 1})[0], bindings);
    EXPECT_NEAR(size_of(formula, {x, y}, at), expected, 1e-12 * expected);
  }
}

TEST(Sizing, CountsWhatCancelsAmongParameters) {
  Graph graph;
  const Expr x = graph.symbol("x"), p = graph.symbol("p"), q = graph.symbol("q");
  EXPECT_DOUBLE_EQ(size_of(x * (p - q), {x}, {2}, {p, q}, {3, 3}), 12);
}

}  // namespace
}  // namespace dalembert
