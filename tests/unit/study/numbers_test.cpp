#include <gtest/gtest.h>

#include <array>

#include "study/functions.hpp"

using namespace dalembert;

namespace {

/// Every function of formulas once, in places where it is smooth.
std::vector<Expr> specimens(Expr x, Expr y) {
  return {sin(x * y),       cos(x + y),      tan(x),
          asin(x / 2),      acos(x * y / 3), atan(x - 3 * y),
          sinh(x),          cosh(x * y),     tanh(y),
          exp(x - y),       log(x + y),      sqrt(x * x + y),
          abs(x - 2 * y),   sign(x) * y,     atan2(y, x),
          atan2(-x, y - 2), pow(x, y),       pow(x, -3) * y,
          min(x, y * y),    max(x * x, y),   pow(x + y, x.graph().constant(mpq_class(2, 3))),
          x * y + 1};
}

}  // namespace

TEST(Jets, SecondDerivativesOfEveryFunctionAreThoseOfTheGraph) {
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y");
  const double at_x = 0.7, at_y = 0.9;
  Values<Jet> seeded{{x.id(), Jet(at_x, 1, 0.5, 0.25)}, {y.id(), Jet(at_y, 2, -1, 0)}};
  Values<Tracked> plain{{x.id(), at_x}, {y.id(), at_y}};
  for (Expr f : specimens(x, y)) {
    std::array<Expr, 2> both{x, y};
    std::vector<Expr> first = gradient(f, both), xs = gradient(first[0], both), ys = gradient(first[1], both);
    std::vector<Expr> wanted{f, first[0] + 2 * first[1], first[0] / 2 - first[1],
                             xs[0] / 2 - xs[1] + ys[0] - 2 * ys[1] + first[0] / 4};
    Jet jet = evaluate_jets({&f, 1}, seeded)[0];
    std::vector<Tracked> graphs = evaluate_tracked(wanted, plain);
    const Tracked parts[] = {jet.v, jet.a, jet.b, jet.ab};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(parts[i].value, graphs[i].value, 4 * (parts[i].error + graphs[i].error)) << i;
      EXPECT_LT(parts[i].error, 1e-12) << "a bound that proves nothing";
    }
  }
}

TEST(Tracking, BoundCoversWhatCancellationLoses) {
  Graph graph;
  Expr x = graph.symbol("x");
  Expr f = (1 - cos(x)) / (x * x);  // 1/2 near zero, by cancellation
  for (double at : {1e-2, 1e-4, 1e-6}) {
    Tracked value = evaluate_tracked({&f, 1}, {{x.id(), at}})[0];
    double exact = 0.5 - at * at / 24 + std::pow(at, 4) / 720;
    EXPECT_LE(std::abs(value.value - exact), value.error);
    EXPECT_LT(value.error, 1e-15 / (at * at) + 1e-14);
  }
}

TEST(Tracking, ErrorsOfTheInputsGoThrough) {
  Graph graph;
  Expr x = graph.symbol("x");
  Expr f = sqrt(x) * sin(x);
  Tracked value = evaluate_tracked({&f, 1}, {{x.id(), Tracked(2.0, 1e-6)}})[0];
  double expected = 1e-6 * (std::abs(std::sqrt(2) * std::cos(2)) + std::abs(std::sin(2)) / std::sqrt(8));
  EXPECT_NEAR(value.error, expected, 1e-11);
}

TEST(Tracking, AConstantBeyondTheRangeOfDoublesIsInfiniteAndItsErrorToo) {
  Graph graph;
  mpz_class huge;
  mpz_ui_pow_ui(huge.get_mpz_t(), 10, 400);
  for (int sign : {1, -1}) {
    Expr f = graph.constant(mpq_class(sign * huge));
    Tracked value = evaluate_tracked({&f, 1}, {})[0];
    EXPECT_EQ(value.value, sign * std::numeric_limits<double>::infinity());
    EXPECT_EQ(value.error, std::numeric_limits<double>::infinity());
  }
}
