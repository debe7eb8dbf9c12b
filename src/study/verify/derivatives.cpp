#include "study/verify/verify.hpp"

// Second-order jets of L, of the constraints as written, and of positions: the same numbers as the derived M, h, A,
// gamma and forces, without using a derivative that the graph made.

namespace dalembert {
namespace {

/// How a number changes along e1 and e2.
struct Seed {
  double a = 0, b = 0, ab = 0;
};

/// Jets of the symbols of some equations at a state; directions are set symbol by symbol.
class Seeded {
 public:
  Seeded(const Values<Tracked>& parameters, const Equations& equations, const State& state) : equations_(equations) {
    for (const auto& [symbol, value] : parameters) values_[symbol] = Jet(value);
    values_[equations.time.id()] = Jet(state.t);
    for (std::size_t i = 0; i < state.q.size(); ++i) values_[equations.coordinates[i].id()] = Jet(state.q[i]);
    for (std::size_t i = 0; i < state.u.size(); ++i) values_[equations.velocities[i].id()] = Jet(state.u[i]);
  }

  void seed(Expr symbol, Seed seed) {
    Jet& jet = values_[symbol.id()];
    jet = Jet(jet.v, seed.a, seed.b, seed.ab);
  }
  Jet operator()(Expr expression) const { return evaluate_jets({&expression, 1}, values_)[0]; }
  std::vector<Jet> operator()(std::span<const Expr> expressions) const { return evaluate_jets(expressions, values_); }

  /// The model's own coordinates and rates take the values that the equations give them.
  void bind_model(const Model& model) {
    std::vector<Jet> q = (*this)(equations_.model_coordinates), rate = (*this)(equations_.model_rates);
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      values_[model.coordinates[i].q.id()] = q[i];
      values_[model.coordinates[i].rate.id()] = rate[i];
    }
  }

 private:
  const Equations& equations_;
  Values<Jet> values_;
};

Jet dot(const std::vector<Jet>& a, const std::vector<Jet>& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

std::vector<Jet> at(const Seeded& seeded, const Vector3& vector) { return seeded(std::span<const Expr>(vector)); }

/// Rates as jets without e1: what a vector's time derivative is, where e1 was the direction of time.
std::vector<Jet> along_time(const std::vector<Jet>& vector) { return {vector[0].a, vector[1].a, vector[2].a}; }

/// Angular velocity in the frame's own axes from the rotation R(t): the axial vector of R^T R'.
std::vector<Jet> spin_inside(const Seeded& seeded, const Matrix3& rotation) {
  std::vector<Jet> rows[3] = {at(seeded, rotation[0]), at(seeded, rotation[1]), at(seeded, rotation[2])};
  auto entry = [&](std::size_t i, std::size_t j) {  // (R^T R')_ij
    return rows[0][i].v * rows[0][j].a + rows[1][i].v * rows[1][j].a + rows[2][i].v * rows[2][j].a;
  };
  return {entry(2, 1), entry(0, 2), entry(1, 0)};
}

/// L as the model says it, with velocities from the time derivatives of positions and rotations.
Tracked lagrangian_by_positions(const Model& model, const Seeded& time) {
  Jet total = 0.0;
  std::vector<Jet> gravity = at(time, model.gravity);
  for (const Point& point : model.points) {
    if (!point.mass) continue;
    std::vector<Jet> place = at(time, point.position), speed = along_time(place);
    total = total + time(point.mass) * (Jet(0.5) * dot(speed, speed) + dot(gravity, place));
  }
  for (const Body& body : model.bodies) {
    std::vector<Jet> place = at(time, body.centre), speed = along_time(place);
    std::vector<Jet> spin = spin_inside(time, model.frames[body.frame].rotation), momentum;
    for (const Vector3& row : body.inertia) momentum.push_back(dot(at(time, row), spin));
    total =
        total + time(body.mass) * (Jet(0.5) * dot(speed, speed) + dot(gravity, place)) + Jet(0.5) * dot(spin, momentum);
  }
  if (model.kinetic) total = total + time(model.kinetic);
  if (model.potential) total = total - time(model.potential);
  if (model.lagrangian) total = total + time(model.lagrangian);
  return total.v;
}

/// The work of the active forces in a virtual displacement (positions and rotations along e1, rates along e1 too, so
/// that couples work on the change of omega and the dissipation function gives its slope).
Tracked virtual_work(const Model& model, const Seeded& positions, const Seeded& rates, const std::vector<Jet>& along) {
  Jet total = 0.0;
  auto work = [&](const std::vector<Jet>& load, const std::vector<Jet>& moved) {
    for (std::size_t k = 0; k < 3; ++k) total = total + Jet(load[k].v * moved[k].a);
  };
  for (const Point& point : model.points)
    if (point.force) work(at(positions, *point.force), at(positions, point.position));
  for (const Body& body : model.bodies) {
    if (body.force) work(at(positions, *body.force), at(positions, body.centre));
    if (body.torque) work(at(rates, *body.torque), at(rates, model.frames[body.frame].omega));
  }
  for (std::size_t i = 0; i < along.size(); ++i) total = total + Jet(positions(model.forces[i]).v * along[i].a);
  if (model.dissipation) total = total - Jet(rates(model.dissipation).a);
  return total.v;
}

std::vector<double> draw_direction(std::size_t count, Random& random) {
  std::vector<double> direction;
  for (std::size_t i = 0; i < count; ++i) direction.push_back(draw(random));
  return direction;
}

Tracked product(std::span<const Tracked> row, const std::vector<double>& x) {
  Tracked total = 0;
  for (std::size_t i = 0; i < row.size(); ++i) total = total + row[i] * Tracked(x[i]);
  return total;
}

/// e1 along x in the velocities, e2 along y in them: e1 e2 of L is x M y.
Tracked mass_by_jets(Seeded seeded, const Equations& equations, const std::vector<double>& x,
                     const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) seeded.seed(equations.velocities[i], {x[i], y[i], 0});
  return seeded(equations.lagrangian).ab;
}

/// x (d/dt dL/du - dL/dq) with u' = 0 (theory 1.1).
Tracked bias_by_jets(const Seeded& start, const Equations& equations, const State& state,
                     const std::vector<double>& x) {
  Seeded momentum = start, pull = start;
  momentum.seed(equations.time, {0, 1, 0});
  for (std::size_t i = 0; i < x.size(); ++i) {
    momentum.seed(equations.velocities[i], {x[i], 0, 0});
    momentum.seed(equations.coordinates[i], {0, state.u[i], 0});
    pull.seed(equations.coordinates[i], {x[i], 0, 0});
  }
  return momentum(equations.lagrangian).ab - pull(equations.lagrangian).a;
}

const Constraint& constraint_of(const Model& model, const ConstraintRow& row) {
  for (const Constraint& constraint : model.constraints)
    if (constraint.name == row.name) return constraint;
  throw InputError({"", {}, row.name, "the equations carry a constraint that the model does not have", ""});
}

/// A x, A u + b and A u' + gamma of the constraints as written.
void compare_rows(const Model& model, const Equations& equations, const Seeded& start, const State& state,
                  const Matrices& derived, const std::vector<double>& x, Ledger& ledger) {
  const std::string by = " (" + equations.by + ")";
  Seeded shift = start, turn = start, time = start;
  time.seed(equations.time, {1, 1, 0});
  for (std::size_t i = 0; i < x.size(); ++i) {
    shift.seed(equations.coordinates[i], {x[i], 0, 0});
    turn.seed(equations.velocities[i], {x[i], 0, 0});
    time.seed(equations.coordinates[i], {state.u[i], state.u[i], 0});  // u' = 0
  }
  shift.bind_model(model);
  turn.bind_model(model);
  time.bind_model(model);
  std::vector<Expr> written;
  for (const ConstraintRow& row : equations.rows) written.push_back(constraint_of(model, row).f);
  std::vector<Jet> shifted = shift(written), turned = turn(written), passed = time(written);
  for (std::size_t r = 0; r < equations.rows.size(); ++r) {
    const ConstraintRow& constraint = equations.rows[r];
    bool geometric = constraint.kind != ConstraintKind::differential;
    const Jet &moved = (geometric ? shifted : turned)[r], &passing = passed[r];
    std::span<const Tracked> row(derived.jacobian.data() + r * derived.n, derived.n);
    Tracked speed = product(row, state.u) + derived.offset[r];
    ledger("A" + by, "derived", "jets").add(product(row, x), moved.a, constraint.name);
    ledger("A u + b" + by, "derived", "jets").add(speed, geometric ? passing.a : passing.v, constraint.name);
    ledger("drift" + by, "derived", "jets").add(derived.drift[r], geometric ? passing.ab : passing.a, constraint.name);
  }
}

}  // namespace

void compare_derivatives(const Model& model, const Equations& equations, const Values<Tracked>& parameters,
                         const State& state, Random& random, Ledger& ledger) {
  const std::size_t n = equations.velocities.size();
  const std::string by = " (" + equations.by + ")";
  Values<Tracked> values = tracked_state(parameters, equations, state);
  Matrices derived = evaluate_matrices(equations, values);
  std::vector<Tracked> force = evaluate_tracked(equations.force, values);
  Seeded start(parameters, equations, state);
  std::vector<double> x = draw_direction(n, random), y = draw_direction(n, random);

  Tracked mass = 0, bias = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mass = mass + Tracked(x[i]) * product({derived.mass.data() + i * n, n}, y);
    bias = bias + Tracked(x[i]) * (derived.bias[i] + force[i]);
  }
  ledger("M" + by, "derived", "jets").add(mass, mass_by_jets(start, equations, x, y));
  ledger("h" + by, "derived", "jets").add(bias, bias_by_jets(start, equations, state, x));
  compare_rows(model, equations, start, state, derived, x, ledger);

  Seeded time = start, shift = start, turn = start;
  time.seed(equations.time, {1, 0, 0});
  for (std::size_t i = 0; i < n; ++i) {
    time.seed(equations.coordinates[i], {state.u[i], 0, 0});
    shift.seed(equations.coordinates[i], {x[i], 0, 0});
    turn.seed(equations.velocities[i], {x[i], 0, 0});
  }
  for (Seeded* seeded : {&time, &shift, &turn}) seeded->bind_model(model);
  Tracked lagrangian = evaluate_tracked({&equations.lagrangian, 1}, values)[0];
  ledger("L" + by, "derived", "positions").add(lagrangian, lagrangian_by_positions(model, time));
  std::vector<Jet> along = shift(equations.model_coordinates);  // the displacement in the model's coordinates
  ledger("F" + by, "derived", "virtual work").add(product(force, x), virtual_work(model, shift, turn, along));
}

}  // namespace dalembert
