// min and max of something that is not a number are none, whichever place it stands in and whoever evaluates it.
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/expr/evaluator.hpp>
#include <dalembert/expr/formula.hpp>

using namespace dalembert;

TEST(NotANumber, InAnyPlaceOfMinAndMaxMakesThemNone) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  for (const char* text : {"min(x, y, z)", "max(x, y, z)", "min(x, 1)", "max(1, x)"}) {
    const Expr formula = parse_expression(graph, text);
    for (const Expr& broken : {x, y, z}) {
      std::vector<Binding> bindings;
      for (const Expr& symbol : {x, y, z}) bindings.push_back({symbol, symbol == broken ? NAN : 2.0});
      EXPECT_EQ(std::isnan(evaluate(formula, bindings)), depends_on(formula, broken)) << text << ", " << broken.name();
    }
  }
  EXPECT_EQ(evaluate(parse_expression(graph, "min(x, y, z)"), std::vector<Binding>{{x, 3.0}, {y, -1.0}, {z, 2.0}}), -1);
  EXPECT_EQ(evaluate(parse_expression(graph, "max(x, y, z)"), std::vector<Binding>{{x, 3.0}, {y, -1.0}, {z, 2.0}}), 3);
}
