// Programs as JavaScript. That they compute what the engine does is tested where there is a browser (viewer/browser).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/program/javascript.hpp>
#include <limits>

using namespace dalembert;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string javascript(Graph& graph, const std::string& input, const std::string& parameter, auto formula) {
  const Expr x = graph.symbol(input), p = graph.symbol(parameter);
  const Expr y = formula(x, p);
  return write_javascript(make_program({&x, 1}, {&p, 1}, {&y, 1}));
}

TEST(JavaScript, HasTheProgramsSizes) {
  Graph graph;  // held are the parameter and sin(p)
  EXPECT_THAT(javascript(graph, "x", "p", [](Expr x, Expr p) { return x * sin(p); }),
              HasSubstr("return { inputs: 1, parameters: 1, outputs: 1, held: 2,"));
}

TEST(JavaScript, HoldsNoNameOfTheModel) {
  Graph graph;
  EXPECT_THAT(javascript(graph, "</script>", "alert(1)", [](Expr x, Expr p) { return x + p; }),
              testing::AllOf(Not(HasSubstr("script")), Not(HasSubstr("alert"))));
}

TEST(JavaScript, WritesNumbersThatReadBackTheSame) {
  Graph graph;
  const std::string text =
      javascript(graph, "x", "p", [&](Expr x, Expr) { return min(x, graph.constant(mpq_class(-1, 3))); });
  EXPECT_THAT(text, HasSubstr("(-0.3333333333333333)"));
  EXPECT_EQ(std::stod("-0.3333333333333333"), -1.0 / 3);
}

TEST(JavaScript, CallsTheFunctionsOfMath) {
  Graph graph;
  EXPECT_THAT(
      javascript(graph, "x", "p", [](Expr x, Expr p) { return atan2(x, p) + cos(x) + sign(x); }),
      testing::AllOf(HasSubstr("Math.atan2(x[0], h["), HasSubstr("Math.cos(x[0])"), HasSubstr("Math.sign(x[0]) + 0")));
}

}  // namespace
