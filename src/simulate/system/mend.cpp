// M at a state: regular, mended by constraints, or refused with the coordinates that have no inertia.

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "simulate/system/rank.hpp"

namespace dalembert {
namespace {

/// Coordinates along the virtual displacement with the least inertia.
std::string name_weakest(const SystemEvaluator& evaluator, const Evaluation& at, Index failed) {
  const CompiledSystem& system = evaluator.system();
  const auto n = static_cast<Eigen::Index>(system.u_count()), rows = static_cast<Eigen::Index>(system.row_count());
  std::string names = system.equations().velocities[failed].name();
  if (n > 500) return names;
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n), columns = Eigen::MatrixXd::Zero(n, rows);
  for (std::size_t k = 0; k < at.mass().size(); ++k) {
    const auto [i, j] = system.pattern->mass[k];
    m(i, j) = m(j, i) = at.mass()[k];
  }
  for (Eigen::Index r = 0; r < rows; ++r) {
    const double* value = at.jacobian_row(static_cast<std::size_t>(r));
    for (const Entry& entry : system.row(static_cast<std::size_t>(r)).jacobian) columns(entry.column, r) = *value++;
  }
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(n, n);
  if (rows > 0) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
    free = Eigen::MatrixXd(qr.householderQ()).rightCols(n - qr.rank());
  }
  if (free.cols() == 0) return names;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(free.transpose() * m * free);
  const Eigen::VectorXd direction = free * solver.eigenvectors().col(0);
  names.clear();
  for (Eigen::Index i = 0; i < n; ++i) {
    if (std::abs(direction[i]) < 0.1 * direction.cwiseAbs().maxCoeff()) continue;
    names += (names.empty() ? "" : ", ") + system.component_name(static_cast<std::size_t>(i));
  }
  return names;
}

}  // namespace

std::shared_ptr<const Selection> mend(const SystemEvaluator& evaluator, const Evaluation& at) {
  const CompiledSystem& system = evaluator.system();
  MendingResult found = find_mending(system.pattern, at.mass().data(), at.jacobian().data());
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
