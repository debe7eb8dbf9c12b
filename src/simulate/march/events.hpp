#pragma once
// Zero crossings of the model's events inside an accepted step, none of which is missed between samples: RootSearch
// isolates them, Brent's method follows each on the projected dense output (numerics 5).

#include "simulate/march/recorder.hpp"
#include "simulate/march/root_search.hpp"

namespace dalembert {

/// A crossing: of the model's event of this index.
struct EventRoot {
  std::size_t event;
  double t;
};

class EventSearch {
 public:
  EventSearch(Course& course, Observation& scratch, std::span<double> inside);

  bool is_idle() const { return last_.empty(); }
  /// Values at the start; a function that is zero there has no sign and cannot cross.
  void begin(const Observation& observation);
  /// All crossings in (from, to], in order of time.
  void find(double from, double to, std::vector<EventRoot>& roots);
  /// Where something has changed at once, functions may have jumped over zero: those that did.
  std::vector<std::size_t> find_jumps(const Observation& after);
  /// Of functions that stayed so near zero that crossings could not be told from rounding, what a user should know.
  std::vector<std::string> notes() const;

 private:
  /// The last value of a function that has a sign, and where it had it.
  struct Seen {
    double t = 0, value = 0;
    double noise = 0;               // what is not above it has no sign
    bool stands_out = false;        // something is, in the step at hand
    bool gave_up = false;           // its search, there
    bool had_sign = false;          // at some time
    std::optional<double> unclear;  // from when on its zeros could not be told apart
  };

  void sample(double t);
  void search(double from, double to, std::span<const std::size_t> events, std::vector<EventRoot>& roots);
  bool is_to_search_again(std::size_t event);
  bool crosses(std::size_t event, double before, double now) const;
  void go_to(std::size_t event, double t, std::vector<EventRoot>& roots);

  Course& course_;
  Observation& scratch_;
  std::span<double> inside_;
  BoundKernel kernel_;
  std::vector<double> values_, shifts_;
  std::vector<std::size_t> all_, again_;
  std::vector<Seen> last_, before_;  // and at the beginning of the step
  std::vector<bool> is_flat_;        // nothing but rounding in the step before
  std::optional<RootSearch> search_;
  bool by_motion_ = false;  // some event reads accelerations or reactions
  double sampled_ = 0;      // where values_ are
};

}  // namespace dalembert
