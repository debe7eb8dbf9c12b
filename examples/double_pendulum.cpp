// A double pendulum from its positions to a motion: two unit masses on unit rods, the angles a and b from the vertical.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <dalembert/dalembert.hpp>

using namespace dalembert;

namespace {

using State = std::array<double, 4>;  // a, b, a', b'

/// Mass matrix M and bias h of M q'' + h = 0, with the energy, as graphs.
struct Pendulum {
  Graph graph;
  std::array<Expr, 2> q{graph.symbol("a"), graph.symbol("b")};
  std::array<Expr, 2> rates{graph.symbol("a'"), graph.symbol("b'")};
  Expr energy;
  std::vector<std::vector<Expr>> mass;
  std::vector<Expr> bias;
};

void derive_equations(Pendulum& p) {
  Graph& graph = p.graph;
  const std::array<Replacement, 2> motion{{{p.q[0], p.rates[0]}, {p.q[1], p.rates[1]}}};
  const Expr g = graph.symbol("g"), l = graph.symbol("l"), m = graph.symbol("m");

  Expr kinetic = graph.constant(0), potential = graph.constant(0), x = kinetic, y = kinetic;
  for (const Expr& angle : p.q) {
    x += l * sin(angle);
    y -= l * cos(angle);
    const Expr dx = directional_derivative(x, motion), dy = directional_derivative(y, motion);
    kinetic += m * (dx * dx + dy * dy) / 2;
    potential += m * g * y;
  }

  // [L] = d/dt dL/dq' - dL/dq = M q'' + h (Zubelevich 2020, the Lagrangian derivative).
  const Expr lagrangian = kinetic - potential;
  const std::vector<Expr> momenta = gradient(lagrangian, p.rates), slopes = gradient(lagrangian, p.q);
  p.mass = jacobian(momenta, p.rates);
  p.bias = directional_derivative(momenta, motion);
  for (std::size_t i = 0; i < p.q.size(); ++i) p.bias[i] -= slopes[i];
  p.energy = kinetic + potential;
}

std::vector<Binding> bindings_at(const Pendulum& p, const State& s) {
  Graph& graph = p.energy.graph();
  return {{p.q[0], s[0]},          {p.q[1], s[1]},           {p.rates[0], s[2]},      {p.rates[1], s[3]},
          {graph.symbol("g"), 10}, {graph.symbol("l"), 1.0}, {graph.symbol("m"), 1.0}};
}

State rate_of(const Pendulum& p, const State& s) {
  const std::array<Expr, 5> wanted{p.mass[0][0], p.mass[0][1], p.mass[1][1], p.bias[0], p.bias[1]};
  const std::vector<double> v = evaluate(wanted, bindings_at(p, s));
  const double determinant = v[0] * v[2] - v[1] * v[1];
  return {s[2], s[3], (-v[3] * v[2] + v[4] * v[1]) / determinant, (-v[4] * v[0] + v[3] * v[1]) / determinant};
}

State moved(const State& s, const State& rate, double dt) {
  State result = s;
  for (std::size_t i = 0; i < s.size(); ++i) result[i] += dt * rate[i];
  return result;
}

/// One step of the classical fourth-order Runge-Kutta method.
State stepped(const Pendulum& p, const State& s, double dt) {
  const State k1 = rate_of(p, s), k2 = rate_of(p, moved(s, k1, dt / 2)), k3 = rate_of(p, moved(s, k2, dt / 2)),
              k4 = rate_of(p, moved(s, k3, dt));
  return moved(moved(moved(moved(s, k1, dt / 6), k2, dt / 3), k3, dt / 3), k4, dt / 6);
}

}  // namespace

int main() {
  Pendulum pendulum;
  derive_equations(pendulum);

  const double dt = 1e-3;
  State state{1.0, 1.5, 0, 0};
  const double start = evaluate(pendulum.energy, bindings_at(pendulum, state));
  double drift = 0;
  fmt::print("{:>6} {:>12} {:>12} {:>14}\n", "t", "a", "b", "energy");
  for (int k = 0; k <= 2000; ++k) {
    const double energy = evaluate(pendulum.energy, bindings_at(pendulum, state));
    drift = std::max(drift, std::abs(energy - start));
    if (k % 200 == 0) fmt::print("{:6.2f} {:12.8f} {:12.8f} {:14.10f}\n", k * dt, state[0], state[1], energy);
    state = stepped(pendulum, state, dt);
  }
  fmt::print("largest change of the energy: {:.1e}\n", drift);
  return drift < 1e-6 ? 0 : 1;
}
