#include <algorithm>
#include <dalembert/hamel.hpp>

#include "mechanics/lagrange/assembly.hpp"
#include "mechanics/simplify.hpp"

// Hamel 1904, (III): d/dt J_l + beta_lnr omega_n J_r - X_l L = Q_l with L as a function of (t, q, omega), all
// velocities kept until it has been differentiated; those that the constraints forbid are then set to zero.

namespace dalembert {
namespace {

class LagrangeEuler {
 public:
  LagrangeEuler(const Model& model, const QuasiFrame& frame, const std::vector<TransitionCoefficient>& beta)
      : graph_(*model.graph), model_(model), frame_(frame), beta_(beta) {
    for (const Coordinate& coordinate : model.coordinates) coordinates_.push_back(coordinate.q);
    for (const QuasiFrame::Velocity& velocity : frame.velocities) {
      omega_.push_back(velocity.symbol);
      if (velocity.row) vanishing_.push_back({velocity.symbol, graph_.constant(0)});
    }
    for (std::size_t l = 0; l < coordinates_.size(); ++l) {
      std::vector<Expr> terms{frame.xi.back()[l]};
      for (std::size_t r = 0; r < omega_.size(); ++r) terms.push_back(frame.xi[r][l] * omega_[r]);
      rates_.push_back(graph_.sum(terms));
      to_omega_.push_back({model.coordinates[l].rate, rates_[l]});
    }
    Assembly assembly = assemble(model);
    Simplifier simplify(2.0, Simplifier::Form::display);
    lagrangian_ = simplify(in_omega(assembly.lagrangian));
    energy_ = in_omega(assembly.energy);
    momentum_ = gradient(lagrangian_, omega_);
    pull_ = gradient(lagrangian_, coordinates_);
    force_ = substitute(assembly.force, to_omega_);
    hessian_ = sparse_jacobian(momentum_, omega_);
    convective_ = directional_derivative(momentum_, drift_direction(model.time, coordinates_, rates_));
  }

  /// The left side of equation l minus Q_l, without the terms in omega'; on the constraints.
  Expr bias(std::size_t l) const {
    std::vector<Expr> terms{convective_[l]};
    for (const TransitionCoefficient& b : beta_) {
      if (b.mu == l) terms.push_back(b.value * omega(b.nu) * momentum_[b.rho]);
      if (b.nu == l) terms.push_back(-b.value * omega(b.mu) * momentum_[b.rho]);
    }
    for (std::size_t s = 0; s < coordinates_.size(); ++s) terms.push_back(-frame_.xi[l][s] * (pull_[s] + force_[s]));
    return on_constraints(graph_.sum(terms));
  }

  /// The coefficients of omega' in equation l; on the constraints.
  std::vector<Entry> mass_row(std::size_t l) const {
    std::vector<Entry> row = hessian_[l];
    for (Entry& entry : row) entry.value = on_constraints(entry.value);
    return row;
  }

  Expr on_constraints(Expr expression) const { return substitute(expression, vanishing_); }
  Expr in_omega(Expr expression) const { return substitute(expression, to_omega_); }
  const std::vector<Expr>& rates() const { return rates_; }
  Expr lagrangian() const { return lagrangian_; }
  Expr energy() const { return energy_; }
  Expr work_of_force() const {
    std::vector<Expr> terms;
    for (std::size_t s = 0; s < coordinates_.size(); ++s) terms.push_back(force_[s] * rates_[s]);
    return graph_.sum(terms);
  }
  Expr generalized_force(std::size_t l) const {
    std::vector<Expr> terms;
    for (std::size_t s = 0; s < coordinates_.size(); ++s) terms.push_back(frame_.xi[l][s] * force_[s]);
    return on_constraints(graph_.sum(terms));
  }

 private:
  Expr omega(std::size_t n) const { return n < omega_.size() ? omega_[n] : graph_.constant(1); }

  Graph& graph_;
  const Model& model_;
  const QuasiFrame& frame_;
  const std::vector<TransitionCoefficient>& beta_;
  std::vector<Expr> coordinates_, omega_, rates_, momentum_, pull_, force_, convective_;
  std::vector<Replacement> to_omega_, vanishing_;
  std::vector<std::vector<Entry>> hessian_;
  Expr lagrangian_, energy_;
};

void set_symbols(const Model& model, const QuasiFrame& frame, const LagrangeEuler& system, Equations& equations) {
  equations.graph = model.graph;
  equations.by = "hamel";
  equations.time = model.time;
  for (const Coordinate& coordinate : model.coordinates) equations.coordinates.push_back(coordinate.q);
  std::vector<Replacement> second;
  for (const QuasiFrame::Velocity& velocity : frame.velocities) {
    if (velocity.row) continue;
    equations.velocities.push_back(velocity.symbol);
    equations.accelerations.push_back(velocity.acceleration);
    second.push_back({velocity.symbol, velocity.acceleration});
  }
  for (const Expr& rate : system.rates()) equations.rates.push_back(system.on_constraints(rate));
  equations.model_coordinates = equations.coordinates;
  equations.model_rates = equations.rates;
  for (const Replacement& along : drift_direction(model.time, equations.coordinates, equations.rates))
    second.push_back(along);
  equations.model_accelerations = directional_derivative(equations.rates, second);
}

/// omega = pi q' + pi_0 at the initial state.
void set_start(const Model& model, const QuasiFrame& frame, Equations& equations) {
  InitialState start = initial_state(model);
  equations.start_coordinates = start.q;
  std::vector<Binding> bindings{{model.time, 0.0}};
  std::vector<double> parameters = parameter_values(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) bindings.push_back({model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < start.q.size(); ++i) bindings.push_back({model.coordinates[i].q, start.q[i]});
  for (std::size_t r = 0; r < frame.size(); ++r) {
    if (frame.velocities[r].row) continue;
    std::vector<double> pi = evaluate(frame.pi[r], bindings);
    double value = pi.back();
    for (std::size_t l = 0; l < start.rate.size(); ++l) value += pi[l] * start.rate[l];
    equations.start_velocities.push_back(value);
  }
}

}  // namespace

Equations derive_hamel(const Model& model, const QuasiFrame& frame, const std::vector<TransitionCoefficient>& beta) {
  LagrangeEuler system(model, frame, beta);
  Equations equations;
  set_symbols(model, frame, system, equations);
  set_start(model, frame, equations);

  constexpr std::uint32_t forbidden = ~0u;
  std::vector<std::uint32_t> place(frame.size(), forbidden);  // of each velocity among the independent ones
  for (std::uint32_t r = 0, next = 0; r < frame.size(); ++r)
    if (!frame.velocities[r].row) place[r] = next++;

  Simplifier simplify(3.0, Simplifier::Form::display);
  for (std::size_t l = 0; l < frame.size(); ++l) {
    std::vector<Entry> mass;
    for (const Entry& entry : system.mass_row(l))
      if (place[entry.column] != forbidden) mass.push_back({place[entry.column], simplify(entry.value)});
    std::erase_if(mass, [](const Entry& entry) { return entry.value.is_zero(); });
    Expr bias = simplify(system.bias(l));
    if (place[l] != forbidden) {
      std::erase_if(mass, [&](const Entry& entry) { return entry.column > place[l]; });
      equations.mass.push_back(std::move(mass));
      equations.bias.push_back(bias);
      equations.force.push_back(system.generalized_force(l));
      continue;
    }
    // The surplus equation of a forbidden velocity omega = s psi: its left side is lambda / s.
    const Constraint& constraint = model.constraints[*frame.velocities[l].row];
    std::vector<Expr> terms{bias};
    for (const Entry& entry : mass) terms.push_back(entry.value * equations.accelerations[entry.column]);
    if (!constraint.is_unit)
      equations.reaction_formulas.push_back({constraint.name, frame.velocities[l].scale * model.graph->sum(terms)});
  }

  Equations in_rates;  // only to form rows over the coordinates
  in_rates.graph = model.graph;
  in_rates.time = model.time;
  in_rates.coordinates = equations.coordinates;
  for (const Coordinate& coordinate : model.coordinates) in_rates.velocities.push_back(coordinate.rate);
  in_rates.rates = in_rates.velocities;
  for (const Constraint& constraint : model.constraints)
    if (constraint.kind == ConstraintKind::geometric)
      equations.held.push_back(make_row(in_rates, constraint, constraint.f));

  equations.lagrangian = system.on_constraints(system.lagrangian());
  equations.energy = system.on_constraints(system.energy());
  std::vector<Expr> momentum = gradient(equations.lagrangian, equations.velocities);
  std::vector<Expr> terms{-equations.lagrangian};
  for (std::size_t i = 0; i < momentum.size(); ++i) terms.push_back(momentum[i] * equations.velocities[i]);
  equations.jacobi = model.graph->sum(terms);
  equations.jacobi_power = system.on_constraints(system.work_of_force()) - derivative(equations.lagrangian, model.time);
  return equations;
}

Equations derive_hamel(const Model& model) {
  QuasiFrame frame = make_frame(model);
  return derive_hamel(model, frame, derive_transition_coefficients(model, frame));
}

}  // namespace dalembert
