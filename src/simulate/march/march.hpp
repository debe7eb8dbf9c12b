#pragma once
// The march: attempt a step, judge it, put it back onto the constraints, look inside it, go on.

#include "simulate/march/contact_march.hpp"
#include "simulate/march/crossing.hpp"
#include "simulate/march/events.hpp"
#include "simulate/march/frame_keeper.hpp"
#include "simulate/march/jumps.hpp"
#include "simulate/march/row_keeper.hpp"
#include "simulate/march/run_up.hpp"
#include "simulate/march/sizes.hpp"
#include "simulate/march/step_control.hpp"

namespace dalembert {

struct MarchOptions {
  double until, every, tolerance;
  std::string method;
  std::function<void(double)> progress;
  const std::atomic<bool>* stop = nullptr;
  Follower* follower = nullptr;
};

/// Of a step, in the units of a WorkLimit: what it takes in any case, where there is no straight-line code for the
/// rows that act or every stage is put back onto them, and for each look ahead at the pivots.
struct StepWork {
  double always, without_code, look;
};

class March {
 public:
  March(SystemEvaluator& evaluator, const Start& start, const MarchOptions& options, Trajectory& result);
  /// From the start to an ending; everything goes into the trajectory.
  void run();

  // --- the same step by step: while (plan()) { take(); finish(); }, where a pack may take plain steps instead
  /// The length of the next step; nothing once the march has ended.
  std::optional<double> plan();
  /// Stages are evaluated as they come: nothing moves their states.
  bool is_plain() const;
  void take(double h);
  /// After the step was taken: by `take`, or by a pack, which has also evaluated the derivative at its end: it holds
  /// where no constraints move that end.
  void finish(double h, bool in_pack = false);
  Course& course() { return course_; }

 private:
  /// What became of an attempted step.
  enum class Verdict : std::uint8_t { accepted, too_coarse, not_finite, off_constraints, beside, contradicts, frame };
  struct Attempt {
    Verdict verdict;
    double factor;     ///< what the step should be multiplied with next; of an accepted one its error tells
    double error = 0;  ///< in units of the tolerance
  };

  std::optional<Ending> begin();
  std::optional<Ending> check_start(const std::optional<SingularStart>& start);
  bool run_up();
  bool run_up_in_rates();
  void begin_before(const RunUp& found);
  void set_first(const std::string& name, double value);
  void note_singular(const SingularStart& singular);
  Ending refuse_start(const SingularStart& singular) const;
  void leave_open(const Selection& singular);
  void restart_parts();
  void measure_noise(std::span<const double> slope);
  void measure_noise_again();
  double first_step();
  Attempt judge(double h, bool in_pack);
  Attempt judge_constraints(double t);
  std::optional<Ending> retry(double h, const Attempt& outcome);
  /// Rows, events and contacts of the accepted step; what ends the march.
  std::optional<Ending> look_inside();
  std::optional<Ending> pass_event(const EventRoot& root);
  std::optional<Ending> pass_change(const ContactMarch::Change& change);
  std::optional<Ending> go_on(double h, const Attempt& outcome);
  void keep_rows();
  std::optional<Ending> is_stuck(double h);
  bool give_up() const;
  std::optional<Ending> settle(double h, const Attempt& outcome);
  Ending diagnose_here();
  double work_of_a_step();
  bool is_stopped() const;
  Ending interrupted(double t, bool on_request = false) const;
  void end(const Ending& ending);

  Start start_;
  MarchOptions options_;
  Trajectory& result_;
  Course course_;
  Sizes sizes_;
  StepControl control_;
  Recorder recorder_;
  Crossing crossing_;
  Jumps jumps_;
  RowKeeper rows_;
  FrameKeeper frame_;
  EventSearch events_;
  ContactMarch contacts_;

  double h_ = 0;
  double limit_ =
      std::numeric_limits<double>::infinity();  // of the step at hand, where there is nothing beyond the end
  double processed_ = 0;                        // rows and events are done up to here
  double longest_step_ = 0;
  StepWork step_work_;
  bool begun_ = false, ended_ = false;
  bool restarted_ = false;
  int rejections_here_ = 0;
  std::optional<RowKeeper::Violated> violated_;  // by a step that was not taken and would have gone beyond here
  double milestone_ = 0;                         // the time when progress was last looked at
  std::size_t milestone_rejected_ = 0;           // steps rejected until then
  std::vector<EventRoot> roots_;
  std::vector<double> slope_, unprojected_;
};

}  // namespace dalembert
