#pragma once
// Whether the rows of a frame of quasi-velocities stay independent along a motion.

#include "simulate/system/evaluator.hpp"

namespace dalembert {

class FrameWatch {
 public:
  /// All velocities of the frame, or those that constraints hold at zero.
  enum class Of : bool { all, held };
  explicit FrameWatch(SystemEvaluator& evaluator, Of rows = Of::all);

  /// The frame may lose rank on the way; else it is the same everywhere, or there is none.
  explicit operator bool() const { return !rows_.empty(); }
  /// After other numbers were chosen for it: lengths count afresh.
  void renew_choice();

  struct Reading {
    double pivot = 1;         ///< of rows in units of their largest lengths so far, eliminated in order: the smallest
    bool positive = true;     ///< the sign of the determinant
    std::size_t weakest = 0;  ///< the velocity with the smallest pivot
  };
  Reading read(double t, const double* q);
  /// The same of a state that the motion need not come to: its lengths do not count for others.
  Reading peek(double t, const double* q);

 private:
  void evaluate(double t, const double* q);
  Reading eliminate(std::span<const double> lengths);

  SystemEvaluator& evaluator_;
  std::size_t size_ = 0;
  std::vector<std::size_t> rows_;  // of the frame
  std::vector<double> inputs_, values_, full_, matrix_, length_, own_, largest_;
};

}  // namespace dalembert
