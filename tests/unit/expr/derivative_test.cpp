#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/formula.hpp>
#include <limits>

#include "unit/expr/multiprecision.hpp"
#include "unit/expr/random_graphs.hpp"

using namespace dalembert;
using testing_support::Ball;
using testing_support::evaluate_balls;
using testing_support::RandomGraph;
using testing_support::RandomGraphOptions;

namespace {

using Point = std::unordered_map<NodeId, mpq_class>;

Point random_point(RandomGraph& random) {
  Point point;
  for (const Expr& symbol : random.symbols())
    point[symbol.id()] = mpq_class(static_cast<long>(random.below(15001)) + 5000, 10007);  // 0.5 .. 2
  return point;
}

std::unordered_map<NodeId, Ball> as_balls(const Point& point) {
  std::unordered_map<NodeId, Ball> balls;
  for (const auto& [id, value] : point) balls.emplace(id, Ball(value));
  return balls;
}

/// (f(x + h) - f(x - h)) / 2h with h = 1e-60, in 210 digits: cut off at about h^2 f''', rounded at about 1e-150 f.
Ball central_difference(Expr f, Expr symbol, Point point) {
  mpq_class h(mpz_class(1), mpz_class("1" + std::string(60, '0')));
  mpq_class middle = point[symbol.id()];
  point[symbol.id()] = middle + h;
  Ball above = evaluate_balls({&f, 1}, as_balls(point))[0];
  point[symbol.id()] = middle - h;
  Ball below = evaluate_balls({&f, 1}, as_balls(point))[0];
  return (above - below) / Ball(mpq_class(2 * h));
}

/// Forward, reverse and central differences agree to 50 digits.
void expect_agreement(std::uint64_t seed, const RandomGraphOptions& options) {
  Graph g;
  RandomGraph random(g, seed, options);
  Expr f = random.make();
  std::vector<Expr> symbols = random.symbols();
  std::vector<Expr> reverse = gradient(f, symbols);
  std::vector<Expr> sparse = jacobian({&f, 1}, symbols)[0];
  Point point = random_point(random);
  for (std::size_t j = 0; j < symbols.size(); ++j) {
    Expr all[] = {derivative(f, symbols[j]), reverse[j], sparse[j]};
    std::vector<Ball> values = evaluate_balls(all, as_balls(point));
    double bound = 1e-50 * (1 + values[0].magnitude());
    ASSERT_LE((values[1] - values[0]).magnitude(), bound) << "reverse, seed " << seed << ", symbol " << j;
    ASSERT_LE((values[2] - values[0]).magnitude(), bound) << "sparse, seed " << seed << ", symbol " << j;
    Ball difference = central_difference(f, symbols[j], point);
    ASSERT_LE((difference - values[0]).magnitude(), bound) << "difference, seed " << seed << ", symbol " << j;
  }
}

TEST(Derivative, ForwardReverseAndFiftyDigitDifferencesAgreeOnSmoothRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomGraphOptions options{.symbols = 3, .steps = 5 + seed % 20, .smooth = true, .tame = true};
    expect_agreement(seed, options);
    if (HasFatalFailure()) return;
  }
}

TEST(Derivative, TheyAgreeAwayFromTheEdgesOfAbsSignMinAndMax) {
  for (std::uint64_t seed = 1001; seed <= 1100; ++seed) {
    RandomGraphOptions options{.symbols = 3, .steps = 5 + seed % 15, .tame = true};
    expect_agreement(seed, options);
    if (HasFatalFailure()) return;
  }
}

/// A value and its derivative, exactly.
struct Dual {
  mpq_class value, slope;
};

Dual raise(Dual base, long exponent) {
  Dual result{1, 0};
  for (long i = 0; i < std::abs(exponent); ++i)
    result = {result.value * base.value, result.slope * base.value + result.value * base.slope};
  if (exponent < 0) result = {1 / result.value, -result.slope / (result.value * result.value)};
  return result;
}

/// Dual numbers through the graph in the order of its ids: only sums and products of whole powers.
Dual evaluate_dual(Expr f, Expr symbol, const Point& point) {
  const Graph& graph = f.graph();
  std::vector<Dual> values(f.id() + 1);
  for (NodeId id = 0; id <= f.id(); ++id) {
    if (graph.op(id) == Op::constant) values[id] = {graph.value(id), 0};
    if (graph.op(id) == Op::symbol) values[id] = {point.at(id), id == symbol.id() ? 1 : 0};
    if (graph.op(id) == Op::sum) {
      values[id] = {graph.value(graph.offset(id)), 0};
      for (const Part& part : graph.parts(id)) {
        values[id].value += graph.value(part.weight) * values[part.node].value;
        values[id].slope += graph.value(part.weight) * values[part.node].slope;
      }
    }
    if (graph.op(id) == Op::product) {
      values[id] = {1, 0};
      for (const Part& part : graph.parts(id)) {
        Dual factor = raise(values[part.node], graph.value(part.weight).get_num().get_si());
        values[id] = {values[id].value * factor.value,
                      values[id].slope * factor.value + values[id].value * factor.slope};
      }
    }
  }
  return values[f.id()];
}

TEST(Derivative, RationalExpressionsAgreeWithExactDualNumbers) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Graph g;
    RandomGraph random(g, seed, {.symbols = 3, .steps = 6, .rational = true, .tame = true});
    Expr f = random.make();
    Point point = random_point(random);
    std::vector<Expr> symbols = random.symbols();
    std::vector<Expr> reverse = gradient(f, symbols);
    for (std::size_t j = 0; j < symbols.size(); ++j) {
      mpq_class slope = evaluate_dual(f, symbols[j], point).slope;
      ASSERT_EQ(evaluate_dual(derivative(f, symbols[j]), symbols[j], point).value, slope) << "seed " << seed;
      ASSERT_EQ(evaluate_dual(reverse[j], symbols[j], point).value, slope) << "seed " << seed;
    }
  }
}

TEST(Derivative, OfALongProductHasNoDivisionByZero) {
  Graph g;
  std::vector<Expr> symbols;
  std::vector<Binding> at;
  for (int i = 0; i < 300; ++i) {
    symbols.push_back(g.symbol("x" + std::to_string(i)));
    at.push_back({symbols[i], i == 7 ? 0.0 : 1.0 + i % 2});
  }
  Expr f = g.product(symbols);
  std::vector<double> values = evaluate(gradient(f, symbols), at);
  EXPECT_EQ(values[7], std::ldexp(1, 149));
  EXPECT_EQ(values[8], 0);
  EXPECT_EQ(evaluate(derivative(f, symbols[7]), at), std::ldexp(1, 149));
}

/// One total time derivative is the sum over all directions.
TEST(Derivative, AlongADirectionIsTheSumOfThePartials) {
  Graph g;
  Expr q = g.symbol("q"), v = g.symbol("q'"), a = g.symbol("q''"), t = g.symbol("t");
  Expr f = sin(q * t) * pow(v, 2);
  Replacement direction[] = {{q, v}, {v, a}, {t, g.constant(1)}};
  Expr expected = derivative(f, q) * v + derivative(f, v) * a + derivative(f, t);
  Binding at[] = {{q, 0.3}, {v, 0.7}, {a, -1.1}, {t, 0.9}};
  EXPECT_NEAR(evaluate(directional_derivative(f, direction), at), evaluate(expected, at), 1e-15);
}

// ---------------------------------------------------------------------------------------------- edges

class DerivativeEdges : public testing::Test {
 protected:
  double slope(const char* text, double x_value, double y_value = 0, double z_value = 0) {
    Binding at[] = {{x, x_value}, {y, y_value}, {z, z_value}};
    Expr f = parse_expression(g, text);
    double forward = evaluate(derivative(f, x), at);
    double reverse = evaluate(gradient(f, std::vector{x})[0], at);
    EXPECT_TRUE(forward == reverse || (std::isnan(forward) && std::isnan(reverse))) << text;
    return forward;
  }
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z");
};

TEST_F(DerivativeEdges, OfAbsIsSignAndZeroAtZero) {
  EXPECT_EQ(slope("abs(x)", 2), 1);
  EXPECT_EQ(slope("abs(x)", -2), -1);
  EXPECT_EQ(slope("abs(x)", 0), 0);
}

TEST_F(DerivativeEdges, OfSignIsZeroEverywhere) {
  EXPECT_EQ(slope("sign(x)", 2), 0);
  EXPECT_EQ(slope("sign(x)", 0), 0);
}

TEST_F(DerivativeEdges, OfMinAndMaxIsTheMeanOverArgumentsThatTie) {
  EXPECT_EQ(slope("min(x, y)", 1, 2), 1);
  EXPECT_EQ(slope("min(x, y)", 2, 1), 0);
  EXPECT_EQ(slope("min(x, y)", 1, 1), 0.5);
  EXPECT_EQ(slope("max(x, y)", 1, 2), 0);
  EXPECT_EQ(slope("max(x, y)", 2, 1), 1);
  EXPECT_EQ(slope("max(x, y)", 1, 1), 0.5);
  EXPECT_EQ(slope("min(x, y, z)", 1, 1, 1), 1.0 / 3);
  EXPECT_EQ(slope("max(x, y, z)", 1, 1, 1), 1.0 / 3);
  EXPECT_EQ(slope("max(x, y, z)", 1, 1, 0), 0.5);
  EXPECT_EQ(slope("max(x, y, z)", 1, 0, 1), 0.5);
  EXPECT_EQ(slope("min(x, y, z)", 0, 1, 1), 1);
  EXPECT_EQ(slope("min(x, y, z)", 2, 1, 1), 0);
}

TEST_F(DerivativeEdges, OfSqrtIsUnboundedAtZeroAndNoNumberBelow) {
  EXPECT_EQ(slope("sqrt(x)", 4), 0.25);
  EXPECT_EQ(slope("sqrt(x)", 0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(slope("sqrt(x)", -1)));
}

TEST_F(DerivativeEdges, OfAtan2IsContinuousAcrossTheCutAndNoNumberAtTheOrigin) {
  EXPECT_EQ(slope("atan2(x, y)", 0, -2), -0.5);
  EXPECT_EQ(slope("atan2(y, x)", -1, 1), -0.5);
  EXPECT_TRUE(std::isnan(slope("atan2(x, y)", 0, 0)));
}

}  // namespace
