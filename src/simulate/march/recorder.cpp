#include "simulate/march/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

namespace dalembert {
namespace {

constexpr std::size_t largest_reserve = std::size_t{1} << 25;  // numbers; longer runs grow as they go

void note_drift(Drift& drift, double value, bool first) {
  if (first) drift.start = value;
  drift.largest = std::max(drift.largest, std::abs(value - drift.start));
}

}  // namespace

Recorder::Recorder(Course& course, double until, double every, Trajectory& result, Follower* follower,
                   const std::atomic<bool>* stop)
    : course_(course),
      until_(until),
      every_(every),
      result_(result),
      follower_(follower),
      stop_(stop),
      work_of_a_row_(2 * static_cast<double>(course.system().columns.size())),
      observation_(course.system()),
      inside_(course.system().size()),
      row_(course.system().columns.size()),
      numerator_(every) {
  for (double digits = 10; digits <= 1e15 && std::floor(numerator_) != numerator_; digits *= 10) {
    const double whole = std::round(every * digits);
    if (whole / digits == every && whole < 1e15) {
      numerator_ = whole;
      denominator_ = digits;
    }
  }
  result_.columns = course.system().columns;
  result_.rows = Table(row_.size());
}

/// k * every, rounded once: 0.3 is the row after 0.2, and not 3 times the number nearest to 0.1.
double Recorder::row_time(double k) const {
  constexpr double exact = 9007199254740992;  // whole numbers up to 2^53 are
  return k * numerator_ < exact ? k * numerator_ / denominator_ : k * every_;
}

bool Recorder::begin() {
  std::copy(course_.state().begin(), course_.state().end(), inside_.begin());
  if (!course_.observer().observe(course_.t(), inside_.data(), observation_, course_.row_lengths())) return false;
  write_first(course_.t());
  return true;
}

bool Recorder::begin_inside(double t) {
  if (!course_.observe_at(t, inside_, observation_)) return false;
  write_first(t);
  return true;
}

void Recorder::write_first(double t) {
  const double rows = (until_ - t) / every_ + 3, most = static_cast<double>(largest_reserve / row_.size() + 1);
  result_.rows.reserve(static_cast<std::size_t>(std::min(rows, most)));
  result_.summary.energy.name = "energy";
  result_.summary.balance.name = "energy balance";
  for (const std::string& name : course_.system().integral_names) result_.summary.integrals.push_back({name, 0, 0});
  if (follower_) follower_->begin(course_);
  write(observation_, inside_.data());
  next_ = std::max(0.0, std::floor(t / every_ * (1 + 1e-12))) + 1;
}

void Recorder::note(const Observation& observation, const double* y) {
  const CompiledSystem& system = course_.system();
  const bool first = result_.rows.size() == 1;
  Summary& summary = result_.summary;
  summary.largest_kinetic = std::max(summary.largest_kinetic, observation.kinetic);
  summary.largest_residual = std::max(summary.largest_residual, observation.residual);
  const double work = system.has_work ? y[system.q_count() + system.u_count()] : 0;
  note_drift(summary.energy, observation.energy(), first);
  note_drift(summary.balance, observation.jacobi() + lost_ - work, first);
  for (std::size_t k = 0; k < summary.integrals.size(); ++k)
    note_drift(summary.integrals[k], observation.integrals()[k], first);
}

void Recorder::write(const Observation& observation, const double* y) {
  observation.write_row(row_);
  result_.rows.add(row_);
  result_.last.t = observation.t;
  const double* u = y + course_.system().q_count();
  result_.last.q.assign(y, u);
  result_.last.u.assign(u, u + course_.system().u_count());
  const auto choice = course_.evaluator().choice();
  result_.last.choice.assign(choice.begin(), choice.end());
  note(observation, y);
  if (follower_) follower_->add_row(course_, observation.t);
}

bool Recorder::goes_on() const {
  return !(stop_ && stop_->load(std::memory_order_relaxed)) && try_spend_work(work_of_a_row_);
}

bool Recorder::write_until(double t, bool inclusive) {
  const double slack = 1e-9 * every_;
  while (true) {
    const double at = row_time(next_);
    if (at > until_ - slack || at > t || (!inclusive && at >= t * (1 - std::copysign(1e-13, t)))) break;
    if (!goes_on()) return false;
    course_.observe_at(at, inside_, observation_);
    write(observation_, inside_.data());
    ++next_;
  }
  if (inclusive && t >= until_) {
    course_.observe_at(until_, inside_, observation_);
    write(observation_, inside_.data());
  }
  return true;
}

void Recorder::add_event(const std::string& name, const std::string& kind, const Observation& observation,
                         const std::optional<Impact>& impact) {
  observation.write_row(row_);
  result_.events.push_back({name, kind, observation.t, row_, impact});
  if (follower_) follower_->add_event(course_, result_.events.back());
}

}  // namespace dalembert
