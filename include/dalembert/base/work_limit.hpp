#pragma once
// What a thread may spend on everything it does, counted and never timed. There is no limit unless one is set.

#include <dalembert/base/failure.hpp>
#include <functional>

namespace dalembert {

/// The work allowed is used up (exit status 3).
class LimitError : public ComputationError {
 public:
  using ComputationError::ComputationError;
};

/// Who watches the work wants it to end.
class StopError : public LimitError {
 public:
  using LimitError::LimitError;
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

/// While it lives, the work of the thread that made it is interrupted each time so many units are spent, to ask whether
/// it shall go on. Where it shall not, it ends as by a limit, and throws StopError. What is found does not depend on it
/// otherwise. One within another takes its place.
class WorkWatch {
 public:
  WorkWatch(double every, std::function<bool()> goes_on);
  ~WorkWatch();
  WorkWatch(const WorkWatch&) = delete;
  WorkWatch& operator=(const WorkWatch&) = delete;

  double every() const { return every_; }
  bool goes_on();

 private:
  double every_;
  std::function<bool()> ask_;
  bool ended_ = false;
  WorkWatch* outer_;
};

namespace detail {
extern constinit thread_local double work_left;  ///< until somebody has to look
/// Where there is none left: what is kept back is looked at, and handed out.
bool find_more_work();
[[noreturn]] void refuse_work();
}  // namespace detail

/// The same for those who can end in good order: false where it is used up.
inline bool try_spend_work(double units) { return (detail::work_left -= units) >= 0 || detail::find_more_work(); }
/// Before the work is done, or after a piece of it that is small. Throws LimitError.
inline void spend_work(double units) {
  if (!try_spend_work(units)) detail::refuse_work();
}

}  // namespace dalembert
