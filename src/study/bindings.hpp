#pragma once
// A state as values of the symbols.

#include <dalembert/simulate/simulate.hpp>

namespace dalembert {

/// Parameters, time, coordinates and velocities of the equations.
std::vector<Binding> bindings_at(const Model& model, const Equations& equations, const State& state);

}  // namespace dalembert
