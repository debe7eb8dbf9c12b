// Quasi-velocities: to and from the model's rates, and a start that the model's own constraints are content with.

#include <algorithm>
#include <cmath>
#include <dalembert/mechanics/hamel.hpp>

#include "simulate/start.hpp"

namespace dalembert {

namespace {

std::vector<Binding> bind_rates(const Numeric& numeric, const State& in_rates) {
  const Model& model = numeric.model();
  std::vector<Binding> bindings{{model.time, in_rates.t}};
  for (std::size_t i = 0; i < numeric.parameters().size(); ++i)
    bindings.push_back({numeric.parameter_symbols()[i], numeric.parameters()[i]});
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    bindings.push_back({model.coordinates[i].q, in_rates.q[i]});
    bindings.push_back({model.coordinates[i].rate, in_rates.u[i]});
  }
  return bindings;
}

}  // namespace

std::vector<double> Numeric::velocities_of(const State& in_rates) const {
  return dalembert::evaluate(equations_.velocity_formulas, bind_rates(*this, in_rates));
}

bool Numeric::choose(const State& in_rates) {
  const std::vector<double> values = choose_completion(equations_.completion, bind_rates(*this, in_rates));
  if (values.size() != equations_.completion.symbols.size()) return false;
  std::copy(values.begin(), values.end(), parameters_.begin() + std::ssize(model_.parameters));
  for (Kernel* kernel : {&dynamics_, &constraints_, &rates_, &contact_kernel_, fast_ ? &*fast_ : nullptr})
    if (kernel && *kernel) kernel->set_parameters(parameters_);
  if (!frame_.empty()) frame_.set_parameters(parameters_);
  return true;
}

bool Numeric::choose_again(double t, double* y) {
  const State in_rates{t, {y, y + q_count()}, rates_of(t, y)};
  if (!choose(in_rates)) return false;
  const std::vector<double> u = velocities_of(in_rates);
  std::copy(u.begin(), u.end(), y + q_count());
  return true;
}

std::vector<double> Numeric::state_vector(const State& state) const {
  std::vector<double> y(state.q);
  y.insert(y.end(), state.u.begin(), state.u.end());
  y.resize(size(), 0.0);
  return y;
}

std::vector<double> Numeric::rates_of(double t, const double* y) {
  set_inputs(t, y);
  if (rates_are_velocities_) return {y + q_count(), y + q_count() + u_count()};
  rates_(inputs_.data(), rates_values_.data());
  return {rates_values_.begin(), rates_values_.begin() + static_cast<std::ptrdiff_t>(q_count())};
}

ConsistentStart make_quasi_start(Numeric& numeric, const State& in_rates, bool project, RankDecision& rank) {
  Equations lagrange = derive_multipliers(numeric.model());
  lagrange.contacts.clear();
  Numeric full(numeric.model(), lagrange);
  ConsistentStart start = make_start(full, in_rates, project, rank);
  if (numeric.has_choice()) numeric.choose(start.state);
  start.state.u = numeric.velocities_of(start.state);
  std::vector<double> y = numeric.state_vector(start.state);
  if (numeric.evaluate(start.state.t, y.data())) check_inertia(numeric);
  rank = decide_rank(numeric, start.state.t, y.data());
  return start;
}

// Velocities that have not yet moved are sized by what the forces make of them in the time of the motion; angles and
// quaternions have the size 1 by nature.
void set_quasi_floors(const Numeric& numeric, Sizes& sizes, double duration, double part) {
  const std::size_t q = numeric.q_count();
  std::vector<double> reach(sizes.block_count(), 0.0);
  std::size_t k = 0;
  for (std::size_t i = 0; i < numeric.u_count(); ++i) {
    double inertia = 0;
    for (const Entry& entry : numeric.equations().mass[i]) {
      if (entry.column == i) inertia = numeric.mass()[k];
      ++k;
    }
    double& speed = reach[numeric.blocks()[q + i]];
    if (inertia > 0) speed = std::max(speed, duration * std::abs(numeric.bias()[i]) / inertia);
  }
  for (Index block = 0; block < reach.size(); ++block)
    if (sizes.block_size(block) > 0) reach[block] = sizes.block_size(block);
  for (std::size_t i = 0; i < q; ++i)
    if (const Index block = numeric.blocks()[i]; block != 0) reach[block] = std::max(reach[block], 1.0);
  for (Index block = 0; block < reach.size(); ++block) sizes.set_floor(block, part * reach[block]);
}

}  // namespace dalembert
