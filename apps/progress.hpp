#pragma once
// A bar on standard error while something takes long.

#include <chrono>
#include <string>

/// Drawn where standard error is a terminal and the work takes longer than half a second; gone when the work is done.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Part of the work that is done, 0 to 1, and what to say of it.
  void show(double part, const std::string& words);
  /// Nothing would be seen now: what to say need not be made.
  bool is_early() const;
  /// "2 min 10 s left": as long again as it took, by the part that is done.
  std::string time_left(double part) const;

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_, drawn_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};
