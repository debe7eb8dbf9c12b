#pragma once
// What a sweep's threads share: the system compiled with everything that the study keeps among its columns.

#include <dalembert/expr/evaluator.hpp>
#include <dalembert/simulate/ensemble.hpp>
#include <dalembert/study/sweep.hpp>

namespace dalembert {

[[noreturn]] inline void refuse(const Sweep& sweep, const Text& at, std::string key, std::string problem,
                                std::string remedy) {
  throw InputError({sweep.file, at.place, std::move(key), std::move(problem), std::move(remedy)});
}

/// One kept number and where it is found.
struct KeptColumn {
  enum class When : std::uint8_t { end, largest, smallest };
  std::string name;
  std::size_t column = 0;  ///< of the motion
  When when = When::end;
};

/// Where everything stands that is kept.
struct SweepLayout {
  std::vector<KeptColumn> kept;
  std::vector<std::string> section_events;  ///< none: at the motion's rows
  std::vector<std::size_t> section_columns, motion_columns;
  std::vector<std::string> section_names, motion_names;
  bool strobes = false;     ///< the section is at the motion's rows
  bool reads_rows = false;  ///< something else needs rows between start and end
};

struct SweepPlan::Parts {
  Sweep sweep;
  std::size_t runs;
  SweepLayout layout;
  System system;
  std::optional<Ensemble> ensemble;     ///< where motions can go in lanes
  Evaluator times;                      ///< of the parameters: until, every, tolerance of a run
  std::vector<bool> is_parameter = {};  ///< of the axes; the others are of the start
};

/// What one thread needs to make runs: the options of each, and its rows when it is done.
class SweepRun {
 public:
  SweepRun(const SweepPlan::Parts& plan, const std::atomic<bool>* stop)
      : plan_(plan), stop_(stop), workspace_(plan.system.make_workspace()) {}

  /// Throws InputError where its numbers make no sense.
  SimulateOptions options(std::size_t run);
  /// Of a motion, or of what was thrown instead of one; nothing where the stop flag broke it off.
  std::optional<SweepResult> rows(std::size_t run, const Trajectory& motion, const std::exception_ptr& failure,
                                  SweepResult empty) const;
  /// Both, one run alone.
  std::optional<SweepResult> make(std::size_t run, SweepResult empty);

 private:
  void add_rows(std::size_t run, const std::vector<double>& values, const Trajectory& motion, SweepResult& to) const;

  const SweepPlan::Parts& plan_;
  const std::atomic<bool>* stop_;
  Workspace workspace_;
};

}  // namespace dalembert
