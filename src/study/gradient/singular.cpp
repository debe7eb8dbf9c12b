// Departures over a singular configuration (theory 9.1): where in the motion's step it is, and pieces whose stages stay
// away from it.

#include <algorithm>
#include <array>
#include <cmath>

#include "study/gradient/follow.hpp"

namespace dalembert {
namespace {

/// Between stages of DOP853 as (from, to): the widest, and those at the ends, for an instant close to an end of the
/// motion's step (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.5).
constexpr std::array<std::pair<double, double>, 3> gaps{{{1.0 / 3, 0.6}, {0, 0.0526}, {6.0 / 7, 1}}};

}  // namespace

/// The margin falls to zero and rises again like |t - instant|; the stages of the whole step bracket it.
void GradientFollower::find_instant(Course& course) {
  constexpr double golden = 0.6180339887498949;
  constexpr int halvings = 40;               // 4e-9 of the bracket
  constexpr double inside = 0.3, end = 0.1;  // a margin above: no instant beside a stage inside the step, at its ends
  constexpr double vanishes = 1e-3;
  instant_sought_ = true;
  std::ranges::sort(looked_at_);
  const auto least = std::ranges::min_element(looked_at_, {}, &std::pair<double, double>::second);
  const auto before = least == looked_at_.begin() ? least : least - 1;
  const auto after = least + 1 == looked_at_.end() ? least : least + 1;
  if (!(least->second < (before == least || after == least ? end : inside))) return;
  const auto margin_at = [&](double t) {
    course.state_at(t, y_);
    return tangent_.margin_at(t, y_.data());
  };
  double a = before->first, b = after->first;
  double x1 = b - golden * (b - a), x2 = a + golden * (b - a);
  double m1 = margin_at(x1), m2 = margin_at(x2);
  for (int k = 0; k < halvings; ++k) {
    if (m1 < m2) {
      b = x2;
      x2 = x1;
      m2 = m1;
      m1 = margin_at(x1 = b - golden * (b - a));
    } else {
      a = x1;
      x1 = x2;
      m1 = m2;
      m2 = margin_at(x2 = a + golden * (b - a));
    }
  }
  if (std::min(m1, m2) < std::max(0.1 * least->second, vanishes)) instant_ = (a + b) / 2;
}

/// The piece to take where the error allows h: over the instant, with it in a gap, or up to where the next one can do
/// so; of these the one whose stages come least close.
double GradientFollower::plan_piece(double h) const {
  constexpr double ahead = 1.25;     // pieces, within which the instant is looked at
  constexpr double slack = 1.05;     // by which a piece may be longer than its error allows
  constexpr double as_good = 0.6;    // of the best clearance: the piece is left as it is
  constexpr double shortest = 0.05;  // piece of approach, in parts of the next
  if (!instant_) return h;
  const double far = *instant_ - now_, beyond = step_end_ - *instant_;
  if (!(far > 0) || !(beyond > 0) || far > ahead * h) return h;
  const double longest = std::min(h, step_end_ - now_);
  double planned = h, clearance = 0, as_it_is = 0;
  for (const auto& [from, to] : gaps) {
    const double centre = (from + to) / 2, half = (to - from) / 2;
    as_it_is = std::max(as_it_is, std::min(far - from * h, to * h - far));
    const double over = far / centre;
    if (over <= slack * longest && half * over > 0.99 * clearance) {
      planned = std::min(over, step_end_ - now_);
      clearance = half * over;
    }
    const double next = std::min(h, beyond / (1 - centre)), approach = far - centre * next;
    if (approach > shortest * next && 0.99 * half * next > clearance) {
      planned = std::min(h, approach);
      clearance = half * next;
    }
  }
  return as_it_is >= as_good * clearance ? h : planned;
}

}  // namespace dalembert
