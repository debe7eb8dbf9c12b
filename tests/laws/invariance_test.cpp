// What does not change the mechanics changes neither the steps nor the digits: a pinned or a cyclic coordinate more, a
// constraint said twice, other units, other origins. On three hundred random models.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/dalembert.hpp>
#include <random>

#include "support/larger.hpp"

namespace {

using namespace dalembert;

#ifdef DALEMBERT_SMALL_TESTS
constexpr std::uint64_t model_count = 20;
#else
constexpr std::uint64_t model_count = 300;
#endif

/// Angles coupled by inertia and springs, on demand with a geometric and a differential constraint. `mass`, `time`,
/// `shift` and `begin`: what units and origins it is written in.
class Mechanism {
 public:
  explicit Mechanism(std::uint64_t seed) : random_(seed), count_(2 + random_() % 3) {
    for (std::size_t i = 0; i < count_; ++i) {
      inertia_.push_back(number(0.5, 2));
      spring_.push_back(number(0.5, 5));
      value_.push_back(number(-1, 1));
      rate_.push_back(number(-1, 1));
    }
    for (std::size_t i = 0; i < count_ * count_; ++i) coupling_.push_back(number(-0.15, 0.15));
    is_held_ = count_ > 2 && random_() % 2 == 0;
    is_rolling_ = count_ > 2 && random_() % 2 == 0;
    if (is_held_) rate_[0] = -0.4 * std::cos(value_[1]) * rate_[1];
    if (is_rolling_) rate_[2] = 0.3 * std::cos(value_[0]) * rate_[1];
  }

  double mass = 1, time = 1, shift = 0, begin = 0;
  std::string coordinates, kinetic, constraints, events;  ///< more of each

  bool has_constraints() const { return is_held_ || is_rolling_; }
  std::size_t count() const { return count_; }

  std::string text() const {
    std::string text = "[coordinates]\n";
    for (std::size_t i = 0; i < count_; ++i)
      text += fmt::format("x{} = {{ value = {:.17g}, rate = {:.17g} }}\n", i, value_[i] + (i == 0 ? shift : 0),
                          rate_[i] / time);
    text += coordinates + "[energy]\nkinetic = \"";
    std::string potential;
    for (std::size_t i = 0; i < count_; ++i) {
      text += fmt::format("{} + {:.17g}*x{}'^2/2", i == 0 ? "0" : "", mass * inertia_[i], i);
      potential += fmt::format(" + {:.17g}*(1 - cos({}))", mass * spring_[i] / (time * time), x(i));
      for (std::size_t j = 0; j < i; ++j) {
        const double c = coupling_[i * count_ + j];
        text += fmt::format(" + {:.17g}*cos({} - {})*x{}'*x{}'", mass * c, x(i), x(j), i, j);
        potential += fmt::format(" + {:.17g}*sin({})*{}", mass * c / (time * time), x(i), x(j));
      }
    }
    text += kinetic + "\"\npotential = \"0" + potential + "\"\n[constraints]\n";
    if (is_held_) text += "held = \"" + held() + "\"\n";
    if (is_rolling_) text += "rolling = \"" + rolling() + "\"\n";
    return text + constraints + events;
  }
  /// One of the constraints, twice over.
  std::string said_again() const {
    return is_held_ ? fmt::format("again = \"2*({}) - 2*({:.17g}) = 0\"\n", held_sum(), held_value())
                    : fmt::format("again = \"3*x2' = 3*(0.3*cos({})*x1')\"\n", x(0));
  }

 private:
  double number(double least, double most) { return std::uniform_real_distribution<double>(least, most)(random_); }
  std::string x(std::size_t i) const {
    return i == 0 && shift != 0 ? fmt::format("(x0 - {})", shift) : fmt::format("x{}", i);
  }
  std::string held_sum() const { return x(0) + " + 0.4*sin(x1)"; }
  double held_value() const { return value_[0] + 0.4 * std::sin(value_[1]); }
  std::string held() const { return fmt::format("{} = {:.17g}", held_sum(), held_value()); }
  std::string rolling() const { return fmt::format("x2' = 0.3*cos({})*x1'", x(0)); }

  std::mt19937_64 random_;
  std::size_t count_;
  std::vector<double> inertia_, spring_, coupling_, value_, rate_;
  bool is_held_ = false, is_rolling_ = false;
};

struct Outcome {
  std::size_t steps = 0;
  std::vector<double> last;               ///< the mechanism's own coordinates at the end
  std::vector<double> crossings, speeds;  ///< when x1 - x0 passes its level, and how fast
};

constexpr double run_tolerance = 1e-10;

Outcome run(const Mechanism& mechanism, double tolerance = run_tolerance) {
  const System system(derive_multipliers(make_model(parse_description(mechanism.text(), "mechanism.toml"))));
  State start = system.make_initial_start().state;
  start.t = mechanism.begin;
  const double until = mechanism.begin + 2 * mechanism.time;
  const Trajectory trajectory =
      system.simulate({.until = until, .every = until, .tolerance = tolerance, .start = start});
  EXPECT_TRUE(trajectory) << trajectory.message << '\n' << mechanism.text();
  Outcome result;
  result.steps = trajectory.statistics.steps;
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(trajectory.columns, name) - trajectory.columns.begin());
  };
  for (const EventRecord& event : trajectory.events) {
    result.crossings.push_back(event.t);
    result.speeds.push_back(std::abs(event.state[place("x1'")] - event.state[place("x0'")]));
  }
  for (std::size_t i = 0; i < mechanism.count(); ++i)
    result.last.push_back(trajectory[fmt::format("x{}", i)].back() - (i == 0 ? mechanism.shift : 0));
  return result;
}

double difference(const Outcome& a, const Outcome& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.last.size(); ++i) most = testing_support::larger(most, a.last[i] - b.last[i]);
  return most;
}

/// Every step may leave the tolerance behind, of coordinates near one.
double allowed(const Outcome& run) { return static_cast<double>(run.steps) * run_tolerance; }

/// `change` makes another description of the same mechanism; false where it has none of the kind. Steps go with the
/// eighth root of the sizes that errors are judged by: a tenth of them is a factor of two in these, and one more or
/// less is a step that rounding let pass. A size taken from the wrong place is off by orders of magnitude.
template <class Change>
void expect_the_same(const Change& change) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= model_count; ++seed) {
    Mechanism changed(seed);
    if (!change(changed)) continue;
    ++compared;
    const Outcome before = run(Mechanism(seed)), after = run(changed);
    const double steps = static_cast<double>(before.steps);
    EXPECT_NEAR(static_cast<double>(after.steps), steps, 1 + 0.1 * steps) << "seed " << seed;
    EXPECT_LE(difference(before, after), allowed(before)) << "seed " << seed;
  }
  EXPECT_GE(compared, model_count / 4);
}

TEST(Invariance, APinnedCoordinateChangesNeitherStepsNorDigits) {
  expect_the_same([](Mechanism& m) {
    m.coordinates = "p = 0\n";
    m.kinetic = " + 1.5*p'^2 + 0.2*p'*x1'";
    m.constraints = "pinned = \"p = 0\"\n";
    return true;
  });
}

TEST(Invariance, ACyclicCoordinateChangesNeitherStepsNorDigits) {
  expect_the_same([](Mechanism& m) {
    m.coordinates = "c = { value = 0.3, rate = 1.2 }\n";
    m.kinetic = " + 0.7*c'^2";
    return true;
  });
}

TEST(Invariance, AConstraintSaidTwiceChangesNeitherStepsNorDigits) {
  expect_the_same([](Mechanism& m) {
    if (!m.has_constraints()) return false;
    m.constraints = m.said_again();
    return true;
  });
}

TEST(Invariance, UnitsOfMassAndTimeChangeNeitherStepsNorDigits) {
  expect_the_same([](Mechanism& m) {
    m.mass = 0x1p10;
    m.time = 0x1p-7;
    return true;
  });
}

TEST(Invariance, AShiftedOriginChangesNeitherStepsNorDigits) {
  expect_the_same([](Mechanism& m) {
    m.shift = 100;
    return true;
  });
}

TEST(Invariance, AShiftedTimeChangesNeitherStepsNorDigits) {
  expect_the_same([](Mechanism& m) {
    m.begin = 100;
    return true;
  });
}

// An error of many steps grows with the motion: a factor of ten for it and for the sizes. Below 1e-13 rounding of the
// numbers near one is left, once a step in each of the two runs.
TEST(Tolerance, ErrorsFollowItOverNineOrders) {
  constexpr double rounding = 2 * 2.3e-16;
  for (std::uint64_t seed = 1; seed <= model_count; ++seed) {
    const Mechanism mechanism(seed);
    const Outcome exact = run(mechanism, 1e-15);
    for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
      const Outcome at = run(mechanism, tolerance);
      const double allowed = 10 * tolerance * static_cast<double>(at.steps);
      EXPECT_LE(difference(at, exact), allowed + rounding * static_cast<double>(exact.steps)) << "seed " << seed;
    }
  }
}

// Those that are passed so slowly that an error of the loose run may make or unmake them are left out with their run.
TEST(Tolerance, EventsAreTheSameAtLooseAndTightOnes) {
  constexpr double loose = 1e-4, tight = 1e-12, slow = 0.2;
  std::size_t compared = 0, events = 0;
  for (std::uint64_t seed = 1; seed <= model_count; ++seed) {
    Mechanism mechanism(seed);
    mechanism.events = "[events]\nmeet = { when = \"sin(3*(x1 - x0))\" }\n";
    const Outcome fine = run(mechanism, tight), coarse = run(mechanism, loose);
    if (std::ranges::any_of(fine.speeds, [](double speed) { return speed < slow; })) continue;
    ++compared;
    events += fine.crossings.size();
    ASSERT_EQ(fine.crossings.size(), coarse.crossings.size()) << "seed " << seed;
    for (std::size_t k = 0; k < fine.crossings.size(); ++k)
      EXPECT_NEAR(fine.crossings[k], coarse.crossings[k], 10 * loose * static_cast<double>(coarse.steps) / slow)
          << "seed " << seed;
  }
  EXPECT_GE(compared, model_count / 2);
  EXPECT_GE(events, compared / 2);
}

// Each shows the integrator's order: local errors that add with signs make no alarm.
TEST(Verification, OfRightModelsHasNoFalseAlarm) {
  for (std::uint64_t seed = 1; seed <= model_count / 5; ++seed) {
    const Model model = make_model(parse_description(Mechanism(seed).text(), "mechanism.toml"));
    const Verification found = verify(model, {.states = 1, .around = {}});
    bool seen = false;
    for (const Agreement& agreement : found.agreements) {
      EXPECT_TRUE(agreement.ok) << "seed " << seed << ": " << agreement.quantity << ", " << agreement.largest;
      seen |= agreement.quantity.starts_with("order of the integrator");
    }
    EXPECT_TRUE(seen) << "seed " << seed;
  }
}

}  // namespace
