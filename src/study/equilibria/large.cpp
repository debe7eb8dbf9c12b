#include "study/equilibria/large.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "study/equilibria/balance.hpp"

namespace dalembert {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

Eigen::Index size_of(const Balance& balance) { return static_cast<Eigen::Index>(balance.size() + balance.row_count()); }

/// False where something is not finite.
bool evaluate(Balance& balance, const Vector& x, Vector& residual, Sparse& slopes) {
  const std::span<const double> entries = balance.evaluate_entries({x.data(), static_cast<std::size_t>(x.size())});
  if (!std::ranges::all_of(entries, [](double value) { return std::isfinite(value); })) return false;
  residual = Eigen::Map<const Vector>(entries.data(), size_of(balance));
  std::vector<Eigen::Triplet<double>> places;
  const double* next = entries.data() + size_of(balance);
  for (const Balance::Place& place : balance.places())
    places.emplace_back(static_cast<int>(place.row), static_cast<int>(place.column), *next++);
  slopes.resize(size_of(balance), size_of(balance));
  slopes.setFromTriplets(places.begin(), places.end());
  return true;
}

/// The multipliers that balance the forces best.
void guess_multipliers(Balance& balance, Vector& x) {
  Vector residual;
  Sparse slopes;
  const auto n = static_cast<Eigen::Index>(balance.size()), rows = static_cast<Eigen::Index>(balance.row_count());
  if (rows == 0 || !evaluate(balance, x, residual, slopes)) return;
  const Sparse along = -slopes.topRightCorner(n, rows), gram = along.transpose() * along;
  Eigen::SimplicialLDLT<Sparse> factor(gram);
  if (factor.info() != Eigen::Success) return;
  const Vector found = factor.solve(along.transpose() * residual.head(n));
  if (found.allFinite()) x.tail(rows) = found;
}

/// What is left is small beside what the slopes make of the unknowns, as large as they were on the way.
bool is_balanced(const Vector& residual, const Sparse& slopes, const Vector& largest) {
  const Vector size = slopes.cwiseAbs() * largest;
  return residual.cwiseAbs().maxCoeff() <= tolerance::consistent * size.maxCoeff();
}

std::optional<Vector> solve(Balance& balance, Vector x, Eigen::Index n) {
  constexpr int most = 60;
  constexpr double longest = 0.25;  // of the configuration's size, at once
  Vector residual, largest = x.cwiseAbs();
  Sparse slopes;
  for (int k = 0; k < most; ++k) {
    if (!evaluate(balance, x, residual, slopes)) return std::nullopt;
    Eigen::SparseLU<Sparse> lu(slopes);
    if (lu.info() != Eigen::Success) return std::nullopt;
    const Vector step = lu.solve(residual);
    if (!step.allFinite()) return std::nullopt;
    double size = largest.head(n).lpNorm<Eigen::Infinity>();
    const double moved = step.head(n).lpNorm<Eigen::Infinity>();
    if (size == 0) size = moved;  // all at the origin: the first step says how far the forces reach
    x -= std::min(1.0, longest * size / moved) * step;
    largest = largest.cwiseMax(x.cwiseAbs());
    if (moved <= tolerance::assembled * size)
      return evaluate(balance, x, residual, slopes) && is_balanced(residual, slopes, largest) ? std::optional(x)
                                                                                              : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Equilibria find_large_equilibrium(const Equations& equations) {
  const Model& model = *equations.model;
  Equilibria result;
  for (const Coordinate& coordinate : model.coordinates) result.coordinates.push_back(coordinate.name);
  for (const Constraint& constraint : model.constraints) result.constraints.push_back(constraint.name);
  result.starts = 1;
  result.notes.push_back(fmt::format(
      "with {} coordinates an equilibrium is looked for from the model's own start, and its stability is not decided",
      model.coordinates.size()));
  Balance balance(equations, {});
  const std::vector<double> start = initial_state(model).q;
  const auto n = static_cast<Eigen::Index>(start.size());
  Vector x = Vector::Zero(size_of(balance));
  std::ranges::copy(start, x.begin());
  guess_multipliers(balance, x);
  const std::optional<Vector> found = solve(balance, std::move(x), n);
  if (!found) return result;
  Equilibrium& each = result.found.emplace_back();
  each.q.assign(found->begin(), found->begin() + n);
  each.reactions.assign(found->begin() + n, found->end());
  each.verdict = "not decided: too many coordinates";
  return result;
}

}  // namespace dalembert
