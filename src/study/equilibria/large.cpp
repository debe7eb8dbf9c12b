#include "study/equilibria/large.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "simulate/system/kernel.hpp"

namespace dalembert {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;
using Places = std::vector<Eigen::Triplet<double>>;

/// R = h - A^T lambda at rest and f (of a differential constraint its offset) over (q, lambda), with its slopes.
class SparseBalance {
 public:
  explicit SparseBalance(const Equations& of) : equations_(fork(of)), n_(of.coordinates.size()), rows_(of.rows.size()) {
    Graph& graph = *equations_.graph;
    std::vector<Expr> unknowns = equations_.coordinates, outputs = equations_.bias, parameters;
    std::vector<Replacement> rest{{equations_.time, graph.constant(0)}};
    for (const Expr& velocity : equations_.velocities) rest.push_back({velocity, graph.constant(0)});
    for (std::size_t r = 0; r < rows_; ++r) {
      const ConstraintRow& row = equations_.rows[r];
      unknowns.push_back(graph.symbol(fmt::format("lambda[{}]", r)));  // no name of a model
      for (const Entry& entry : row.jacobian)
        outputs[entry.column] = outputs[entry.column] - entry.value * unknowns.back();
      outputs.push_back(row.position ? row.position : row.offset);
    }
    outputs = substitute(outputs, rest);
    slopes_ = sparse_jacobian(outputs, unknowns);
    for (const auto& row : slopes_)
      for (const Entry& entry : row) outputs.push_back(entry.value);
    for (const Parameter& parameter : equations_.model->parameters) parameters.push_back(parameter.symbol);
    const Kernel kernel(unknowns, parameters, outputs);
    kernel_ = BoundKernel(kernel);
    kernel_.set_parameters(parameter_values(*equations_.model));
    values_.resize(kernel.output_count());
  }

  Eigen::Index size() const { return static_cast<Eigen::Index>(n_ + rows_); }

  /// False where something is not finite.
  bool evaluate(const Vector& x, Vector& residual, Sparse& slopes) {
    kernel_(x.data(), values_.data());
    if (!std::ranges::all_of(values_, [](double value) { return std::isfinite(value); })) return false;
    residual = Eigen::Map<const Vector>(values_.data(), size());
    Places places;
    const double* next = values_.data() + size();
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      for (const Entry& entry : slopes_[i])
        places.emplace_back(static_cast<int>(i), static_cast<int>(entry.column), *next++);
    slopes.resize(size(), size());
    slopes.setFromTriplets(places.begin(), places.end());
    return true;
  }

  /// Those that balance the forces best.
  void guess_multipliers(Vector& x) {
    Vector residual;
    Sparse slopes;
    const auto n = static_cast<Eigen::Index>(n_), rows = static_cast<Eigen::Index>(rows_);
    if (rows == 0 || !evaluate(x, residual, slopes)) return;
    const Sparse along = -slopes.topRightCorner(n, rows), gram = along.transpose() * along;
    Eigen::SimplicialLDLT<Sparse> factor(gram);
    if (factor.info() != Eigen::Success) return;
    const Vector found = factor.solve(along.transpose() * residual.head(n));
    if (found.allFinite()) x.tail(rows) = found;
  }

 private:
  Equations equations_;
  std::size_t n_, rows_;
  std::vector<std::vector<Entry>> slopes_;
  BoundKernel kernel_;
  std::vector<double> values_;
};

/// What is left is small beside what the slopes make of the unknowns, as large as they were on the way.
bool is_balanced(const Vector& residual, const Sparse& slopes, const Vector& largest) {
  const Vector size = slopes.cwiseAbs() * largest;
  return residual.cwiseAbs().maxCoeff() <= tolerance::consistent * size.maxCoeff();
}

std::optional<Vector> solve(SparseBalance& balance, Vector x, Eigen::Index n) {
  constexpr int most = 60;
  constexpr double longest = 0.25;  // of the configuration's size, at once
  Vector residual, largest = x.cwiseAbs();
  Sparse slopes;
  for (int k = 0; k < most; ++k) {
    if (!balance.evaluate(x, residual, slopes)) return std::nullopt;
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
      return balance.evaluate(x, residual, slopes) && is_balanced(residual, slopes, largest) ? std::optional(x)
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
  SparseBalance balance(equations);
  const std::vector<double> start = initial_state(model).q;
  const auto n = static_cast<Eigen::Index>(start.size());
  Vector x = Vector::Zero(balance.size());
  std::ranges::copy(start, x.begin());
  balance.guess_multipliers(x);
  const std::optional<Vector> found = solve(balance, std::move(x), n);
  if (!found) return result;
  Equilibrium& each = result.found.emplace_back();
  each.q.assign(found->begin(), found->begin() + n);
  each.reactions.assign(found->begin() + n, found->end());
  each.verdict = "not decided: too many coordinates";
  return result;
}

}  // namespace dalembert
