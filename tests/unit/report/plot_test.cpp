#include "report/plot/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sample.hpp"

using namespace dalembert;
using testing::HasSubstr;

namespace {

std::vector<std::string> labels(Interval data, int wanted = 5) {
  std::vector<std::string> result;
  for (const Tick& tick : make_axis(data, wanted, false).ticks) result.push_back(tick.label);
  return result;
}

}  // namespace

TEST(Axis, TicksAreRoundNumbersInsideTheRange) {
  EXPECT_EQ(labels({0, 10}), (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels({-1, 1}), (std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels({0.0021, 0.0068}), (std::vector<std::string>{"0.003", "0.004", "0.005", "0.006"}));
}

TEST(Axis, LargeSmallAndShiftedRangesSayTheirFactorOnce) {
  Axis small = make_axis({0, 1e-15}, 5, false);
  EXPECT_EQ(small.note, "×10⁻¹⁵");
  EXPECT_EQ(small.ticks.back().label, "1.0");
  Axis shifted = make_axis({9.81, 9.81 + 1e-9}, 5, false);
  EXPECT_THAT(shifted.note, HasSubstr("+ 9.81"));
  for (const Tick& tick : shifted.ticks) EXPECT_LE(tick.label.size(), 8u) << tick.label;
}

TEST(Axis, AnyIntervalGivesAUsableAxis) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-300, 300), part(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    double a = part(random) * std::pow(10, exponent(random)), b = a + part(random) * std::pow(10, exponent(random));
    if (i % 5 == 0) b = a;
    Axis axis = make_axis({std::min(a, b), std::max(a, b)}, 6, i % 2 == 0);
    ASSERT_GT(axis.range.width(), 0) << a << " " << b;
    ASSERT_LE(axis.range.low, std::min(a, b) + 1e-12 * axis.range.width());
    ASSERT_GE(axis.range.high, std::max(a, b) - 1e-12 * axis.range.width());
    ASSERT_GE(axis.ticks.size(), 1u) << a << " " << b;
    ASSERT_LE(axis.ticks.size(), 14u) << a << " " << b;
  }
}

TEST(Panels, CurvesOfLikeScaleShareOne) {
  std::vector<Interval> scales{{-1, 1}, {-3, 2}, {0, 1e-15}, {0, 1000}, {0.5, 0.5}, {800, 800}};
  EXPECT_EQ(group_by_scale(scales, 8), (std::vector<std::vector<std::size_t>>{{0, 1, 4}, {2}, {3, 5}}));
  EXPECT_EQ(group_by_scale(std::vector<Interval>(5, {0, 1}), 2).size(), 3u);
}

TEST(Thinning, KeepsExtremesAndBreaksAtAbsentValues) {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i * 1e-3);  // 100 pixels
    y.push_back(i == 41234 ? 50 : i == 70000 ? NAN : std::sin(i));
  }
  auto runs = thin(x, y, 0.5);
  ASSERT_EQ(runs.size(), 2u);
  std::size_t count = runs[0].size() + runs[1].size();
  EXPECT_LE(count, 4u * 202);
  double highest = 0;
  for (const auto& run : runs)
    for (std::size_t i = 0; i < run.size(); ++i) {
      highest = std::max(highest, run[i].y);
      EXPECT_TRUE(i == 0 || run[i - 1].x < run[i].x);
    }
  EXPECT_EQ(highest, 50);
  EXPECT_EQ(runs[0].front().x, 0);
  EXPECT_EQ(runs[0].back().x, 69.999);
  EXPECT_EQ(runs[1].front().x, 70.001);
}

TEST(Svg, IsSelfContainedEscapedAndNamesItsCurves) {
  std::string svg = write_svg(sample_trajectory(), {"rods & <strings>\x01", {}});
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns"));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("rods &amp; &lt;strings&gt;\uFFFD"));
  EXPECT_THAT(svg, HasSubstr("reaction(rod)"));
  EXPECT_THAT(svg, HasSubstr("a,&quot;b&quot;"));
  EXPECT_THAT(svg, testing::Not(testing::ContainsRegex("nan|inf|href")));
}

TEST(Svg, DrawsAlsoWhenThereIsNothingOrOneValue) {
  Trajectory trajectory;
  trajectory.columns = {"t", "x"};
  EXPECT_THAT(write_svg(trajectory, {}), testing::EndsWith("</svg>\n"));
  trajectory.rows = {{0, 1}};
  EXPECT_THAT(write_svg(trajectory, {}), HasSubstr("h0"));
}
