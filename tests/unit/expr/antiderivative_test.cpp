#include <gtest/gtest.h>

#include <dalembert/expr/antiderivative.hpp>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>

using namespace dalembert;

namespace {

class Antiderivative : public testing::TestWithParam<std::string> {};

TEST_P(Antiderivative, IsFoundAndDifferentiatesBack) {
  Graph graph;
  Expr x = graph.symbol("x"), f = parse_expression(graph, GetParam());
  std::optional<Expr> found = find_antiderivative(f, x);
  ASSERT_TRUE(found) << GetParam();
  EXPECT_EQ(test_zero(derivative(*found, x) - f).verdict, Verdict::zero);
  // The second route: the increment against Simpson's rule.
  auto at = [&](Expr e, double value) {
    std::vector<Binding> bindings{{x, value}, {graph.symbol("a"), 0.7}, {graph.symbol("y"), 1.3}};
    return evaluate(e, bindings);
  };
  const double from = 0.4, to = 0.9;
  const int steps = 200;
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    const double h = (to - from) / steps, left = from + k * h;
    sum += h / 6 * (at(f, left) + 4 * at(f, left + h / 2) + at(f, left + h));
  }
  EXPECT_NEAR(at(*found, to) - at(*found, from), sum, 1e-8);  // h^4 times a fourth derivative of at most some hundreds
}

INSTANTIATE_TEST_SUITE_P(Elementary, Antiderivative,
                         testing::Values("3", "y", "x", "x^5 - 2*x + y", "1/x", "(a*x + y)^(-3)", "1/(a*x + y)",
                                         "sqrt(2*x + 1)", "sin(a*x + y)", "cos(x)^2", "sin(x)*cos(x)", "tan(x)",
                                         "exp(-a*x)", "x*exp(x)", "x^2*sin(a*x)", "log(x)", "x*log(x)", "x/(x^2 + y^2)",
                                         "1/(x^2 + 4)", "sinh(x) + cosh(2*x)", "1/cos(x)^2", "x*exp(x^2)", "1/cos(x)",
                                         "sin(x)^3*cos(x)", "(x + 1)*(x - 2)*y", "exp(x)*(x^2 + 1)"));

TEST(Antiderivatives, OfOtherFormulasAreNotClaimed) {
  Graph graph;
  Expr x = graph.symbol("x");
  for (const char* text : {"exp(x^2)", "sin(x)/x", "exp(x)/x", "sqrt(x^3 + 1)"})
    EXPECT_FALSE(find_antiderivative(parse_expression(graph, text), x)) << text;
}

TEST(Potentials, OfExactFormsAreFoundAndOfOthersNot) {
  Graph graph;
  std::vector<Expr> symbols{graph.symbol("x"), graph.symbol("y"), graph.symbol("t")};
  Expr f = parse_expression(graph, "x^2*y + sin(y)*t - exp(t)*x + 3*t");
  std::vector<Expr> form = gradient(f, symbols);
  std::optional<Expr> found = find_potential(form, symbols);
  ASSERT_TRUE(found);
  EXPECT_TRUE(are_equal(*found, f));
  form[1] = form[1] + symbols[0];
  EXPECT_FALSE(find_potential(form, symbols));
}

}  // namespace
