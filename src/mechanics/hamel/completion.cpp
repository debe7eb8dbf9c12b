#include <algorithm>
#include <cmath>
#include <dalembert/mechanics/hamel.hpp>

// Numbers for a completion: S with S N = 1 for the basis N of the constraints' kernel that is orthonormal in the
// kinetic metric, S = N^T M. Then u = S v has kinetic energy u^2 / 2, and none in common with the constraints'
// velocities.

namespace dalembert {
namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// What is left of a row beside an orthonormal set, orthogonalised twice.
Row beside(Row row, const Rows& basis) {
  for (int pass = 0; pass < 2; ++pass)
    for (const Row& other : basis) {
      const double part = dot(row, other);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] -= part * other[i];
    }
  return row;
}

/// Coordinates in which M has unit diagonal; massless ones get the middle of the others' sizes.
Row weights_of(const Rows& mass) {
  Row weight(mass.size());
  double sum = 0, count = 0, largest = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) largest = std::max(largest, mass[i][i]);
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (mass[i][i] > 1e-12 * largest) sum += std::log(mass[i][i]), count += 1;
  const double middle = count > 0 ? std::exp(sum / count) : 1;
  for (std::size_t i = 0; i < mass.size(); ++i) weight[i] = 1 / (mass[i][i] > 1e-12 * largest ? mass[i][i] : middle);
  return weight;
}

/// An orthonormal basis of the rows' kernel: unit vectors beside the rows, the largest remainder first.
Rows kernel_of(const Rows& constraints, std::size_t size) {
  Rows basis;
  for (const Row& row : constraints) {
    const double length = std::sqrt(dot(row, row));
    Row rest = beside(row, basis);
    const double left = std::sqrt(dot(rest, rest));
    if (!(left > 1e-10 * length)) continue;
    for (double& value : rest) value /= left;
    basis.push_back(std::move(rest));
  }
  Rows kernel;
  std::vector<Row> candidates;
  for (std::size_t i = 0; i < size; ++i) {
    Row unit(size, 0.0);
    unit[i] = 1;
    candidates.push_back(beside(std::move(unit), basis));
  }
  while (basis.size() < size) {
    auto best = std::ranges::max_element(candidates, {}, [](const Row& row) { return dot(row, row); });
    Row next = beside(*best, basis);
    const double length = std::sqrt(dot(next, next));
    for (double& value : next) value /= length;
    basis.push_back(next);
    for (Row& row : candidates) {
      const double part = dot(row, next);
      for (std::size_t i = 0; i < size; ++i) row[i] -= part * next[i];
    }
    kernel.push_back(std::move(next));
  }
  return kernel;
}

/// Makes the vectors orthonormal in the metric M; false where M is not positive definite on them.
bool make_orthonormal(Rows& vectors, const Rows& mass) {
  auto times = [&](const Row& x) {
    Row result;
    for (const Row& row : mass) result.push_back(dot(row, x));
    return result;
  };
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < k; ++j) {
        const double part = dot(times(vectors[j]), vectors[k]);
        for (std::size_t i = 0; i < vectors[k].size(); ++i) vectors[k][i] -= part * vectors[j][i];
      }
    const double square = dot(times(vectors[k]), vectors[k]);
    if (!(square > 0) || !std::isfinite(square)) return false;
    for (double& value : vectors[k]) value /= std::sqrt(square);
  }
  return true;
}

}  // namespace

std::vector<double> choose_completion(const Completion& completion, std::span<const Binding> at) {
  std::vector<double> values;
  for (const auto* rows : {&completion.rows, &completion.mass})
    for (const std::vector<Expr>& row : *rows) {
      const Row evaluated = evaluate(row, at);
      values.insert(values.end(), evaluated.begin(), evaluated.end());
    }
  return choose_completion(completion.rows.size(), completion.mass.size(), values);
}

std::vector<double> choose_completion(std::size_t rows, std::size_t size, std::span<const double> given) {
  const auto take = [&](std::size_t first, std::size_t count) {
    Rows result;
    for (std::size_t r = first; r < first + count; ++r) {
      const std::span<const double> row = given.subspan(r * size, size);
      result.emplace_back(row.begin(), row.end());
    }
    return result;
  };
  Rows constraints = take(0, rows), mass = take(rows, size);
  Row weight = weights_of(mass);
  auto finite = [](const Row& row) { return std::ranges::all_of(row, [](double x) { return std::isfinite(x); }); };
  if (!std::ranges::all_of(constraints, finite) || !std::ranges::all_of(mass, finite)) return {};
  for (std::size_t i = 0; i < size; ++i) {
    const double scale = std::sqrt(weight[i]);
    for (Row& row : constraints) row[i] *= scale;
    for (std::size_t j = 0; j < size; ++j) mass[i][j] *= scale, mass[j][i] *= scale;
  }
  Rows kernel = kernel_of(constraints, size);
  if (!make_orthonormal(kernel, mass)) return {};
  std::vector<double> values;
  for (const Row& vector : kernel)
    for (std::size_t i = 0; i < size; ++i) values.push_back(dot(mass[i], vector) / std::sqrt(weight[i]));
  values.insert(values.end(), weight.begin(), weight.end());
  return values;
}

}  // namespace dalembert
