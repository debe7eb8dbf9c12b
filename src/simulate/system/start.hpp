#pragma once
// A start that satisfies the constraints, or a refusal that says how it does not (numerics 4).

#include "simulate/system/rank.hpp"

namespace dalembert {

/// A start and the rows that act there: M mended, an independent set of rows kept, no contact closed.
struct Start {
  ConsistentStart found;
  std::shared_ptr<const Selection> selection;
};

/// Checks a start and moves it onto the constraints: where it is off by rounding always, else only if `project` allows
/// it. A state in quasi-velocities is put right in the model's rates.
Start make_start(SystemEvaluator& evaluator, const State& state, bool project);

/// Do the constraints that depend on others at a state stop doing so nearby? Then this is no redundancy but a singular
/// configuration.
bool is_singular_start(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, double t,
                       const double* y, std::span<const double> magnitudes);

}  // namespace dalembert
