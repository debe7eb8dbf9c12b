// A motion depends on the equations, the parameters, the start and the tolerance; on nothing else, to the last bit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>

#include "support/same_bits.hpp"

namespace dalembert {
namespace {

using testing_support::expect_same_bits;
using testing_support::expect_same_bits_at_common_times;

struct Case {
  std::string model;
  bool by_hamel;
  std::string parameter;  // one that does not shape the equations
  double other;           // another value of it
  double until;           // so long that the motion passes what is special in it: impacts, a lift-off, flat cranks
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.model; }

System make_system(const Case& c, const Overrides& overrides = {}) {
  const Model model = load_model("models:" + c.model, overrides);
  return System(c.by_hamel ? derive_hamel_motion(model).equations : derive_multipliers(model));
}

SimulateOptions asked(double until, double every) {
  SimulateOptions options;
  options.until = until;
  options.every = every;
  return options;
}

class Bits : public testing::TestWithParam<Case> {
 protected:
  const System system = make_system(GetParam());
  const double until = GetParam().until;
  // Intervals are powers of two, so that k * every meets the same times to the last bit.
  const double every = std::exp2(-6);
  const Trajectory whole = system.simulate(asked(until, every));
};

TEST_P(Bits, TheMotionGoesOn) { ASSERT_TRUE(whole) << whole.brief(); }

TEST_P(Bits, DoNotDependOnTheIntervalBetweenRows) {
  for (double other : {every / 4, every * 8}) {
    const Trajectory run = system.simulate(asked(until, other));
    EXPECT_EQ(run.statistics.steps, whole.statistics.steps);
    EXPECT_GE(expect_same_bits_at_common_times(whole, run), std::min(whole.rows.size(), run.rows.size()) - 1);
  }
}

TEST_P(Bits, DoNotDependOnWhenTheRunIsToEnd) {
  for (double part : {0.37, 0.75, 1.5}) {
    const Trajectory run = system.simulate(asked(part * until, every));
    EXPECT_GE(expect_same_bits_at_common_times(whole, run), std::min(whole.rows.size(), run.rows.size()) - 1);
  }
}

TEST_P(Bits, OfAFreshWorkspaceAreThose) {
  Workspace workspace = system.make_workspace();
  expect_same_bits(whole, system.simulate(workspace, asked(until, every)));
  expect_same_bits(whole, make_system(GetParam()).simulate(asked(until, every)));
}

TEST_P(Bits, DoNotDependOnEarlierRunsInTheWorkspace) {
  Workspace workspace = system.make_workspace();
  SimulateOptions other = asked(until, every);
  other.parameters = {{GetParam().parameter, GetParam().other}};
  other.project_initial = true;
  const Trajectory changed = system.simulate(workspace, other);
  expect_same_bits(whole, system.simulate(workspace, asked(until, every)));
  // Another start, of which the motion may even end early.
  SimulateOptions elsewhere = asked(until, every);
  elsewhere.start = whole.last;
  elsewhere.until = whole.last.t + until / 4;
  elsewhere.tolerance = 1e-6;
  elsewhere.project_initial = true;
  static_cast<void>(system.simulate(workspace, elsewhere));
  expect_same_bits(whole, system.simulate(workspace, asked(until, every)));
  expect_same_bits(changed, system.simulate(workspace, other));
}

TEST_P(Bits, DoNotDependOnWhatElseWasAsked) {
  Workspace workspace = system.make_workspace();
  const State last = system.make_consistent_start(workspace, whole.last, true).state;
  static_cast<void>(system.evaluate_contacts(workspace, last));
  static_cast<void>(system.analyse_constraints(workspace, last));
  expect_same_bits(whole, system.simulate(workspace, asked(until, every)));
}

// The columns picked out of a motion are the numbers that it has.
TEST_P(Bits, OfPickedColumnsAreThose) {
  std::vector<std::size_t> places;
  for (std::size_t k = whole.columns.size(); k-- > 0; k -= std::min<std::size_t>(k, 1)) places.push_back(k);
  const Table picked = whole.rows.pick(places);
  for (std::size_t k = 0; k < places.size(); ++k) {
    for (std::size_t i = 0; i < whole.rows.size(); ++i)
      ASSERT_EQ(testing_support::bits(picked.column(k)[i]), testing_support::bits(whole.rows[i][places[k]]));
  }
}

/// The values of the start, its rates and the formulas' constants may be folded in another order where a parameter is
/// a number from the beginning. Here they are not: parameters stay symbols until they are bound, whoever binds them.
TEST_P(Bits, OfAParameterGivenAsAnArgumentAreThoseOfTheModelElaboratedWithIt) {
  SimulateOptions options = asked(until, every);
  options.project_initial = true;
  const std::string value = std::to_string(GetParam().other);
  const Trajectory elaborated = make_system(GetParam(), {{GetParam().parameter, value}}).simulate(options);
  options.parameters = {{GetParam().parameter, GetParam().other}};
  expect_same_bits(elaborated, system.simulate(options));
  const Trajectory same = system.simulate(asked(until, every));
  EXPECT_THAT(static_cast<std::vector<double>>(same.rows.back()),
              testing::Not(testing::ElementsAreArray(static_cast<std::vector<double>>(elaborated.rows.back()))))
      << "the parameter does nothing: this compares a motion with itself";
}

const std::vector<Case> smooth = {{"pendulum", false, "l", 1.25, 4},
                                  {"rolling_disk_tilted", false, "m", 3, 2},
                                  {"unilateral_sphere_liftoff", false, "R", 0.5, 1.5},
                                  {"redundant_parallelogram", false, "c", 0.25, 2},
                                  {"iftomm_A02_fourbar", false, "m", 3, 4},
                                  {"skate", true, "alpha", 0.25, 3},
                                  {"spherical_pendulum", true, "l", 1.25, 3}};
std::string model_name(const testing::TestParamInfo<Case>& tested) { return tested.param.model; }

INSTANTIATE_TEST_SUITE_P(Smooth, Bits, testing::ValuesIn(smooth), model_name);
INSTANTIATE_TEST_SUITE_P(Bouncing, Bits, testing::Values(Case{"bouncing_ball", false, "e", 0.5, 6}), model_name);

}  // namespace
}  // namespace dalembert
