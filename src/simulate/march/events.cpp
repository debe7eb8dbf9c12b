#include "simulate/march/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "simulate/march/root.hpp"

namespace dalembert {
namespace {
constexpr double absent = std::numeric_limits<double>::quiet_NaN();
}

EventSearch::EventSearch(Course& course, Observation& scratch, std::span<double> inside)
    : course_(course),
      scratch_(scratch),
      inside_(inside),
      kernel_(course.system().events),
      values_(course.system().model().events.size()),
      shifts_(values_.size(), 0.0),
      all_(values_.size()),
      last_(values_.size()) {
  if (is_idle()) return;
  std::iota(all_.begin(), all_.end(), std::size_t{0});
  const CompiledSystem& system = course.system();
  kernel_.set_parameters(course.evaluator().parameters());
  Enclosing program(system.events.function());
  program.set_parameters(course.evaluator().parameters());
  const std::size_t n = system.model().coordinates.size();  // t, q, q' and at the end the energy need no accelerations
  for (std::size_t i = 1 + 2 * n; i + 1 < system.output_input_count; ++i) by_motion_ |= program.reads(i);
  search_.emplace(system.output_input_count, std::move(program));
}

void EventSearch::begin(const Observation& observation) {
  if (is_idle()) return;
  kernel_(observation.inputs.data(), values_.data());
  for (std::size_t e = 0; e < last_.size(); ++e) last_[e] = {observation.t, values_[e], {}};
}

void EventSearch::sample(double t) {
  bool seen = true;
  if (by_motion_) {
    seen = course_.observe_at(t, inside_, scratch_);
  } else {
    course_.state_at(t, inside_);
    course_.observer().glance(t, inside_.data(), scratch_);
  }
  if (!seen) std::fill(scratch_.inputs.begin(), scratch_.inputs.end(), absent);
  kernel_(scratch_.inputs.data(), values_.data());
  sampled_ = t;
}

bool EventSearch::crosses(std::size_t event, double before, double now) const {
  const bool rises = before < 0 && now >= 0, falls = before > 0 && now <= 0;
  const Direction direction = course_.system().model().events[event].direction;
  return (rises && direction != Direction::falling) || (falls && direction != Direction::rising);
}

std::vector<std::size_t> EventSearch::find_jumps(const Observation& after) {
  std::vector<std::size_t> jumped;
  if (is_idle()) return jumped;
  kernel_(after.inputs.data(), values_.data());
  for (std::size_t e = 0; e < last_.size(); ++e) {
    const double value = values_[e];
    if (crosses(e, last_[e].value, value)) jumped.push_back(e);
    if (std::isfinite(value)) last_[e].value = value;
    last_[e].t = after.t;
  }
  return jumped;
}

/// From where it was seen last an event's function has had one zero at most.
void EventSearch::go_to(std::size_t event, double t, std::vector<EventRoot>& roots) {
  if (sampled_ != t) sample(t);
  Seen& last = last_[event];
  const double before = last.value, now = values_[event];
  const bool rises = before < 0 && now >= 0, falls = before > 0 && now <= 0;
  if (crosses(event, before, now)) {
    const auto value = [this, event](double time) {
      sample(time);
      return values_[event];
    };
    roots.push_back({event, now == 0 ? t : find_root(value, last.t, before, t, now)});
  }
  // A zero hit exactly counts as crossed: it carries on with the sign it came with, so that leaving it to the other
  // side is no second crossing.
  if (now != 0 && std::isfinite(now)) last.value = now;
  if (now == 0 && (rises || falls))
    last.value = rises ? std::numeric_limits<double>::min() : -std::numeric_limits<double>::min();
  last.t = t;
}

void EventSearch::find(double from, double to, std::vector<EventRoot>& roots) {
  sampled_ = absent;
  for (Seen& last : last_) last.t = from;
  search_->find(
      from, to, all_, shifts_,
      [this](double t, std::span<double> inputs) {
        sample(t);
        std::copy(scratch_.inputs.begin(), scratch_.inputs.end(), inputs.begin());
      },
      [this, &roots](std::size_t event, double, double right, int way) {
        if (way == 0 || !(last_[event].value * way > 0)) go_to(event, right, roots);
      });
  for (std::size_t e : all_) {
    go_to(e, to, roots);
    if (search_->gave_up(e) && !last_[e].unclear) last_[e].unclear = from;
  }
  std::stable_sort(roots.begin(), roots.end(), [](const EventRoot& a, const EventRoot& b) { return a.t < b.t; });
}

std::vector<std::string> EventSearch::notes() const {
  std::vector<std::string> notes;
  for (std::size_t e = 0; e < last_.size(); ++e) {
    if (!last_[e].unclear) continue;
    notes.push_back(
        fmt::format("event {}: from t = {:.6g} on its function comes so near zero, or bends so sharply, that "
                    "crossings are not told from rounding",
                    course_.system().model().events[e].name, *last_[e].unclear));
  }
  return notes;
}

}  // namespace dalembert
