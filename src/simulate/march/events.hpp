#pragma once
// Zero crossings of the model's events inside an accepted step: sampled, then by Brent's method on the projected dense
// output (numerics 5).

#include "simulate/march/recorder.hpp"

namespace dalembert {

/// A crossing: of the model's event of this index.
struct EventRoot {
  std::size_t event;
  double t;
};

class EventSearch {
 public:
  EventSearch(Course& course, Observation& scratch, std::span<double> inside);

  bool is_idle() const { return before_.empty(); }
  /// Values at the start; a function that is zero there has no sign and cannot cross.
  void begin(const Observation& observation);
  /// All crossings in (from, to], in order of time.
  void find(double from, double to, std::vector<EventRoot>& roots);
  /// Where something has changed at once, functions may have jumped over zero: those that did.
  std::vector<std::size_t> find_jumps(const Observation& after);

 private:
  void sample(double t, std::vector<double>& values);
  bool crosses(std::size_t event, double before, double now) const;

  Course& course_;
  Observation& scratch_;
  std::span<double> inside_;
  std::vector<double> before_, now_;
};

}  // namespace dalembert
