#include "simulate/march/events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/march/root.hpp"

namespace dalembert {
namespace {
constexpr int samples = 4;  // of a step: two crossings closer than a quarter step may be missed
}

EventSearch::EventSearch(Course& course, Observation& scratch, std::span<double> inside)
    : course_(course),
      scratch_(scratch),
      inside_(inside),
      before_(course.system().model().events.size()),
      now_(before_.size()) {}

void EventSearch::begin(const Observation& observation) {
  std::copy(observation.events().begin(), observation.events().end(), before_.begin());
}

void EventSearch::sample(double t, std::vector<double>& values) {
  course_.observe_at(t, inside_, scratch_);
  std::copy(scratch_.events().begin(), scratch_.events().end(), values.begin());
}

bool EventSearch::crosses(std::size_t event, double before, double now) const {
  const bool rises = before < 0 && now >= 0, falls = before > 0 && now <= 0;
  const Direction direction = course_.system().model().events[event].direction;
  return (rises && direction != Direction::falling) || (falls && direction != Direction::rising);
}

std::vector<std::size_t> EventSearch::find_jumps(const Observation& after) {
  std::vector<std::size_t> jumped;
  for (std::size_t e = 0; e < before_.size(); ++e) {
    const double value = after.events()[e];
    if (crosses(e, before_[e], value)) jumped.push_back(e);
    if (std::isfinite(value)) before_[e] = value;
  }
  return jumped;
}

void EventSearch::find(double from, double to, std::vector<EventRoot>& roots) {
  double left = from;
  for (int k = 1; k <= samples; ++k) {
    const double right = k == samples ? to : from + (to - from) * k / samples;
    sample(right, now_);
    for (std::size_t e = 0; e < now_.size(); ++e) {
      const double before = before_[e], now = now_[e];
      const bool rises = before < 0 && now >= 0, falls = before > 0 && now <= 0;
      if (crosses(e, before, now)) {
        const auto value = [this, e](double t) {
          course_.observe_at(t, inside_, scratch_);
          return scratch_.events()[e];
        };
        roots.push_back({e, now == 0 ? right : find_root(value, left, before, right, now)});
      }
      // A zero hit exactly counts as crossed: it carries on with the sign it came with, so that leaving it to the other
      // side is no second crossing.
      if (now != 0 && std::isfinite(now)) before_[e] = now;
      if (now == 0 && (rises || falls))
        before_[e] = rises ? std::numeric_limits<double>::min() : -std::numeric_limits<double>::min();
    }
    left = right;
  }
  std::stable_sort(roots.begin(), roots.end(), [](const EventRoot& a, const EventRoot& b) { return a.t < b.t; });
}

}  // namespace dalembert
