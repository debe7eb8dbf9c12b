#include <algorithm>
#include <cmath>
#include <dalembert/mechanics/projection.hpp>
#include <dalembert/mechanics/state.hpp>

#include "base/cholesky.hpp"
#include "base/tolerances.hpp"
#include "mechanics/lagrange/dynamics.hpp"

namespace dalembert {
namespace {

/// M as numbers at the initial state.
class StartMass {
 public:
  StartMass(const Model& model, const Equations& equations) : size_(equations.velocities.size()), m_(size_ * size_) {
    const std::vector<double> parameters = parameter_values(model);
    at_ = bind_symbols(equations, initial_state(equations, parameters), parameters);
    for (std::size_t i = 0; i < size_; ++i)
      for (const Entry& entry : equations.mass[i])
        m_[i * size_ + entry.column] = m_[entry.column * size_ + i] = evaluate(entry.value, at_);
  }

  /// The first coordinate at which a Cholesky factor breaks down, or the size.
  std::size_t find_weak() const {
    std::vector<double> l = m_;
    return factor_cholesky(l, size_, tolerance::cancelled).failed;
  }

  /// Adds sigma A^T A of a row and gives sigma: the row then weighs as much as what it touches. Zero: it cannot.
  double add(const ConstraintRow& row) {
    constexpr double outweighing = 4;  // what is negative along what the row holds
    double inertia = 0, square = 0, mean = 0;
    std::vector<double> a(size_, 0.0);
    for (const Entry& entry : row.jacobian) {
      a[entry.column] = evaluate(entry.value, at_);
      const double own = m_[entry.column * size_ + entry.column];
      inertia = std::max(inertia, own < 0 ? -outweighing * own : own);
      square = std::max(square, a[entry.column] * a[entry.column]);
    }
    for (std::size_t i = 0; i < size_; ++i) mean += m_[i * size_ + i] / static_cast<double>(size_);
    double sigma = std::exp2(std::round(std::log2((inertia > 0 ? inertia : mean > 0 ? mean : 1) / square)));
    if (!(square > 0) || !std::isfinite(sigma)) return 0;  // nothing mends what is not finite at the start
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < size_; ++j) m_[i * size_ + j] += sigma * a[i] * a[j];
    return sigma;
  }

 private:
  std::size_t size_;
  std::vector<double> m_;
  std::vector<Binding> at_;
};

bool touches(const ConstraintRow& row, std::size_t column) {
  return std::ranges::any_of(row.jacobian, [&](const Entry& entry) { return entry.column == column; });
}

/// L + sigma psi^2 / 2 over constraints psi = 0 that mend M: unit constraints of quaternions first, then any that touch
/// what has no inertia. The Lagrangian derivative of psi^2 vanishes on the motion.
Expr mend(const Model& model, KineticGeometry& geometry) {
  const Equations& equations = geometry.equations;
  StartMass mass(model, equations);
  Expr lagrangian = equations.lagrangian;
  std::vector<bool> used(equations.rows.size(), false);
  auto use = [&](std::size_t r) {
    const ConstraintRow& row = equations.rows[r];
    used[r] = true;
    double sigma = mass.add(row);
    if (sigma == 0) return;
    std::vector<Expr> terms{row.offset};
    for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations.velocities[entry.column]);
    lagrangian += model.graph->constant_from_double(sigma) / 2 * pow(model.graph->sum(terms), 2);
    geometry.mended_by.push_back(row.name);
  };
  for (bool unit : {true, false})
    for (std::size_t weak = mass.find_weak(); weak < equations.velocities.size();) {
      std::size_t r = 0;
      while (r < used.size() && (used[r] || equations.rows[r].is_unit != unit || !touches(equations.rows[r], weak)))
        ++r;
      if (r == used.size()) break;
      use(r);
      weak = mass.find_weak();
    }
  // A massless chain may be held by constraints that do not touch the coordinate found weak: then all of them.
  if (mass.find_weak() < equations.velocities.size())
    for (std::size_t r = 0; r < used.size(); ++r)
      if (!used[r]) use(r);
  return lagrangian;
}

/// X = F - [L - q'.M q'/2] where that has no accelerations of its own: the potential, gyroscopic terms, and what the
/// metric's own change in time takes.
std::vector<Expr> natural_force(const Equations& equations, Expr lagrangian, std::span<const Expr> momentum) {
  Graph& graph = *equations.graph;
  std::vector<Replacement> rest;
  for (const Expr& velocity : equations.velocities) rest.push_back({velocity, graph.constant(0)});
  std::vector<Expr> linear = substitute(momentum, rest);
  std::vector<Expr> terms{substitute(lagrangian, rest)};
  for (std::size_t i = 0; i < linear.size(); ++i) terms.push_back(linear[i] * equations.velocities[i]);
  std::vector<Expr> pull = gradient(graph.sum(terms), equations.coordinates);
  auto direction = drift_direction(equations.time, equations.coordinates, equations.rates);
  std::vector<Expr> turned = directional_derivative(linear, direction);
  std::vector<Expr> metric_momentum;
  for (std::size_t i = 0; i < linear.size(); ++i) metric_momentum.push_back(momentum[i] - linear[i]);
  std::vector<Expr> change = derivative(metric_momentum, equations.time), force;
  for (std::size_t i = 0; i < linear.size(); ++i) force.push_back(equations.force[i] + pull[i] - turned[i] - change[i]);
  return force;
}

/// Where M depends on the velocities: what is left when Gamma q' q' of M at fixed velocities is taken out.
std::vector<Expr> general_force(const Equations& equations) {
  Graph& graph = *equations.graph;
  const std::size_t n = equations.velocities.size();
  std::vector<std::vector<Expr>> terms(n);
  std::vector<Replacement> fixed;
  std::vector<Expr> symbols;
  for (std::size_t i = 0; i < n; ++i) {
    symbols.push_back(graph.symbol("fixed " + equations.velocities[i].name()));
    fixed.push_back({equations.velocities[i], symbols[i]});
  }
  for (std::size_t i = 0; i < n; ++i)
    for (const Entry& entry : equations.mass[i]) {
      Expr value = substitute(entry.value, fixed);
      terms[i].push_back(value * equations.velocities[entry.column]);
      if (entry.column != i) terms[entry.column].push_back(value * equations.velocities[i]);
    }
  std::vector<Expr> momentum, doubled;
  for (std::size_t i = 0; i < n; ++i) {
    momentum.push_back(graph.sum(terms[i]));
    doubled.push_back(momentum[i] * equations.velocities[i]);
  }
  std::vector<Replacement> along;  // the coordinates only
  for (std::size_t i = 0; i < n; ++i) along.push_back({equations.coordinates[i], equations.rates[i]});
  std::vector<Expr> turned = directional_derivative(momentum, along);
  std::vector<Expr> pull = gradient(graph.sum(doubled) / 2, equations.coordinates), force;
  std::vector<Replacement> back;
  for (std::size_t i = 0; i < n; ++i) back.push_back({symbols[i], equations.velocities[i]});
  for (std::size_t i = 0; i < n; ++i) force.push_back(substitute(turned[i] - pull[i], back) - equations.bias[i]);
  return force;
}

std::vector<Expr> mass_entries(const Equations& equations) {
  std::vector<Expr> entries;
  for (const auto& row : equations.mass)
    for (const Entry& entry : row) entries.push_back(entry.value);
  return entries;
}

void fill_slopes(KineticGeometry& geometry) {
  const Equations& equations = geometry.equations;
  std::vector<Expr> symbols = equations.coordinates, jacobian, offsets;
  symbols.push_back(equations.time);
  for (const ConstraintRow& row : equations.rows) {
    for (const Entry& entry : row.jacobian) jacobian.push_back(entry.value);
    offsets.push_back(row.offset);
  }
  geometry.mass_slopes = sparse_jacobian(mass_entries(equations), symbols);
  geometry.jacobian_slopes = sparse_jacobian(jacobian, symbols);
  geometry.offset_slopes = sparse_jacobian(offsets, symbols);
}

}  // namespace

KineticGeometry derive_projection(const Model& model) {
  return derive_projection(std::make_shared<const Model>(fork(model)));
}

KineticGeometry derive_projection(std::shared_ptr<const Model> own) {
  const Model& model = *own;
  KineticGeometry geometry;
  Equations& equations = geometry.equations;
  equations = derive_multipliers(own);
  equations.by = "projection";
  equations.solver = Solver::projector;
  Expr lagrangian = mend(model, geometry);
  if (!geometry.mended_by.empty()) {
    Equations mended = equations;
    mended.bias.clear();
    fill_dynamics(mended, lagrangian, equations.force);
    equations.mass = std::move(mended.mass);
    equations.bias = std::move(mended.bias);
  }
  std::vector<Expr> entries = mass_entries(equations);
  bool free_of_time = true;
  for (const Expr& symbol : free_symbols(entries)) {
    if (std::ranges::find(equations.velocities, symbol) != equations.velocities.end()) geometry.is_natural = false;
    if (symbol == equations.time) free_of_time = false;
  }
  geometry.is_scleronomic = geometry.is_natural && free_of_time && equations.energy_is_jacobi;
  geometry.force = geometry.is_natural
                       ? natural_force(equations, lagrangian, gradient(lagrangian, equations.velocities))
                       : general_force(equations);
  fill_slopes(geometry);
  return geometry;
}

}  // namespace dalembert
