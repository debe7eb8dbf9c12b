#pragma once
// Where a march is and what acts there: what its parts share. Each part has its own state besides.

#include "simulate/march/method.hpp"
#include "simulate/system/frame_watch.hpp"
#include "simulate/system/magnitudes.hpp"
#include "simulate/system/observer.hpp"
#include "simulate/system/projector.hpp"

namespace dalembert {

class Course {
 public:
  Course(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const std::string& method);

  SystemEvaluator& evaluator() { return evaluator_; }
  const CompiledSystem& system() const { return evaluator_.system(); }
  Method& method() { return *method_; }

  /// The knot from which the next step is taken.
  double t() const { return t_; }
  std::span<double> state() { return method_->start(); }
  std::span<double> slope() { return method_->start_derivative(); }
  /// The march goes on from (t, y) with these rows; its derivative is made by factor. Lengths of rows count afresh.
  void restart(double t, std::span<const double> y, std::shared_ptr<const Selection> selection);
  /// Back to an earlier knot with its derivative, in the velocities that were chosen there.
  void go_back(double t, std::span<const double> y, std::span<const double> slope, std::span<const double> choice);
  /// The accepted step's end becomes the knot.
  void advance();

  /// The rows that act, and what is made for them.
  const std::shared_ptr<const Selection>& selection() const { return selection_; }
  void select(std::shared_ptr<const Selection> selection);
  Derivative& derivative() { return *derivative_; }
  Projector& projector() { return *projector_; }
  const Projector& projector() const { return *projector_; }
  Observer& observer() { return *observer_; }
  const SlopeFunction& f() const { return f_; }
  std::size_t evaluations() const { return evaluations_ + derivative_->evaluations(); }
  /// That somebody else has made.
  void note_evaluations(std::size_t count) { evaluations_ += count; }
  /// Largest lengths of the rows at knots so far, in units of which pivots count.
  std::span<double> row_lengths() { return row_lengths_; }

  /// The constraints may lose rank on the way, and how far they are from it: the smallest pivot of the rows, in units
  /// of their lengths. Of quasi-velocities that the engine chooses: of those that constraints hold at zero.
  bool may_lose_rank() const { return !selection_->active().empty() || held_; }
  double pivot();                                 ///< at the knot
  double pivot_ahead(double t, const double* y);  ///< at a state that may not be come to; 0 where there is none
  double pivot_at_end(double t);                  ///< of the step under way, whose end the projector has factored
  /// So long are the held velocities' rows at a state that the motion has come from.
  void include_held(double t, const double* q);

  /// The largest smallest pivot so far: far below it the configuration is singular.
  void set_best_pivot(double pivot) { best_pivot_ = pivot; }

  std::span<const double> magnitudes() const { return magnitudes_.values(); }
  std::span<const double> magnitudes_with(const double* y) { return magnitudes_.with(y); }
  void include_magnitudes(const double* y) { magnitudes_.include(y); }

  /// The state at a time inside the step taken last, on the constraints.
  void state_at(double t, std::span<double> y);
  /// And everything that is told of it; false where that cannot be had.
  bool observe_at(double t, std::span<double> y, Observation& observation);

 private:
  bool has_singular_frame(double t, const double* y);
  bool observe_between(double t, std::span<double> y, Observation& observation);

  SystemEvaluator& evaluator_;
  std::unique_ptr<Method> method_;
  double t_ = 0;
  std::shared_ptr<const Selection> selection_;
  std::unique_ptr<Derivative> derivative_;
  std::unique_ptr<Projector> projector_;  // of the march itself
  std::unique_ptr<Projector> inside_;     // of states inside steps: what is looked at does not change the march
  std::unique_ptr<Observer> observer_;
  SlopeFunction f_;
  std::size_t evaluations_ = 0;  // of derivatives for earlier selections
  Magnitudes magnitudes_;
  std::vector<double> row_lengths_, raw_;
  FrameWatch frame_;                // of states inside steps
  std::optional<FrameWatch> held_;  // of knots
  double best_pivot_ = 0;
};

}  // namespace dalembert
