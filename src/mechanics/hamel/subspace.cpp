#include "mechanics/hamel/subspace.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/expr/canonical.hpp>

#include "base/tolerances.hpp"

namespace dalembert {

bool vanishes(Expr number) {
  if (number.is_constant()) return number.is_zero();
  Verdict verdict = test_zero(number).verdict;
  if (verdict == Verdict::undecided) throw Undecided();
  return verdict == Verdict::zero;
}

int sign_of(Expr number) {
  if (number.is_constant()) return sgn(number.value());
  if (vanishes(number)) return 0;
  double value = evaluate(number, {});
  if (!(std::fabs(value) > tolerance::clear_sign)) throw Undecided();
  return value > 0 ? 1 : -1;
}

Expr tidy(Expr number) { return number.is_constant() ? number : make_canonical(number).expression; }

Row Subspace::reduce(Row vector) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Expr factor = vector[pivots_[k]];
    if (factor.is_zero()) continue;
    for (std::size_t j = 0; j < width_; ++j)
      if (!rows_[k][j].is_zero()) vector[j] = tidy(vector[j] - factor * rows_[k][j]);
  }
  return vector;
}

bool Subspace::add(Row vector) {
  vector = reduce(std::move(vector));
  auto lead = std::ranges::find_if(vector, [](Expr entry) { return !vanishes(entry); });
  if (lead == vector.end()) return false;
  auto pivot = static_cast<std::size_t>(lead - vector.begin());
  Expr scale = pow(vector[pivot], -1);
  for (Expr& entry : vector) entry = tidy(entry * scale);
  for (Row& row : rows_) {
    Expr factor = row[pivot];
    if (factor.is_zero()) continue;
    for (std::size_t j = 0; j < width_; ++j) row[j] = tidy(row[j] - factor * vector[j]);
  }
  rows_.push_back(std::move(vector));
  pivots_.push_back(pivot);
  return true;
}

std::vector<std::size_t> Subspace::free_columns() const {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < width_; ++j)
    if (std::ranges::find(pivots_, j) == pivots_.end()) columns.push_back(j);
  return columns;
}

Subspace null_space(const std::vector<Row>& matrix, std::size_t width, Graph& graph) {
  Subspace range(width);
  for (const Row& row : matrix) range.add(row);
  Subspace result(width);
  for (std::size_t column : range.free_columns()) {
    Row vector(width, graph.constant(0));
    vector[column] = graph.constant(1);
    for (std::size_t k = 0; k < range.dimension(); ++k) vector[range.pivots()[k]] = -range.rows()[k][column];
    result.add(std::move(vector));
  }
  return result;
}

namespace {

/// Row and column i become those of i plus those of j: a congruence.
void add_to(std::vector<Row>& matrix, std::size_t i, std::size_t j) {
  for (std::size_t k = 0; k < matrix.size(); ++k) matrix[i][k] = tidy(matrix[i][k] + matrix[j][k]);
  for (std::size_t k = 0; k < matrix.size(); ++k) matrix[k][i] = tidy(matrix[k][i] + matrix[k][j]);
}

}  // namespace

/// Lagrange's reduction to squares; a pair without squares, 2 x y, is turned into one by x -> x + y.
std::pair<std::size_t, std::size_t> signature(std::vector<Row> matrix) {
  const std::size_t size = matrix.size();
  std::vector<bool> done(size, false);
  std::size_t positive = 0, negative = 0;
  for (std::size_t step = 0; step < size; ++step) {
    std::size_t pivot = size;
    for (std::size_t i = 0; i < size && pivot == size; ++i)
      if (!done[i] && !vanishes(matrix[i][i])) pivot = i;
    for (std::size_t i = 0; i < size && pivot == size; ++i)
      for (std::size_t j = i + 1; j < size && pivot == size; ++j)
        if (!done[i] && !done[j] && !vanishes(matrix[i][j])) add_to(matrix, pivot = i, j);
    if (pivot == size) break;
    (sign_of(matrix[pivot][pivot]) > 0 ? positive : negative) += 1;
    done[pivot] = true;
    for (std::size_t i = 0; i < size; ++i) {
      if (done[i] || matrix[i][pivot].is_zero()) continue;
      Expr factor = matrix[i][pivot] / matrix[pivot][pivot];
      for (std::size_t j = 0; j < size; ++j)
        if (!done[j]) matrix[i][j] = tidy(matrix[i][j] - factor * matrix[pivot][j]);
    }
  }
  return {positive, negative};
}

}  // namespace dalembert
