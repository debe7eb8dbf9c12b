#pragma once
// The state of equations as numbers, what it is in the model's coordinates and rates (ModelState), and both as values
// of symbols.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// A time with the coordinates and velocities of the equations.
struct State {
  double t = 0;
  std::vector<double> q, u;
  std::vector<double> choice = {};  ///< where the engine chose the velocities: the numbers that say which they are
};

/// At t = 0, as written, under these values of the model's parameters (parameter_values). Where the engine chooses
/// velocities, it does so at this state; InputError where it cannot.
State initial_state(const Equations& equations, std::span<const double> parameters);

/// The state that has the model's coordinates and rates, taken by name; velocities that the equations leave out are not
/// looked at, coordinates that the model does not have (multipliers of a vakonomic motion) are those of the start.
/// InputError where the equations' coordinates are not the model's (a reduction).
State to_state(const Equations& equations, const ModelState& in_model, std::span<const double> parameters);
ModelState to_model_state(const Equations& equations, const State& state, std::span<const double> parameters);

/// Values of time, the parameters, the coordinates, the velocities and the numbers of a choice.
std::vector<Binding> bind_symbols(const Equations& equations, const State& state, std::span<const double> parameters);

}  // namespace dalembert
