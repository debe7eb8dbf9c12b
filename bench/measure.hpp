#pragma once
// Times and figures against their limits, as every benchmark prints them.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string_view>

namespace dalembert::bench {

inline double processor_time() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Processor seconds of one call.
inline double seconds_once(const std::function<void()>& call) {
  double start = processor_time();
  call();
  return processor_time() - start;
}

/// Processor seconds a call takes, the least of several rounds: what the machine can do when it is left alone.
inline double seconds(const std::function<void()>& call, double budget = 0.2) {
  long repeats = 1;
  double best = 1e300;
  for (double begin = processor_time(); processor_time() - begin < budget || best > 1e200;) {
    double took = seconds_once([&] {
      for (long i = 0; i < repeats; ++i) call();
    });
    best = std::min(best, took / static_cast<double>(repeats));
    if (took < 1e-3) repeats *= 2;
  }
  return best;
}

/// Whether every figure reported so far kept its limit.
inline bool all_within = true;

/// One line: the figure, its limit, the verdict.
inline void report(std::string_view what, double figure, double limit, std::string_view unit, bool at_least = false) {
  bool within = at_least ? figure >= limit : figure <= limit;
  all_within = all_within && within;
  fmt::print("{:<62} {:>10.3f} {:<12} {} {:>7.2f}  {}\n", what, figure, unit, at_least ? ">=" : "<=", limit,
             within ? "PASS" : "over");
  std::fflush(stdout);
}

}  // namespace dalembert::bench
