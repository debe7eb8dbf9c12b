// Parts of a march, each alone: rows, crossings of singular configurations, rows that depend on others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulate/march/crossing.hpp"
#include "simulate/march/recorder.hpp"
#include "simulate/march/row_keeper.hpp"
#include "simulate/system/rank.hpp"
#include "unit/system/bench.hpp"

namespace dalembert {
namespace {

using testing::Bench;
using testing::make_model;
using testing::Written;

/// A step that is accepted as it is.
void take_step(Course& course, double h) {
  Method& method = course.method();
  method.take(course.f(), course.t(), h, {});
  course.derivative()(course.t() + h, method.end().data(), method.end_derivative().data());
}

Written falling() {
  Written w;
  w.coordinates = {{"x", 0, 1}};
  w.kinetic = "x'^2/2";
  w.potential = "2*x";
  return w;
}

/// From t = 0 to 1, in one step unless told otherwise.
struct Recorded {
  explicit Recorded(double until, double every, double first = 1)
      : bench(make_model(falling())),
        course(bench.evaluator, select_rows(bench.evaluator, bench.state.t, bench.y.data(), bench.at), "dop853"),
        recorder(course, until, every, result) {
    course.restart(0, bench.y, course.selection());
    EXPECT_TRUE(recorder.begin());
    take_step(course, first);
  }
  Bench bench;
  Course course;
  Trajectory result;
  Recorder recorder;
};

TEST(Recorder, RowsAreAtMultiplesOfTheIntervalAndAtTheEnd) {
  Recorded run(0.95, 0.1);
  run.recorder.write_until(0.95, true);
  const std::span<const double> t = run.result["t"], x = run.result["x"];
  ASSERT_EQ(t.size(), 11U);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(t[k], static_cast<double>(k) / 10) << "multiples of 0.1 as written";
  EXPECT_EQ(t[10], 0.95);
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(x[k], t[k] - t[k] * t[k], 1e-15) << k;
  EXPECT_EQ(run.result.last.t, 0.95);
}

TEST(Recorder, RowsDoNotDependOnHowTheStepsLie) {
  Recorded one(1, 0.125), two(1, 0.125, 0.4375);
  one.recorder.write_until(1, true);
  two.recorder.write_until(0.4375, true);
  two.course.advance();
  take_step(two.course, 0.5625);
  two.recorder.write_until(1, true);
  ASSERT_EQ(one.result.rows.size(), 9U);
  ASSERT_EQ(two.result.rows.size(), 9U);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_EQ(one.result["t"][k], two.result["t"][k]);
    EXPECT_NEAR(one.result["x"][k], two.result["x"][k], 4e-16);
  }
}

TEST(Recorder, ARowAtAnInstantThatIsNotIncludedComesAfterIt) {
  Recorded run(1, 0.25);
  run.recorder.write_until(0.5, false);
  EXPECT_THAT(run.result["t"], ::testing::ElementsAre(0, 0.25));
  run.recorder.write_until(0.5, true);
  EXPECT_THAT(run.result["t"], ::testing::ElementsAre(0, 0.25, 0.5));
}

TEST(Recorder, AnEventIsKeptWithAllColumnsAndIsNoRow) {
  Recorded run(1, 0.25);
  run.course.observe_at(0.3, run.recorder.inside(), run.recorder.observation());
  run.recorder.add_event("here", "record", run.recorder.observation());
  EXPECT_EQ(run.result.rows.size(), 1U);
  ASSERT_EQ(run.result.events.size(), 1U);
  EXPECT_EQ(run.result.events[0].t, 0.3);
  EXPECT_NEAR(run.result.events[0].state[1], 0.3 - 0.09, 1e-15);
}

TEST(Recorder, WhatAnImpactLosesIsNoGapInTheBalance) {
  Recorded run(1, 0.25);
  run.recorder.write_until(0.25, true);
  EXPECT_LT(run.result.summary.balance.largest, 1e-15);
  run.recorder.lose(0.5);  // the motion has lost nothing, so that the account is off by as much
  run.recorder.write_until(0.5, true);
  EXPECT_NEAR(run.result.summary.balance.largest, 0.5, 1e-15);
}

/// Cranks p and r from the upward vertical, coupler c from the horizontal, all of length 1: flat at p = pi/2. Nothing
/// acts, so that the cranks turn evenly.
Written parallel_cranks(double p) {
  Written w;
  w.coordinates = {{"p", p, 1}, {"c", 0, 0}, {"r", p, 1}};
  w.kinetic = "(p'^2 + c'^2 + r'^2)/2";
  w.constraints = {{"x", "sin(p) + cos(c) - sin(r) = 1"}, {"y", "cos(p) + sin(c) - cos(r) = 0"}};
  return w;
}

/// A march that was at p = 0 and is at `p` now, coming nearer.
struct Cranks {
  explicit Cranks(double p)
      : bench(make_model(parallel_cranks(0))),
        course(bench.evaluator, select_rows(bench.evaluator, bench.state.t, bench.y.data(), bench.at), "dop853"),
        crossing(course) {
    course.restart(0, bench.y, course.selection());
    crossing.begin();
    go_to(p, 0.5);
  }
  void go_to(double p, double h) {
    std::vector<double> y{p, 0, p, 1, 0, 1};
    y.resize(course.system().size());
    course.restart(p, y, course.selection());
    ASSERT_TRUE(course.projector().factor(p, y.data(), course.row_lengths()));
    crossing.note_end(course.projector().factor().smallest_pivot());
    crossing.watch(h);
  }
  Bench bench;
  Course course;
  Crossing crossing;
};

TEST(Crossing, FarFromSingularConfigurationsStepsAreAsTheErrorAllows) {
  Cranks cranks(0.1);
  EXPECT_FALSE(cranks.crossing.is_near());
  EXPECT_EQ(cranks.crossing.plan(0.25), 0.25);
  EXPECT_FALSE(cranks.crossing.crosses());
}

TEST(Crossing, TheInstantFallsIntoTheLargestGapBetweenStages) {
  const double p = std::numbers::pi / 2 - 0.05;
  Cranks cranks(p);
  ASSERT_TRUE(cranks.crossing.is_near());
  const double h = cranks.crossing.plan(0.5);
  EXPECT_TRUE(cranks.crossing.crosses());
  const auto [from, to] = cranks.course.method().largest_gap();
  EXPECT_GT(p + to * h, std::numbers::pi / 2);
  EXPECT_LT(p + from * h, std::numbers::pi / 2);
  EXPECT_NEAR(p + (from + to) / 2 * h, std::numbers::pi / 2, 1e-4) << "the pivot is even about the instant";
}

TEST(Crossing, AShortStepStopsBeforeTheInstant) {
  const double p = std::numbers::pi / 2 - 0.05;
  Cranks cranks(p);
  const double h = cranks.crossing.plan(0.045);
  EXPECT_FALSE(cranks.crossing.crosses());
  EXPECT_LT(h, 0.05);
}

TEST(Crossing, WhereStepsGetNowhereItGoesBackToAGoodKnotWithAnotherStep) {
  Cranks cranks(1.0);  // well conditioned: a knot to come back to
  const std::vector<double> there(cranks.course.state().begin(), cranks.course.state().end());
  cranks.go_to(std::numbers::pi / 2 - 1e-3, 0.5);
  EXPECT_FALSE(cranks.crossing.go_back(0.1)) << "such steps do get somewhere";
  const std::optional<double> h = cranks.crossing.go_back(1e-7);
  ASSERT_TRUE(h.has_value());
  EXPECT_LT(*h, 0.5);
  EXPECT_EQ(cranks.course.t(), 1.0);
  EXPECT_EQ(std::vector<double>(cranks.course.state().begin(), cranks.course.state().end()), there);
}

/// x = 0 and a second row for x: kept at the start, where one depends on the other, and looked at later.
struct TwoRows {
  explicit TwoRows(const std::string& second)
      : bench(make_model(written(second))),
        course(bench.evaluator, select_rows(bench.evaluator, bench.state.t, bench.y.data(), bench.at), "dop853"),
        keeper(course, 1e-9) {
    EXPECT_EQ(course.selection()->kept().size(), 1U);
    course.restart(0, bench.y, course.selection());
  }
  static Written written(const std::string& second) {
    Written w;
    w.coordinates = {{"x", 0, 0}, {"z", 1, 0}};
    w.kinetic = "(x'^2 + z'^2)/2";
    w.constraints = {{"a", "x = 0"}, {"b", second}};
    return w;
  }
  std::shared_ptr<const Selection> watch_at(double t, std::vector<double> y) {
    y.resize(course.system().size());
    course.restart(t, y, course.selection());
    const double pivot = course.derivative().factor().smallest_pivot();
    return keeper.watch(pivot, pivot);
  }

  Bench bench;
  Course course;
  RowKeeper keeper;
};

TEST(RowKeeper, ARowThatStopsDependingComesBack) {
  const std::shared_ptr<const Selection> chosen = TwoRows("x = t^2*z").watch_at(1, {0, 0, 0, 0});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->kept().size(), 2U);
}

TEST(RowKeeper, ARowThatGoesOnDependingIsLeftOut) { EXPECT_FALSE(TwoRows("3*x = 0").watch_at(1, {0, 1, 0, 0})); }

TEST(RowKeeper, AStateThatViolatesADroppedRowIsKnownByName) {
  TwoRows rows("x = t^3");
  std::vector<double> y{0, 1, 0, 0};
  y.resize(rows.course.system().size());
  EXPECT_FALSE(rows.keeper.find_violated(0, y.data()));
  const std::optional<RowKeeper::Violated> violated = rows.keeper.find_violated(1, y.data());
  ASSERT_TRUE(violated);
  EXPECT_EQ(violated->row, "b");
  EXPECT_EQ(violated->off, -1);
}

}  // namespace
}  // namespace dalembert
