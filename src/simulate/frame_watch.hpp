#pragma once
// Whether the rows of a frame of quasi-velocities stay independent along a motion.

#include <dalembert/mechanics/equations.hpp>

#include "simulate/kernel.hpp"

namespace dalembert {

class FrameWatch {
 public:
  FrameWatch() = default;
  FrameWatch(const Model& model, const Equations& equations, std::span<const Expr> parameters,
             std::span<const double> values);

  /// The frame is the same everywhere, or there is none: nothing to watch.
  bool empty() const { return size_ == 0; }
  void set_parameters(std::span<const double> values);

  struct Reading {
    double pivot = 1;         ///< of rows in units of their largest lengths so far, eliminated in order: the smallest
    bool positive = true;     ///< the sign of the determinant
    std::size_t weakest = 0;  ///< the velocity with the smallest pivot
  };
  Reading read(double t, const double* q);

 private:
  std::size_t size_ = 0;
  Kernel kernel_;
  std::vector<std::pair<std::size_t, std::size_t>> pattern_;  // (velocity, coordinate) of the entries of pi
  std::vector<double> inputs_, values_, matrix_, length_;
};

}  // namespace dalembert
