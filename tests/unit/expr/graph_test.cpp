#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/expr.hpp>
#include <limits>

using namespace dalembert;

namespace {

TEST(Graph, LikeTermsMeetInOneNode) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y");
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(x + x, 2 * x);
  EXPECT_EQ(2 * x - x, x);
  EXPECT_EQ(x - x, g.constant(0));
  EXPECT_EQ(x * y * x, pow(x, 2) * y);
  EXPECT_EQ(x / x, g.constant(1));
  EXPECT_EQ(-(x + y) + x, -y);
}

TEST(Graph, PowersCombineOnlyWhereTheyMay) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y");
  EXPECT_EQ(sqrt(x) * sqrt(x), x);
  EXPECT_NE(sqrt(pow(x, 2)), x);
  EXPECT_EQ(pow(sqrt(pow(x, 2)), 2), pow(x, 2));
  EXPECT_EQ(sqrt(x * y) * sqrt(x * y), x * y);
  EXPECT_EQ(sqrt(g.constant(4)), g.constant(2));
  EXPECT_EQ(sqrt(g.constant(2)) * sqrt(g.constant(2)), g.constant(2));
  EXPECT_EQ(sqrt(1 / x), 1 / sqrt(x));
}

TEST(Graph, OddAndEvenFunctionsTurnSignsOutward) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y");
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(y - x), cos(x - y));
  EXPECT_EQ(sin(y - x) + sin(x - y), g.constant(0));
}

TEST(Graph, DerivativeOfALongProductOfPowers) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y");
  EXPECT_EQ(derivative(pow(x, 3) * y, x), 3 * pow(x, 2) * y);
  EXPECT_EQ(derivative(sin(x * y), x), y * cos(x * y));
  EXPECT_EQ(gradient(sin(x * y), std::vector{x, y})[1], x * cos(x * y));
  EXPECT_EQ(derivative(sqrt(x), x), 1 / (2 * sqrt(x)));
}

TEST(Graph, ReciprocalOfAHugeNumberIsStillANumber) {
  Graph g;
  mpz_class huge;
  mpz_ui_pow_ui(huge.get_mpz_t(), 10, 30000);
  EXPECT_EQ(1 / g.constant(mpq_class(huge)), g.constant(mpq_class(1, huge)));
}

TEST(Graph, ACopyHasTheSameIdsAndGrowsAlone) {
  Graph g;
  g.flatten = false;
  Expr x = g.symbol("x"), y = g.symbol("y"), f = sin(x) * y + 1;
  const std::size_t size = g.size();
  Graph copy = g;
  EXPECT_EQ(copy.size(), size);
  EXPECT_FALSE(copy.flatten);
  EXPECT_EQ(copy.find_symbol("x"), rebind(x, copy));
  EXPECT_EQ(sin(rebind(x, copy)) * rebind(y, copy) + 1, rebind(f, copy)) << "equal construction meets the copied node";
  EXPECT_EQ(copy.size(), size);
  Expr slope = derivative(rebind(f, copy), rebind(x, copy));
  Expr more = exp(slope);
  EXPECT_GT(copy.size(), size);
  EXPECT_EQ(g.size(), size);
  EXPECT_THROW(rebind(more, g), InputError);
  EXPECT_FALSE(rebind(Expr(), copy));
}

TEST(Graph, ADoubleBecomesTheRationalThatItIs) {
  Graph g;
  EXPECT_EQ(g.constant_from_double(0.5), g.constant(mpq_class(1, 2)));
  EXPECT_EQ(g.constant_from_double(0.1).value(), mpq_class("3602879701896397/36028797018963968"));
  EXPECT_EQ(g.constant_from_double(-0.0), g.constant(0));
  EXPECT_EQ(evaluate(g.constant_from_double(5e-324), {}), 5e-324);
}

TEST(Graph, WhatIsNotFiniteIsNoConstant) {
  Graph g;
  using Limits = std::numeric_limits<double>;
  for (double bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    try {
      g.constant_from_double(bad);
      FAIL() << bad << " became a constant";
    } catch (const InputError& error) {
      EXPECT_FALSE(error.complaint().problem.empty());
      EXPECT_FALSE(error.complaint().remedy.empty());
    }
  }
}

TEST(Graph, ExpressionsOfTwoGraphsAreRefused) {
  Graph g, h;
  Expr x = g.symbol("x"), y = g.symbol("y"), z = h.symbol("z"), none;
  const std::size_t size = g.size();
  auto refuses = [](auto&& work) {
    try {
      work();
      return false;
    } catch (const InputError& error) {
      return !error.complaint().remedy.empty();
    }
  };
  for (Expr other : {z, none}) {
    EXPECT_TRUE(refuses([&] { return x + other; }));
    EXPECT_TRUE(refuses([&] { return other + x; }));
    EXPECT_TRUE(refuses([&] { return x - other; }));
    EXPECT_TRUE(refuses([&] { return x * other; }));
    EXPECT_TRUE(refuses([&] { return x / other; }));
    EXPECT_TRUE(refuses([&] { return pow(x, other); }));
    EXPECT_TRUE(refuses([&] { return atan2(x, other); }));
    EXPECT_TRUE(refuses([&] { return max(x, other); }));
    EXPECT_TRUE(refuses([&] { return g.unary(Op::sin, other); }));
    EXPECT_TRUE(refuses([&] { return derivative(x, other); }));
    EXPECT_TRUE(refuses([&] { return gradient(x, std::vector{other}); }));
    EXPECT_TRUE(refuses([&] { return jacobian(std::vector{x, other}, std::vector{x}); }));
    EXPECT_TRUE(refuses([&] { return jacobian(std::vector{x}, std::vector{other}); }));
    EXPECT_TRUE(refuses([&] { return depends_on(x, other); }));
    EXPECT_TRUE(refuses([&] { return free_symbols(std::vector{x, other}); }));
    EXPECT_TRUE(refuses([&] { return substitute(x, std::vector{Replacement{x, other}}); }));
    EXPECT_TRUE(refuses([&] { return substitute(x, std::vector{Replacement{other, y}}); }));
    EXPECT_TRUE(refuses([&] { return directional_derivative(x, std::vector{Replacement{x, other}}); }));
    EXPECT_TRUE(refuses([&] { return evaluate(x, std::vector{Binding{other, 1.0}}); }));
    EXPECT_TRUE(refuses([&] { return copy_to(g, std::vector{x, other}); }));
  }
  EXPECT_TRUE(refuses([&] { return sin(none); }));
  EXPECT_EQ(g.size(), size);
  EXPECT_EQ(derivative(x * y, x), y) << "a refused walk leaves no marks behind";
}

}  // namespace
