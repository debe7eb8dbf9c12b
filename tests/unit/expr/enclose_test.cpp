// Ranges with proof: what the exact values lie in, also where rounding leaves doubles without a digit.
#include <gtest/gtest.h>

#include <dalembert/expr/enclose.hpp>
#include <dalembert/expr/evaluator.hpp>
#include <random>

using namespace dalembert;

namespace {

class EncloseTest : public testing::Test {
 protected:
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y");

  Range of(Expr formula, std::vector<Around> box) { return enclose({&formula, 1}, box)[0]; }
};

TEST_F(EncloseTest, HoldsEveryValueOverABox) {
  const std::vector<Expr> formulas{sin(x * y) + pow(x, 3), exp(x) / (2 + cos(y)), sqrt(3 + x) * y, atan2(y, 2 + x)};
  const std::vector<Around> box{{x, graph.constant_from_double(0.25), 0.125},
                                {y, graph.constant_from_double(-0.5), 0.25}};
  const std::vector<Range> ranges = enclose(formulas, box);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<Binding> at{{x, 0.25 + 0.125 * part(random)}, {y, -0.5 + 0.25 * part(random)}};
    const std::vector<double> values = evaluate(formulas, at);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      EXPECT_LE(std::fabs(values[i] - ranges[i].middle), ranges[i].radius + 1e-15) << i;
      EXPECT_LT(ranges[i].radius, 1.0) << i;  // and says something
    }
  }
}

TEST_F(EncloseTest, TakesValuesAsTheyAreWrittenNotAsTheyAreRounded) {
  const Expr third = graph.constant(mpq_class(1, 3));
  EXPECT_FALSE(of(3 * x - 1, {{x, third}}).excludes_zero());
  const double rounded = 1.0 / 3;  // below 1/3 by 1.85e-17
  const Range off = of(3 * x - 1, {{x, graph.constant_from_double(rounded)}});
  EXPECT_TRUE(off.excludes_zero());
  EXPECT_NEAR(off.middle, -5.55e-17, 1e-19);
}

TEST_F(EncloseTest, SaysNothingWhereAFormulaIsNotDefinedEverywhereOrIsTooMuchWork) {
  const std::vector<Around> box{{x, graph.constant(0), 0.5}};
  for (Expr formula : {1 / x, sqrt(x), log(x), x / y}) EXPECT_FALSE(std::isfinite(of(formula, box).radius));
  const Expr good = cos(x);
  EXPECT_TRUE(enclose({&good, 1}, box)[0].excludes_zero());
  EXPECT_FALSE(std::isfinite(enclose({&good, 1}, box, 1.0)[0].radius));
}

}  // namespace
