#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/study/gradient.hpp>
#include <random>

using namespace dalembert;

namespace {

// A parallelogram whose cranks stay parallel: its masses move as one on one crank. It is flat twice a turn.
const std::string parallelogram = R"toml(
gravity = [0, "-g", 0]
[parameters]
g = 9.81
l = 1
m = 1
w = 10
[coordinates]
a = { value = 0.9, rate = "w" }
b = { value = 0.9, rate = "w" }
c = 0
[points.P]
position = ["l*cos(a)", "l*sin(a)", 0]
mass = "m"
[points.Q]
position = ["2 + l*cos(b)", "l*sin(b)", 0]
mass = 1
[energy]
kinetic = "c'^2/10"
[constraints]
x = "l*cos(a) + 2*cos(c) = 2 + l*cos(b)"
y = "l*sin(a) + 2*sin(c) = l*sin(b)"
)toml";

const std::string pendulum = R"toml(
gravity = [0, "-g", 0]
[parameters]
g = 9.81
l = 1
m = 1
w = 10
[coordinates]
a = { value = 0.9, rate = "w" }
[points.P]
position = ["l*cos(a)", "l*sin(a)", 0]
mass = "m + 1"
)toml";

#if defined(DALEMBERT_SMALL_TESTS)
constexpr int run_count = 8;
#else
constexpr int run_count = 40;
#endif

TEST(Gradient, of_a_parallelogram_through_many_flat_positions_is_that_of_the_pendulum_it_moves_as) {
  const std::vector<std::string> by = {"w", "g"};
  GradientSystem many(make_model(parse_description(parallelogram)), by);
  GradientSystem one(make_model(parse_description(pendulum)), by);
  std::mt19937_64 random(7);
  const auto between = [&](double from, double to) { return std::uniform_real_distribution<>(from, to)(random); };
  std::size_t crossings = 0;
  for (int run = 0; run < run_count; ++run) {
    const double until = between(0.5, 3), a = between(0.3, 2.5);
    SimulateOptions options{.until = until, .every = until / 4};
    options.parameters = {
        {"w", between(9, 14)}, {"g", between(3, 12)}, {"l", between(0.7, 1.5)}, {"m", between(0.3, 3)}};
    options.initial = {{"a", a}};
    options.tolerance = 1e-13;
    const Trajectory exact = one.simulate(options).motion;
    options.initial.emplace_back("b", a);
    options.tolerance = 1e-10;
    const Trajectory motion = many.simulate(options).motion;
    ASSERT_TRUE(exact && motion) << motion.message;
    EXPECT_THAT(motion.notes, testing::IsEmpty()) << run;
    crossings += motion.statistics.crossings;
    for (const std::string& name : by) {
      const std::span<const double> slope = motion[gradient_column("a", name)],
                                    of_one = exact[gradient_column("a", name)];
      ASSERT_EQ(slope.size(), of_one.size());
      for (std::size_t i = 0; i < slope.size(); ++i)
        EXPECT_NEAR(slope[i], of_one[i], 1e-7 * std::max(1.0, std::abs(of_one[i]))) << run << " " << name << " " << i;
    }
  }
  EXPECT_GT(crossings, 2u * run_count);
}

}  // namespace
