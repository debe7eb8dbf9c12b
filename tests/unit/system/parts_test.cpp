// Rank, magnitudes, projections, starts and step sizes, each alone on small models whose answers are known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/model/description.hpp>
#include <random>

#include "simulate/march/method.hpp"
#include "simulate/march/sizes.hpp"
#include "simulate/march/step_control.hpp"
#include "simulate/system/magnitudes.hpp"
#include "simulate/system/projector.hpp"
#include "simulate/system/start.hpp"
#include "unit/system/bench.hpp"

namespace dalembert {
namespace {

using testing::Bench;
using testing::make_model;
using testing::Written;

const std::string three_squares = "(x'^2 + 2*y'^2 + 3*z'^2)/2";

TEST(DecideRank, DoesNotDependOnHowRowsAreScaled) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(-6, 6);
  for (int trial = 0; trial < 30; ++trial) {
    const auto scale = [&](const std::string& row) {
      return std::to_string(std::pow(10, exponent(random)) + 1e-6) + "*(" + row + ") = 0";
    };
    // The third row is the sum of the first two, the fourth is free of them: rank 3.
    const Bench bench(
        make_model({{},
                    {{"x", 0, 0}, {"y", 0, 0}, {"z", 0, 0}},
                    three_squares,
                    "",
                    "",
                    {},
                    {{"a", scale("x + y")}, {"b", scale("y - 2*z")}, {"c", scale("x + 2*y - 2*z")}, {"d", scale("z")}},
                    {},
                    {},
                    {}}));
    const RankDecision decision = decide_rank(bench.at, mend(bench.evaluator, bench.at));
    EXPECT_EQ(decision.selection->kept().size(), 3u);
    ASSERT_EQ(decision.selection->dropped().size(), 1u);
    EXPECT_NE(decision.selection->dropped()[0], 3u);
    EXPECT_LE(decision.largest_dropped, 1e-14);
    EXPECT_GT(decision.smallest, 0.1);
  }
}

TEST(Mend, ACoordinateWithoutInertiaIsNamed) {
  Written written{{}, {{"x", 0, 0}, {"y", 0, 0}}, "x'^2/2", "", "", {}, {}, {}, {}, {}};
  try {
    const Bench bench(make_model(written));
    mend(bench.evaluator, bench.at);
    FAIL() << "y has no inertia";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("y"));
  }
}

TEST(Magnitudes, AreOfAClassAndAtLeastOneForAngles) {
  const Bench bench(make_model(
      {{}, {{"x", 3, 0}, {"y", 0, 0}, {"q", 0, 0}}, "(x'^2 + y'^2 + q'^2)/2", "cos(q)", "", {}, {}, {}, {}, {}}));
  const Magnitudes magnitudes(*bench.system, bench.at, bench.y.data());
  EXPECT_EQ(magnitudes.values()[0], 3);
  EXPECT_EQ(magnitudes.values()[1], 3) << "y is a length like x";
  EXPECT_EQ(magnitudes.values()[2], 1) << "an angle of zero";
}

TEST(Magnitudes, OfWhatIsIdleComeFromTheKineticMetric) {
  // Only the angle moves: a length of mass 4 beside an angle of inertia 1 and rate 2 counts by a thousandth of 2/2.
  const Bench bench(
      make_model({{}, {{"x", 0, 0}, {"q", 0.5, 2}}, "2*x'^2 + q'^2/2", "cos(q)", "", {}, {}, {}, {}, {}}));
  Magnitudes magnitudes(*bench.system, bench.at, bench.y.data());
  EXPECT_NEAR(magnitudes.values()[2], 1e-3 * 2 / 2, 1e-18);
  EXPECT_EQ(magnitudes.values()[3], 2);
  // They grow with the states that are included, not with those that are only tried.
  std::vector<double> y = bench.y;
  y[3] = 50;
  EXPECT_EQ(magnitudes.with(y.data())[3], 50);
  EXPECT_EQ(magnitudes.values()[3], 2);
  magnitudes.include(y.data());
  EXPECT_EQ(magnitudes.values()[3], 50);
}

Model on_circle(double x, double y, double x1, double y1) {
  return make_model(
      {{}, {{"x", x, x1}, {"y", y, y1}}, "(x'^2 + y'^2)/2", "", "", {}, {{"circle", "x^2 + y^2 = 1"}}, {}, {}, {}});
}

TEST(RaiseByEnergy, GivesTheBitsOfTheQuotientAlsoWhereNoneIsTaken) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> exponent(-8, 8);
  std::uniform_int_distribution<int> ulps(-8, 8);
  std::size_t raised = 0, left = 0;
  for (int round = 0; round < 2000; ++round) {
    constexpr double part = 1e-3;
    std::vector<double> weights, values, expected;
    for (int i = 0; i < 4; ++i) weights.push_back(std::exp(exponent(random)));
    for (int i = 0; i < 4; ++i) values.push_back(std::exp(exponent(random)));
    weights[3] = 0;
    double most = std::exp(exponent(random));
    const double given = most;
    for (int i = 0; i < 3; ++i) most = std::max(most, weights[i] * values[i]);
    if (weights[0] * values[0] < most)  // a few roundings above or below the least
      values[0] = part * most / weights[0] * (1 + ulps(random) * 0x1p-52);
    for (int i = 0; i < 4; ++i)
      expected.push_back(weights[i] > 0 ? std::max(values[i], part * most / weights[i]) : values[i]);
    (expected[0] > values[0] ? raised : left)++;
    raise_by_energy(weights, values, part, given);
    EXPECT_EQ(values, expected) << round;
  }
  EXPECT_GT(raised, 100U);
  EXPECT_GT(left, 100U);
}

TEST(Projector, PutsAStateOntoTheCircleAlongItsNormal) {
  Bench bench(on_circle(0.6, 0.8, 0.8, -0.6));
  Projector projector(bench.evaluator, mend(bench.evaluator, bench.at));
  EXPECT_FALSE(projector.is_idle());
  std::vector<double> y{0.6 * 1.001, 0.8 * 1.001, 0.8 + 0.06, -0.6 + 0.08};  // off along the normal
  const Magnitudes magnitudes(*bench.system, bench.at, y.data());
  ASSERT_TRUE(projector.factor(0, y.data()));
  const Projection projection = projector.project(0, y.data(), magnitudes.values());
  ASSERT_TRUE(projection.ok);
  EXPECT_GT(projection.moved, 5e-4);
  const double rounding = 1e-15;
  EXPECT_NEAR(y[0], 0.6, 4 * rounding);
  EXPECT_NEAR(y[1], 0.8, 4 * rounding);
  // Velocities stop at a change of 1e-9; what is left of it is the factor's age, here 1e-3.
  EXPECT_NEAR(y[2], 0.8, 1e-9 * 1e-3);
  EXPECT_NEAR(y[3], -0.6, 1e-9 * 1e-3);
  ASSERT_TRUE(projector.factor(0, y.data()));
  ASSERT_TRUE(projector.project(0, y.data(), magnitudes.values()).ok);
  EXPECT_NEAR(y[2], 0.8, 4 * rounding) << "with a fresh one only rounding is left";
  EXPECT_NEAR(y[3], -0.6, 4 * rounding);
}

TEST(Projector, RemembersNothingOfTheStateBefore) {
  Bench bench(on_circle(0.6, 0.8, 0.8, -0.6));
  const auto selection = mend(bench.evaluator, bench.at);
  const std::vector<double> first{0.6, 0.8, 0.8, -0.6}, second{0.8 * 1.01, 0.6 * 1.01, 0.6 + 0.08, -0.8 + 0.06};
  const auto project = [&](Projector& projector, std::vector<double> y) {
    const Magnitudes magnitudes(*bench.system, bench.at, y.data());
    EXPECT_TRUE(projector.factor(0, y.data()));
    EXPECT_TRUE(projector.project(0, y.data(), magnitudes.values()).ok);
    return y;
  };
  Projector fresh(bench.evaluator, selection), used(bench.evaluator, selection);
  const std::vector<double> once = project(used, first);  // has nothing to move: its residuals are known at the end
  EXPECT_NEAR(once[0], first[0], 1e-15);
  EXPECT_EQ(project(used, second), project(fresh, second));
}

TEST(Projector, LeavesPositionsAloneWhereOnlyVelocitiesAreConstrained) {
  Bench bench(make_model(
      {{}, {{"x", 3, 2}, {"y", 4, 1}}, "(x'^2 + y'^2)/2", "", "", {}, {{"edge", "x*x' + y*y' = 0"}}, {}, {}, {}}));
  Projector projector(bench.evaluator, mend(bench.evaluator, bench.at));
  std::vector<double> y = bench.y;
  const Magnitudes magnitudes(*bench.system, bench.at, y.data());
  ASSERT_TRUE(projector.factor(0, y.data()));
  const Projection projection = projector.project(0, y.data(), magnitudes.values());
  ASSERT_TRUE(projection.ok);
  EXPECT_GT(projection.moved, 0.1);
  EXPECT_EQ(y[0], 3);
  EXPECT_EQ(y[1], 4);
  // u - n (n.u) with n = (3, 4) / 5: (2, 1) - (3, 4) 2/5.
  EXPECT_NEAR(y[2], 0.8, 1e-15);
  EXPECT_NEAR(y[3], -0.6, 1e-15);
}

TEST(Positions, ArePutOntoASphereAlongItsNormalAndNothingElseIs) {
  const Model model = load_model("models:spherical_pendulum");
  auto system = std::make_shared<const CompiledSystem>(derive_hamel_motion(model).equations);
  SystemEvaluator evaluator(system);
  evaluator.set_parameters(NamedNumbers{{"l", 2}});
  Positions positions(evaluator);
  ASSERT_TRUE(static_cast<bool>(positions));
  std::vector<double> q{1.2, 0.4, -1.5};
  const double length = std::hypot(q[0], q[1], q[2]);
  const std::vector<double> before = q, magnitudes(3, 2.0);
  double moved = 0;
  ASSERT_TRUE(positions.project(0, q.data(), magnitudes, moved));
  EXPECT_GT(moved, 0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(q[i], before[i] * 2 / length, 1e-14) << "along the radius";
  Bench multipliers(model);
  EXPECT_FALSE(static_cast<bool>(Positions(multipliers.evaluator))) << "multipliers leave nothing to positions";
}

TEST(MakeStart, LeavesWhatIsRightAndRefusesOrMovesWhatIsNot) {
  Bench right(on_circle(0.6, 0.8, 0.8, -0.6));
  const Start kept = make_start(right.evaluator, right.state, false);
  EXPECT_EQ(kept.found.state.q, right.state.q);
  EXPECT_EQ(kept.found.state.u, right.state.u);
  EXPECT_FALSE(kept.found.projected);
  EXPECT_EQ(kept.selection->kept().size(), 1u);

  Bench off(on_circle(0.9, 1.2, 0.8, -0.6));  // at radius 1.5
  EXPECT_THROW(make_start(off.evaluator, off.state, false), ModelError);
  const Start moved = make_start(off.evaluator, off.state, true);
  EXPECT_TRUE(moved.found.projected);
  EXPECT_NEAR(moved.found.state.q[0], 0.6, 1e-14);
  EXPECT_NEAR(moved.found.state.q[1], 0.8, 1e-14);
  EXPECT_NEAR(moved.found.largest_position, 1.25, 1e-14);
  EXPECT_FALSE(moved.found.report.empty());
}

TEST(MakeStart, WithNothingFreeAndWithNoRows) {
  Bench held(make_model({{}, {{"x", 1, 0}}, "x'^2/2", "", "", {{"x", "3"}}, {{"pin", "x = 1"}}, {}, {}, {}}));
  EXPECT_EQ(make_start(held.evaluator, held.state, false).selection->kept().size(), 1u);
  Bench free(make_model({{}, {{"x", 1, 2}}, "x'^2/2", "", "", {}, {}, {}, {}, {}}));
  const Start start = make_start(free.evaluator, free.state, false);
  EXPECT_TRUE(start.selection->active().empty());
  EXPECT_EQ(start.found.state.u, std::vector<double>{2});
}

// --- sizes by which errors are judged

/// x'' = -k x about `origin`, beside a coordinate that rests; in units where lengths are `unit` times as large.
std::vector<double> judged(double origin, double unit, double resting) {
  const Bench bench(make_model({{},
                                {{"x", origin + unit, 0}, {"z", resting, 0}},
                                "(x'^2 + z'^2)/2",
                                "(x - " + std::to_string(origin) + ")^2/2",
                                "",
                                {},
                                {},
                                {},
                                {},
                                {}}));
  Sizes sizes(*bench.system, 1e-8);
  const std::vector<double> y0{origin + unit, resting, 0, 0}, y1{origin + 0.5 * unit, resting, -0.8 * unit, 0},
      y2{origin, resting, -unit, 0};
  sizes.include(y0.data(), 0);
  sizes.measure_noise(bench.at, std::vector<double>{-unit, 0}, {}, {1, 1});
  sizes.include(y1.data(), 1);
  sizes.judge(y1.data(), y2.data(), 0.5);
  std::vector<double> result(sizes.scale().begin(), sizes.scale().end());
  for (double& size : result) size /= unit;
  return result;
}

TEST(SizesOfErrors, DoNotDependOnOriginUnitsOrWhatRests) {
  const std::vector<double> usual = judged(0, 1, 0);
  EXPECT_NEAR(usual[0], 1e-8, 1e-16) << "the range covered, 1, or the step's 0.5 at twice its pace";
  EXPECT_NEAR(usual[2], 1e-8, 1e-16) << "the largest speed";
  // Powers of two leave every bit; shifts by them leave all bits of these numbers.
  for (const auto& [origin, unit, resting] :
       {std::tuple{64.0, 1.0, 0.0}, {0.0, 1.0 / 1024, 0.0}, {0.0, 1024.0, 0.0}, {0.0, 1.0, 512.0}}) {
    const std::vector<double> other = judged(origin, unit, resting);
    for (std::size_t i = 0; i < usual.size(); ++i) EXPECT_DOUBLE_EQ(other[i], usual[i]) << "component " << i;
  }
}

TEST(StepControl, AimsAtAnErrorOfOne) {
  StepControl control(8);
  // After a rejection: the error falls with the 8th power of the step.
  EXPECT_NEAR(control.reject(256), 0.95 / 2, 1e-15);
  EXPECT_NEAR(control.reject(1e30), 1.0 / 3, 1e-15) << "never by more than a third";
  EXPECT_EQ(control.reject(NAN), 0.25);
  EXPECT_LE(control.accept(1e-12), 1.0) << "no growth right after a rejection";
  EXPECT_GT(control.accept(1e-12), 1.0);
  EXPECT_LE(control.accept(0), 6.0);
  EXPECT_LT(control.accept(1), 1.0) << "the same step again would be too long";
}

TEST(Method, IsExactForPolynomialsOfItsOrderAndOfOrderEightElse) {
  const SlopeFunction power = [](double t, const double*, double* dy) { dy[0] = 8 * std::pow(t, 7); };
  const std::unique_ptr<Method> method = make_method("dop853", 1);
  EXPECT_EQ(method->size(), 1u);
  method->start()[0] = 0;
  power(0, method->start().data(), method->start_derivative().data());
  method->take(power, 0, 1, {});
  EXPECT_NEAR(method->end()[0], 1, 8 * 2.3e-16 * 10);
  const std::vector<double> scale{1e-10}, noise{1e-14};
  EXPECT_GE(method->error(scale, noise), 0);
  power(1, method->end().data(), method->end_derivative().data());
  std::vector<double> middle(1);
  method->interpolate(power, 1, middle);
  EXPECT_NEAR(middle[0], method->end()[0], 1e-15);
  method->advance();
  EXPECT_NEAR(method->start()[0], 1, 8 * 2.3e-16 * 10);

  // y' = y: halving the step divides the error of a step by 2^9.
  const SlopeFunction grow = [](double, const double* y, double* dy) { dy[0] = y[0]; };
  const auto error = [&](double h) {
    const std::unique_ptr<Method> step = make_method("dop853", 1);
    step->start()[0] = step->start_derivative()[0] = 1;
    step->take(grow, 0, h, {});
    return std::abs(step->end()[0] - std::exp(h));
  };
  EXPECT_NEAR(std::log2(error(2) / error(1)), 9, 1);
  EXPECT_THROW(make_method("euler", 1), InputError);
}

}  // namespace
}  // namespace dalembert
