#include <algorithm>
#include <dalembert/base/work_limit.hpp>
#include <limits>

namespace dalembert {
namespace {

constinit thread_local double kept_back = 0;  ///< what may be spent besides work_left, after a look
constinit thread_local WorkWatch* watch = nullptr;

double all_left() { return detail::work_left + kept_back; }

/// As much as may be spent before somebody looks, and the rest.
void hand_out(double all) {
  detail::work_left = watch == nullptr ? all : std::min(all, watch->every());
  kept_back = watch == nullptr ? 0 : all - detail::work_left;
}

}  // namespace

constinit thread_local double detail::work_left = std::numeric_limits<double>::infinity();

bool detail::find_more_work() {
  if (watch == nullptr || !watch->goes_on()) return false;
  const double all = all_left();
  if (all >= 0) hand_out(all);
  return all >= 0;
}

void detail::refuse_work() {
  if (watch != nullptr && !watch->goes_on()) throw StopError("the work was stopped on request");
  throw LimitError("the work allowed is used up");
}

WorkLimit::WorkLimit(double units) : units_(units), outer_(all_left()) { hand_out(std::min(units, outer_)); }

WorkLimit::~WorkLimit() { hand_out(outer_ - (std::min(units_, outer_) - all_left())); }

WorkWatch::WorkWatch(double every, std::function<bool()> goes_on)
    : every_(every), ask_(std::move(goes_on)), outer_(watch) {
  const double all = all_left();
  watch = this;
  hand_out(all);
}

WorkWatch::~WorkWatch() {
  const double all = all_left();
  watch = outer_;
  hand_out(all);
}

/// Whoever wanted an end once is not asked again: what was caught on the way must not go on.
bool WorkWatch::goes_on() {
  if (!ended_ && !ask_()) ended_ = true;
  return !ended_;
}

}  // namespace dalembert
