#pragma once
// A start that satisfies the constraints, or a refusal that says how it does not (numerics 4).

#include "simulate/rank.hpp"

namespace dalembert {

/// Checks a start and moves it onto the constraints: where it is off by no more than 1e-9 always, else only if
/// `project` allows it. Leaves the metric regularised, with an independent set of rows selected.
ConsistentStart make_start(Numeric& numeric, const State& state, bool project, RankDecision& rank);

/// Regularises the metric at the state as evaluated; ModelError naming coordinates if M is not positive definite on the
/// virtual displacements.
void check_inertia(Numeric& numeric);

/// Sizes that start with a state, with floors against noise for a motion of this duration.
Sizes make_sizes(const Numeric& numeric, const double* y, double duration, double tolerance);
/// Renews the floors from what the sizes have become.
void set_floors(const Numeric& numeric, Sizes& sizes, double duration, double tolerance);

/// "x'", "theta": component i of (q, u).
std::string component_name(const Numeric& numeric, std::size_t i);

}  // namespace dalembert
