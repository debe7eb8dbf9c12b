#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "output.hpp"

ProgressBar::ProgressBar() : enabled_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_) say_raw(fmt::format("\r{:79}\r", ""));
}

bool ProgressBar::is_early() const {
  return !enabled_ || Clock::now() - last_ < std::chrono::milliseconds(drawn_ ? 100 : 500);
}

void ProgressBar::show(double part, const std::string& words) {
  if (is_early()) return;
  const double done = std::clamp(part, 0.0, 1.0);
  const std::string bar(static_cast<std::size_t>(std::lround(30 * done)), '#');
  say_raw(fmt::format("\r[{:<30}] {:3.0f} %  {:<40}", bar, 100 * done, words));
  last_ = Clock::now();
  drawn_ = true;
}

std::string ProgressBar::time_left(double part) const {
  if (!(part > 0)) return "";
  const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
  const auto left = static_cast<long>(spent * (1 - part) / part);
  if (left >= 3600) return fmt::format("{} h {} min left", left / 3600, left / 60 % 60);
  if (left >= 60) return fmt::format("{} min {} s left", left / 60, left % 60);
  return fmt::format("{} s left", left);
}
