#pragma once
// Rows, events and summary of a march: what goes into the trajectory. It looks at the march and changes nothing in it.

#include "simulate/march/follower.hpp"

namespace dalembert {

class Recorder {
 public:
  /// `stop` is looked at before each row.
  Recorder(Course& course, double until, double every, Trajectory& result, Follower* follower = nullptr,
           const std::atomic<bool>* stop = nullptr);

  /// The first row, at the start; false where it cannot be had.
  bool begin();
  /// The same of a start inside the step taken last.
  bool begin_inside(double t);
  /// Rows at k * every up to `t`, and at the end of the run where that is reached. Those within rounding of a contact's
  /// change are written after it: not inclusive. False where the run shall end before that, or has no work left.
  bool write_until(double t, bool inclusive);
  /// A row of a state that has been observed.
  void write(const Observation& observation, const double* y);
  void add_event(const std::string& name, const std::string& kind, const Observation& observation,
                 const std::optional<Impact>& impact = {});
  /// Jacobi's function has lost so much at an impact.
  void lose(double energy) { lost_ += energy; }

  /// Room for an observation inside the step, for whoever looks there.
  Observation& observation() { return observation_; }
  std::span<double> inside() { return inside_; }

 private:
  void write_first(double t);
  void note(const Observation& observation, const double* y);
  double row_time(double k) const;
  bool goes_on() const;

  Course& course_;
  double until_, every_;
  Trajectory& result_;
  Follower* follower_;
  const std::atomic<bool>* stop_;
  double work_of_a_row_;
  Observation observation_;
  std::vector<double> inside_, row_;
  double next_ = 0;                     // the next row is at row_time(next_)
  double numerator_, denominator_ = 1;  // every_ as a decimal fraction, where it is one
  double lost_ = 0;
};

}  // namespace dalembert
