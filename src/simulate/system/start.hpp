#pragma once
// A start that satisfies the constraints, or a refusal that says how it does not (numerics 4).

#include "simulate/system/assembly.hpp"
#include "simulate/system/rank.hpp"

namespace dalembert {

/// A start and the rows that act there: M mended, an independent set of rows kept, no contact closed.
struct Start {
  ConsistentStart found;
  std::shared_ptr<const Selection> selection;
  /// Of quasi-velocities, where constraints depend on each other: the state in the model's rates.
  std::optional<ModelState> in_rates;
};

/// Checks a state and moves what is free of it onto the constraints; what is given is kept to the last digit, or is
/// off by rounding only. Not of quasi-velocities.
Start make_start(SystemEvaluator& evaluator, const State& state, const Freedom& freedom);
/// The same where all is free if `project` allows it, and nothing else. A state in quasi-velocities is put right in the
/// model's rates.
Start make_start(SystemEvaluator& evaluator, const State& state, bool project);
/// The start that the model asks for, with these numbers given instead: guesses are solved for, conditions met. With
/// `project` everything is a guess.
Start make_initial_start(SystemEvaluator& evaluator, const NamedNumbers& instead, bool project);
/// Of a reduction: what it gives agrees with what the model's coordinates are given, its guesses follow from them.
Start make_reduced_start(SystemEvaluator& evaluator, const NamedNumbers& instead, bool project);

/// What is a guess among these coordinates, which are the system's first, and is not given instead.
Freedom free_guesses(const CompiledSystem& system, const std::vector<Coordinate>& coordinates,
                     const NamedNumbers& instead);

/// The same system in the model's rates, under the same parameters; and a state of quasi-velocities there.
class InRates {
 public:
  explicit InRates(const SystemEvaluator& evaluator);
  SystemEvaluator& evaluator() { return evaluator_; }
  std::vector<double> state(SystemEvaluator& quasi, double t, const double* y);

 private:
  SystemEvaluator evaluator_;
};

/// Do the constraints that depend on others at a state stop doing so nearby? Then this is no redundancy but a singular
/// configuration.
bool is_singular_start(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, double t,
                       const double* y, std::span<const double> magnitudes);

}  // namespace dalembert
