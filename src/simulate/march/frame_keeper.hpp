#pragma once
// The frame of quasi-velocities along the march: chosen again where the engine chose it, else an end where it loses
// rank.

#include "simulate/march/recorder.hpp"
#include "simulate/system/frame_watch.hpp"

namespace dalembert {

class FrameKeeper {
 public:
  FrameKeeper(Course& course, Observation& scratch);

  void begin();
  /// A step must not end where the frame is singular, nor on its other side.
  bool allows(double t, const double* y);
  /// At a knot: the same motion in other velocities where these have worn, numbers changed and no code. True if so.
  bool watch();
  /// Why the march cannot go on, if it is the frame; empty if not.
  std::string problem();
  const std::vector<double>& chosen_at() const { return chosen_at_; }

 private:
  Course& course_;
  Observation& scratch_;
  FrameWatch frame_;
  double pivot_ = 1;  // when a frame was chosen; of a given one the best so far
  bool positive_ = true, refused_ = false;
  std::vector<double> chosen_at_;
};

}  // namespace dalembert
