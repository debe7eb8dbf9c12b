#pragma once
// The march: attempt a step, judge it, put it back onto the constraints, look inside it, go on.

#include "simulate/march/contact_march.hpp"
#include "simulate/march/crossing.hpp"
#include "simulate/march/events.hpp"
#include "simulate/march/frame_keeper.hpp"
#include "simulate/march/row_keeper.hpp"
#include "simulate/march/sizes.hpp"
#include "simulate/march/step_control.hpp"
#include "simulate/system/start.hpp"

namespace dalembert {

struct MarchOptions {
  double until, every, tolerance;
  std::string method;
  std::function<void(double)> progress;
  const std::atomic<bool>* stop = nullptr;
};

class March {
 public:
  March(SystemEvaluator& evaluator, const Start& start, const MarchOptions& options, Trajectory& result);
  /// From the start to an ending; everything goes into the trajectory.
  void run();

 private:
  /// What became of an attempted step.
  enum class Verdict : std::uint8_t { accepted, too_coarse, not_finite, off_constraints, frame };
  struct Attempt {
    Verdict verdict;
    double factor;     ///< what the step should be multiplied with next; of an accepted one its error tells
    double error = 0;  ///< in units of the tolerance
  };

  std::optional<Ending> begin();
  std::optional<Ending> check_start();
  bool run_up();
  void leave_open(const Selection& singular);
  void restart_parts();
  void measure_noise(std::span<const double> slope);
  void measure_noise_again();
  double first_step();
  Attempt attempt(double h);
  Attempt judge_constraints(double t);
  std::optional<Ending> retry(double h, const Attempt& outcome);
  /// Rows, events and contacts of the accepted step; what ends the march.
  std::optional<Ending> look_inside();
  std::optional<Ending> pass_event(const EventRoot& root);
  std::optional<Ending> pass_change(const ContactMarch::Change& change);
  std::optional<Ending> go_on(double h, const Attempt& outcome);
  std::optional<Ending> keep_rows();
  std::optional<Ending> is_stuck(double h);
  bool give_up() const;
  Ending diagnose_here();
  void end(const Ending& ending);

  Start start_;
  MarchOptions options_;
  Trajectory& result_;
  Course course_;
  Sizes sizes_;
  StepControl control_;
  Recorder recorder_;
  Crossing crossing_;
  RowKeeper rows_;
  FrameKeeper frame_;
  EventSearch events_;
  ContactMarch contacts_;

  double h_ = 0;
  double limit_ =
      std::numeric_limits<double>::infinity();  // of the step at hand, where there is nothing beyond the end
  double processed_ = 0;                        // rows and events are done up to here
  double longest_step_ = 0;
  double work_of_a_step_;
  bool restarted_ = false;
  int rejections_here_ = 0;
  double milestone_ = 0;                // the time when progress was last looked at
  std::size_t milestone_rejected_ = 0;  // steps rejected until then
  std::vector<EventRoot> roots_;
  std::vector<double> slope_;
};

}  // namespace dalembert
