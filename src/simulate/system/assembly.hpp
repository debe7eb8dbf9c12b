#pragma once
// What is free of a state, moved onto the constraints: positions, then rates, by the least in the kinetic metric
// (numerics 4).

#include "simulate/system/evaluator.hpp"

namespace dalembert {

/// What of a state may move, and whether the model's conditions at t = 0 count beside the constraints.
struct Freedom {
  std::vector<bool> free;  ///< of each component of (q, u)
  bool conditions = false;

  bool any() const;
  bool all() const;  ///< nothing is given
};
Freedom fix_all(const CompiledSystem& system);
Freedom free_all(const CompiledSystem& system);

/// The free positions that satisfy the geometric rows of a selection (contacts that it closes too) and conditions,
/// nearest to where they were. False if they cannot be met from here: then y is as near as it came.
bool assemble_positions(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                        double t, std::vector<double>& y);
/// The free rates that satisfy all rows and conditions.
bool assemble_rates(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                    double t, std::vector<double>& y);
/// Both at once, for positions that only rates determine.
bool assemble_together(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                       double t, std::vector<double>& y);

/// Free components of (q, u) that neither constraints nor conditions determine at y.
std::vector<bool> find_undetermined(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection,
                                    const Freedom& freedom, double t, const double* y);

}  // namespace dalembert
