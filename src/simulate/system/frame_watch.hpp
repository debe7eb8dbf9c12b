#pragma once
// Whether the rows of a frame of quasi-velocities stay independent along a motion.

#include "simulate/system/evaluator.hpp"

namespace dalembert {

class FrameWatch {
 public:
  explicit FrameWatch(SystemEvaluator& evaluator);

  /// The frame may lose rank on the way; else it is the same everywhere, or there is none.
  explicit operator bool() const { return size_ > 0; }
  /// After other numbers were chosen for it: lengths count afresh.
  void renew_choice();

  struct Reading {
    double pivot = 1;         ///< of rows in units of their largest lengths so far, eliminated in order: the smallest
    bool positive = true;     ///< the sign of the determinant
    std::size_t weakest = 0;  ///< the velocity with the smallest pivot
  };
  Reading read(double t, const double* q);

 private:
  SystemEvaluator& evaluator_;
  std::size_t size_ = 0;
  std::vector<double> inputs_, values_, matrix_, length_;
};

}  // namespace dalembert
