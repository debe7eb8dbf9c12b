#include "program/functions.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "support/larger.hpp"

namespace dalembert {
namespace {

struct Both {
  double sine, cosine;
};

Both sincos_of(double x) {
  double first[vector_width] = {x}, second[vector_width];
  batch_function(Opcode::sincos)(first, second, 1);
  return {first[0], second[0]};
}

/// Distance from the true value in units of the true value's last place.
double units_off(double value, long double truth) {
  double near = std::abs(static_cast<double>(truth));
  double unit = std::nextafter(near, std::numeric_limits<double>::infinity()) - near;
  return static_cast<double>(std::abs(value - truth)) / unit;
}

double worst_error(double x) {
  Both both = sincos_of(x);
  auto wide = static_cast<long double>(x);
  return testing_support::larger(units_off(both.sine, std::sin(wide)), units_off(both.cosine, std::cos(wide)));
}

TEST(Functions, SineAndCosineAreWithinOneUnitOfTheLastPlace) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  std::mt19937_64 random(7);
  double worst = 0;
  for (double size : {0.8, 3.0, 100.0, 1e4, 2.6e5, 1e9, 1e300}) {
    std::uniform_real_distribution<double> uniform(-size, size);
    for (int i = 0; i < 30'000; ++i) worst = testing_support::larger(worst, worst_error(uniform(random)));
  }
  // The neighbours of multiples of a quarter turn and of eighths, where digits cancel and where the quarters meet.
  for (int n = -3000; n <= 3000; ++n) {
    double x = n * (std::numbers::pi / 4) * (n % 3 == 0 ? 16 : 1);
    for (double near : {x, std::nextafter(x, -1e9), std::nextafter(x, 1e9)})
      worst = testing_support::larger(worst, worst_error(near));
  }
  for (double edge : {0x1p18, -0x1p18, std::nextafter(0x1p18, 1e9)})
    worst = testing_support::larger(worst, worst_error(edge));
  EXPECT_LT(worst, 1.0);
  EXPECT_LT(worst_error(6381956970095103.0 * 0x1p797), 1.0);  // the double nearest to a multiple of a quarter turn
}

TEST(Functions, SineAndCosineAtTheEdges) {
  auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (double x : {0.0, -0.0, 5e-324, -5e-324, 2.3e-308, -1e-160}) {
    EXPECT_EQ(bits(sincos_of(x).sine), bits(x)) << x;
    EXPECT_EQ(sincos_of(x).cosine, 1) << x;
  }
  double infinite = std::numeric_limits<double>::infinity();
  for (double x : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sincos_of(x).sine));
    EXPECT_TRUE(std::isnan(sincos_of(x).cosine));
  }
}

TEST(Functions, GiveTheSameBitsWhateverTheCountAndTheNeighbours) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-30, 30);
  for (std::size_t count = 1; count <= 9; ++count) {
    std::size_t room = (count + vector_width - 1) / vector_width * vector_width;
    std::vector<double> x, y(room);
    for (std::size_t i = 0; i < count; ++i) x.push_back(i % 3 == 2 ? 1e7 * uniform(random) : uniform(random));
    std::vector<double> arguments = x;
    x.resize(room);
    batch_function(Opcode::sincos)(x.data(), y.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(x[i], sincos_of(arguments[i]).sine);
      EXPECT_EQ(y[i], sincos_of(arguments[i]).cosine);
    }
  }
}

}  // namespace
}  // namespace dalembert
