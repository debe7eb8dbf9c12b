#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <dalembert/base/failure.hpp>

#include "base/tolerances.hpp"
#include "study/periodic/problem.hpp"

namespace dalembert {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Newton's method. The last shot returns but for rounding and the tolerance, if the search has come so far.
PeriodShot search(PeriodicProblem& problem, VectorXd& z, std::size_t& iterations) {
  constexpr std::size_t most = 50;
  constexpr double noise = 1e3, shortest = 1e-4;
  PeriodShot shot = problem.shoot(z);
  if (!shot.ok) throw ComputationError("the first period cannot be followed: " + shot.problem);
  for (iterations = 0; iterations < most; ++iterations) {
    const VectorXd off = problem.residual(shot);
    if (off.norm() <= problem.precision()) break;
    // What is below the gradients' own error is zero: along a family of periodic motions nothing has to move.
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(noise * problem.precision());
    const VectorXd step = solver.compute(problem.slopes(shot)).solve(off);
    bool better = false;
    for (double part = 1; part > shortest && !better; part /= 2) {
      const VectorXd there = z - part * step;
      if (!(problem.period(there) > 0.1 * problem.period(z))) continue;
      PeriodShot next = problem.shoot(there);
      if (!next.ok || !(problem.residual(next).norm() < off.norm())) continue;
      better = true;
      z = there;
      shot = std::move(next);
    }
    if (!better) break;
  }
  return shot;
}

std::string write_multiplier(std::complex<double> value) {
  if (value.imag() == 0) return fmt::format("{:.6g}", value.real());
  return fmt::format("{:.6g} ± {:.6g}i", value.real(), std::abs(value.imag()));
}

void judge(PeriodicMotion& made, double margin) {
  const std::vector<std::complex<double>> others = leave_own_out(made.multipliers, made.has_own);
  if (others.empty() || std::abs(others[0]) < 1 - margin) {
    made.stable = true;
    made.verdict = made.has_own ? "asymptotically stable as an orbit: disturbances die out but for a shift in time"
                                : "asymptotically stable: disturbances die out";
  } else if (std::abs(others[0]) > 1 + margin) {
    made.stable = false;
    made.verdict = fmt::format("unstable: the multiplier {} makes a disturbance {:.4g} times as large in each period",
                               write_multiplier(others[0]), std::abs(others[0]));
  } else {
    const auto on_circle =
        std::ranges::count_if(others, [&](const auto& value) { return std::abs(std::abs(value) - 1) <= margin; });
    made.verdict = fmt::format(
        "no multiplier is outside the unit circle, {} on it: to first order disturbances do not grow by a factor each "
        "period, and more the linear equations do not decide",
        on_circle);
  }
}

}  // namespace

std::vector<std::complex<double>> find_multipliers(const PeriodShot& shot) {
  const Eigen::EigenSolver<MatrixXd> solver(shot.monodromy, false);
  std::vector<std::complex<double>> made(solver.eigenvalues().begin(), solver.eigenvalues().end());
  std::ranges::stable_sort(made, [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return made;
}

std::vector<std::complex<double>> leave_own_out(std::vector<std::complex<double>> multipliers, bool has_own) {
  if (!has_own || multipliers.empty()) return multipliers;
  multipliers.erase(std::ranges::min_element(multipliers, {}, [](const auto& value) { return std::abs(value - 1.0); }));
  return multipliers;
}

double multiplier_margin(double precision) { return 10 * std::sqrt(precision); }

PeriodicMotion find_periodic(const Model& model, const PeriodicOptions& options) {
  PeriodicProblem problem(model, options);
  VectorXd z = problem.start();
  PeriodicMotion made;
  const PeriodShot shot = search(problem, z, made.iterations);
  made.residual = problem.residual(shot).lpNorm<Eigen::Infinity>();
  made.period = problem.period(z);
  if (!(made.residual <= problem.allowed(shot)))
    throw ComputationError(fmt::format(
        "no periodic motion was found: after {} iterations the state still misses its start by {:.3g} of its "
        "size at T = {:.6g}; start nearer to one, or let more be free",
        made.iterations, made.residual, made.period));
  if (problem.period_free() && shot.rate.lpNorm<Eigen::Infinity>() <= tolerance::consistent)
    throw ComputationError(
        "the search has ended at rest, in an equilibrium, which returns after any time; start nearer to a periodic "
        "motion, give a better period, or let less be free");
  made.has_own = problem.period_free();
  made.found = problem.found(z);
  made.turns = problem.turns();
  made.state = problem.shooting().state();
  for (const Coordinate& coordinate : model.coordinates) made.coordinates.push_back(coordinate.name);
  made.start = {shot.start.t, shot.start.q, shot.start.u};
  made.multipliers = find_multipliers(shot);
  judge(made, multiplier_margin(problem.precision()));
  return made;
}

}  // namespace dalembert
