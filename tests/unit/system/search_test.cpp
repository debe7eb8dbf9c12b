// What is looked for inside a step, each part alone: zeros of functions of time, events, contacts.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "simulate/march/contact_march.hpp"
#include "simulate/march/events.hpp"
#include "simulate/march/root.hpp"
#include "simulate/system/rank.hpp"
#include "unit/system/bench.hpp"

namespace dalembert {
namespace {

using testing::Bench;
using testing::make_model;
using testing::Written;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

TEST(FindRoot, IsTheZeroToRoundingInItsPlace) {
  const auto cosine = [](double t) { return std::cos(t); };
  EXPECT_NEAR(find_root(cosine, 1, std::cos(1), 2, std::cos(2)), std::numbers::pi / 2, 2 * epsilon);
  const auto cube = [](double t) { return t * t * t - 2; };
  EXPECT_NEAR(find_root(cube, 0, -2, 4, 62), std::cbrt(2), 2 * epsilon);
}

TEST(FindRoot, EndsWhereThereIsNoNumber) {
  const auto broken = [](double t) { return t < 0.25 || t > 0.75 ? t - 0.5 : std::nan(""); };
  const double t = find_root(broken, 0, -0.5, 1, 0.5);
  EXPECT_TRUE(std::isnan(broken(t))) << t;
}

TEST(Stretch, PolynomialsAreMetAndOtherFunctionsBounded) {
  struct {
    double (*f)(double);
    bool is_exact;
  } const functions[] = {{[](double t) { return std::pow(t - 1.5, 6) - t * t + 3; }, true},
                         {[](double t) { return std::exp(3 * t); }, false}};
  for (const auto& [f, is_exact] : functions) {
    Stretch stretch(1);
    for (std::size_t j = 0; j < Stretch::nodes; ++j) stretch.set(0, j, f(Stretch::node(j, 1, 2)));
    stretch.fit();
    EXPECT_EQ(stretch.is_exact(), is_exact);
    EXPECT_FALSE(stretch.is_broken());
    for (int part = 0; part < 8; ++part) {
      const double middle = -0.875 + 0.25 * part, radius = 0.125;
      const Bounds range = stretch.over(0, middle, radius).range;
      for (int k = -4; k <= 4; ++k) {
        const double value = f(1.5 + 0.5 * (middle + radius * k / 4));
        EXPECT_LE(range.low, value) << part << ", " << k;
        EXPECT_GE(range.high, value) << part << ", " << k;
      }
    }
  }
  EXPECT_EQ(Stretch::node(0, 1, 2), 1);
  EXPECT_EQ(Stretch::node(Stretch::nodes - 1, 1, 2), 2);
}

TEST(Stretch, AValueThatIsNoNumberIsNoticed) {
  Stretch stretch(1);
  for (std::size_t j = 0; j < Stretch::nodes; ++j) stretch.set(0, j, j == 4 ? std::nan("") : 1);
  stretch.fit();
  EXPECT_TRUE(stretch.is_broken());
}

struct Looked {
  double left, right;
  int way;
};

/// Everywhere that one function of time is looked at; nothing after `horizon` where it is found there.
std::vector<Looked> look_at(const std::function<double(double)>& f, double to,
                            double horizon = std::numeric_limits<double>::infinity()) {
  RootSearch search(1);
  std::vector<Looked> looks;
  const std::size_t functions[] = {0};
  const double shifts[] = {0};
  search.find(
      0, to, functions, shifts, [&](double t, std::span<double> inputs) { inputs[0] = f(t); },
      [&](std::size_t, double left, double right, int way) {
        looks.push_back({left, right, way});
        if (right > horizon) search.stop_at(right);
      });
  return looks;
}

TEST(RootSearch, EveryZeroOfAnOscillationIsIsolatedWithItsWay) {
  const std::vector<Looked> looks = look_at([](double t) { return std::sin(6 * t + 1); }, 3);
  int k = 1;  // at (k pi - 1) / 6
  ASSERT_EQ(looks.size(), static_cast<std::size_t>((6 * 3 + 1) / std::numbers::pi));
  for (const Looked& look : looks) {
    const double zero = (k * std::numbers::pi - 1) / 6;
    EXPECT_LE(look.left, zero + epsilon);
    EXPECT_GE(look.right, zero - epsilon);
    EXPECT_EQ(look.way, k % 2 == 0 ? 1 : -1);
    ++k;
  }
}

TEST(RootSearch, TwoZerosThatNearlyMeetLieInPlacesOfTheirOwn) {
  const auto f = [](double t) { return (t - 0.3) * (t - 0.3) - 1e-10; };  // at 0.3 - 1e-5 and 0.3 + 1e-5
  std::vector<int> ways;
  for (const Looked& look : look_at(f, 1))
    if (f(look.left) * f(look.right) < 0) ways.push_back(look.way);
  EXPECT_EQ(ways, (std::vector<int>{-1, 1}));
}

TEST(RootSearch, NothingIsLookedForAfterTheTimeItIsToldToStopAt) {
  const auto wave = [](double t) { return std::sin(6 * t + 1); };
  const std::vector<Looked> looks = look_at(wave, 3, 1.0);
  ASSERT_FALSE(looks.empty());
  EXPECT_LT(looks.back().right, 1.0 + std::numbers::pi / 3);
  EXPECT_LT(looks.size(), look_at(wave, 3).size());
}

/// One accepted step from t = 0.
struct Stepped {
  explicit Stepped(const Written& written, double h)
      : bench(make_model(written)),
        course(bench.evaluator, select_rows(bench.evaluator, bench.state.t, bench.y.data(), bench.at), "dop853"),
        recorder(course, 10, 10, result) {
    course.restart(0, bench.y, course.selection());
    EXPECT_TRUE(recorder.begin());
    take(h);
  }
  void take(double h) {
    Method& method = course.method();
    method.take(course.f(), course.t(), h, {});
    course.derivative()(course.t() + h, method.end().data(), method.end_derivative().data());
  }
  Bench bench;
  Course course;
  Trajectory result;
  Recorder recorder;
};

/// x = t - t^2.
Written thrown() {
  Written w;
  w.coordinates = {{"x", 0, 1}};
  w.kinetic = "x'^2/2";
  w.potential = "2*x";
  return w;
}

TEST(EventSearch, CrossingsInOneStepComeInOrderAndByTheirDirection) {
  Written w = thrown();
  w.crossings = {{{"both", "x - 0.2"}, {Direction::either, false}},
                 {{"down", "x - 0.1"}, {Direction::falling, false}},
                 {{"never", "x - 0.251"}, {Direction::either, false}},
                 {{"speed", "x' + 0.5"}, {Direction::either, false}}};
  Stepped step(w, 1);
  EventSearch search(step.course, step.recorder.observation(), step.recorder.inside());
  ASSERT_TRUE(step.course.observe_at(0, step.recorder.inside(), step.recorder.observation()));
  search.begin(step.recorder.observation());
  std::vector<EventRoot> roots;
  search.find(0, 1, roots);
  const auto at = [](double x, int side) { return (1 + side * std::sqrt(1 - 4 * x)) / 2; };  // t - t^2 = x
  const EventRoot expected[] = {{0, at(0.2, -1)}, {0, at(0.2, 1)}, {3, 0.75}, {1, at(0.1, 1)}};
  ASSERT_EQ(roots.size(), std::size(expected));
  for (std::size_t k = 0; k < roots.size(); ++k) {
    EXPECT_EQ(roots[k].event, expected[k].event) << k;
    EXPECT_NEAR(roots[k].t, expected[k].t, 8 * epsilon) << k;  // slopes of the functions are 0.4 and more
  }
  EXPECT_TRUE(search.notes().empty());
}

TEST(EventSearch, AModelWithoutEventsHasNothingToFind) {
  Stepped step(thrown(), 1);
  EventSearch search(step.course, step.recorder.observation(), step.recorder.inside());
  EXPECT_TRUE(search.is_idle());
}

/// A ball let go at height 1 with g = 2: it is at the floor at t = 1 with speed 2.
Written dropped(double restitution) {
  Written w;
  w.coordinates = {{"z", 1, 0}};
  w.kinetic = "z'^2/2";
  w.potential = "2*z";
  w.contacts = {{"floor", "z", restitution}};
  return w;
}

TEST(ContactMarch, ABallTouchesTheFloorWhenItArrivesAndLeavesByRestitution) {
  Stepped step(dropped(0.5), 1.25);
  ContactMarch contacts(step.course, step.recorder);
  ASSERT_FALSE(contacts.is_idle());
  std::vector<double> y = step.bench.y;
  ASSERT_FALSE(contacts.begin(0, y));
  EXPECT_EQ(y, step.bench.y) << "nothing touches at the start";
  step.course.restart(0, y, step.course.selection());
  step.take(1.25);
  EXPECT_FALSE(contacts.find_change(0, 0.5));
  const std::optional<ContactMarch::Change> change = contacts.find_change(0, 1.25);
  ASSERT_TRUE(change);
  EXPECT_NEAR(change->t, 1, 4 * epsilon);
  EXPECT_FALSE(change->lifts);
  ASSERT_FALSE(contacts.pass(*change));
  EXPECT_NEAR(step.course.state()[0], 0, 8 * epsilon);
  EXPECT_NEAR(step.course.state()[1], 1, 8 * epsilon);
  EXPECT_TRUE(step.course.selection()->closed().empty());
}

TEST(ContactMarch, WithoutRestitutionTheFloorHoldsFromThereOn) {
  Stepped step(dropped(0), 1.25);
  ContactMarch contacts(step.course, step.recorder);
  std::vector<double> y = step.bench.y;
  ASSERT_FALSE(contacts.begin(0, y));
  step.course.restart(0, y, step.course.selection());
  step.take(1.25);
  const std::optional<ContactMarch::Change> change = contacts.find_change(0, 1.25);
  ASSERT_TRUE(change);
  ASSERT_FALSE(contacts.pass(*change));
  EXPECT_NEAR(step.course.state()[1], 0, 8 * epsilon);
  EXPECT_EQ(step.course.selection()->closed(), std::vector<Index>{0});
}

}  // namespace
}  // namespace dalembert
