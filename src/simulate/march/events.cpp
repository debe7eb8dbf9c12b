#include "simulate/march/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "simulate/march/root.hpp"

namespace dalembert {
namespace {
constexpr double carried_on = std::numeric_limits<double>::min();  // the sign that a function had at zero, no value
}  // namespace

EventSearch::EventSearch(Course& course, Observation& scratch, std::span<double> inside)
    : course_(course),
      scratch_(scratch),
      inside_(inside),
      kernel_(course.system().events),
      values_(course.system().model().events.size()),
      shifts_(values_.size(), 0.0),
      all_(values_.size()),
      last_(values_.size()),
      is_flat_(values_.size(), false) {
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
  for (std::size_t e = 0; e < last_.size(); ++e) {
    last_[e] = Seen();
    last_[e].t = observation.t;
    last_[e].value = values_[e];
  }
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
  const bool is_noise = std::abs(values_[event]) <= last.noise;
  const double before = last.value, now = is_noise ? 0.0 : values_[event];
  const bool stays = now == 0 && std::abs(before) == carried_on;
  const bool rises = before < 0 && now >= 0 && !stays, falls = before > 0 && now <= 0 && !stays;
  if (!stays && crosses(event, before, now)) {
    const double least = now == 0 ? std::copysign(last.noise, before) : 0;  // from here on it is zero
    const auto value = [this, event, least](double time) {
      sample(time);
      return values_[event] - least;
    };
    const bool is_at_end = values_[event] == 0 || !(std::abs(before) > std::abs(least));
    roots.push_back({event, is_at_end ? t : find_root(value, last.t, before - least, t, values_[event] - least)});
  }
  // A zero hit exactly counts as crossed: it carries on with the sign it came with, so that leaving it to the other
  // side is no second crossing.
  if (now != 0 && std::isfinite(now)) {
    last.value = now;
    last.stands_out = true;
  }
  if (now == 0 && (rises || falls)) last.value = rises ? carried_on : -carried_on;
  last.t = t;
}

void EventSearch::search(double from, double to, std::span<const std::size_t> events, std::vector<EventRoot>& roots) {
  sampled_ = absent;
  for (std::size_t e : events) {
    Seen& last = last_[e];
    last.t = from;
    last.stands_out = false;
    if (std::abs(last.value) <= last.noise && std::abs(last.value) != carried_on) last.value = 0;
  }
  search_->find(
      from, to, events, shifts_,
      [this](double t, std::span<double> inputs) {
        sample(t);
        std::copy(scratch_.inputs.begin(), scratch_.inputs.end(), inputs.begin());
      },
      [this, &roots](std::size_t event, double, double right, int way) {
        if (way == 0 || !(last_[event].value * way > 0)) go_to(event, right, roots);
      });
  for (std::size_t e : events) {
    go_to(e, to, roots);
    last_[e].gave_up = search_->gave_up(e);
  }
}

/// What was taken for flat and is not; and what could not be told from rounding, now that it is known how large that
/// is.
bool EventSearch::is_to_search_again(std::size_t event) {
  if (is_flat_[event]) return last_[event].stands_out;
  const double noise = 2 * search_->blur(event);
  if (!last_[event].gave_up || !(noise > last_[event].noise)) return false;
  before_[event].noise = noise;
  return true;
}

void EventSearch::find(double from, double to, std::vector<EventRoot>& roots) {
  before_ = last_;
  search(from, to, all_, roots);
  again_.clear();
  std::ranges::copy_if(all_, std::back_inserter(again_), [this](std::size_t e) { return is_to_search_again(e); });
  for (std::size_t e : again_) {
    search_->expect_to_give_up(e, is_flat_[e] = false);
    last_[e] = before_[e];
    std::erase_if(roots, [e](const EventRoot& root) { return root.event == e; });
  }
  if (!again_.empty()) search(from, to, again_, roots);
  for (std::size_t e : all_) {
    Seen& last = last_[e];
    search_->expect_to_give_up(e, is_flat_[e] = last.gave_up && !last.stands_out);
    if (!last.gave_up) last.noise = 0;
    if (last.gave_up && !last.unclear) last.unclear = from;
    last.had_sign |= last.stands_out;
  }
  std::stable_sort(roots.begin(), roots.end(), [](const EventRoot& a, const EventRoot& b) { return a.t < b.t; });
}

std::vector<std::string> EventSearch::notes() const {
  std::vector<std::string> notes;
  for (std::size_t e = 0; e < last_.size(); ++e) {
    if (!last_[e].unclear) continue;
    const std::string& name = course_.system().model().events[e].name;
    notes.push_back(
        last_[e].had_sign
            ? fmt::format("event {}: from t = {:.6g} on its function comes so near zero, or bends so sharply, that "
                          "crossings are not told from rounding",
                          name, *last_[e].unclear)
            : fmt::format("event {}: its function is zero all along, to rounding, and crosses nowhere", name));
  }
  return notes;
}

}  // namespace dalembert
