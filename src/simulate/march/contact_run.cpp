// Contacts along a motion. Between their changes a closed contact is an equation and an open one is nothing; a change
// is a touch-down, where a gap closes, or a lift-off, where a multiplier would turn to a pull. Both are looked for in
// each accepted step, and the march starts afresh from the state there (numerics 5).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/root.hpp"
#include "simulate/run.hpp"

namespace dalembert {
namespace {

constexpr int samples = 8;               // of a step; between them one minimum of a gap is looked for
constexpr double off = 1e-9;             // a start may be off by this part of a gap's scale
constexpr double together = 1e-12;       // gaps below this part of their scale are closed at the same time
constexpr double slow = 1e-10;           // slower than this part of the motion's speed is at rest
constexpr double nearly_settled = 1e-6;  // rebounds below it may be summed up where they form a series
constexpr int most_impacts = 200;        // at one time: then without rebound
constexpr int most_changes = 100;        // at one time: then it is hopeless

bool contains(const std::vector<Index>& ascending, Index value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

}  // namespace

bool Run::begin_contacts(std::vector<double>& y) {
  contacts_ = std::make_unique<Contacts>(numeric_);
  contacts_->set_equations(rank_);
  const std::size_t count = contacts_->count();
  for (Sample* sample : {&before_, &now_})
    *sample = {std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
  load_noise_.assign(count, 0.0);
  impulses_.assign(count, 0.0);
  impacts_.assign(count, {});
  contacts_->scale(t_, y.data(), component_sizes_);
  contacts_->measure(t_, y.data());
  contacts_->refuse_penetration();
  const std::vector<Index> touching = contacts_->touching();
  if (!strike(y, touching)) return false;
  if (!take_decision(contacts_->decide(t_, y.data(), contacts_->resting(touching, off)), y)) return false;
  std::vector<Index> before;  // what is closed from the start on has no event
  for (Index c : numeric_.closed()) {
    if (impulses_[c] == 0) before.push_back(c);
  }
  if (observer_.observe(t_, y.data(), rank_)) record_contacts(before);
  return true;
}

// --- inside a step

void Run::sample_contacts(double t, Sample& sample) {
  state_at(t, inside_);
  contacts_->measure(t, inside_.data());
  std::copy(contacts_->gaps().begin(), contacts_->gaps().end(), sample.gap.begin());
  std::copy(contacts_->rates().begin(), contacts_->rates().end(), sample.rate.begin());
  if (!numeric_.closed().empty()) contacts_->evaluate_loads(t, inside_.data(), sample.load, load_noise_);
}

/// The first contact that changes in (from, to].
std::optional<Run::Change> Run::find_change(double from, double to) {
  std::vector<bool> is_closed(contacts_->count(), false), is_loaded(contacts_->count(), false);
  for (Index c : numeric_.closed()) is_closed[c] = true;
  for (Index r : rank_.kept) {
    if (r >= numeric_.row_count()) is_loaded[r - numeric_.row_count()] = true;
  }
  double left = from;
  for (int k = 1; k <= samples; ++k) {
    const double right = k == samples ? to : from + (to - from) * k / samples;
    sample_contacts(right, now_);
    const Sample now = now_;  // root finding samples again
    std::optional<Change> first;
    for (Index c = 0; c < contacts_->count(); ++c) {
      std::optional<double> t;
      if (!is_closed[c]) t = find_touch(c, left, before_, right, now);
      if (is_loaded[c] && now.load[c] < -load_noise_[c]) t = find_lift(c, left, before_.load[c], right, now.load[c]);
      if (t && (!first || *t < first->t)) first = Change{*t, right, c, is_closed[c], *t == left};
    }
    if (first) return first;
    before_ = now;
    left = right;
  }
  return std::nullopt;
}

/// When an open contact's gap closes between two samples.
std::optional<double> Run::find_touch(Index contact, double left, const Sample& a, double right, const Sample& b) {
  const auto gap = [&](double t) {
    sample_contacts(t, now_);
    return now_.gap[contact];
  };
  const auto rate = [&](double t) {
    sample_contacts(t, now_);
    return now_.rate[contact];
  };
  const double noise = 0.1 * together * contacts_->gap_scale(contact);
  double end = right, last = b.gap[contact];
  const double touches = together * contacts_->gap_scale(contact);
  if (right == options_.until && a.gap[contact] > touches && last <= touches && b.rate[contact] < 0 && last >= -noise) {
    return right;  // an impact at the very end
  }
  if (!(last < -noise)) {
    if (!(a.rate[contact] < 0 && b.rate[contact] > 0)) return std::nullopt;
    end = find_root(rate, left, a.rate[contact], right, b.rate[contact]);  // the least gap between the two
    last = gap(end);
    if (!(last < -noise)) return std::nullopt;
  }
  if (a.gap[contact] > noise) return find_root(gap, left, a.gap[contact], end, last);
  // It starts from contact: first it has to leave.
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = left + (end - left) / 2;
    const double value = gap(middle);
    if (value > 0) return find_root(gap, middle, value, end, last);
    end = middle;
    last = value;
  }
  return left;
}

/// When a closed contact's load vanishes; a load that was none (rounding only) has done so where it is first seen.
double Run::find_lift(Index contact, double left, double before, double right, double now) {
  const double shift = before > load_noise_[contact] ? 0 : load_noise_[contact];
  if (!(before + shift > 0) || !(now + shift < 0)) return left;
  return find_root(
      [&](double t) {
        sample_contacts(t, now_);
        return now_.load[contact] + shift;
      },
      left, before + shift, right, now + shift);
}

// --- at a change

bool Run::pass_change(const Change& change) {
  const std::vector<Index> before = numeric_.closed();
  changes_here_ = change.t > t_ ? 0 : changes_here_ + 1;
  ContactDecision decision;
  if (change.lifts) decision = see_lift(change);
  std::vector<double> y(numeric_.size());
  state_at(change.t, y);
  t_ = change.t;
  if (changes_here_ > most_changes) {
    end(Status::undetermined,
        fmt::format("{} opens and closes without end at t = {:.10g}", contacts_->name(change.contact), t_));
    return false;
  }
  sizes_.evaluate(component_sizes_, y.data());
  contacts_->scale(t_, y.data(), component_sizes_);
  if (observer_.observe(t_, y.data(), rank_)) lost_ += observer_.jacobi();
  if (change.lifts) {
    std::fill(impulses_.begin(), impulses_.end(), 0.0);
    decision = contacts_->hold(t_, y.data(), decision.closed, decision.loaded);
  } else {
    std::vector<Index> touching;
    contacts_->measure(t_, y.data());
    for (Index c = 0; c < contacts_->count(); ++c) {
      if (c == change.contact || contains(before, c) || contacts_->gaps()[c] <= together * contacts_->gap_scale(c))
        touching.push_back(c);
    }
    // It leaves, but so slowly that rounding hides its way up from its way down: a hop that is none.
    const bool hops = change.at_start && contacts_->rates()[change.contact] > 0;
    if (!strike(y, touching)) return false;
    std::vector<Index> resting = contacts_->resting(touching, slow);
    if (hops && !contains(resting, change.contact)) {
      resting.insert(std::upper_bound(resting.begin(), resting.end(), change.contact), change.contact);
    }
    decision = contacts_->decide(t_, y.data(), resting);
  }
  if (!take_decision(decision, y)) return false;
  restart(y);
  restarted_ = true;
  good_.y.clear();  // no way back over a change
  inside_ = y;
  if (!observer_.observe(t_, y.data(), rank_)) {
    end_by_diagnosis();
    return false;
  }
  lost_ -= observer_.jacobi();
  find_jumps();
  record_contacts(before);
  if (!ended_ && !(options_.until > t_)) write_row(t_, inside_);
  return true;
}

/// At a lift-off neither the load nor the acceleration of the gap is different from zero: which contacts let go shows a
/// moment later on the motion with all of them held.
ContactDecision Run::see_lift(const Change& change) {
  const std::vector<Index> closed = numeric_.closed();
  const RankDecision rank = rank_;
  std::vector<double> y(numeric_.size());
  ContactDecision decision;
  for (double part : {1e-6, 1e-3, 1.0}) {
    numeric_.close(closed);
    numeric_.metric().select(rank.kept);
    const double t = change.t + part * (change.beyond - change.t);
    state_at(t, y);
    decision = contacts_->decide(t, y.data(), closed);
    if (decision.closed != closed || decision.rank.kept != rank.kept) break;
  }
  numeric_.close(closed);
  numeric_.metric().select(rank.kept);
  return decision;
}

/// How fast a contact must leave after an impact (Newton's law of restitution).
double Run::rebound(Index contact) const {
  const double speed = -contacts_->restitution(contact) * contacts_->rates()[contact];
  return speed > slow * contacts_->rate_scale(contact) ? speed : 0;
}

/// The sum of the geometric series as seen at this impact. Estimates come closer to each other as the motion becomes
/// simpler, and part again when rounding in the gap spoils ever shorter intervals: kept is the one that changed least.
void Run::Impacts::estimate_limit(double estimate) {
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
bool Run::note_impact(Index contact) {
  Impacts& past = impacts_[contact];
  const double interval = t_ - past.last, ratio = past.interval > 0 ? interval / past.interval : 1;
  past.shrinking = past.count > 1 && ratio < 1 ? past.shrinking + 1 : 0;
  past.interval = past.count > 0 ? interval : 0;
  past.last = t_;
  ++past.count;
  if (past.shrinking > 0) past.estimate_limit(t_ + interval * ratio / (1 - ratio));
  const double speed = rebound(contact);
  if (speed == 0 || speed > nearly_settled * contacts_->rate_scale(contact) || past.shrinking < 2) return false;
  past.settles = std::max(t_, past.limit);
  return true;
}

/// Impulses until no contact approaches. Contacts that part already take no part; if they are struck by it, they
/// collide next, at the same time. False if it ended the motion.
bool Run::strike(std::vector<double>& y, const std::vector<Index>& touching) {
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  std::vector<double> speeds(contacts_->count()), impulses(contacts_->count());
  contacts_->measure(t_, y.data());
  for (int round = 0;; ++round) {
    std::vector<Index> taking;
    bool approaches = false;
    for (Index c : touching) {
      const double rate = contacts_->rates()[c], least = slow * contacts_->rate_scale(c);
      approaches |= rate < -least;
      if (rate > least && round < most_impacts) continue;
      taking.push_back(c);
      speeds[c] = round < most_impacts ? rebound(c) : 0;
      if (rate < -least && round == 0 && note_impact(c)) speeds[c] = 0;
    }
    if (!approaches) break;
    if (!contacts_->strike(t_, y.data(), taking, speeds, impulses)) {
      std::string names;
      for (Index c : taking) names += (names.empty() ? "" : ", ") + contacts_->name(c);
      end(Status::singular, fmt::format("{} cannot hold together at t = {:.10g}", names, t_));
      return false;
    }
    for (Index c : taking) impulses_[c] += impulses[c];
    contacts_->measure(t_, y.data());
  }
  return true;
}

bool Run::take_decision(const ContactDecision& decision, std::vector<double>& y) {
  if (!decision.against.empty()) {
    std::string names;
    for (Index c : decision.against) names += (names.empty() ? "" : ", ") + contacts_->name(c);
    end(Status::singular, fmt::format("{} cannot hold together at t = {:.10g}", names, t_));
    return false;
  }
  rank_ = decision.rank;
  for (Index c = 0; c < contacts_->count(); ++c) {
    if (!contains(numeric_.closed(), c)) impacts_[c].settles.reset();
  }
  numeric_.project(t_, y.data(), component_sizes_);
  contacts_->measure(t_, y.data());
  std::copy(contacts_->gaps().begin(), contacts_->gaps().end(), before_.gap.begin());
  std::copy(contacts_->rates().begin(), contacts_->rates().end(), before_.rate.begin());
  if (!numeric_.closed().empty()) contacts_->evaluate_loads(t_, y.data(), before_.load, load_noise_);
  return true;
}

// --- what is told of it

void Run::record_contacts(const std::vector<Index>& before) {
  const double least = together * *std::max_element(impulses_.begin(), impulses_.end());
  for (Index c = 0; c < contacts_->count(); ++c) {
    const bool was = contains(before, c), is = contains(numeric_.closed(), c), struck = impulses_[c] > least;
    if (is && !was && !impacts_[c].settles) {
      record_contact(c, "touch-down");
    } else if (struck) {
      record_contact(c, "impact");
    } else if (was && !is) {
      record_contact(c, "lift-off");
    }
  }
}

void Run::record_contact(Index contact, const std::string& kind) {
  observer_.write_row(row_);
  result_.events.push_back({contacts_->name(contact), kind, t_, row_});
}

void Run::add_settled(double to, std::vector<Root>& roots) {
  for (Index c = 0; c < contacts_->count(); ++c) {
    const auto& settles = impacts_[c].settles;
    if (settles && *settles <= to)
      roots.push_back({numeric_.model().events.size() + c, std::max(*settles, processed_)});
  }
  std::stable_sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) { return a.t < b.t; });
}

void Run::record_settled(Index contact, double t) {
  observer_.write_row(row_);
  result_.events.push_back({contacts_->name(contact), "chattering ends", t, row_});
  result_.notes.push_back(
      fmt::format("{}: infinitely many impacts come to an end at t = {:.12g}; the contact lasts from there",
                  contacts_->name(contact), t));
  impacts_[contact].settles.reset();
  impacts_[contact].shrinking = 0;
}

}  // namespace dalembert
