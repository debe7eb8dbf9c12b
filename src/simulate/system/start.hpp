#pragma once
// A start that satisfies the constraints, or a refusal that says how it does not (numerics 4).

#include "simulate/rank.hpp"

namespace dalembert {

/// Checks a start and moves it onto the constraints: where it is off by no more than 1e-9 always, else only if
/// `project` allows it. Leaves the metric regularised, with an independent set of rows selected.
ConsistentStart make_start(Numeric& numeric, const State& state, bool project, RankDecision& rank);

/// The same for quasi-velocities: a state in the model's rates, put right by the model's own constraints, becomes one
/// in the equations' velocities.
ConsistentStart make_quasi_start(Numeric& numeric, const State& in_rates, bool project, RankDecision& rank);

/// Regularises the metric at the state as evaluated; ModelError naming coordinates if M is not positive definite on the
/// virtual displacements.
void check_inertia(Numeric& numeric);

/// Sizes that start with a state, with floors against noise for a motion of this duration.
Sizes make_sizes(const Numeric& numeric, const double* y, double duration, double tolerance);
/// Renews the floors from what the sizes have become.
void set_floors(const Numeric& numeric, Sizes& sizes, double duration, double tolerance);

/// The floors where velocities are quasi-velocities; `part` of each block's size.
void set_quasi_floors(const Numeric& numeric, Sizes& sizes, double duration, double part);

/// "x'", "theta": component i of (q, u).
std::string component_name(const Numeric& numeric, std::size_t i);

}  // namespace dalembert
