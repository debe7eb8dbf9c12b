#pragma once
// An equilibrium of many coordinates.

#include <dalembert/study/equilibria.hpp>

namespace dalembert {

/// Newton's method by sparse matrices from the model's own start: what it leads to, if anything. Stability is not
/// decided.
Equilibria find_large_equilibrium(const Equations& equations);

}  // namespace dalembert
