// Infinitely many impacts in a finite time: of a ball that bounces, of a block that rocks from corner to corner.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/march/contact_march.hpp"

namespace dalembert {
namespace {

constexpr double nearly_settled =
    1e-6;                          // of the motion's speed: rebounds below it are summed up where they form a series
constexpr double invisible = 1e3;  // gaps below so many of their noise, where nothing rebounds
constexpr double most_alike = 4;   // speeds of landing and leaving that belong to one rocking motion

}  // namespace

/// The sum of the geometric series as seen at this impact. Estimates come closer to each other as the motion becomes
/// simpler, and part again when rounding in the gap spoils ever shorter intervals: kept is the one that changed least.
void ContactMarch::Impacts::estimate_limit(double estimate) {
  const double change = std::abs(estimate - last_estimate), worst = std::max(change, last_change);
  if (shrinking == 1) least_change = last_change = std::numeric_limits<double>::infinity();
  if (shrinking > 1) last_change = change;
  if (shrinking < 4 || worst <= least_change) {
    limit = estimate;
    if (shrinking >= 3) least_change = worst;
  }
  last_estimate = estimate;
}

/// Books an impact. True where it is one of infinitely many that the motion has in a finite time: intervals that shrink
/// by a constant ratio from here on, whose sum is known.
bool ContactMarch::note_impact(Index contact, double t) {
  Impacts& past = impacts_[contact];
  const double interval = t - past.last, ratio = past.interval > 0 ? interval / past.interval : 1;
  past.shrinking = past.count > 1 && ratio < 1 ? past.shrinking + 1 : 0;
  past.interval = past.count > 0 ? interval : 0;
  past.last = t;
  ++past.count;
  if (past.shrinking > 0) past.estimate_limit(t + interval * ratio / (1 - ratio));
  const double speed = rebound(contact), approach = -contacts_.rates()[contact];
  const bool is_over = speed > 0 ? speed <= nearly_settled * contacts_.rate_scale(contact)
                                 : approach * interval <= invisible * gap_noise_[contact];
  if (past.shrinking < 2 || !is_over) return false;
  past.settles = std::max(t, past.limit);
  return true;
}

/// A body that rocks on contacts without rebound lands on one and leaves another, ever faster: those that it leaves so
/// slowly rest from here on too. Where there is none, the contact has closed as any does that does not rebound.
std::vector<Index> ContactMarch::end_rocking(Index contact, double approach, const std::vector<Index>& touching) {
  std::vector<Index> left;
  if (!impacts_[contact].settles || contacts_.restitution(contact) > 0) return left;
  for (Index c : touching)
    if (contacts_.rates()[c] > 0 && contacts_.rates()[c] <= most_alike * approach) left.push_back(c);
  for (Index c : left) impacts_[c].settles = impacts_[contact].settles;
  if (left.empty()) impacts_[contact].settles.reset();
  return left;
}

std::vector<ContactMarch::Settling> ContactMarch::settled_until(double t, double not_before) const {
  std::vector<Settling> settled;
  for (Index c = 0; c < contacts_.count(); ++c)
    if (const auto& settles = impacts_[c].settles; settles && *settles <= t)
      settled.push_back({c, std::max(*settles, not_before)});
  std::stable_sort(settled.begin(), settled.end(), [](const Settling& a, const Settling& b) { return a.t < b.t; });
  return settled;
}

void ContactMarch::record_settled(const Settling& settling, const Observation& observation) {
  recorder_.add_event(contacts_.name(settling.contact), "chattering ends", observation);
  impacts_[settling.contact].settles.reset();
  impacts_[settling.contact].shrinking = 0;
  settled_.push_back(settling);
}

}  // namespace dalembert
