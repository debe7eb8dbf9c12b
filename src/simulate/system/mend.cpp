// M at a state: regular, mended by constraints, or refused with the coordinates that have no inertia.

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"
#include "simulate/system/rank.hpp"

namespace dalembert {
namespace {

/// Coordinates along the virtual displacement with the least inertia.
std::string name_weakest(const SystemEvaluator& evaluator, const Evaluation& at, Index failed) {
  const CompiledSystem& system = evaluator.system();
  const std::size_t n = system.u_count(), rows = system.row_count();
  const std::string fallback = system.equations().velocities[failed].name();
  if (n > 500) return fallback;
  std::vector<double> mass(n * n, 0.0), jacobian(rows * n, 0.0);
  for (std::size_t k = 0; k < at.mass().size(); ++k) {
    const auto [i, j] = system.pattern->mass[k];
    mass[i * n + j] = mass[j * n + i] = at.mass()[k];
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::span<double> row(jacobian.data() + r * n, n);
    const double* value = at.jacobian_row(r);
    for (const Entry& entry : system.row(r).jacobian) row[entry.column] = *value++;
    const double length = length_of(row);
    for (double& x : row) x = length > 0 ? x / length : 0;
  }
  const std::vector<double> free = split_rows({rows, n, jacobian}, tolerance::dependent).kernel;
  const std::size_t count = free.size() / n;
  if (count == 0) return fallback;
  const MatrixView m(n, n, mass), directions(count, n, free);
  std::vector<double> reduced(count * count), image(n);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < n; ++k) image[k] = dot(m.row(k), directions.row(i));
    for (std::size_t j = 0; j < count; ++j) reduced[i * count + j] = dot(image, directions.row(j));
  }
  const SymmetricEigen eigen = find_eigenvalues({count, count, reduced});
  if (!eigen.ok) return fallback;
  std::vector<double> weakest(n, 0.0);
  for (std::size_t i = 0; i < count; ++i) add_scaled(eigen.vectors[i], directions.row(i), weakest);
  double largest = 0;
  for (double part : weakest) largest = std::max(largest, std::abs(part));
  std::string names;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::abs(weakest[i]) < 0.1 * largest) continue;
    names += (names.empty() ? "" : ", ") + system.component_name(i);
  }
  return names;
}

}  // namespace

std::shared_ptr<const Selection> mend(const SystemEvaluator& evaluator, const Evaluation& at,
                                      const std::vector<bool>& vanishing) {
  const CompiledSystem& system = evaluator.system();
  if (Factor(system.no_rows).factor(at.mass().data(), at.jacobian().data())) return system.all_rows;
  std::vector<double> jacobian(at.jacobian().begin(), at.jacobian().end());
  for (std::size_t r = 0; r < vanishing.size(); ++r)
    if (vanishing[r]) std::fill_n(jacobian.data() + system.at.row_begin[r], system.row(r).jacobian.size(), 0.0);
  MendingResult found = find_mending(system.pattern, at.mass().data(), jacobian.data());
  if (found.ok) return std::make_shared<const Selection>(system.pattern, std::move(found.mending));
  throw ModelError(
      {evaluator.model().file,
       {},
       "coordinates",
       "the mass matrix is not positive definite on the virtual displacements at the initial state: no inertia along " +
           name_weakest(evaluator, at, found.failed),
       "give a mass or an inertia that moves with it, or a constraint that holds it"});
}

}  // namespace dalembert
