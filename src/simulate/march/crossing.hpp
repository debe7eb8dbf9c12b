#pragma once
// Through configurations where the constraints lose rank for an instant (numerics 3). On its branch the motion is
// smooth there; only states off it, and the very instant, cannot be evaluated. So the instant is predicted and put into
// the largest gap between the stages of one step, whose stages are projected; where that fails, the march goes back to
// the last knot that was well conditioned and comes again with other steps.

#include <optional>
#include <utility>

#include "simulate/march/course.hpp"

namespace dalembert {

class Crossing {
 public:
  explicit Crossing(Course& course);

  /// The march starts, or starts again: pivots count from here. No way back over it.
  void begin();
  /// The march starts right before a singular configuration, with a step of h.
  void begin_before(double h);
  /// Another choice of rows at the same knot.
  void begin_rows();
  bool is_near() const;
  /// The step to take where the error allows `h`.
  double plan(double h);
  /// The step just accepted was planned over a singular configuration.
  bool crosses() const { return crosses_; }
  /// The pivot at the end of the step under way.
  void note_end(double pivot) { end_pivot_ = pivot; }
  /// That end is beside a singular configuration that the start is far from: what begins there is noise.
  bool ends_beside() const;
  /// That end has become the knot; the next step would be h.
  void watch(double h);
  /// Stuck near a singular configuration with steps of h, or too near it to step over it: back to the last good knot,
  /// a little otherwise. The step to go on with; nothing if that was tried enough.
  std::optional<double> go_back(double h);

  /// How often it has looked ahead since this was asked last: each time costs about what a factorisation does.
  std::size_t take_looks() { return std::exchange(looks_, 0); }

  double pivot() const { return pivot_; }
  double reference() const { return reference_; }

 private:
  double pivot_ahead(double x);
  void find_bend(double h);
  std::optional<double> distance(double h);
  void note_good(double h);
  void set_reference(double pivot);

  Course& course_;
  double reference_ = 0;  // largest smallest pivot so far; when the rows were selected, where some are redundant
  double pivot_ = 1, end_pivot_ = 1;
  bool falls_ = false, crosses_ = false;
  struct Knot {
    double t = 0, h = 0, pivot = 1;
    std::vector<double> y, slope, choice;
    bool known = false;
  };
  Knot good_;
  int returns_ = 0;
  std::size_t looks_ = 0;
  std::vector<double> ahead_, bend_;
};

}  // namespace dalembert
