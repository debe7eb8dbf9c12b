#include <fmt/format.h>

#include <cmath>
#include <dalembert/geometry.hpp>
#include <stdexcept>

#include "simulate/dense.hpp"
#include "study/bindings.hpp"

namespace dalembert {
namespace {

constexpr double violated = 1e-9;  // of the sizes of the terms that should cancel

/// The equations' matrices at the bindings, dense.
DenseSystem evaluate_system(const Equations& equations, std::span<const Binding> at) {
  const std::size_t n = equations.velocities.size();
  DenseSystem system{n, equations.rows.size(), std::vector<double>(n * n), evaluate(equations.bias, at), {}, {}};
  for (std::size_t i = 0; i < n; ++i)
    for (const Entry& entry : equations.mass[i])
      system.mass[i * n + entry.column] = system.mass[entry.column * n + i] = evaluate(entry.value, at);
  system.jacobian.assign(equations.rows.size() * n, 0.0);
  for (std::size_t r = 0; r < equations.rows.size(); ++r) {
    for (const Entry& entry : equations.rows[r].jacobian)
      system.jacobian[r * n + entry.column] = evaluate(entry.value, at);
    system.drift.push_back(evaluate(equations.rows[r].drift, at));
  }
  return system;
}

void refuse_violation(const Equations& equations, const DenseSystem& system, std::span<const double> accelerations) {
  for (std::size_t r = 0; r < system.rows; ++r) {
    double sum = system.drift[r], size = std::abs(sum);
    for (std::size_t i = 0; i < system.size; ++i) {
      double term = system.jacobian[r * system.size + i] * accelerations[i];
      sum += term;
      size += std::abs(term);
    }
    if (std::abs(sum) <= violated * size) continue;
    throw InputError({"",
                      {},
                      "--at",
                      fmt::format("these accelerations violate the constraint {}: its second time derivative would be "
                                  "{:.6g} instead of 0",
                                  equations.rows[r].name, sum),
                      "give accelerations that keep every constraint; those not given take their actual value"});
  }
}

/// Z as it is written, at these accelerations.
double evaluate_z(const LeastConstraint& gauss, std::vector<Binding> at, std::span<const double> accelerations) {
  for (std::size_t i = 0; i < accelerations.size(); ++i)
    at.push_back({gauss.equations.accelerations[i], accelerations[i]});
  return evaluate(gauss.Z, at);
}

}  // namespace

GaussReport evaluate_gauss(const Model& model, const LeastConstraint& gauss, const State& state,
                           std::span<const ImaginedAcceleration> imagined) {
  const Equations& equations = gauss.equations;
  std::vector<Binding> at = bindings_at(model, equations, state);
  DenseSystem system = evaluate_system(equations, at);
  DenseMotion motion = minimise_constraint(system);
  if (!motion.ok)
    throw std::runtime_error(
        "the constraint has no single minimum at this state: it is singular, or its constraints "
        "contradict each other");
  GaussReport report;
  report.state = state;
  for (const Coordinate& coordinate : model.coordinates) report.coordinates.push_back(coordinate.name);
  report.actual = report.accelerations = motion.acceleration;
  for (const ImaginedAcceleration& given : imagined) report.accelerations[given.coordinate] = given.value;
  if (!imagined.empty()) refuse_violation(equations, system, report.accelerations);
  for (const ConstraintRow& row : equations.rows) report.constraints.push_back(row.name);
  report.multipliers = motion.multipliers;
  const std::size_t n = system.size;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += system.mass[i * n + j] * (report.accelerations[j] - report.actual[j]);
    report.Q.push_back(sum);
    report.excess += sum * (report.accelerations[i] - report.actual[i]);
  }
  report.loose = gauss.loose;
  if (gauss.loose.empty()) {
    report.Z = evaluate_z(gauss, at, report.accelerations);
    report.phi = evaluate_z(gauss, at, report.actual);
  }
  return report;
}

}  // namespace dalembert
