#include <algorithm>
#include <dalembert/mechanics/hamel.hpp>

#include "mechanics/hamel/rows.hpp"
#include "mechanics/hamel/solved.hpp"
#include "mechanics/lagrange/dynamics.hpp"
#include "mechanics/simplify.hpp"

// Hamel 1904, (III): d/dt J_l + beta_lnr omega_n J_r - X_l L = Q_l with L as a function of (t, q, omega), all
// velocities kept until it has been differentiated; those that the constraints forbid are then set to zero.

namespace dalembert {
namespace {

class LagrangeEuler {
 public:
  LagrangeEuler(const Model& model, const QuasiFrame& frame, const std::vector<TransitionCoefficient>& beta,
                double patience)
      : graph_(*model.graph), model_(model), frame_(frame), beta_(beta) {
    for (const Coordinate& coordinate : model.coordinates) coordinates_.push_back(coordinate.q);
    for (const QuasiFrame::Velocity& velocity : frame.velocities) {
      omega_.push_back(velocity.symbol);
      if (velocity.row) vanishing_.push_back({velocity.symbol, graph_.constant(0)});
    }
    for (std::size_t l = 0; l < coordinates_.size(); ++l) {
      std::vector<Expr> terms{frame.xi.back()[l]};
      for (std::size_t r = 0; r < omega_.size(); ++r)
        if (!frame.is_solved || !frame.velocities[r].row) terms.push_back(frame.xi[r][l] * omega_[r]);
      rates_.push_back(graph_.sum(terms));
      to_omega_.push_back({model.coordinates[l].rate, rates_[l]});
    }
    Dynamics dynamics = make_dynamics(model);
    Simplifier simplify(2e8 * patience, Simplifier::Form::display);
    lagrangian_ = simplify(in_omega(dynamics.lagrangian));
    energy_ = in_omega(dynamics.energy);
    is_homogeneous_ = is_homogeneous(model_, dynamics.kinetic, rate_symbols());
    force_ = substitute(dynamics.force, to_omega_);
    frame.is_solved ? differentiate_by_frame(dynamics.lagrangian) : differentiate();
  }

  /// Of each equation, the left side minus Q_l, without the terms in omega'; on the constraints.
  std::vector<LagrangeEulerTerms> terms() const {
    std::vector<Expr> all;
    for (std::size_t l = 0; l < frame_.size(); ++l) append_terms(l, all);
    all = on_constraints(all);
    std::vector<LagrangeEulerTerms> result;
    for (auto four = all.begin(); four != all.end(); four += 4) result.push_back({four[0], four[1], four[2], four[3]});
    return result;
  }

  /// The coefficients of omega' in each equation; on the constraints.
  std::vector<std::vector<Entry>> mass() const {
    std::vector<Expr> all;
    for (const auto& row : hessian_)
      for (const Entry& entry : row) all.push_back(entry.value);
    all = on_constraints(all);
    auto next = all.begin();
    std::vector<std::vector<Entry>> result = hessian_;
    for (auto& row : result)
      for (Entry& entry : row) entry.value = *next++;
    return result;
  }

  Expr on_constraints(Expr expression) const { return substitute(expression, vanishing_); }
  std::vector<Expr> on_constraints(const std::vector<Expr>& list) const { return substitute(list, vanishing_); }
  Expr in_omega(Expr expression) const { return substitute(expression, to_omega_); }
  const std::vector<Expr>& rates() const { return rates_; }
  /// q'' at constant omega, on the constraints.
  const std::vector<Expr>& drift() const { return drift_; }
  Expr lagrangian() const { return lagrangian_; }
  Expr energy() const { return energy_; }
  std::vector<Expr> momenta() const { return on_constraints(momentum_); }
  /// d/dt (omega_l J_l - L) along the motion: omega_l (Q_l - beta_l0r J_r) - dL/dt - xi_0s dL/dq_s, the other beta
  /// being antisymmetric.
  Expr power() const {
    std::vector<Expr> terms{-pull_.back()};
    for (std::size_t s = 0; s < coordinates_.size(); ++s) {
      terms.push_back(-frame_.xi.back()[s] * pull_[s]);
      terms.push_back((rates_[s] - frame_.xi.back()[s]) * force_[s]);
    }
    for (const TransitionCoefficient& b : beta_)
      if (b.nu == omega_.size()) terms.push_back(-b.value * omega_[b.mu] * momentum_[b.rho]);
    return on_constraints(graph_.sum(terms));
  }
  /// omega_l J_l - L is the energy.
  bool energy_is_jacobi() const {
    bool at_rest = std::ranges::all_of(frame_.xi.back(), [](Expr entry) { return entry.is_zero(); });
    return is_homogeneous_ && at_rest;
  }

 private:
  /// Convective, coupling, pull, force.
  void append_terms(std::size_t l, std::vector<Expr>& to) const {
    std::vector<Expr> coupling, pull, force;
    for (const TransitionCoefficient& b : beta_) {
      if (b.mu == l) coupling.push_back(b.value * omega(b.nu) * momentum_[b.rho]);
      if (b.nu == l) coupling.push_back(-b.value * omega(b.mu) * momentum_[b.rho]);
    }
    for (std::size_t s = 0; s < coordinates_.size(); ++s) {
      pull.push_back(frame_.xi[l][s] * pull_[s]);
      force.push_back(frame_.xi[l][s] * force_[s]);
    }
    to.insert(to.end(), {convective_[l], graph_.sum(coupling), graph_.sum(pull), graph_.sum(force)});
  }
  void differentiate() {
    std::vector<Expr> variables = coordinates_;
    variables.push_back(model_.time);
    momentum_ = gradient(lagrangian_, omega_);
    pull_ = gradient(lagrangian_, variables);
    hessian_ = sparse_jacobian(momentum_, omega_);
    convective_ = directional_derivative(momentum_, drift_direction(model_.time, coordinates_, rates_));
    const std::vector<Expr> allowed = on_constraints(rates_);
    drift_ = directional_derivative(allowed, drift_direction(model_.time, coordinates_, allowed));
  }
  void differentiate_by_frame(Expr lagrangian) {
    SolvedDerivatives solved = differentiate_solved(model_, frame_, lagrangian, rates_);
    momentum_ = std::move(solved.momentum);
    pull_ = std::move(solved.pull);
    convective_ = std::move(solved.convective);
    drift_ = std::move(solved.drift);
    hessian_ = carry_hessian(lagrangian);
  }
  /// xi_l M xi_m from the Hessian M over the rates: shorter than differentiating through a large inverse.
  std::vector<std::vector<Entry>> carry_hessian(Expr lagrangian) const {
    const std::vector<Expr> symbols = rate_symbols();
    auto hessian = sparse_jacobian(gradient(lagrangian, symbols), symbols);
    for (auto& row : hessian)
      for (Entry& entry : row) entry.value = in_omega(entry.value);
    std::vector<std::vector<Entry>> result(omega_.size());
    for (std::uint32_t m = 0; m < omega_.size(); ++m) {
      std::vector<Expr> image;  // M xi_m
      for (const auto& row : hessian) {
        std::vector<Expr> terms;
        for (const Entry& entry : row) terms.push_back(entry.value * frame_.xi[m][entry.column]);
        image.push_back(graph_.sum(terms));
      }
      for (std::size_t l = 0; l < omega_.size(); ++l) {
        std::vector<Expr> terms;
        for (std::size_t s = 0; s < image.size(); ++s) terms.push_back(frame_.xi[l][s] * image[s]);
        if (Expr sum = graph_.sum(terms); !sum.is_zero()) result[l].push_back({m, sum});
      }
    }
    return result;
  }
  std::vector<Expr> rate_symbols() const {
    std::vector<Expr> symbols;
    for (const Coordinate& coordinate : model_.coordinates) symbols.push_back(coordinate.rate);
    return symbols;
  }
  Expr omega(std::size_t n) const { return n < omega_.size() ? omega_[n] : graph_.constant(1); }

  Graph& graph_;
  const Model& model_;
  const QuasiFrame& frame_;
  const std::vector<TransitionCoefficient> beta_;
  std::vector<Expr> coordinates_, omega_, rates_, drift_, momentum_, pull_, force_, convective_;  // pull of time last
  std::vector<Replacement> to_omega_, vanishing_;
  std::vector<std::vector<Entry>> hessian_;
  Expr lagrangian_, energy_;
  bool is_homogeneous_ = false;
};

void set_symbols(const Model& model, const QuasiFrame& frame, const LagrangeEuler& system, Equations& equations) {
  equations.graph = model.graph;
  equations.by = "hamel";
  equations.time = model.time;
  for (const Coordinate& coordinate : model.coordinates) {
    equations.coordinates.push_back(coordinate.q);
    equations.start_coordinates.push_back(coordinate.value);
  }
  for (const QuasiFrame::Velocity& velocity : frame.velocities) {
    if (velocity.row) continue;
    equations.velocities.push_back(velocity.symbol);
    equations.accelerations.push_back(velocity.acceleration);
  }
  equations.rates = system.on_constraints(system.rates());
  equations.model_coordinates = equations.coordinates;
  equations.model_rates = equations.rates;
  for (std::size_t l = 0; l < model.coordinates.size(); ++l) {
    std::vector<Expr> terms{system.drift()[l]};
    for (std::size_t r = 0; r < frame.size(); ++r)
      if (!frame.velocities[r].row) terms.push_back(frame.xi[r][l] * frame.velocities[r].acceleration);
    equations.model_accelerations.push_back(model.graph->sum(terms));
  }
}

/// omega_r = pi_rl q'_l + pi_r0.
Expr formula_of(const Model& model, const std::vector<Expr>& pi) {
  std::vector<Expr> terms{pi.back()};
  for (std::size_t l = 0; l < model.coordinates.size(); ++l) terms.push_back(pi[l] * model.coordinates[l].rate);
  return model.graph->sum(terms);
}

void set_frame(const Model& model, const QuasiFrame& frame, Equations& equations) {
  QuasiVelocities& quasi = equations.quasi.emplace();
  quasi.completion = frame.completion;
  for (std::size_t r = 0; r < frame.size(); ++r) {
    const QuasiFrame::Velocity& velocity = frame.velocities[r];
    quasi.frame.push_back({velocity.name, formula_of(model, frame.pi[r]), velocity.row.has_value(), velocity.place});
    if (!velocity.row) quasi.formulas.push_back(quasi.frame.back().formula);
  }
}

/// Symbols only, to form rows over the coordinates' rates.
Equations make_symbols_in_rates(const Model& model) {
  Equations in_rates;
  in_rates.graph = model.graph;
  in_rates.time = model.time;
  for (const Coordinate& coordinate : model.coordinates) {
    in_rates.coordinates.push_back(coordinate.q);
    in_rates.velocities.push_back(coordinate.rate);
  }
  in_rates.rates = in_rates.velocities;
  return in_rates;
}

/// Geometric constraints over the coordinates, to be kept by projecting positions; one-sided ones over the velocities.
void set_constraints(const Model& model, Equations& equations) {
  Equations in_rates = make_symbols_in_rates(model);
  auto direction = drift_direction(equations.time, equations.coordinates, equations.rates);
  const std::vector<Binding> start = state_bindings(model), beside = bindings_beside(model);
  // A row that vanishes only where branches cross is one.
  const auto is_nothing = [&](const std::vector<Expr>& slopes) {
    return is_rounding(slopes, start) && (beside.empty() || is_rounding(slopes, beside));
  };
  std::vector<Replacement> rest;
  for (const Expr& velocity : equations.velocities) rest.push_back({velocity, model.graph->constant(0)});
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind == ConstraintKind::differential) continue;
    ConstraintRow row = make_row(in_rates, constraint, constraint.f);
    if (constraint.kind == ConstraintKind::geometric) {
      std::vector<Expr> slopes;
      for (const Entry& entry : row.jacobian) slopes.push_back(entry.value);
      if (!is_nothing(slopes)) equations.quasi->position_rows.push_back(std::move(row));
      continue;
    }
    Expr psi = directional_derivative(constraint.f, direction);  // affine in u
    row.jacobian = sparse_jacobian({&psi, 1}, equations.velocities)[0];
    row.offset = substitute(psi, rest);
    row.drift = directional_derivative(psi, direction);
    equations.contacts.push_back(std::move(row));
  }
}

/// What each one-sided constraint exerts on a velocity, by the symbol of its reaction.
std::vector<Expr> contact_pressures(const Model& model, const std::vector<Expr>& xi) {
  std::vector<Replacement> along;
  for (std::size_t s = 0; s < xi.size(); ++s) along.push_back({model.coordinates[s].q, xi[s]});
  std::vector<Expr> pressures;
  for (const Constraint& constraint : model.constraints)
    if (constraint.kind == ConstraintKind::one_sided)
      pressures.push_back(directional_derivative(constraint.f, along) *
                          model.graph->symbol(reaction_symbol(constraint.name)));
  return pressures;
}

/// Where constraints depend on each other: what the kept ones exert, for multipliers of least norm over all.
void set_recovery(const Model& model, const QuasiFrame& frame, Equations& equations) {
  if (frame.dependent.empty()) return;
  Equations in_rates = make_symbols_in_rates(model);
  std::vector<Replacement> rates;
  for (std::size_t l = 0; l < model.coordinates.size(); ++l)
    rates.push_back({model.coordinates[l].rate, equations.rates[l]});
  Recovery& recovery = equations.recovery.emplace();
  std::vector<std::vector<Expr>> terms(model.coordinates.size());
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind == ConstraintKind::one_sided) continue;
    ConstraintRow row = make_row(in_rates, constraint, constraint.f);
    row.drift = substitute(row.drift, rates);
    for (const ReactionFormula& kept : equations.quasi->reactions)
      if (kept.name == constraint.name)
        for (const Entry& entry : row.jacobian) terms[entry.column].push_back(entry.value * kept.value);
    recovery.rows.push_back(std::move(row));
  }
  for (const auto& sum : terms) recovery.force.push_back(model.graph->sum(sum));
}

void set_energies(const Model& model, const LagrangeEuler& system, Equations& equations) {
  equations.lagrangian = system.on_constraints(system.lagrangian());
  equations.energy = system.on_constraints(system.energy());
  std::vector<Expr> momentum = gradient(equations.lagrangian, equations.velocities);
  std::vector<Expr> terms{-equations.lagrangian};
  for (std::size_t i = 0; i < momentum.size(); ++i) terms.push_back(momentum[i] * equations.velocities[i]);
  equations.jacobi = model.graph->sum(terms);
  equations.jacobi_power = system.power();
  equations.energy_is_jacobi = system.energy_is_jacobi();
}

/// Completing constraints by numbers takes the cube of their number at every evaluation: beyond a few dozen the
/// coordinates' rates are the frame, all beta vanish, and constraints keep their multipliers (Hamel 1904, (III)).
bool is_in_rates(const Model& model) {
  constexpr std::size_t largest_completed = 60;
  const auto is_equality = [](const Constraint& c) { return c.kind != ConstraintKind::one_sided && !c.is_unit; };
  return model.quasi_velocities.empty() && model.coordinates.size() > largest_completed &&
         std::ranges::any_of(model.constraints, is_equality);
}

}  // namespace

std::vector<LagrangeEulerTerms> derive_lagrange_euler_terms(const Model& model, const QuasiFrame& frame,
                                                            const std::vector<TransitionCoefficient>& beta) {
  LagrangeEuler system(model, frame, beta, frame.is_solved ? 0 : reading_patience);
  return system.terms();
}

std::vector<Expr> derive_momenta(const Model& model, const QuasiFrame& frame) {
  return LagrangeEuler(model, frame, {}, 0).momenta();
}

Equations derive_hamel(std::shared_ptr<const Model> own, const QuasiFrame& frame,
                       const std::vector<TransitionCoefficient>& beta) {
  return derive_hamel(std::move(own), frame, beta, frame.is_solved ? 0 : reading_patience);
}

Equations derive_hamel(std::shared_ptr<const Model> own, const QuasiFrame& frame,
                       const std::vector<TransitionCoefficient>& beta, double patience) {
  const Model& model = *own;
  LagrangeEuler system(model, frame, beta, patience);
  Equations equations;
  equations.model = own;
  set_symbols(model, frame, system, equations);
  set_frame(model, frame, equations);

  constexpr std::uint32_t forbidden = ~0u;
  std::vector<std::uint32_t> place(frame.size(), forbidden);  // of each velocity among the independent ones
  for (std::uint32_t r = 0, next = 0; r < frame.size(); ++r)
    if (!frame.velocities[r].row) place[r] = next++;

  Simplifier simplify(3e8 * patience, Simplifier::Form::display);
  const std::vector<std::vector<Entry>> rows = system.mass();
  const std::vector<LagrangeEulerTerms> all_terms = system.terms();
  for (std::size_t l = 0; l < frame.size(); ++l) {
    std::vector<Entry> mass;  // of an independent velocity the lower triangle
    for (const Entry& entry : rows[l])
      if (place[entry.column] != forbidden && place[entry.column] <= place[l])
        mass.push_back({place[entry.column], simplify(entry.value)});
    std::erase_if(mass, [](const Entry& entry) { return entry.value.is_zero(); });
    const LagrangeEulerTerms& terms = all_terms[l];
    Expr bias = simplify(terms.convective + terms.coupling - terms.pull - terms.force);
    if (place[l] != forbidden) {
      equations.mass.push_back(std::move(mass));
      equations.bias.push_back(bias);
      equations.force.push_back(terms.force);
      continue;
    }
    // The surplus equation of a forbidden velocity omega = s psi: its left side is lambda / s.
    const Constraint& constraint = model.constraints[*frame.velocities[l].row];
    std::vector<Expr> surplus{bias};
    for (const Entry& entry : mass) surplus.push_back(entry.value * equations.accelerations[entry.column]);
    for (const Expr& pressure : contact_pressures(model, frame.xi[l])) surplus.push_back(-pressure);
    if (!constraint.is_unit)
      equations.quasi->reactions.push_back({constraint.name, frame.velocities[l].scale * model.graph->sum(surplus)});
  }
  set_constraints(model, equations);
  set_recovery(model, frame, equations);
  set_energies(model, system, equations);
  Equations in_rates = derive_multipliers(own);
  equations.released = in_rates.released;
  in_rates.contacts.clear();
  equations.quasi->in_rates = std::make_shared<const Equations>(std::move(in_rates));
  return equations;
}

Equations derive_hamel(const Model& model) {
  auto own = std::make_shared<const Model>(fork(model));
  QuasiFrame frame = make_frame(*own);
  return derive_hamel(own, frame, derive_transition_coefficients(*own, frame));
}

HamelDerivation derive_hamel_motion(const Model& model, Patience patience) {
  return derive_hamel_motion(std::make_shared<const Model>(fork(model)), patience);
}

HamelDerivation derive_hamel_motion(std::shared_ptr<const Model> own, Patience wanted) {
  const Model& model = *own;
  HamelDerivation result;
  if (is_in_rates(model)) {
    result.equations = derive_multipliers(own);
    result.equations.by = "hamel";
    return result;
  }
  result.frame = make_motion_frame(model);
  // Short formulas are fast code, but not worth waiting for; rates themselves gain nothing.
  const bool turned = std::ranges::any_of(model.frames, [](const Frame& frame) { return !frame.quaternion.empty(); });
  const bool gains = !result.frame.is_solved && (!model.quasi_velocities.empty() || turned);
  const double patience = wanted == Patience::some && gains ? 0.2 : 0;
  result.beta = derive_transition_coefficients(model, result.frame, patience);
  result.equations = derive_hamel(own, result.frame, result.beta, patience);
  return result;
}

}  // namespace dalembert
