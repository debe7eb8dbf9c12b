#include "simulate/march/contact_march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/march/root.hpp"

namespace dalembert {
namespace {

constexpr double off_gap = 1e-9;    // a start may be off by this part of a gap's scale
constexpr double together = 1e-12;  // gaps below this part of their scale are closed at the same time
constexpr int most_changes = 100;   // at one time: then it is hopeless

bool contains(const std::vector<Index>& ascending, Index value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

RootSearch make_gap_search(Course& course) {
  const CompiledSystem& system = course.system();
  if (!system.gaps) return RootSearch(0);
  Enclosing program(system.gaps.function());
  program.set_parameters(course.evaluator().all_parameters());
  return {1 + system.q_count() + system.u_count(), std::move(program)};
}

}  // namespace

ContactMarch::ContactMarch(Course& course, Recorder& recorder)
    : course_(course),
      recorder_(recorder),
      contacts_(course.evaluator(), course.selection()),
      gap_search_(make_gap_search(course)),
      load_search_(contacts_.count()) {
  const std::size_t count = contacts_.count();
  for (Sample* sample : {&left_, &right_, &now_})
    *sample = {std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
  load_noise_.assign(count, 0.0);
  gap_noise_.assign(count, 0.0);
  open_.reserve(count);
  loaded_.reserve(count);
  impulses_.assign(count, 0.0);
  impacts_.assign(count, {});
}

Ending ContactMarch::cannot_hold(const std::vector<Index>& contacts, double t) const {
  std::string names;
  for (Index c : contacts) names += (names.empty() ? "" : ", ") + contacts_.name(c);
  return {Status::singular, fmt::format("{} cannot hold together at t = {:.10g}", names, t)};
}

std::optional<Ending> ContactMarch::begin(double t, std::vector<double>& y) {
  course_.include_magnitudes(y.data());
  contacts_.scale(t, y.data(), course_.magnitudes());
  contacts_.measure(t, y.data());
  contacts_.refuse_penetration();
  const std::vector<Index> touching = contacts_.touching();
  Observation& observation = recorder_.observation();
  course_.observer().glance(t, y.data(), observation);
  const double before = observation.energy();
  if (std::optional<Ending> ending = strike(t, y, touching)) return ending;
  course_.observer().glance(t, y.data(), observation);
  energy_lost_ = before - observation.energy();
  return take(contacts_.decide(t, y.data(), contacts_.resting(touching, off_gap)), t, y);
}

void ContactMarch::record_begin(const Observation& observation) {
  closed_before_.clear();  // what is closed from the start on has no event
  for (Index c : course_.selection()->closed())
    if (impulses_[c] == 0) closed_before_.push_back(c);
  record_change(observation);
}

// --- inside a step

void ContactMarch::sample(double t, Sample& sample, bool loads) {
  course_.state_at(t, recorder_.inside());
  const double* y = recorder_.inside().data();
  contacts_.measure(t, y);
  std::copy(contacts_.gaps().begin(), contacts_.gaps().end(), sample.gap.begin());
  std::copy(contacts_.rates().begin(), contacts_.rates().end(), sample.rate.begin());
  if (loads) loads_->evaluate(t, y, sample.load, load_noise_);
}

std::optional<ContactMarch::Change> ContactMarch::find_change(double from, double to) {
  const Selection& selection = *course_.selection();
  const std::size_t rows = course_.system().row_count();
  open_.clear();
  loaded_.clear();
  for (Index c = 0; c < contacts_.count(); ++c) {
    gap_noise_[c] = 0.1 * together * contacts_.gap_scale(c);
    if (!contains(selection.closed(), c)) open_.push_back(c);
    if (contains(selection.kept(), static_cast<Index>(rows + c))) loaded_.push_back(c);
  }
  first_.reset();
  gap_search_.find(
      from, to, open_, gap_noise_,
      [this](double t, std::span<double> inputs) {
        inputs[0] = t;
        course_.state_at(t, recorder_.inside());
        std::copy_n(recorder_.inside().begin(), inputs.size() - 1, inputs.begin() + 1);
      },
      [this](std::size_t contact, double left, double right, int way) {
        if (way <= 0) look_for_touch(static_cast<Index>(contact), left, right);
      });
  if (loaded_.empty()) return first_;
  sample(from, now_, true);  // and what in the loads is rounding
  load_search_.find(
      from, to, loaded_, load_noise_,
      [this](double t, std::span<double> loads) {
        sample(t, now_, true);
        std::copy(now_.load.begin(), now_.load.end(), loads.begin());
      },
      [this](std::size_t contact, double left, double right, int way) {
        if (way <= 0) look_for_lift(static_cast<Index>(contact), left, right);
      });
  return first_;
}

void ContactMarch::note_change(const Change& change, RootSearch& search) {
  if (!first_ || change.t < first_->t) first_ = change;
  search.stop_at(first_->t);
}

void ContactMarch::look_for_touch(Index contact, double left, double right) {
  sample(left, left_, false);
  sample(right, right_, false);
  if (const std::optional<double> t = find_touch(contact, left, left_, right, right_))
    note_change({*t, right, contact, false, *t == left}, gap_search_);
}

void ContactMarch::look_for_lift(Index contact, double left, double right) {
  if (first_ && !(left < first_->t)) return;
  sample(right, right_, true);
  if (!(right_.load[contact] < -load_noise_[contact])) return;
  const double now = right_.load[contact];
  sample(left, left_, true);
  const double t = find_lift(contact, left, left_.load[contact], right, now);
  note_change({t, right, contact, true, t == left}, load_search_);
}

/// When an open contact's gap closes between two samples.
std::optional<double> ContactMarch::find_touch(Index contact, double left, const Sample& a, double right,
                                               const Sample& b) {
  const auto gap = [&](double t) {
    sample(t, now_, false);
    return now_.gap[contact];
  };
  const auto rate = [&](double t) {
    sample(t, now_, false);
    return now_.rate[contact];
  };
  const double noise = gap_noise_[contact];
  double end = right, last = b.gap[contact];
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
double ContactMarch::find_lift(Index contact, double left, double before, double right, double now) {
  const double shift = before > load_noise_[contact] ? 0 : load_noise_[contact];
  if (!(before + shift > 0) || !(now + shift < 0)) return left;
  return find_root(
      [&](double t) {
        sample(t, now_, true);
        return now_.load[contact] + shift;
      },
      left, before + shift, right, now + shift);
}

// --- at a change

/// The contacts that hold from the change on; y is the state there and is moved by impacts.
std::optional<ContactDecision> ContactMarch::decide(const Change& change, std::vector<double>& y,
                                                    std::optional<Ending>& ending) {
  const double t = change.t;
  if (change.lifts) {
    const ContactDecision seen = see_lift(change);
    std::fill(impulses_.begin(), impulses_.end(), 0.0);
    return contacts_.hold(t, y.data(), seen.selection->closed(), seen.loaded);
  }
  std::vector<Index> touching;
  contacts_.measure(t, y.data());
  for (Index c = 0; c < contacts_.count(); ++c) {
    const bool closed = contains(closed_before_, c);
    if (c == change.contact || closed || contacts_.gaps()[c] <= together * contacts_.gap_scale(c))
      touching.push_back(c);
  }
  // It leaves, but so slowly that rounding hides its way up from its way down: a hop that is none.
  const bool hops = change.at_start && contacts_.rates()[change.contact] > 0;
  const double approach = -contacts_.rates()[change.contact];
  ending = strike(t, y, touching);
  if (ending) return std::nullopt;
  std::vector<Index> resting = contacts_.resting(touching, slow);
  std::vector<Index> stopped = end_rocking(change.contact, approach, touching);
  if (hops) stopped.push_back(change.contact);
  for (Index c : stopped)
    if (!contains(resting, c)) resting.insert(std::upper_bound(resting.begin(), resting.end(), c), c);
  return contacts_.decide(t, y.data(), resting);
}

std::optional<Ending> ContactMarch::pass(const Change& change) {
  closed_before_ = course_.selection()->closed();
  changes_here_ = change.t > course_.t() ? 0 : changes_here_ + 1;
  if (changes_here_ > most_changes)
    return Ending{Status::undetermined, fmt::format("{} opens and closes without end at t = {:.10g}",
                                                    contacts_.name(change.contact), change.t)};
  std::vector<double> y(course_.system().size());
  course_.state_at(change.t, y);
  course_.include_magnitudes(y.data());
  contacts_.scale(change.t, y.data(), course_.magnitudes());
  Observation& observation = recorder_.observation();
  const bool seen = course_.observer().observe(change.t, y.data(), observation, course_.row_lengths());
  const double before = seen ? observation.jacobi() : 0;
  const double energy = seen ? observation.energy() : 0;
  std::optional<Ending> ending;
  const std::optional<ContactDecision> decision = decide(change, y, ending);
  if (!decision) return ending;
  if (std::optional<Ending> against = take(*decision, change.t, y)) return against;
  course_.restart(change.t, y, decision->selection);
  if (!course_.observer().observe(change.t, y.data(), observation, course_.row_lengths())) {
    const std::string name = name_not_finite(course_.evaluator(), change.t, y.data());
    return Ending{Status::not_finite,
                  fmt::format("{} is not finite at t = {:.10g}", name.empty() ? "the motion" : name, change.t)};
  }
  if (seen) recorder_.lose(before - observation.jacobi());
  energy_lost_ = seen ? energy - observation.energy() : 0;
  return std::nullopt;
}

/// At a lift-off neither the load nor the acceleration of the gap is different from zero: which contacts let go shows a
/// moment later on the motion with all of them held.
ContactDecision ContactMarch::see_lift(const Change& change) {
  const Selection& acting = *course_.selection();
  std::vector<double> y(course_.system().size());
  ContactDecision decision;
  for (double part : {1e-6, 1e-3, 1.0}) {
    const double t = change.t + part * (change.beyond - change.t);
    course_.state_at(t, y);
    decision = contacts_.decide(t, y.data(), acting.closed());
    if (decision.selection->closed() != acting.closed() || decision.selection->kept() != acting.kept()) break;
  }
  return decision;
}

/// The state is put onto the contacts that hold, and what they are at it is noted.
std::optional<Ending> ContactMarch::take(const ContactDecision& decision, double t, std::vector<double>& y) {
  if (!decision.against.empty()) return cannot_hold(decision.against, t);
  for (Index c = 0; c < contacts_.count(); ++c)
    if (!contains(decision.selection->closed(), c)) impacts_[c].settles.reset();
  Projector projector(course_.evaluator(), decision.selection);
  if (projector.factor(t, y.data())) projector.project(t, y.data(), course_.magnitudes());
  contacts_.measure(t, y.data());
  loads_ = std::make_unique<ContactLoads>(course_.evaluator(), decision.selection);
  course_.select(decision.selection);
  return std::nullopt;
}

// --- what is told of it

void ContactMarch::record_change(const Observation& observation) {
  if (is_idle()) return;
  const double least = together * *std::max_element(impulses_.begin(), impulses_.end());
  for (Index c = 0; c < contacts_.count(); ++c) {
    const bool was = contains(closed_before_, c), is = contains(course_.selection()->closed(), c);
    const bool struck = impulses_[c] > least;
    const std::optional<Impact> impact =
        struck ? std::optional(Impact{contacts_.sign(c) * impulses_[c], energy_lost_, several_outcomes_})
               : std::nullopt;
    if (is && !was && !impacts_[c].settles)
      recorder_.add_event(contacts_.name(c), "touch-down", observation, impact);
    else if (struck)
      recorder_.add_event(contacts_.name(c), "impact", observation, impact);
    else if (was && !is)
      recorder_.add_event(contacts_.name(c), "lift-off", observation);
  }
}

std::vector<std::string> ContactMarch::notes() const {
  constexpr std::size_t most = 8;  // the events have all
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < std::min(most, settled_.size()); ++i)
    notes.push_back(
        fmt::format("{}: infinitely many impacts come to an end at t = {:.12g}; the contact lasts from there",
                    contacts_.name(settled_[i].contact), settled_[i].t));
  if (settled_.size() > most)
    notes.push_back(
        fmt::format("so do {} more, until t = {:.12g}: see the events", settled_.size() - most, settled_.back().t));
  if (choices_.count == 0) return notes;
  notes.push_back(fmt::format(
      "{} are struck together at t = {:.10g}{}: one after the other they would leave with other velocities; which "
      "happens is a choice of the model (a gap between them decides it)",
      choices_.names, choices_.first,
      choices_.count > 1 ? fmt::format(", and {} more times", choices_.count - 1) : std::string()));
  return notes;
}

}  // namespace dalembert
