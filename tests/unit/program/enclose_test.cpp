// Bounds of a program along a way hold what the program gives at points of the way, and its slopes between them; and
// they come closer as the way becomes shorter.
#include "program/enclose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <random>

using namespace dalembert;

namespace {

const char* const formulas[] = {
    "sin(7*x)*cos(y) - x^3",
    "x/(2 + y^2)",
    "exp(x - y)*tanh(3*y)",
    "sqrt(1 + x^2 + y^2)",
    "abs(x) - abs(y - 0.3)",
    "min(x, y) + max(x, 2*y, 0.1)",
    "atan2(y, x)",
    "asin(x/4)*acos(y/4)",
    "tan(x/3)",
    "(2 + x)^y",
    "log(3 + x*y)",
    "sinh(x)*cosh(y) - atan(5*x)",
    "sign(x)*y",
    "1/x",
    "sqrt(x)",
    "x^7 - 5*x*y^6",
    "(x^2)^(1/3) + (4 + y)^(5/3)",
    "p*sin(p*x) - y/p",
};

struct Way {
  double x[3], y[3];  // coefficients of 1, s, s^2
  double at(const double* c, double s) const { return c[0] + s * (c[1] + s * c[2]); }
  static Enclosure over(const double* c, double radius) {
    const double change = radius * (std::abs(c[1]) + radius * std::abs(c[2])), bend = 2 * radius * std::abs(c[2]);
    const double round = 1e-15 * (std::abs(c[0]) + change);
    return {{c[0], c[0]}, {c[0] - change - round, c[0] + change + round}, {c[1] - bend - round, c[1] + bend + round}};
  }
};

class Enclosures : public testing::TestWithParam<const char*> {
 protected:
  Enclosures() {
    const Expr x = graph.symbol("x"), y = graph.symbol("y"), p = graph.symbol("p");
    function =
        compile(make_program(std::vector{x, y}, std::vector{p}, std::vector{parse_expression(graph, GetParam())}));
    scratch = function.make_scratch();
    function.set_parameters(scratch, parameters);
  }
  double value(const Way& way, double s) {
    const double inputs[] = {way.at(way.x, s), way.at(way.y, s)};
    double output;
    function.evaluate(scratch, inputs, {&output, 1});
    return output;
  }

  Graph graph;
  Function function;
  Scratch scratch;
  const std::vector<double> parameters{1.7};
};

}  // namespace

TEST_P(Enclosures, HoldValuesAndSlopesAtEveryPointOfTheWay) {
  Enclosing enclosing(function);
  enclosing.set_parameters(parameters);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(-2, 2), part(-1, 1);
  for (int run = 0; run < 400; ++run) {
    Way way{{place(random), place(random), place(random)}, {place(random), place(random), place(random)}};
    if (run % 3 == 0) way.x[2] = way.y[1] = 0;
    const double radius = std::pow(10, -4 * std::abs(part(random)));
    enclosing.inputs()[0] = Way::over(way.x, radius);
    enclosing.inputs()[1] = Way::over(way.y, radius);
    enclosing.run(radius);
    const Enclosure bounds = enclosing.output(0);
    double last = 0, last_s = 0;
    for (int k = 0; k <= 40; ++k) {
      const double s = radius * (k - 20) / 20, f = value(way, s);
      if (!std::isfinite(f)) continue;
      EXPECT_TRUE(bounds.range.contains(f)) << "run " << run << ": " << f << " at " << s << " is not between "
                                            << bounds.range.low << " and " << bounds.range.high;
      // The mean slope between two points is one of the slopes, up to rounding in the values.
      const double slope = (f - last) / (s - last_s),
                   rounding = 1e-14 * (1 + std::abs(f) + std::abs(last)) / (s - last_s);
      if (k > 0 && std::isfinite(last) && std::isfinite(slope)) {
        EXPECT_GE(slope + rounding, bounds.slope.low) << "run " << run;
        EXPECT_LE(slope - rounding, bounds.slope.high) << "run " << run;
      }
      last = f;
      last_s = s;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formulas, Enclosures, testing::ValuesIn(formulas));

TEST(Enclosing, ComesCloserWithTheSquareOfTheLength) {
  Graph graph;
  const Expr x = graph.symbol("x");
  Enclosing enclosing(
      compile(make_program(std::vector{x}, {}, std::vector{parse_expression(graph, "sin(x)*(x - x^2)")})));
  enclosing.set_parameters({});
  const auto excess = [&](double radius) {
    const double c[] = {0.4, 1, 0};
    enclosing.inputs()[0] = Way::over(c, radius);
    enclosing.run(radius);
    const auto f = [](double s) { return std::sin(s) * (s - s * s); };
    const Bounds range = enclosing.output(0).range;
    return range.high - range.low - std::abs(f(0.4 + radius) - f(0.4 - radius));
  };
  EXPECT_LT(excess(1e-3), 2e-2 * excess(1e-2));  // a hundredth, and what the higher powers leave
  EXPECT_GE(excess(1e-3), 0);
}

TEST(Enclosing, KnowsWhichInputsItsOutputsRead) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  const Enclosing enclosing(compile(make_program(std::vector{x, y, z}, {}, std::vector{sin(z), x})));
  EXPECT_TRUE(enclosing.reads(0));
  EXPECT_FALSE(enclosing.reads(1));
  EXPECT_TRUE(enclosing.reads(2));
}
