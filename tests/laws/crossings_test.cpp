// Events, impacts and lift-offs do not depend on the steps of the integrator: they are the same at tolerances from 1e-4
// to 1e-12 and where something else in the model makes steps shorter, and they are those that are counted by a second
// route.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "unit/simulate/models.hpp"

using namespace dalembert;
using namespace dalembert::testing;

namespace {

constexpr double end = 4, spacing = 1e-3;

std::string number(std::mt19937_64& random, double low, double high) {
  return std::to_string(std::uniform_real_distribution<double>(low, high)(random));
}

/// Two coupled coordinates and one event whose function changes its sign many times in a long step.
Written make_model_with_event(std::mt19937_64& random) {
  const auto at = [&](double low, double high) { return number(random, low, high); };
  const std::string turning = "sin(" + at(3, 9) + "*x + " + at(-4, 4) + "*y)";
  const std::string functions[] = {turning + " - " + at(-0.6, 0.6), "cos(" + at(2, 8) + "*x)*y - " + at(-0.3, 0.3),
                                   "x' - cos(" + at(5, 12) + "*t)", turning + "*x'' - " + at(-0.5, 0.5)};
  Written written;
  written.coordinates = {{"x", std::stod(at(-1, 1)), std::stod(at(-2, 2))},
                         {"y", std::stod(at(-1, 1)), std::stod(at(-2, 2))}};
  written.kinetic = "((1 + 0.3*cos(y))*x'^2 + " + at(0.5, 2) + "*y'^2)/2";
  written.potential = at(0.2, 2) + "*x^2 + " + at(0.2, 2) + "*y^2 + " + at(-0.3, 0.3) + "*x*y";
  const std::string when = functions[random() % 4];
  written.outputs = {{"g", when}};
  written.crossings = {{{"crossing", when}, {Direction::either, false}}};
  return written;
}

/// Sign changes in rows, or nothing where some zero is so near another, or the run's ends, that the tolerance decides.
std::optional<std::vector<double>> count_in_rows(const Trajectory& motion) {
  const auto t = motion["t"], g = motion["g"];
  double largest = 0;
  for (double value : g) largest = std::max(largest, std::abs(value));
  const double margin = 0.05 * largest;
  if (std::abs(g.front()) < margin || std::abs(g.back()) < margin) return std::nullopt;
  std::vector<double> found;
  for (std::size_t i = 1; i + 1 < g.size(); ++i) {
    const bool bends = (g[i] - g[i - 1]) * (g[i + 1] - g[i]) <= 0;
    if (bends && std::abs(g[i]) < margin) return std::nullopt;
    if (g[i - 1] * g[i] < 0) found.push_back(t[i]);
  }
  return found;
}

/// The same motion beside an oscillator that nothing else feels, and that makes the steps short. It is small: what
/// counts as slow at an impact is measured by the speeds of the whole system.
Written with_shorter_steps(Written written) {
  written.coordinates.push_back({"beside", 1e-2, 0});
  written.kinetic += " + beside'^2/2";
  written.potential += (written.potential.empty() ? "" : " + ") + std::string("200*beside^2");
  return written;
}

}  // namespace

TEST(Crossings, OfEventsAreTheSameAtEveryToleranceAndWithShorterSteps) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    const Written written = make_model_with_event(random);
    const auto expected = count_in_rows(run(written, end, 1e-12, spacing));
    if (!expected) continue;
    ++compared;
    const auto compare = [&](const Written& model, double tolerance) {
      const Trajectory motion = run(model, end, tolerance, end);
      EXPECT_EQ(motion.events.size(), expected->size()) << "seed " << seed << " at tolerance " << tolerance;
      for (std::size_t k = 0; k < std::min(motion.events.size(), expected->size()); ++k)
        EXPECT_NEAR(motion.events[k].t, (*expected)[k], 0.05) << "seed " << seed << " at tolerance " << tolerance;
    };
    for (double tolerance : {1e-4, 1e-6, 1e-12}) compare(written, tolerance);
    compare(with_shorter_steps(written), 1e-6);
  }
  EXPECT_GE(compared, 60);
}

namespace {

/// A ball between a wall at 0 and one at 1 + a sin(w t + p), by its own arithmetic: free flight, and the first time on
/// a fine grid at which it would be in a wall, halved down.
struct Rally {
  double a, w, p, x, v, restitution;
  double gap(double t0, double t) const {
    const double at = x + v * (t - t0);
    return std::min(at, 1 + a * std::sin(w * t + p) - at);
  }
  std::vector<double> play(double until) {
    std::vector<double> hits;
    double t0 = 0;
    while (true) {
      double left = t0 + 1e-9, right = left;
      while (right < until && gap(t0, right) >= 0) left = right, right += 1e-4;
      if (right >= until) return hits;
      for (int k = 0; k < 60; ++k) {
        const double middle = (left + right) / 2;
        (gap(t0, middle) >= 0 ? left : right) = middle;
      }
      x += v * (left - t0);
      t0 = left;
      const double wall = x < 0.5 ? 0 : a * w * std::cos(w * t0 + p);
      v = wall - restitution * (v - wall);
      hits.push_back(t0);
    }
  }
};

}  // namespace

TEST(Crossings, OfABallBetweenAWallAndAShakingWallAreThoseOfItsOwnArithmetic) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> part(0, 1);
    Rally rally{0.05 + 0.1 * part(random), 10 + 20 * part(random), 6 * part(random),
                0.3 + 0.3 * part(random),  1 + part(random),       0.8 + 0.2 * part(random)};
    Written written;
    written.coordinates = {{"x", rally.x, rally.v}};
    written.kinetic = "x'^2/2";
    const auto exact = [](double value) { return fmt::format("{:.17g}", value); };
    written.contacts = {
        {"wall", "x", rally.restitution},
        {"shaker", "x - 1 - " + exact(rally.a) + "*sin(" + exact(rally.w) + "*t + " + exact(rally.p) + ")",
         rally.restitution, true}};
    const std::vector<double> hits = rally.play(6);
    for (double tolerance : {1e-4, 1e-12}) {
      const Trajectory motion = run(written, 6, tolerance, 6);
      ASSERT_EQ(motion.events.size(), hits.size()) << "seed " << seed << " at tolerance " << tolerance;
      // A billiard of this kind multiplies errors by a few at each impact.
      for (std::size_t k = 0; k < std::min<std::size_t>(hits.size(), 8); ++k)
        EXPECT_NEAR(motion.events[k].t, hits[k], 1e-7) << "seed " << seed << ", impact " << k;
    }
  }
}

TEST(Crossings, OfALoadAreTheSameAtEveryTolerance) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> part(0, 1);
    const double w = 8 + 10 * part(random), a = 9.81 / (w * w) * (1.1 + part(random));
    Written written;
    written.coordinates = {{"y", 0, a * w}};
    written.kinetic = "y'^2/2";
    written.potential = "9.81*y";
    written.contacts = {{"table", fmt::format("y - {:.17g}*sin({:.17g}*t)", a, w), 0.1}};
    const double until = std::asin(9.81 / (a * w * w)) / w + 2.2;
    const Trajectory exact = run(written, until, 1e-12, until);
    ASSERT_FALSE(exact.events.empty());
    EXPECT_EQ(exact.events[0].kind, "lift-off");
    // The table falls away where its acceleration is -g.
    EXPECT_NEAR(exact.events[0].t, std::asin(9.81 / (a * w * w)) / w, 1e-9) << "seed " << seed;
    for (double tolerance : {1e-4, 1e-8}) {
      for (const Written& model : {written, with_shorter_steps(written)}) {
        const Trajectory motion = run(model, until, tolerance, until);
        ASSERT_EQ(motion.events.size(), exact.events.size()) << "seed " << seed << " at tolerance " << tolerance;
        for (std::size_t k = 0; k < exact.events.size(); ++k) {
          EXPECT_EQ(motion.events[k].kind, exact.events[k].kind) << "seed " << seed << ", change " << k;
          EXPECT_NEAR(motion.events[k].t, exact.events[k].t, 1e-2) << "seed " << seed << ", change " << k;
        }
      }
    }
    ++compared;
  }
  EXPECT_EQ(compared, 60);
}
