#pragma once
// What a thread may spend on everything it does, counted and never timed. There is no limit unless one is set.

#include <dalembert/base/failure.hpp>

namespace dalembert {

/// The work allowed is used up (exit status 3).
class LimitError : public ComputationError {
 public:
  using ComputationError::ComputationError;
};

/// While it lives, the thread that made it may spend so many units, of about 10 ns of one core each: formulas built,
/// terms arranged, programs made, steps taken. Where they are used up a motion ends with what it has, and everything
/// else throws LimitError. One within another counts for both.
class WorkLimit {
 public:
  explicit WorkLimit(double units);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  double units_, outer_;
};

namespace detail {
extern constinit thread_local double work_left;
[[noreturn]] void refuse_work();
}  // namespace detail

/// Before the work is done, or after a piece of it that is small. Throws LimitError.
inline void spend_work(double units) {
  if ((detail::work_left -= units) < 0) detail::refuse_work();
}
/// The same for those who can end in good order: false where it is used up.
inline bool try_spend_work(double units) { return (detail::work_left -= units) >= 0; }

}  // namespace dalembert
