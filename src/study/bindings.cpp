#include "study/bindings.hpp"

namespace dalembert {

std::vector<Binding> bindings_at(const Model& model, const Equations& equations, const State& state) {
  std::vector<Binding> bindings{{equations.time, state.t}};
  std::vector<double> parameters = parameter_values(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) bindings.push_back({model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < state.q.size(); ++i) bindings.push_back({equations.coordinates[i], state.q[i]});
  for (std::size_t i = 0; i < state.u.size(); ++i) bindings.push_back({equations.velocities[i], state.u[i]});
  return bindings;
}

}  // namespace dalembert
