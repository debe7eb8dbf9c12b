// Zero crossings by sampling an accepted step and Brent's method on its projected dense output (numerics 5).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
      const Direction direction = numeric_.model().events[e].direction;
      if ((rises && direction != Direction::falling) || (falls && direction != Direction::rising)) {
        roots.push_back({e, now == 0 ? right : solve_root(e, left, before, right, now)});
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

/// Brent 1973, Algorithms for Minimization without Derivatives, chapter 4.
double Run::solve_root(std::size_t event, double a, double fa, double b, double fb) {
  double c = a, fc = fa, d = b - a, e = d;
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (fb * fc > 0) {
      c = a;
      fc = fa;
      d = e = b - a;
    }
    if (std::abs(fc) < std::abs(fb)) {
      a = b;
      b = c;
      c = a;
      fa = fb;
      fb = fc;
      fc = fa;
    }
    const double tolerance = 2 * std::numeric_limits<double>::epsilon() * std::abs(b);
    const double middle = (c - b) / 2;
    if (std::abs(middle) <= tolerance || fb == 0) return b;
    if (std::abs(e) >= tolerance && std::abs(fa) > std::abs(fb)) {
      const double s = fb / fa;
      double p, q;
      if (a == c) {
        p = 2 * middle * s;
        q = 1 - s;
      } else {
        const double r = fa / fc, w = fb / fc;
        p = s * (2 * middle * r * (r - w) - (b - a) * (w - 1));
        q = (r - 1) * (w - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      p = std::abs(p);
      if (2 * p < std::min(3 * middle * q - std::abs(tolerance * q), std::abs(e * q))) {
        e = d;
        d = p / q;
      } else {
        d = e = middle;
      }
    } else {
      d = e = middle;
    }
    a = b;
    fa = fb;
    b += std::abs(d) > tolerance ? d : (middle > 0 ? tolerance : -tolerance);
    fb = event_value(event, b);
    if (!std::isfinite(fb)) return b;
  }
  return b;
}

void Run::record_event(const Root& root) {
  const Event& event = numeric_.model().events[root.event];
  observe_at(root.t, inside_);
  observer_.write_row(row_);
  result_.events.push_back({event.name, event.stop ? "stop" : "record", root.t, row_});
  if (!event.stop) return;
  write_row(root.t, inside_);
  end(Status::event, fmt::format("{} at t = {:.10g}", event.name, root.t));
}

}  // namespace dalembert
