#include <fmt/format.h>

#include <cmath>
#include <dalembert/base/failure.hpp>
#include <dalembert/study/geometry.hpp>
#include <stdexcept>

#include "base/tolerances.hpp"
#include "simulate/system/dense.hpp"

namespace dalembert {
namespace {

using Rows = std::vector<const ConstraintRow*>;

/// The equations' matrices at the bindings, dense, with these rows.
DenseSystem evaluate_system(const Equations& equations, const Rows& rows, std::span<const Binding> at) {
  const std::size_t n = equations.velocities.size();
  DenseSystem system{n, rows.size(), std::vector<double>(n * n), evaluate(equations.bias, at), {}, {}};
  for (std::size_t i = 0; i < n; ++i)
    for (const Entry& entry : equations.mass[i])
      system.mass[i * n + entry.column] = system.mass[entry.column * n + i] = evaluate(entry.value, at);
  system.jacobian.assign(rows.size() * n, 0.0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const Entry& entry : rows[r]->jacobian) system.jacobian[r * n + entry.column] = evaluate(entry.value, at);
    system.drift.push_back(evaluate(rows[r]->drift, at));
  }
  return system;
}

/// One-sided constraints with f = 0 and f' = 0, to what a state may be off.
Rows find_touching(const Equations& equations, std::span<const Binding> at) {
  Rows touching;
  for (const ConstraintRow& row : equations.contacts) {
    double rate = evaluate(row.offset, at);
    for (const Entry& entry : row.jacobian)
      rate += evaluate(entry.value, at) * evaluate(equations.velocities[entry.column], at);
    if (std::abs(evaluate(row.position, at)) <= tolerance::consistent && std::abs(rate) <= tolerance::consistent)
      touching.push_back(&row);
  }
  return touching;
}

double sign_of(const ConstraintRow& row) { return row.relation == Relation::less_equal ? -1 : 1; }

/// A row's second time derivative at these accelerations, and the size of its terms.
std::pair<double, double> second_derivative(const DenseSystem& system, std::size_t r, std::span<const double> b) {
  double sum = system.drift[r], size = std::abs(sum);
  for (std::size_t i = 0; i < system.size; ++i) {
    double term = system.jacobian[r * system.size + i] * b[i];
    sum += term;
    size += std::abs(term);
  }
  return {sum, size};
}

/// The least constraint, and which contacts hold there.
struct Minimum {
  SolvedMotion motion;       ///< multipliers of all rows
  std::vector<bool> closed;  ///< one a touching contact
};

/// Contacts that would pull are let go and those that would be entered are closed, one at a time, until none is left
/// (theory 5.4).
Minimum minimise_with_contacts(const DenseSystem& system, const Rows& rows, std::size_t equations) {
  const std::size_t n = system.size, contacts = rows.size() - equations;
  Minimum result{{}, std::vector<bool>(contacts, true)};
  for (std::size_t exchange = 0; exchange <= 10 * (contacts + 1); ++exchange) {
    DenseSystem active = system;
    std::vector<std::size_t> kept;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (r < equations || result.closed[r - equations]) kept.push_back(r);
    active.rows = kept.size();
    active.jacobian.clear();
    active.drift.clear();
    for (std::size_t r : kept) {
      auto begin = system.jacobian.begin() + static_cast<std::ptrdiff_t>(r * n);
      active.jacobian.insert(active.jacobian.end(), begin, begin + static_cast<std::ptrdiff_t>(n));
      active.drift.push_back(system.drift[r]);
    }
    result.motion = minimise_constraint(active);
    if (!result.motion.ok) return result;
    std::vector<double> multipliers(rows.size(), 0.0);
    double largest = 0;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      multipliers[kept[k]] = result.motion.multipliers[k];
      largest = std::max(largest, std::abs(multipliers[kept[k]]));
    }
    result.motion.multipliers = multipliers;
    std::size_t worst = contacts;
    double amount = 0;
    for (std::size_t c = 0; c < contacts; ++c) {
      const std::size_t r = equations + c;
      auto [rate, size] = second_derivative(system, r, result.motion.acceleration);
      double wrong = result.closed[c] ? -sign_of(*rows[r]) * multipliers[r] / (largest > 0 ? largest : 1)
                                      : -sign_of(*rows[r]) * rate / (size > 0 ? size : 1);
      if (wrong > tolerance::consistent && wrong > amount) amount = wrong, worst = c;
    }
    if (worst == contacts) return result;
    result.closed[worst] = !result.closed[worst];
  }
  result.motion.ok = false;
  return result;
}

void refuse_violation(const DenseSystem& system, const Rows& rows, std::size_t equations,
                      std::span<const double> accelerations) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    auto [sum, size] = second_derivative(system, r, accelerations);
    bool keeps = r < equations ? std::abs(sum) <= tolerance::consistent * size
                               : sign_of(*rows[r]) * sum >= -tolerance::consistent * size;
    if (keeps) continue;
    throw InputError({"",
                      {},
                      "--at",
                      fmt::format("these accelerations violate the constraint {}: its second time derivative would be "
                                  "{:.6g}",
                                  rows[r]->name, sum),
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

GaussReport evaluate_gauss(const LeastConstraint& gauss, const State& state,
                           std::span<const ImaginedAcceleration> imagined) {
  const Equations& equations = gauss.equations;
  const Model& model = *equations.model;
  std::vector<Binding> at = bind_symbols(equations, state, parameter_values(model));
  Rows rows;
  for (const ConstraintRow& row : equations.rows) rows.push_back(&row);
  const std::size_t equation_count = rows.size();
  for (const ConstraintRow* contact : find_touching(equations, at)) rows.push_back(contact);
  DenseSystem system = evaluate_system(equations, rows, at);
  SolvedMotion motion = minimise_with_contacts(system, rows, equation_count).motion;
  if (!motion.ok)
    throw ComputationError(
        "the constraint has no single minimum at this state: it is singular, or its constraints "
        "contradict each other");
  GaussReport report;
  report.state = state;
  report.names = symbol_names(model);
  for (const Coordinate& coordinate : model.coordinates) report.coordinates.push_back(coordinate.name);
  report.actual = report.accelerations = motion.acceleration;
  for (const ImaginedAcceleration& given : imagined) report.accelerations[given.coordinate] = given.value;
  if (!imagined.empty()) refuse_violation(system, rows, equation_count, report.accelerations);
  for (const ConstraintRow* row : rows) report.constraints.push_back(row->name);
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
