// A double pendulum from its positions to its equations and a motion: two masses m on rods of length l, angles a and b
// from the vertical.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <dalembert/dalembert.hpp>
#include <vector>

using namespace dalembert;

namespace {

/// M q'' + h = 0, and the energy.
struct Pendulum {
  std::vector<Expr> q, rates, accelerations, parameters;
  std::vector<std::vector<Expr>> mass;
  std::vector<Expr> bias;
  Expr energy;
};

Pendulum derive_pendulum(Graph& graph) {
  const auto symbols = [&](std::initializer_list<const char*> names) {
    std::vector<Expr> made;
    for (const char* name : names) made.push_back(graph.symbol(name));
    return made;
  };
  Pendulum p{symbols({"a", "b"}), symbols({"a'", "b'"}), symbols({"a''", "b''"}), symbols({"m", "l", "g"}), {}, {}, {}};
  const Expr m = p.parameters[0], l = p.parameters[1], g = p.parameters[2];
  const std::vector<Replacement> motion{{p.q[0], p.rates[0]}, {p.q[1], p.rates[1]}};

  Expr kinetic = graph.constant(0), potential = kinetic, x = kinetic, y = kinetic;
  for (const Expr& angle : p.q) {  // each mass hangs from the one before
    x += l * sin(angle);
    y -= l * cos(angle);
    kinetic += m * (pow(directional_derivative(x, motion), 2) + pow(directional_derivative(y, motion), 2)) / 2;
    potential += m * g * y;
  }
  const Expr lagrangian = kinetic - potential;
  p.energy = kinetic + potential;

  // d/dt dL/dq' - dL/dq = M q'' + h: the Lagrangian derivative (Zubelevich 2020).
  const std::vector<Expr> momenta = gradient(lagrangian, p.rates), slopes = gradient(lagrangian, p.q);
  p.mass = jacobian(momenta, p.rates);
  p.bias = directional_derivative(momenta, motion);
  for (std::size_t i = 0; i < p.q.size(); ++i) p.bias[i] -= slopes[i];
  return p;
}

using State = std::array<double, 4>;  // a, b, a', b'

std::vector<Binding> bindings_at(const Pendulum& p, const State& s) {
  return {{p.q[0], s[0]},         {p.q[1], s[1]},         {p.rates[0], s[2]},     {p.rates[1], s[3]},
          {p.parameters[0], 1.0}, {p.parameters[1], 1.0}, {p.parameters[2], 9.81}};
}

State rate_of(const Pendulum& p, const State& s) {
  const std::array<Expr, 5> wanted{p.mass[0][0], p.mass[0][1], p.mass[1][1], p.bias[0], p.bias[1]};
  const std::vector<double> v = evaluate(wanted, bindings_at(p, s));
  const double determinant = v[0] * v[2] - v[1] * v[1];
  return {s[2], s[3], (v[4] * v[1] - v[3] * v[2]) / determinant, (v[3] * v[1] - v[4] * v[0]) / determinant};
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

void print_equations(const Pendulum& p) {
  fmt::print("Equations of motion, M q'' + h = 0\n");
  for (std::size_t i = 0; i < p.q.size(); ++i) {
    Expr equation = p.bias[i];
    for (std::size_t j = 0; j < p.q.size(); ++j) equation += p.mass[i][j] * p.accelerations[j];
    fmt::print("  {} = 0\n", to_text(equation));
  }
}

/// The largest relative change of the energy over two seconds.
double print_motion(const Pendulum& p) {
  const double dt = 1e-3;
  State state{1.0, 1.5, 0, 0};
  const double start = evaluate(p.energy, bindings_at(p, state));
  double drift = 0;
  fmt::print("Motion\n{:>6} {:>12} {:>12} {:>14}\n", "t", "a", "b", "energy");
  for (int k = 0; k <= 2000; ++k) {
    const double energy = evaluate(p.energy, bindings_at(p, state));
    drift = std::max(drift, std::abs(energy / start - 1));
    if (k % 250 == 0) fmt::print("{:6.2f} {:12.8f} {:12.8f} {:14.9f}\n", k * dt, state[0], state[1], energy);
    state = stepped(p, state, dt);
  }
  return drift;
}

}  // namespace

int main() {
  Graph graph;
  const Pendulum pendulum = derive_pendulum(graph);
  print_equations(pendulum);
  const double drift = print_motion(pendulum);
  fmt::print("energy kept to {:.0e}\n", drift);
  return drift < 1e-9 ? 0 : 1;
}
