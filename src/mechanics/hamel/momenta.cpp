#include <algorithm>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/groups.hpp>
#include <random>

#include "base/tolerances.hpp"
#include "mechanics/hamel/manifold.hpp"
#include "mechanics/hamel/rows.hpp"
#include "mechanics/lagrange/dynamics.hpp"
#include "mechanics/simplify.hpp"

// Hamel 1904, section 4: J_l' = Q_l + X_l L with X_l the extended point transformation, (IIIa').

namespace dalembert {

Expr normalize_quaternions(const Model& model, Expr expression) {
  std::vector<Replacement> replacements;
  for (const Frame& frame : model.frames) {
    if (frame.quaternion.empty()) continue;
    std::vector<Expr> squares;
    for (std::size_t i : frame.quaternion) squares.push_back(pow(model.coordinates[i].q, 2));
    Expr length = sqrt(model.graph->sum(squares));
    for (std::size_t i : frame.quaternion)
      replacements.push_back({model.coordinates[i].q, model.coordinates[i].q / length});
  }
  return replacements.empty() ? expression : substitute(expression, replacements);
}

namespace {

std::vector<Expr> places_in_time(const Model& model) {
  std::vector<Expr> variables{model.time};
  for (const Coordinate& coordinate : model.coordinates) variables.push_back(coordinate.q);
  return variables;
}

/// Whether formulas vanish on the constraints, by their values: true of what is written as zero, false where one of
/// some states tells.
class BySight {
 public:
  BySight(const Model& model, const QuasiFrame& frame) : states_(Manifold(model).points()) {
    std::mt19937_64 random(1904);
    std::uniform_real_distribution<double> speed(-1, 1);
    for (std::vector<Binding>& state : states_)
      for (const QuasiFrame::Velocity& velocity : frame.velocities)
        state.push_back({velocity.symbol, velocity.row ? 0 : speed(random)});
  }
  /// Of all at once: they share most of what they are made of.
  std::vector<std::optional<bool>> operator()(const std::vector<Expr>& formulas) const {
    std::vector<std::optional<bool>> vanish(formulas.size());
    for (std::size_t i = 0; i < formulas.size(); ++i)
      if (formulas[i].is_zero()) vanish[i] = true;
    const std::vector<Expr> sizes = majorant(formulas);
    for (const std::vector<Binding>& state : states_) {
      const std::vector<double> values = evaluate(formulas, state), bounds = evaluate(sizes, state);
      for (std::size_t i = 0; i < formulas.size(); ++i)
        if (std::isfinite(bounds[i]) && std::fabs(values[i]) > tolerance::clearly_nonzero * (1 + bounds[i]))
          vanish[i] = false;
    }
    return vanish;
  }

 private:
  std::vector<std::vector<Binding>> states_;
};

/// Whether expressions vanish on the constraints: forbidden velocities are set to zero; where other constraints are
/// left, an expression that is not zero everywhere counts as such only if it is not zero at the initial state or, where
/// all constraints are velocities, at another one.
class OnConstraints {
 public:
  OnConstraints(const Model& model, const QuasiFrame& frame) : model_(model), bindings_(state_bindings(model)) {
    std::vector<bool> placed(model.constraints.size(), false);
    bool all_placed = true;
    for (const QuasiFrame::Velocity& velocity : frame.velocities)
      if (velocity.row) {
        placed[*velocity.row] = true;
        forbidden_.push_back({velocity.symbol, model.graph->constant(0)});
      }
    for (std::size_t a = 0; a < placed.size(); ++a) {
      const Constraint& constraint = model.constraints[a];
      if (constraint.is_unit || constraint.kind == ConstraintKind::one_sided) continue;
      geometric_ |= constraint.kind == ConstraintKind::geometric;
      others_ |= !placed[a] || geometric_;
      all_placed &= placed[a];
    }
    if (geometric_ && all_placed) sight_.emplace(model, frame);
    for (std::size_t r = 0; r < frame.size(); ++r) {
      std::vector<Expr> terms{frame.pi[r].back()};
      for (std::size_t l = 0; l < model.coordinates.size(); ++l)
        terms.push_back(frame.pi[r][l] * model.coordinates[l].rate);
      bindings_.push_back({frame.velocities[r].symbol, evaluate(model.graph->sum(terms), bindings_)});
    }
  }

  /// Of something that depends on the place only, or on velocities too.
  enum class Of : std::uint8_t { place, motion };
  std::optional<bool> vanishes(Expr expression, Of of = Of::motion) const {
    if (expression.is_zero()) return true;
    Expr restricted = normalize_quaternions(model_, substitute(expression, forbidden_));
    Verdict verdict = test_zero(restricted).verdict;
    if (verdict == Verdict::zero) return true;
    if (verdict == Verdict::undecided) return std::nullopt;
    if (of == Of::place ? !geometric_ : !others_) return false;
    double value = evaluate(restricted, bindings_);
    if (std::isfinite(value) && std::fabs(value) > tolerance::clearly_nonzero) return false;
    return sight_ ? (*sight_)(std::vector{restricted})[0] : std::nullopt;
  }

 private:
  const Model& model_;
  std::vector<Binding> bindings_;
  std::optional<BySight> sight_;
  std::vector<Replacement> forbidden_;
  bool others_ = false, geometric_ = false;
};

std::optional<bool> both(std::optional<bool> a, std::optional<bool> b) {
  if (a == std::optional(false) || b == std::optional(false)) return false;
  if (!a || !b) return std::nullopt;
  return true;
}

class FrameMomenta {
 public:
  FrameMomenta(const Model& model, const QuasiFrame& frame, const std::vector<TransitionCoefficient>& beta)
      : graph_(*model.graph), model_(model), frame_(frame), beta_(beta), on_(model, frame) {
    for (const Coordinate& coordinate : model.coordinates) coordinates_.push_back(coordinate.q);
    for (const QuasiFrame::Velocity& velocity : frame.velocities) omega_.push_back(velocity.symbol);
    std::vector<Replacement> to_omega;
    for (std::size_t l = 0; l < coordinates_.size(); ++l) {
      std::vector<Expr> terms{frame.xi.back()[l]};
      for (std::size_t r = 0; r < omega_.size(); ++r) terms.push_back(frame.xi[r][l] * omega_[r]);
      to_omega.push_back({model.coordinates[l].rate, graph_.sum(terms)});
    }
    Dynamics dynamics = make_dynamics(model);
    Simplifier simplify(5e7, Simplifier::Form::display);
    for (Replacement& rate : to_omega) rate.by = without_lengths(rate.by);
    lagrangian_ = simplify(substitute(dynamics.lagrangian, to_omega));
    Expr kinetic = model.lagrangian ? dynamics.lagrangian : dynamics.kinetic;
    kinetic_ = simplify(substitute(kinetic, to_omega));
    force_ = substitute(dynamics.force, to_omega);
    momentum_ = gradient(lagrangian_, omega_);
    pull_ = gradient(lagrangian_, coordinates_);
  }

  Momentum momentum(std::size_t l) const {
    Momentum result;
    result.velocity = l;
    result.formula = momentum_[l];
    result.is_admitted = on_.vanishes(extended(l));
    if (frame_.velocities[l].row || momentum_[l].is_zero()) {
      result.is_conserved = momentum_[l].is_zero();
      return result;
    }
    result.is_conserved = on_.vanishes(extended(l) + generalized_force(l));
    if (result.is_conserved != std::optional(false)) result.is_conserved = both(result.is_conserved, is_virtual(l));
    return result;
  }

  /// (dT/dtheta_l) = 0 for all l; in the restricted sense constant coefficients too, so that only omega is left.
  EulerKind euler() const {
    std::vector<Expr> slope = gradient(kinetic_, coordinates_);
    for (std::size_t l : tangent_velocities(model_, frame_))
      if (test_zero(normalize_quaternions(model_, along(l, slope))).verdict != Verdict::zero) return EulerKind::none;
    if (are_constant(model_, tangent_coefficients(model_, frame_, beta_)) != std::optional(true))
      return EulerKind::broad;
    Expr drift = along(frame_.size(), slope) + derivative(kinetic_, model_.time);
    return test_zero(normalize_quaternions(model_, drift)).verdict == Verdict::zero ? EulerKind::restricted
                                                                                    : EulerKind::broad;
  }

 private:
  /// Lengths of quaternions do not change.
  Expr without_lengths(Expr expression) const {
    std::vector<Replacement> fixed;
    for (const QuasiFrame::Velocity& velocity : frame_.velocities)
      if (velocity.row && model_.constraints[*velocity.row].is_unit)
        fixed.push_back({velocity.symbol, graph_.constant(0)});
    return substitute(expression, fixed);
  }

  Expr along(std::size_t l, const std::vector<Expr>& slope) const {
    std::vector<Expr> terms;
    for (std::size_t s = 0; s < slope.size(); ++s) terms.push_back(frame_.xi[l][s] * slope[s]);
    return graph_.sum(terms);
  }

  Expr generalized_force(std::size_t l) const { return along(l, force_); }

  /// X_l L - beta_lnr omega_n J_r: the change of L by the extended point transformation.
  Expr extended(std::size_t l) const {
    auto omega = [&](std::size_t n) { return n < omega_.size() ? omega_[n] : graph_.constant(1); };
    std::vector<Expr> terms{along(l, pull_)};
    for (const TransitionCoefficient& b : beta_) {
      if (b.mu == l) terms.push_back(-b.value * omega(b.nu) * momentum_[b.rho]);
      if (b.nu == l) terms.push_back(b.value * omega(b.mu) * momentum_[b.rho]);
    }
    return graph_.sum(terms);
  }

  /// X_l violates no constraint, contacts included.
  std::optional<bool> is_virtual(std::size_t l) const {
    std::optional<bool> result = true;
    for (const Constraint& constraint : model_.constraints) {
      if (constraint.is_unit) continue;
      std::vector<Expr> symbols;
      bool rates = constraint.kind == ConstraintKind::differential;
      for (const Coordinate& coordinate : model_.coordinates) symbols.push_back(rates ? coordinate.rate : coordinate.q);
      result = both(result, on_.vanishes(along(l, gradient(constraint.f, symbols)), OnConstraints::Of::place));
    }
    return result;
  }

  Graph& graph_;
  const Model& model_;
  const QuasiFrame& frame_;
  const std::vector<TransitionCoefficient>& beta_;
  OnConstraints on_;
  std::vector<Expr> coordinates_, omega_, force_, momentum_, pull_;
  Expr lagrangian_, kinetic_;
};

}  // namespace

std::vector<std::size_t> tangent_velocities(const Model& model, const QuasiFrame& frame) {
  std::vector<std::size_t> list;
  for (std::size_t r = 0; r < frame.size(); ++r)
    if (!frame.velocities[r].row || !model.constraints[*frame.velocities[r].row].is_unit) list.push_back(r);
  return list;
}

std::vector<TransitionCoefficient> tangent_coefficients(const Model& model, const QuasiFrame& frame,
                                                        const std::vector<TransitionCoefficient>& beta) {
  std::vector<std::size_t> list = tangent_velocities(model, frame);
  list.push_back(frame.size());  // time
  auto place = [&](std::size_t r) { return static_cast<std::size_t>(std::ranges::find(list, r) - list.begin()); };
  std::vector<TransitionCoefficient> result;
  for (const TransitionCoefficient& b : beta) {
    TransitionCoefficient moved{place(b.mu), place(b.nu), place(b.rho), b.value};
    if (std::max({moved.mu, moved.nu, moved.rho}) < list.size()) result.push_back(moved);
  }
  std::ranges::sort(result, {}, [](const TransitionCoefficient& b) { return std::array{b.mu, b.nu, b.rho}; });
  return result;
}

std::optional<bool> are_constant(const Model& model, const std::vector<TransitionCoefficient>& beta) {
  std::vector<Expr> variables = places_in_time(model);
  std::optional<bool> constant = true;
  for (const TransitionCoefficient& b : beta) {
    Expr value = normalize_quaternions(model, b.value);
    for (const Expr& variable : variables) {
      Verdict verdict = test_zero(derivative(value, variable)).verdict;
      if (verdict == Verdict::nonzero) return false;
      if (verdict == Verdict::undecided) constant = std::nullopt;
    }
  }
  return constant;
}

StructureConstants make_structure_constants(const Model& model, const std::vector<TransitionCoefficient>& beta,
                                            std::size_t count) {
  Graph& graph = *model.graph;
  std::vector<Replacement> values;
  for (const Parameter& parameter : model.parameters) values.push_back({parameter.symbol, parameter.value});
  // The start stands for any place: the coefficients do not depend on it.
  values.push_back({model.time, graph.constant(0)});
  for (const Coordinate& coordinate : model.coordinates) values.push_back({coordinate.q, coordinate.value});
  StructureConstants constants(count,
                               std::vector<std::vector<Expr>>(count, std::vector<Expr>(count, graph.constant(0))));
  for (const TransitionCoefficient& b : beta) {
    if (b.mu >= count || b.nu >= count || b.rho >= count) continue;
    Expr number = make_canonical(normalize_quaternions(model, b.value)).expression;
    for (std::size_t round = 0; round <= values.size() && !free_symbols({&number, 1}).empty(); ++round)
      number = substitute(number, values);
    number = make_canonical(number).expression;
    constants[b.mu][b.nu][b.rho] = number;
    constants[b.nu][b.mu][b.rho] = -number;
  }
  return constants;
}

namespace {

/// In a frame whose xi nobody reads nothing is proved but what the graph shows: J_l' = Q_l + X_l L - beta_lnr omega_n
/// J_r.
FrameDynamics look_at_solved(const Model& model, const QuasiFrame& frame,
                             const std::vector<TransitionCoefficient>& beta) {
  const BySight vanishes(model, frame);
  const bool contacts =
      std::ranges::any_of(model.constraints, [](const Constraint& c) { return c.kind == ConstraintKind::one_sided; });
  const std::vector<Expr> momenta = derive_momenta(model, frame);
  const std::vector<LagrangeEulerTerms> terms = derive_lagrange_euler_terms(model, frame, beta);
  std::vector<Expr> changes, with_forces;
  for (const LagrangeEulerTerms& each : terms) {
    changes.push_back(each.pull - each.coupling);
    with_forces.push_back(changes.back() + each.force);
  }
  const std::vector<std::optional<bool>> admitted = vanishes(changes), conserved = vanishes(with_forces);
  FrameDynamics result;
  for (std::size_t l = 0; l < frame.size(); ++l) {
    Momentum momentum{l, momenta[l], admitted[l], conserved[l]};
    if (frame.velocities[l].row) momentum.is_conserved = momenta[l].is_zero();
    if (contacts && momentum.is_conserved == std::optional(true)) momentum.is_conserved.reset();
    result.momenta.push_back(std::move(momentum));
  }
  return result;
}

}  // namespace

FrameDynamics derive_frame_dynamics(const Model& model, const QuasiFrame& frame,
                                    const std::vector<TransitionCoefficient>& beta) {
  if (frame.is_solved) return look_at_solved(model, frame, beta);
  FrameMomenta momenta(model, frame, beta);
  FrameDynamics result;
  for (std::size_t l = 0; l < frame.size(); ++l) result.momenta.push_back(momenta.momentum(l));
  result.euler = momenta.euler();
  return result;
}

}  // namespace dalembert
