#pragma once
// What goes along with a march: it is shown each step, row and change in the order of time, and changes nothing.

#include "simulate/march/course.hpp"

namespace dalembert {

/// A contact that opened or closed. The course is already behind it.
struct PassedChange {
  double t;
  Index contact;
  bool lifts;
  std::span<const double> before;                     ///< y as it came there
  const std::shared_ptr<const Selection>& selection;  ///< that acted until there
};

class Follower {
 public:
  virtual ~Follower() = default;

  /// Where the motion starts.
  virtual void begin(Course& course) = 0;
  /// A step has been accepted. It may begin at an earlier knot than the one before did.
  virtual void begin_step(Course& course) = 0;
  /// A row has been written of this time inside the step, or of the knot where the motion starts.
  virtual void add_row(Course& course, double t) = 0;
  virtual void add_event(Course& course, const EventRecord& event) = 0;
  /// The step counts up to this time.
  virtual void end_step(Course& course, double t) = 0;
  virtual void pass_change(Course& course, const PassedChange& change) = 0;
};

}  // namespace dalembert
