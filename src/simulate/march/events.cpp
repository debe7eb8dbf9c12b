// Zero crossings by sampling an accepted step and Brent's method on its projected dense output (numerics 5).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/root.hpp"
#include "simulate/run.hpp"

namespace dalembert {
namespace {
constexpr int samples = 4;  // of a step: two crossings closer than a quarter step may be missed
}

void Run::begin_events() {
  event_before_.assign(observer_.events().begin(), observer_.events().end());
  event_now_ = event_before_;
}

double Run::event_value(std::size_t event, double t) {
  observe_at(t, inside_);
  return observer_.events()[event];
}

void Run::sample_events(double t, std::vector<double>& values) {
  observe_at(t, inside_);
  values.assign(observer_.events().begin(), observer_.events().end());
}

bool Run::crosses(std::size_t event, double before, double now) const {
  const bool rises = before < 0 && now >= 0, falls = before > 0 && now <= 0;
  const Direction direction = numeric_.model().events[event].direction;
  return (rises && direction != Direction::falling) || (falls && direction != Direction::rising);
}

/// Where a contact has changed something at once, functions may have jumped over zero. The state after it is observed.
void Run::find_jumps() {
  const std::vector<double> values(observer_.events().begin(), observer_.events().end());
  for (std::size_t e = 0; e < values.size() && !ended_; ++e) {
    if (crosses(e, event_before_[e], values[e])) record_event({e, t_});
    if (std::isfinite(values[e])) event_before_[e] = values[e];
  }
}

/// All crossings in (from, to], in order of time. A function that was zero at the start of the interval has no sign
/// there and cannot cross.
bool Run::find_roots(double from, double to, std::vector<Root>& roots) {
  double left = from;
  for (int k = 1; k <= samples; ++k) {
    const double right = k == samples ? to : from + (to - from) * k / samples;
    sample_events(right, event_now_);
    for (std::size_t e = 0; e < event_now_.size(); ++e) {
      const double before = event_before_[e], now = event_now_[e];
      const bool rises = before < 0 && now >= 0, falls = before > 0 && now <= 0;
      if (crosses(e, before, now)) {
        roots.push_back(
            {e, now == 0 ? right
                         : find_root([this, e](double t) { return event_value(e, t); }, left, before, right, now)});
      }
      // A zero hit exactly counts as crossed: it carries on with the sign it came with, so that leaving it to the other
      // side is no second crossing.
      if (now != 0 && std::isfinite(now)) event_before_[e] = now;
      if (now == 0 && (rises || falls))
        event_before_[e] = rises ? std::numeric_limits<double>::min() : -std::numeric_limits<double>::min();
    }
    left = right;
  }
  std::stable_sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) { return a.t < b.t; });
  return !roots.empty();
}

/// The state is observed, and in inside_. Indices beyond the model's events are contacts at which impacts have ended.
void Run::record_event(const Root& root) {
  const std::size_t own = numeric_.model().events.size();
  if (root.event >= own) return record_settled(static_cast<Index>(root.event - own), root.t);
  const Event& event = numeric_.model().events[root.event];
  observer_.write_row(row_);
  result_.events.push_back({event.name, event.stop ? "stop" : "record", root.t, row_});
  if (!event.stop) return;
  write_row(root.t, inside_);
  end(Status::event, fmt::format("{} at t = {:.10g}", event.name, root.t));
}

}  // namespace dalembert
