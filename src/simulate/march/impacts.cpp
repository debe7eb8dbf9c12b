#include <algorithm>
#include <cmath>

#include "simulate/march/contact_march.hpp"

// Impacts at one time: impulses until no contact approaches, and whether another order of them would end otherwise.

namespace dalembert {
namespace {

constexpr int most_impacts = 200;         // at one time: then without rebound
constexpr double alike = 1e-6;            // velocities of two outcomes that are one
constexpr std::size_t most_in_turn = 12;  // contacts for which other orders of impacts are tried

}  // namespace

/// How fast a contact must leave after an impact (Newton's law of restitution).
double ContactMarch::rebound(Index contact) const {
  const double speed = -contacts_.restitution(contact) * contacts_.rates()[contact];
  return speed > slow * contacts_.rate_scale(contact) ? speed : 0;
}

/// Impulses until no contact approaches. Contacts that part already take no part; if they are struck by it, they
/// collide next, at the same time.
std::optional<Ending> ContactMarch::strike(double t, std::vector<double>& y, const std::vector<Index>& touching) {
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  several_outcomes_ = false;
  const std::vector<double> arriving = y;
  std::vector<double> speeds(contacts_.count()), impulses(contacts_.count());
  contacts_.measure(t, y.data());
  for (int round = 0;; ++round) {
    std::vector<Index> taking;
    bool approaches = false;
    for (Index c : touching) {
      const double rate = contacts_.rates()[c], least = slow * contacts_.rate_scale(c);
      approaches |= rate < -least;
      if (rate > least && round < most_impacts) continue;
      taking.push_back(c);
      speeds[c] = round < most_impacts ? rebound(c) : 0;
      if (rate < -least && round == 0 && note_impact(c, t)) speeds[c] = 0;
    }
    if (!approaches) {
      if (round > 0) several_outcomes_ = has_several_outcomes(t, arriving, y, touching);
      return std::nullopt;
    }
    if (!contacts_.strike(t, y.data(), taking, speeds, impulses)) return cannot_hold(taking, t);
    for (Index c : taking) impulses_[c] += impulses[c];
    contacts_.measure(t, y.data());
  }
}

/// Each contact for itself, the first that approaches next; nothing where that does not come to an end. False where
/// contacts contradict each other.
std::optional<bool> ContactMarch::strike_one_by_one(double t, std::vector<double>& y,
                                                    const std::vector<Index>& touching, bool backwards) {
  std::vector<double> speeds(contacts_.count()), impulses(contacts_.count());
  std::vector<Index> order = touching;
  if (backwards) std::reverse(order.begin(), order.end());
  for (int round = 0; round < most_impacts; ++round) {
    contacts_.measure(t, y.data());
    const auto next =
        std::ranges::find_if(order, [&](Index c) { return contacts_.rates()[c] < -slow * contacts_.rate_scale(c); });
    if (next == order.end()) return true;
    speeds[*next] = rebound(*next);
    if (!contacts_.strike(t, y.data(), {*next}, speeds, impulses)) return false;
  }
  return std::nullopt;
}

/// Contacts that share an impact are struck at the same time (docs/theory/one-sided.md); one after the other, in the
/// order written or the reverse, they may leave the system otherwise.
bool ContactMarch::has_several_outcomes(double t, const std::vector<double>& before, const std::vector<double>& after,
                                        const std::vector<Index>& touching) {
  if (touching.size() < 2 || touching.size() > most_in_turn) return false;
  const std::size_t first = course_.system().q_count(), last = first + course_.system().u_count();
  bool several = false;
  for (const bool backwards : {false, true}) {
    std::vector<double> y = before;
    const std::optional<bool> ended = strike_one_by_one(t, y, touching, backwards);
    double largest = 0, apart = 0;
    for (std::size_t i = first; i < last; ++i) {
      largest = std::max({largest, std::abs(y[i]), std::abs(after[i])});
      apart = std::max(apart, std::abs(y[i] - after[i]));
    }
    several |= !ended || (*ended && apart > alike * largest);
  }
  contacts_.measure(t, after.data());
  if (!several) return false;
  if (choices_.count++ == 0) {
    choices_.first = t;
    for (Index c : touching) choices_.names += (choices_.names.empty() ? "" : ", ") + contacts_.name(c);
  }
  return true;
}

}  // namespace dalembert
