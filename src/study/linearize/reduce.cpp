#include "study/linearize/reduce.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/basis.hpp"
#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"
#include "study/eigen_view.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Of rows by rows by columns, a few nanoseconds each.
void spend(std::size_t rows, std::size_t columns) {
  spend_work(0.5 * static_cast<double>(rows) * static_cast<double>(rows) * static_cast<double>(columns));
}

MatrixXd to_eigen(const NumberMatrix& m) {
  return Eigen::Map<const RowMajor>(m.values.data(), to_index(m.rows), to_index(m.columns));
}
VectorXd to_eigen(const std::vector<double>& v) { return Eigen::Map<const VectorXd>(v.data(), to_index(v.size())); }

NumberMatrix from_eigen(const MatrixXd& m) {
  NumberMatrix result(static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols()));
  Eigen::Map<RowMajor>(result.values.data(), m.rows(), m.cols()) = m;
  return result;
}

/// A row's numbers in its unit; false where it vanishes.
bool normalise(std::span<double> row) {
  const double length = length_of(row);
  if (!(length > 0)) return false;
  for (double& entry : row) entry /= length;
  return true;
}

/// Entries that may be rounding of terms of these sizes are zero.
MatrixXd without_rounding(const MatrixXd& m, const MatrixXd& sizes) {
  return (m.cwiseAbs().array() > tolerance::vanishing_pivot * sizes.array()).select(m, 0.0);
}

/// What the constraints make of free changes: A of the kept rows, split, and the null space's basis N.
struct Split {
  Split(const NumberMatrix& jacobian, const Choice& choice) {
    const MatrixXd all = to_eigen(jacobian);
    rows = all(choice.rows, Eigen::all);
    dependent = rows(Eigen::all, choice.dependent);
    inverse.compute(dependent);
    ok = rows.allFinite() && (rows.rows() == 0 || inverse.rcond() > tolerance::clear_sign);
    null = MatrixXd::Zero(all.cols(), to_index(choice.free_u.size()));
    if (!ok) return;
    const MatrixXd given = solve(rows(Eigen::all, choice.free_u));
    for (std::size_t k = 0; k < choice.dependent.size(); ++k)
      null.row(to_index(choice.dependent[k])) = -given.row(to_index(k));
    for (std::size_t k = 0; k < choice.free_u.size(); ++k) null(to_index(choice.free_u[k]), to_index(k)) = 1;
  }

  /// Nothing to solve, or nothing to solve for, is nothing: Eigen wants a number at least.
  MatrixXd solve(const MatrixXd& right) const { return right.size() == 0 ? right : MatrixXd(inverse.solve(right)); }
  /// The change of the dependent ones, as rows of all, that answers `right`: A change + right = 0.
  MatrixXd answer(const MatrixXd& right, const Choice& choice, Index size) const {
    MatrixXd change = MatrixXd::Zero(size, right.cols());
    const MatrixXd given = solve(right);
    for (std::size_t k = 0; k < choice.dependent.size(); ++k)
      change.row(to_index(choice.dependent[k])) = -given.row(to_index(k));
    return change;
  }
  /// Multipliers of the kept rows with A^T multipliers = force on the dependent coordinates.
  MatrixXd multipliers(const MatrixXd& force, const Choice& choice) const {
    if (rows.rows() == 0 || force.cols() == 0) return MatrixXd::Zero(rows.rows(), force.cols());
    return inverse.transpose().solve(MatrixXd(force(choice.dependent, Eigen::all)));
  }

  bool ok = false;
  MatrixXd rows, dependent, null;
  Eigen::PartialPivLU<MatrixXd> inverse;
};

/// Takes the pivots of rows [first, last) of a working copy, each the largest that is allowed, and clears its column.
bool take_pivots(MatrixXd& work, Index first, Index last, std::vector<bool>& allowed,
                 std::vector<std::size_t>& dependent) {
  for (Index k = first; k < last; ++k) {
    Index row = k, column = -1;
    double largest = tolerance::dependent;
    for (Index i = k; i < last; ++i)
      for (Index j = 0; j < work.cols(); ++j)
        if (allowed[static_cast<std::size_t>(j)] && std::abs(work(i, j)) > largest) {
          largest = std::abs(work(i, j));
          row = i;
          column = j;
        }
    if (column < 0) return false;
    work.row(k).swap(work.row(row));
    for (Index i = 0; i < work.rows(); ++i)
      if (i != k) work.row(i) -= work(i, column) / work(k, column) * work.row(k);
    allowed[static_cast<std::size_t>(column)] = false;
    dependent.push_back(static_cast<std::size_t>(column));
  }
  return true;
}

void list_free(Choice& choice, std::size_t size) {
  std::vector<bool> by_position(size, false), by_velocity(size, false);
  for (std::size_t k = 0; k < choice.dependent.size(); ++k) {
    by_velocity[choice.dependent[k]] = true;
    if (k < choice.geometric) by_position[choice.dependent[k]] = true;
  }
  choice.free_q.clear();
  choice.free_u.clear();
  for (std::size_t i = 0; i < size; ++i) {
    if (!by_position[i]) choice.free_q.push_back(i);
    if (!by_velocity[i]) choice.free_u.push_back(i);
  }
}

/// Places by what is free of them: inputs and time as they are, coordinates by the geometric rows.
MatrixXd find_places(const SlopeValues& slopes, const Split& split, const Choice& choice, Index size) {
  const Index extra = to_index(slopes.position_x.columns), free = to_index(choice.free_q.size()),
              g = to_index(choice.geometric);
  MatrixXd places = MatrixXd::Zero(extra + size, extra + free);
  places.topLeftCorner(extra, extra).setIdentity();
  for (Index k = 0; k < free; ++k) places(extra + to_index(choice.free_q[static_cast<std::size_t>(k)]), extra + k) = 1;
  if (g == 0 || extra + free == 0) return places;
  MatrixXd right(g, extra + free);
  right << to_eigen(slopes.position_x)(choice.rows, Eigen::all).topRows(g),
      split.rows(Eigen::all, choice.free_q).topRows(g);
  const MatrixXd given = split.dependent.topLeftCorner(g, g).partialPivLu().solve(right);
  for (Index k = 0; k < g; ++k)
    places.row(extra + to_index(choice.dependent[static_cast<std::size_t>(k)])) = -given.row(k);
  return places;
}

/// What velocities, forces and accelerations do where places or free velocities change: by `e` and by `w`.
struct Changes {
  MatrixXd places, velocity_e;
  MatrixXd force_e, force_w;
  MatrixXd acceleration_e, acceleration_w;  ///< without N w'
};

Changes find_changes(const SlopeValues& slopes, const Split& split, const Choice& choice) {
  const MatrixXd& n = split.null;
  Changes made;
  made.places = find_places(slopes, split, choice, n.rows());
  made.velocity_e = split.answer(to_eigen(slopes.velocity_e)(choice.rows, Eigen::all) * made.places, choice, n.rows());
  const MatrixXd s_e = to_eigen(slopes.acceleration_e)(choice.rows, Eigen::all),
                 s_u = to_eigen(slopes.acceleration_u)(choice.rows, Eigen::all);
  made.acceleration_e = split.answer(s_e * made.places + s_u * made.velocity_e, choice, n.rows());
  made.acceleration_w = split.answer(s_u * n, choice, n.rows());
  const MatrixXd r_u = to_eigen(slopes.force_u);
  made.force_e = to_eigen(slopes.force_e) * made.places + r_u * made.velocity_e;
  made.force_w = r_u * n;
  return made;
}

/// Outputs, with the accelerations as they are and the reactions that follow from them.
void add_outputs(const SlopeValues& slopes, const Split& split, const Choice& choice, const MatrixXd& mass,
                 const Changes& changes, Reduced& result) {
  const MatrixXd &n = split.null, &a_e = changes.acceleration_e, &a_w = changes.acceleration_w;
  const MatrixXd y_u = to_eigen(slopes.output_u), y_a = to_eigen(slopes.output_a),
                 y_l = to_eigen(slopes.output_l)(Eigen::all, choice.rows);
  result.output_e = from_eigen(to_eigen(slopes.output_e) * changes.places + y_u * changes.velocity_e + y_a * a_e +
                               y_l * split.multipliers(mass * a_e + changes.force_e, choice));
  result.output_w = from_eigen(y_u * n + y_a * a_w + y_l * split.multipliers(mass * a_w + changes.force_w, choice));
}

/// The accelerations that balance: of loads, of reactions, and of inertia as large as velocities make it.
double balanced_size(const TermValues& values, const MotionPoint& at, const MatrixXd& inverse) {
  if (inverse.rows() == 0) return 0;
  const VectorXd speeds = to_eigen(at.u).cwiseAbs();
  VectorXd balanced = to_eigen(values.bias).cwiseAbs();
  balanced += to_eigen(values.jacobian).cwiseAbs().transpose() * to_eigen(at.lambda).cwiseAbs();
  balanced += to_eigen(values.mass).cwiseAbs() * speeds * speeds.maxCoeff();
  return (inverse * balanced).maxCoeff();
}

}  // namespace

Choice choose(const Terms& terms, const TermValues& values, const std::vector<bool>& fixed) {
  spend(values.jacobian.rows, values.jacobian.columns);
  Choice choice;
  const std::size_t n = terms.size();
  OrthonormalBasis basis(n, n);
  NumberMatrix unit = values.jacobian;
  for (const bool geometric : {true, false}) {
    for (std::size_t r = 0; r < terms.row_count(); ++r) {
      const std::span<double> row(unit.values.data() + r * n, n);
      if (terms.is_geometric(r) == geometric && normalise(row) && basis.add(row, tolerance::dependent))
        choice.rows.push_back(r);
    }
    if (geometric) choice.geometric = choice.rows.size();
  }
  MatrixXd work = to_eigen(unit)(choice.rows, Eigen::all);
  std::vector<bool> allowed(n);
  for (std::size_t i = 0; i < n; ++i) allowed[i] = !fixed[i];
  if (take_pivots(work, 0, to_index(choice.geometric), allowed, choice.dependent))
    take_pivots(work, to_index(choice.geometric), work.rows(), allowed, choice.dependent);
  list_free(choice, n);
  return choice;
}

Choice exchange(const Choice& choice, std::size_t dependent, std::size_t by) {
  Choice other = choice;
  std::ranges::replace(other.dependent, dependent, by);
  list_free(other, choice.dependent.size() + choice.free_u.size());
  return other;
}

bool solve_motion(const TermValues& values, const Choice& choice, MotionPoint& at) {
  spend(values.mass.rows, values.mass.columns);
  const Split split(values.jacobian, choice);
  if (!split.ok) return false;
  const MatrixXd mass = to_eigen(values.mass);
  const VectorXd bias = to_eigen(values.bias), drift = to_eigen(values.drift)(choice.rows);
  const Eigen::LLT<MatrixXd> reduced(split.null.transpose() * mass * split.null);
  if (reduced.info() != Eigen::Success || !bias.allFinite()) return false;
  const VectorXd pulled = split.answer(drift, choice, mass.rows());
  VectorXd acceleration = pulled;
  if (split.null.cols() > 0)
    acceleration -= split.null * reduced.solve(split.null.transpose() * (bias + mass * pulled));
  const MatrixXd kept = split.multipliers(mass * acceleration + bias, choice);
  at.a.assign(acceleration.begin(), acceleration.end());
  at.lambda.assign(values.drift.size(), 0.0);
  for (std::size_t k = 0; k < choice.rows.size(); ++k) at.lambda[choice.rows[k]] = kept(to_index(k), 0);
  return acceleration.allFinite();
}

bool settle(Terms& terms, const Choice& choice, MotionPoint& at) {
  constexpr int most = 20;
  const std::size_t g = choice.geometric;
  double before = INFINITY;
  for (int k = 0; g > 0; ++k) {
    const TermValues values = terms.evaluate(at);
    const std::vector<std::size_t> rows(choice.rows.begin(), choice.rows.begin() + static_cast<std::ptrdiff_t>(g)),
        columns(choice.dependent.begin(), choice.dependent.begin() + static_cast<std::ptrdiff_t>(g));
    const MatrixXd slope = to_eigen(values.jacobian)(rows, columns);
    const VectorXd step = slope.partialPivLu().solve(VectorXd(to_eigen(values.position)(rows)));
    if (!step.allFinite() || k == most) return false;
    for (std::size_t i = 0; i < g; ++i) at.q[columns[i]] -= step(to_index(i));
    const double size = step.lpNorm<Eigen::Infinity>();
    if (size == 0 || (size < tolerance::stalled && size >= before)) break;
    before = size;
  }
  const TermValues values = terms.evaluate(at);
  const Split split(values.jacobian, choice);
  if (!split.ok) return false;
  const MatrixXd change = split.answer(to_eigen(values.velocity)(choice.rows), choice, to_index(at.u.size()));
  for (std::size_t i = 0; i < at.u.size(); ++i) at.u[i] += change(to_index(i), 0);
  return change.allFinite();
}

Reduced reduce(const TermValues& values, const SlopeValues& slopes, const Choice& choice, const MotionPoint& at) {
  spend(values.mass.rows, values.mass.columns);
  Reduced result;
  const Split split(values.jacobian, choice);
  if (!split.ok) return result;
  const MatrixXd mass = to_eigen(values.mass), all = to_eigen(values.jacobian), &n = split.null;
  const Eigen::LLT<MatrixXd> factor(n.transpose() * mass * n);
  if (factor.info() != Eigen::Success) return result;
  if (split.rows.rows() > 0) result.condition = split.inverse.rcond();
  Changes changes = find_changes(slopes, split, choice);
  const MatrixXd stiffness = n.transpose() * (changes.force_e + mass * changes.acceleration_e),
                 damping = n.transpose() * (changes.force_w + mass * changes.acceleration_w);

  const MatrixXd inverse = factor.solve(MatrixXd::Identity(n.cols(), n.cols())).cwiseAbs() * n.cwiseAbs().transpose();
  const MatrixXd r_e_size = to_eigen(slopes.force_e_size), r_u_size = to_eigen(slopes.force_u_size);
  const MatrixXd size_e = inverse * (r_e_size * changes.places.cwiseAbs() + r_u_size * changes.velocity_e.cwiseAbs() +
                                     mass.cwiseAbs() * changes.acceleration_e.cwiseAbs()),
                 size_w = inverse * (r_u_size * n.cwiseAbs() + mass.cwiseAbs() * changes.acceleration_w.cwiseAbs());
  const MatrixXd rate_e = without_rounding(-factor.solve(stiffness), size_e),
                 rate_w = without_rounding(-factor.solve(damping), size_w);
  result.mass = from_eigen(n.transpose() * mass * n);
  result.stiffness = from_eigen(stiffness);
  result.damping = from_eigen(damping);
  result.rate_e = from_eigen(rate_e);
  result.rate_w = from_eigen(rate_w);
  result.kinematic_e = from_eigen(changes.velocity_e(choice.free_q, Eigen::all));
  result.kinematic_w = from_eigen(n(choice.free_q, Eigen::all));
  changes.acceleration_e += n * rate_e;
  changes.acceleration_w += n * rate_w;
  add_outputs(slopes, split, choice, mass, changes, result);

  // Rows left out as redundant must be so nearby too: what the others make of a change satisfies them.
  const MatrixXd off = all * changes.velocity_e + to_eigen(slopes.velocity_e) * changes.places;
  result.contradiction = off.size() == 0 ? 0 : off.cwiseAbs().maxCoeff();
  result.forces = balanced_size(values, at, inverse);
  result.slopes = n.cols() == 0 ? 0 : std::max({result.forces, size_e.maxCoeff(), size_w.maxCoeff()});
  result.ok = stiffness.allFinite() && damping.allFinite() && is_finite(result.output_e.values) &&
              is_finite(result.output_w.values);
  return result;
}

}  // namespace dalembert
