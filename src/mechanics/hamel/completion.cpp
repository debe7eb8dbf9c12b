#include <algorithm>
#include <cmath>
#include <dalembert/mechanics/hamel.hpp>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"

// Numbers for a completion: S with S N = 1 for the basis N of the constraints' kernel that is orthonormal in the
// kinetic metric, S = N^T M. Then u = S v has kinetic energy u^2 / 2, and none in common with the constraints'
// velocities.

namespace dalembert {
namespace {

using Numbers = std::vector<double>;

/// The rows one after the other.
void append_rows(const std::vector<std::vector<Expr>>& rows, std::span<const Binding> at, Numbers& values) {
  for (const auto& row : rows) {
    const Numbers evaluated = evaluate(row, at);
    values.insert(values.end(), evaluated.begin(), evaluated.end());
  }
}

/// Coordinates in which M has unit diagonal; massless ones get the middle of the others' sizes.
Numbers weights_of(const Numbers& mass, std::size_t size) {
  auto diagonal = [&](std::size_t i) { return mass[i * size + i]; };
  double sum = 0, count = 0, largest = 0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, diagonal(i));
  auto is_massless = [&](std::size_t i) { return !(diagonal(i) > tolerance::cancelled * largest); };
  for (std::size_t i = 0; i < size; ++i)
    if (!is_massless(i)) sum += std::log(diagonal(i)), count += 1;
  const double middle = count > 0 ? std::exp(sum / count) : 1;
  Numbers weight(size);
  for (std::size_t i = 0; i < size; ++i) weight[i] = 1 / (is_massless(i) ? middle : diagonal(i));
  return weight;
}

/// An orthonormal basis of the rows' kernel: unit vectors beside the rows, the largest remainder first, so that a
/// coordinate that the constraints leave alone is a direction of its own. Empty where the rows depend on each other.
Numbers kernel_of(MatrixView constraints) {
  const std::size_t size = constraints.columns;
  OrthonormalBasis basis(size, size);
  Numbers left(size, 1.0);  // of each unit vector, its squared length
  auto note = [&](std::span<const double> direction) {
    for (std::size_t i = 0; i < size; ++i) left[i] -= direction[i] * direction[i];
  };
  for (std::size_t r = 0; r < constraints.rows; ++r) {
    if (!basis.add(constraints.row(r), tolerance::dependent)) return {};
    note(basis.direction(r));
  }
  Numbers kernel;
  while (basis.count() < size) {
    const auto best = static_cast<std::size_t>(std::ranges::max_element(left) - left.begin());
    Numbers unit(size, 0.0);
    unit[best] = 1;
    if (!basis.add(unit, tolerance::dependent)) return {};
    const auto direction = basis.direction(basis.count() - 1);
    note(direction);
    kernel.insert(kernel.end(), direction.begin(), direction.end());
  }
  return kernel;
}

/// Makes the vectors orthonormal in the metric M by the factor of their Gram matrix, twice, which makes up for the
/// squared condition (Yamamoto et al. 2015); false where M is not positive definite on them.
bool make_orthonormal(Numbers& vectors, MatrixView mass) {
  const std::size_t size = mass.rows, count = vectors.size() / size;
  Numbers gram(count * count), column(count), image(size);
  for (int pass = 0; pass < 2; ++pass) {
    const MatrixView rows(count, size, vectors);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < size; ++k) image[k] = dot(mass.row(k), rows.row(i));
      for (std::size_t j = 0; j <= i; ++j) gram[i * count + j] = dot(rows.row(j), image);
    }
    if (factor_cholesky(gram, count, tolerance::cancelled).failed < count) return false;
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t i = 0; i < count; ++i) column[i] = vectors[i * size + k];
      solve_lower(gram, column);
      for (std::size_t i = 0; i < count; ++i) vectors[i * size + k] = column[i];
    }
  }
  return true;
}

}  // namespace

std::vector<double> choose_completion(const Completion& completion, std::span<const Binding> at) {
  Numbers values;
  append_rows(completion.rows, at, values);
  append_rows(completion.mass, at, values);
  return choose_completion(completion.rows.size(), completion.mass.size(), values);
}

std::vector<double> choose_completion(std::size_t rows, std::size_t size, std::span<const double> given) {
  const std::span<const double> first = given.first(rows * size), rest = given.subspan(rows * size);
  Numbers constraints(first.begin(), first.end()), mass(rest.begin(), rest.end());
  if (!is_finite(constraints) || !is_finite(mass)) return {};
  const Numbers weight = weights_of(mass, size);
  for (std::size_t i = 0; i < size; ++i) {
    const double scale = std::sqrt(weight[i]);
    for (std::size_t r = 0; r < rows; ++r) constraints[r * size + i] *= scale;
    for (std::size_t j = 0; j < size; ++j) mass[i * size + j] *= scale, mass[j * size + i] *= scale;
  }
  const MatrixView metric(size, size, mass);
  Numbers kernel = kernel_of({rows, size, constraints});
  if (kernel.size() != (size - rows) * size || (!kernel.empty() && !make_orthonormal(kernel, metric))) return {};
  const MatrixView vectors(size - rows, size, kernel);
  Numbers values;
  for (std::size_t k = 0; k < vectors.rows; ++k)
    for (std::size_t i = 0; i < size; ++i) values.push_back(dot(metric.row(i), vectors.row(k)) / std::sqrt(weight[i]));
  values.insert(values.end(), weight.begin(), weight.end());
  return values;
}

}  // namespace dalembert
