#pragma once
// One run: from what was asked for to its trajectory, at once or step by step.

#include <chrono>

#include "simulate/march/march.hpp"

namespace dalembert {

/// The options with the model's own in place of what was left out; InputError where they make no sense.
MarchOptions settle_options(const SimulateOptions& options, const Model& model, double start);

class Motion {
 public:
  /// The evaluator has the run's parameters. Throws where the start is refused.
  Motion(SystemEvaluator& evaluator, const SimulateOptions& asked, const MarchOptions& options);

  Motion(const Motion&) = delete;  // its march writes into it
  Motion& operator=(const Motion&) = delete;

  /// Nothing where it is over before it began.
  March* march() { return march_ ? &*march_ : nullptr; }
  /// Once the march has ended.
  Trajectory take();

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Trajectory result_;
  std::optional<March> march_;
};

/// As System::simulate, with something that may go along; the options' parameters become the evaluator's. A second run,
/// to estimate the error, goes alone.
Trajectory run_motion(SystemEvaluator& evaluator, const SimulateOptions& options, Follower* follower = nullptr);

}  // namespace dalembert
