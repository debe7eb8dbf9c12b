#pragma once
// The planar pendulum of n links, from the positions of its masses to the accelerations.

#include <fmt/format.h>

#include <dalembert/expr/expr.hpp>
#include <dalembert/expr/linear.hpp>
#include <vector>

namespace dalembert::bench {

struct Pendulum {
  std::vector<Expr> inputs;      // q, then q'
  std::vector<Expr> parameters;  // m, then l, then g
  std::vector<Expr> accelerations;
};

/// T from the positions, p = dT/dq' by a reverse gradient, M = dp/dq' and h = (dp/dq) q' - dL/dq by forward sweeps;
/// then M q'' = -h, factored.
inline Pendulum derive_pendulum(Graph& g, std::size_t links) {
  Pendulum result;
  std::vector<Expr> q, v, m, l;
  std::vector<Replacement> motion;
  for (std::size_t i = 0; i < links; ++i) {
    q.push_back(g.symbol(fmt::format("q{}", i)));
    v.push_back(g.symbol(fmt::format("v{}", i)));
    m.push_back(g.symbol(fmt::format("m{}", i)));
    l.push_back(g.symbol(fmt::format("l{}", i)));
    motion.push_back({q[i], v[i]});
  }
  Expr gravity = g.symbol("g");
  std::vector<Expr> x, y, energy, potential;
  for (std::size_t i = 0; i < links; ++i) {
    x.push_back(i == 0 ? l[0] * sin(q[0]) : x[i - 1] + l[i] * sin(q[i]));
    y.push_back(i == 0 ? -(l[0] * cos(q[0])) : y[i - 1] - l[i] * cos(q[i]));
    potential.push_back(m[i] * gravity * y[i]);
  }
  std::vector<Expr> x_rate = directional_derivative(x, motion), y_rate = directional_derivative(y, motion);
  for (std::size_t i = 0; i < links; ++i) energy.push_back(m[i] * (pow(x_rate[i], 2) + pow(y_rate[i], 2)) / 2);
  Expr kinetic = g.sum(energy);
  std::vector<Expr> momentum = gradient(kinetic, v);
  std::vector<Expr> force = gradient(kinetic - g.sum(potential), q);
  auto mass = sparse_jacobian(momentum, v);
  for (std::uint32_t i = 0; i < links; ++i)
    std::erase_if(mass[i], [&](const Entry& entry) { return entry.column > i; });
  std::vector<Expr> drift = directional_derivative(momentum, motion), right_side;
  for (std::size_t i = 0; i < links; ++i) right_side.push_back(force[i] - drift[i]);
  result.accelerations = solve_ldlt(factor_ldlt(mass), right_side);
  result.inputs = q;
  result.inputs.insert(result.inputs.end(), v.begin(), v.end());
  result.parameters = m;
  result.parameters.insert(result.parameters.end(), l.begin(), l.end());
  result.parameters.push_back(gravity);
  return result;
}

}  // namespace dalembert::bench
