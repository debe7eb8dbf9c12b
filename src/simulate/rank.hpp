#pragma once
// Which constraints depend on which, at a state (numerics 2).

#include "simulate/numeric.hpp"

namespace dalembert {

struct RankDecision {
  std::vector<Index> kept, dropped;  ///< ascending
  double smallest = 1;               ///< smallest kept diagonal of the pivoted factor
  double largest_dropped = 0;        ///< largest dropped one
};

/// Rank of the rows scaled to unit length in the kinetic metric. Numeric must have been evaluated at the state; the
/// metric is left factored with the kept rows selected.
RankDecision decide_rank(Numeric& numeric, double t, const double* y);

/// For each dropped row, its coefficients over the kept ones (factor as left by decide_rank).
std::vector<std::vector<double>> dependencies(Numeric& numeric, const RankDecision& decision);

/// Least Euclidean norm of multipliers with the same A^T lambda.
void make_least_norm(const RankDecision& decision, const std::vector<std::vector<double>>& combinations,
                     std::span<double> multipliers);

RankReport report_rank(Numeric& numeric, double t, const double* y);

/// Rows whose multiplier is not determined or not bounded at the state as factored: those that take part in the null
/// space of A^T, where rows closer than the threshold to the others' span count as dependent.
std::vector<bool> free_multipliers(Numeric& numeric, double threshold);

/// With U the left null vectors of A and W its kernel, the velocity v selects a branch of the motion exactly when
/// U^T d2f[v, W] has full row rank (numerics 3).
bool velocity_selects_branch(Numeric& numeric, double t, const double* y, double threshold);

}  // namespace dalembert
