#pragma once
// Which constraints depend on which, at a state (numerics 2).

#include "simulate/system/evaluator.hpp"

namespace dalembert {

/// Rank of the active rows of a selection, scaled to unit length in the kinetic metric.
struct RankDecision {
  std::shared_ptr<const Selection> selection;  ///< with an independent set of rows kept
  double smallest = 1;                         ///< smallest kept diagonal of the pivoted factor
  double largest_dropped = 0;                  ///< largest dropped one
};
/// Rows that vanish count as dependent.
RankDecision decide_rank(const Evaluation& at, std::shared_ptr<const Selection> selection,
                         const std::vector<bool>& vanishing = {});

/// Rows of the equations that read 0 = 0 at a state: every entry of A is what rounding leaves of terms that cancel.
std::vector<bool> find_vanishing(SystemEvaluator& evaluator, double t, const double* y, const Evaluation& at);

/// The selection of a state where all rows of the equations act and no contact is closed: M mended where it is
/// singular, an independent set of rows kept. ModelError naming coordinates if M is not positive definite on the
/// virtual displacements.
std::shared_ptr<const Selection> mend(const SystemEvaluator& evaluator, const Evaluation& at,
                                      const std::vector<bool>& vanishing = {});
std::shared_ptr<const Selection> select_rows(SystemEvaluator& evaluator, double t, const double* y,
                                             const Evaluation& at);

/// For each dropped row, its coefficients over the kept ones; the factor is that of the evaluation.
std::vector<std::vector<double>> dependencies(const Evaluation& at, Factor& factor);

/// Least Euclidean norm of multipliers with the same A^T lambda.
void make_least_norm(const Selection& selection, const std::vector<std::vector<double>>& combinations,
                     std::span<double> multipliers);

RankReport report_rank(SystemEvaluator& evaluator, double t, const double* y, const Evaluation& at);

/// Rows whose multiplier is not determined or not bounded: those that take part in the null space of A^T, where rows
/// closer than the threshold to the others' span count as dependent. The factor is that of the evaluation.
std::vector<bool> free_multipliers(const Evaluation& at, Factor& factor, double threshold,
                                   const std::vector<bool>& vanishing = {});

/// With U the left null vectors of A and W its kernel, the velocity v selects a branch of the motion exactly when
/// U^T d2f[v, W] has full row rank (numerics 3).
bool velocity_selects_branch(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, double t,
                             const double* y, double threshold);

}  // namespace dalembert
