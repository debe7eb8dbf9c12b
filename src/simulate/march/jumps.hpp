#pragma once
// Forces that jump or have kinks (sign, abs, min, max) where the method does not see it: between its stages. Inside an
// accepted step all places are found where a formula changes from one piece to another; where the step does not agree
// with the forces between two of them it is taken again up to the place, then over it by a step too short to matter
// (numerics 5).

#include "simulate/march/course.hpp"
#include "simulate/march/root_search.hpp"
#include "simulate/march/sizes.hpp"

namespace dalembert {

class Jumps {
 public:
  Jumps(Course& course, const Sizes& sizes, double tolerance);

  /// The step to try from t where h is wanted: not over a place that is known to have a jump.
  double plan(double t, double h) const;
  /// Whether the step just taken, and found accurate, passed over a jump unseen. plan() then knows of it.
  bool passed_unseen();
  /// Whether the march, now at t, has just gone over a jump: the step to go on with.
  std::optional<double> went_over(double t);

 private:
  void sample(double t, std::span<double> inputs);
  void find_changes();
  void follow(std::size_t function, double right);
  bool agrees(double left, double right);
  bool is_crossing(double t, double h) const;

  Course& course_;
  const Sizes& sizes_;
  double tolerance_;
  BoundKernel kernel_;
  std::optional<RootSearch> search_;
  std::vector<std::size_t> all_;
  std::vector<double> shifts_, inputs_, values_, y_, slope_, sum_;
  std::vector<double> last_t_, last_value_;
  std::vector<double> changes_;  // times, in order
  struct Place {
    double before, after;  // a little before the jump and after it
    double step;           // the step that was too long
  };
  std::optional<Place> place_;
};

}  // namespace dalembert
