#include "study/metric_reactions.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <dalembert/base/failure.hpp>

#include "base/tolerances.hpp"

namespace dalembert {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

/// The values of sparse rows of formulas, read from the front of a list.
class Reader {
 public:
  explicit Reader(const std::vector<double>& values) : next_(values.data()) {}

  double number() { return *next_++; }
  Vector numbers(std::size_t count) {
    const auto size = static_cast<Eigen::Index>(count);
    const Vector read = Eigen::Map<const Vector>(next_, size);
    next_ += count;
    return read;
  }
  void row(std::size_t r, const std::vector<Entry>& entries, std::vector<Eigen::Triplet<double>>& places) {
    for (const Entry& entry : entries)
      places.emplace_back(static_cast<int>(r), static_cast<int>(entry.column), number());
  }

 private:
  const double* next_;
};

Sparse matrix_of(std::size_t rows, std::size_t columns, const std::vector<Eigen::Triplet<double>>& places) {
  Sparse made(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  made.setFromTriplets(places.begin(), places.end());
  return made;
}

void append(std::vector<Expr>& list, const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) list.push_back(entry.value);
}

struct Terms {
  Sparse mass, jacobian;  // the lower triangle of M; A
  Vector bias, drift;
};

Terms evaluate_terms(const Equations& equations, const State& state) {
  std::vector<Expr> list;
  for (const auto& row : equations.mass) append(list, row);
  for (const ConstraintRow& row : equations.rows) append(list, row.jacobian);
  list.insert(list.end(), equations.bias.begin(), equations.bias.end());
  for (const ConstraintRow& row : equations.rows) list.push_back(row.drift);
  const std::vector<double> values = evaluate(list, bind_symbols(equations, state, parameter_values(*equations.model)));
  Reader read(values);
  const std::size_t n = equations.velocities.size(), rows = equations.rows.size();
  std::vector<Eigen::Triplet<double>> mass, jacobian;
  for (std::size_t i = 0; i < n; ++i) read.row(i, equations.mass[i], mass);
  for (std::size_t r = 0; r < rows; ++r) read.row(r, equations.rows[r].jacobian, jacobian);
  Vector bias = read.numbers(n), drift = read.numbers(rows);
  return {matrix_of(n, n, mass), matrix_of(rows, n, jacobian), std::move(bias), std::move(drift)};
}

[[noreturn]] void refuse(const char* problem) {
  throw ComputationError(
      fmt::format("{} at this state; --by multipliers tells which reactions are determined", problem));
}

}  // namespace

MetricReactions evaluate_metric_reactions(const KineticGeometry& geometry, const State& state) {
  const Terms at = evaluate_terms(geometry.equations, state);
  Eigen::SimplicialLDLT<Sparse> mass(at.mass);
  const Vector pivots = mass.info() == Eigen::Success ? Vector(mass.vectorD()) : Vector::Zero(1);
  if (std::ranges::any_of(pivots, [](double pivot) { return !(pivot > 0); })) refuse("the kinetic metric is singular");
  const Sparse transposed = at.jacobian.transpose(), raised = mass.solve(transposed);
  const Sparse gram = at.jacobian * raised;
  Eigen::SimplicialLLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>> factor(gram);
  const Vector lengths = gram.diagonal().cwiseSqrt();
  if (factor.info() != Eigen::Success) refuse("constraints depend on each other");
  const Sparse lower = factor.matrixL();
  for (Eigen::Index r = 0; r < lengths.size(); ++r)
    if (!(lower.coeff(r, r) > tolerance::dependent * lengths(r))) refuse("constraints depend on each other");
  const Vector right = raised.transpose() * at.bias - at.drift, lambda = factor.solve(right);
  const Vector theta = lower.transpose() * lambda;
  return {{lambda.begin(), lambda.end()}, {theta.begin(), theta.end()}};
}

}  // namespace dalembert
