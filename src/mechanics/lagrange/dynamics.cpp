#include "mechanics/lagrange/dynamics.hpp"

#include <algorithm>
#include <bit>

#include "expr/walk.hpp"
#include "model/limits.hpp"

namespace dalembert {

Expr dot(const Vector3& a, const Vector3& b) {
  Expr terms[] = {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
  return a[0].graph().sum(terms);
}

namespace {

Vector3 times(const Matrix3& matrix, const Vector3& vector) {
  return {dot(matrix[0], vector), dot(matrix[1], vector), dot(matrix[2], vector)};
}

/// m v^2 / 2 of points and bodies, and omega I omega / 2 in the bodies' own axes.
Expr kinetic_energy(const Model& model) {
  std::vector<Expr> terms;
  for (const Point& point : model.points)
    if (point.mass) terms.push_back(point.mass * dot(point.velocity, point.velocity) / 2);
  for (const Body& body : model.bodies) {
    const Vector3& omega = model.frames[body.frame].omega_inside;
    terms.push_back(body.mass * dot(body.centre_velocity, body.centre_velocity) / 2);
    terms.push_back(dot(omega, times(body.inertia, omega)) / 2);
  }
  if (model.kinetic) terms.push_back(model.kinetic);
  return model.graph->sum(terms);
}

Expr potential_energy(const Model& model) {
  std::vector<Expr> terms;
  for (const Point& point : model.points)
    if (point.mass) terms.push_back(-point.mass * dot(model.gravity, point.position));
  for (const Body& body : model.bodies) terms.push_back(-body.mass * dot(model.gravity, body.centre));
  if (model.potential) terms.push_back(model.potential);
  return model.graph->sum(terms);
}

/// Adds sum over components of load * d velocity / d q': a force by its point's velocity, a couple by the body's omega.
void add_load(const std::vector<Expr>& rates, const Vector3& velocity, const Vector3& load,
              std::vector<std::vector<Expr>>& terms) {
  auto rows = sparse_jacobian(velocity, rates);
  for (std::size_t k = 0; k < 3; ++k)
    for (const Entry& entry : rows[k]) terms[entry.column].push_back(load[k] * entry.value);
}

/// q' dL/dq' - L.
Expr energy_function(Expr lagrangian, const std::vector<Expr>& rates) {
  std::vector<Expr> momentum = gradient(lagrangian, rates);
  std::vector<Expr> terms{-lagrangian};
  for (std::size_t i = 0; i < rates.size(); ++i) terms.push_back(rates[i] * momentum[i]);
  return lagrangian.graph().sum(terms);
}

}  // namespace

/// Loads of points and bodies and the dissipation, on the given rates.
std::vector<Expr> load_forces(const Model& model, const std::vector<Expr>& rates) {
  std::vector<std::vector<Expr>> terms(rates.size());
  for (const Point& point : model.points)
    if (point.force) add_load(rates, point.velocity, *point.force, terms);
  for (const Body& body : model.bodies) {
    if (body.force) add_load(rates, body.centre_velocity, *body.force, terms);
    if (body.torque) add_load(rates, model.frames[body.frame].omega, *body.torque, terms);
  }
  if (model.dissipation) {
    std::vector<Expr> slope = gradient(model.dissipation, rates);
    for (std::size_t i = 0; i < rates.size(); ++i) terms[i].push_back(-slope[i]);
  }
  std::vector<Expr> force;
  for (const auto& sum : terms) force.push_back(model.graph->sum(sum));
  return force;
}

Expr make_lagrangian(const Model& model) {
  Expr natural = kinetic_energy(model) - potential_energy(model);
  return model.lagrangian ? natural + model.lagrangian : natural;
}

Dynamics make_dynamics(const Model& model) {
  std::vector<Expr> rates;
  for (const Coordinate& coordinate : model.coordinates) rates.push_back(coordinate.rate);
  Expr kinetic = kinetic_energy(model), potential = potential_energy(model);
  Dynamics dynamics{kinetic, kinetic - potential, kinetic + potential, load_forces(model, rates)};
  for (std::size_t i = 0; i < rates.size(); ++i) dynamics.force[i] += model.forces[i];
  if (model.lagrangian) {
    dynamics.lagrangian += model.lagrangian;
    dynamics.energy += energy_function(model.lagrangian, rates);
  }
  return dynamics;
}

namespace {

bool vanish_at_rest(std::span<const Expr> terms, std::span<const Expr> rates) {
  std::vector<Replacement> rest;
  rest.reserve(rates.size());
  for (const Expr& rate : rates) rest.push_back({rate, rate.graph().constant(0)});
  return std::ranges::all_of(substitute(terms, rest), &Expr::is_zero);
}

std::vector<Expr> velocities_of(const Model& model) {
  std::vector<Expr> velocities;
  const auto add = [&](const Vector3& v) { velocities.insert(velocities.end(), v.begin(), v.end()); };
  for (const Point& point : model.points)
    if (point.mass) add(point.velocity);
  for (const Body& body : model.bodies) {
    add(body.centre_velocity);
    add(model.frames[body.frame].omega_inside);
  }
  return velocities;
}

}  // namespace

/// T and its slope vanish at rest, as they do where all velocities vanish, and its Hessian is free of rates: that of
/// points and bodies always is, their velocities are affine in the rates.
bool is_homogeneous(const Model& model, Expr kinetic, std::span<const Expr> rates) {
  if (!model.kinetic && vanish_at_rest(velocities_of(model), rates)) return true;
  std::vector<Expr> terms = gradient(kinetic, rates);
  terms.push_back(kinetic);
  if (!vanish_at_rest(terms, rates)) return false;
  if (!model.kinetic) return true;
  std::vector<Expr> hessian;
  for (const auto& row : sparse_jacobian(gradient(model.kinetic, rates), rates))
    for (const Entry& entry : row) hessian.push_back(entry.value);
  for (const Expr& symbol : free_symbols(hessian))
    if (std::ranges::find(rates, symbol) != rates.end()) return false;
  return true;
}

std::vector<Replacement> drift_direction(Expr time, std::span<const Expr> coordinates, std::span<const Expr> rates) {
  std::vector<Replacement> direction{{time, time.graph().constant(1)}};
  for (std::size_t i = 0; i < coordinates.size(); ++i) direction.push_back({coordinates[i], rates[i]});
  return direction;
}

void refuse_couplings() {
  throw ModelError({"",
                    {},
                    "",
                    "the kinetic energy couples more than " + std::to_string(limits::couplings) +
                        " pairs of velocities (limit `couplings`)",
                    "use Cartesian coordinates with constraints, or fewer coordinates"});
}

namespace {

/// Refuses a mass matrix of too many entries before it is derived: p_i reads u_j, for 64 velocities j at a time.
void check_couplings(std::span<const Expr> all, std::span<const Expr> velocities) {
  if (velocities.size() * (velocities.size() + 1) / 2 <= limits::couplings) return;
  std::vector<Expr> momentum;
  for (const Expr& p : all)
    if (!p.is_constant()) momentum.push_back(p);
  if (momentum.empty()) return;
  const Graph& graph = velocities[0].graph();
  Walk walk(velocities[0].graph(), momentum);
  std::size_t pairs = 0;
  for (std::size_t begin = 0; begin < velocities.size(); begin += 64) {
    std::vector<std::uint64_t> reads(walk.size(), 0);
    for (std::size_t j = begin; j < std::min(begin + 64, velocities.size()); ++j)
      if (walk.reached(velocities[j].id())) reads[walk.index(velocities[j].id())] = std::uint64_t{1} << (j - begin);
    for (std::size_t i = 0; i < walk.size(); ++i)
      graph.for_each_child(walk.order()[i], [&](NodeId child) { reads[i] |= reads[walk.index(child)]; });
    for (const Expr& p : momentum) pairs += static_cast<std::size_t>(std::popcount(reads[walk.index(p.id())]));
    if (pairs > 2 * limits::couplings) refuse_couplings();
  }
}

}  // namespace

/// [L]_i = M_ij u'_j + h_i with h_i = d(dL/du_i) along (t, q) - dL/dq_i (Zubelevich 2020, section 2; theory 1.1).
void fill_dynamics(Equations& equations, Expr lagrangian, std::span<const Expr> force) {
  const std::size_t count = equations.velocities.size();
  std::vector<Expr> symbols = equations.velocities;
  symbols.insert(symbols.end(), equations.coordinates.begin(), equations.coordinates.end());
  std::vector<Expr> slope = gradient(lagrangian, symbols);
  std::span<const Expr> momentum(slope.data(), count), pull(slope.data() + count, count);

  check_couplings(momentum, equations.velocities);
  auto direction = drift_direction(equations.time, equations.coordinates, equations.rates);
  std::vector<Expr> convective = directional_derivative(momentum, direction);
  equations.mass.assign(count, {});
  auto hessian = sparse_jacobian(momentum, equations.velocities);
  for (std::size_t i = 0; i < count; ++i)
    for (const Entry& entry : hessian[i])
      if (entry.column <= i) equations.mass[i].push_back(entry);
  for (std::size_t i = 0; i < count; ++i) equations.bias.push_back(convective[i] - pull[i] - force[i]);
  fill_energy(equations, lagrangian, force, momentum);
}

void fill_energy(Equations& equations, Expr lagrangian, std::span<const Expr> force, std::span<const Expr> momentum) {
  std::vector<Expr> work{-lagrangian}, power{-derivative(lagrangian, equations.time)};
  for (std::size_t i = 0; i < momentum.size(); ++i) {
    work.push_back(equations.velocities[i] * momentum[i]);
    power.push_back(force[i] * equations.velocities[i]);
  }
  equations.lagrangian = lagrangian;
  equations.force.assign(force.begin(), force.end());
  equations.jacobi = equations.graph->sum(work);
  equations.jacobi_power = equations.graph->sum(power);
}

/// psi = A u + b; its time derivative is A u' + gamma, so gamma is psi's derivative along (t, q) at fixed u. All rows
/// of a kind in one sweep: a row by itself would cost as much as there are coordinates.
std::vector<ConstraintRow> make_rows(const Equations& equations, std::span<const Constraint* const> constraints,
                                     std::span<const Expr> formulas) {
  const auto direction = drift_direction(equations.time, equations.coordinates, equations.rates);
  std::vector<ConstraintRow> rows(constraints.size());
  std::vector<std::size_t> geometric, differential;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Constraint& constraint = *constraints[i];
    rows[i].name = constraint.name;
    rows[i].kind = constraint.kind;
    rows[i].relation = constraint.relation;
    rows[i].restitution = constraint.restitution;
    rows[i].is_unit = constraint.is_unit;
    rows[i].place = constraint.place;
    (constraint.kind == ConstraintKind::differential ? differential : geometric).push_back(i);
  }
  const auto fill = [&](const std::vector<std::size_t>& which, const std::vector<std::vector<Entry>>& jacobian,
                        const std::vector<Expr>& offset, const std::vector<Expr>& psi) {
    const std::vector<Expr> drift = directional_derivative(psi, direction);
    for (std::size_t k = 0; k < which.size(); ++k) {
      rows[which[k]].jacobian = jacobian[k];
      rows[which[k]].offset = offset[k];
      rows[which[k]].drift = drift[k];
    }
  };
  const auto pick = [&](const std::vector<std::size_t>& which) {
    std::vector<Expr> picked;
    for (std::size_t i : which) picked.push_back(formulas[i]);
    return picked;
  };
  if (!geometric.empty()) {
    const std::vector<Expr> f = pick(geometric);
    for (std::size_t k = 0; k < f.size(); ++k) rows[geometric[k]].position = f[k];
    fill(geometric, sparse_jacobian(f, equations.coordinates), derivative(f, equations.time),
         directional_derivative(f, direction));
  }
  if (!differential.empty()) {
    const std::vector<Expr> psi = pick(differential);
    std::vector<Replacement> at_rest;
    for (const Expr& velocity : equations.velocities) at_rest.push_back({velocity, equations.graph->constant(0)});
    fill(differential, sparse_jacobian(psi, equations.velocities), substitute(psi, at_rest), psi);
  }
  return rows;
}

ConstraintRow make_row(const Equations& equations, const Constraint& constraint, Expr f) {
  const Constraint* one[] = {&constraint};
  return std::move(make_rows(equations, one, {&f, 1})[0]);
}

}  // namespace dalembert
