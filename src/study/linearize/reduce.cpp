#include "study/linearize/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/basis.hpp"
#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"
#include "study/eigen_view.hpp"
#include "study/linearize/thin.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using thin::multiply;

/// Of going through a matrix of rows by columns some ten times: what is multiplied and solved counts by itself.
void spend(std::size_t rows, std::size_t columns) {
  spend_work(static_cast<double>(rows) * static_cast<double>(columns));
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
    const MatrixXd given = inverse.solve(rows(Eigen::all, choice.free_u));
    for (std::size_t k = 0; k < choice.dependent.size(); ++k)
      null.row(to_index(choice.dependent[k])) = -given.row(to_index(k));
    for (std::size_t k = 0; k < choice.free_u.size(); ++k) null(to_index(choice.free_u[k]), to_index(k)) = 1;
  }

  /// The change of the dependent ones, as rows of all, that answers `right`: A change + right = 0.
  MatrixXd answer(const MatrixXd& right, const Choice& choice, Index size) const {
    MatrixXd change = MatrixXd::Zero(size, right.cols());
    const MatrixXd given = inverse.solve(right);
    for (std::size_t k = 0; k < choice.dependent.size(); ++k)
      change.row(to_index(choice.dependent[k])) = -given.row(to_index(k));
    return change;
  }
  /// By the geometric rows alone: they come first, and only what they determine is in them.
  MatrixXd solve_geometric(const MatrixXd& right) const {
    if (right.rows() == dependent.rows()) return inverse.solve(right);
    thin::Lu lu;
    lu.compute(dependent.topLeftCorner(right.rows(), right.rows()));
    return lu.solve(right);
  }
  /// Multipliers of the kept rows with A^T multipliers = force on the dependent coordinates.
  MatrixXd multipliers(const MatrixXd& force, const Choice& choice) const {
    if (rows.rows() == 0 || force.cols() == 0) return MatrixXd::Zero(rows.rows(), force.cols());
    return inverse.solve_transposed(force(choice.dependent, Eigen::all));
  }

  bool ok = false;
  MatrixXd rows, dependent, null;
  thin::Lu inverse;
};

/// A working copy of the rows, to take pivots from.
class Pivots {
 public:
  Pivots(RowMajor rows, std::vector<bool> allowed)
      : work_(std::move(rows)), allowed_(std::move(allowed)), largest_(static_cast<std::size_t>(work_.rows())) {}

  /// Those of rows [first, last), each the largest that is allowed; its column is cleared in the rows that follow.
  bool take(Index first, Index last, std::vector<std::size_t>& dependent) {
    for (Index i = first; i < last; ++i) look(i);
    for (Index k = first; k < last; ++k) {
      Index row = k;
      for (Index i = k; i < last; ++i)
        if (of(i).size > of(row).size) row = i;
      if (!(of(row).size > tolerance::dependent)) return false;
      work_.row(k).swap(work_.row(row));
      std::swap(of(k), of(row));
      const Index column = of(k).column;
      allowed_[static_cast<std::size_t>(column)] = false;
      dependent.push_back(static_cast<std::size_t>(column));
      clear(k, column, last);
    }
    return true;
  }

 private:
  struct Largest {
    double size = 0;
    Index column = -1;
  };
  Largest& of(Index row) { return largest_[static_cast<std::size_t>(row)]; }

  void look(Index i) {
    of(i) = {};
    spend_work(0.1 * static_cast<double>(work_.cols()));
    for (Index j = 0; j < work_.cols(); ++j)
      if (allowed_[static_cast<std::size_t>(j)] && std::abs(work_(i, j)) > of(i).size)
        of(i) = {std::abs(work_(i, j)), j};
  }
  void clear(Index k, Index column, Index last) {
    for (Index i = k + 1; i < work_.rows(); ++i) {
      const bool changes = work_(i, column) != 0;
      if (changes) work_.row(i) -= work_(i, column) / work_(k, column) * work_.row(k);
      if (i < last && (changes || of(i).column == column)) look(i);
    }
  }

  RowMajor work_;
  std::vector<bool> allowed_;
  std::vector<Largest> largest_;
};

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
  right << view(slopes.position_x)(choice.rows, Eigen::all).topRows(g),
      split.rows(Eigen::all, choice.free_q).topRows(g);
  const MatrixXd given = split.solve_geometric(right);
  for (Index k = 0; k < g; ++k)
    places.row(extra + to_index(choice.dependent[static_cast<std::size_t>(k)])) = -given.row(k);
  return places;
}

/// N^T M N.
MatrixXd reduce_mass(const MatrixXd& mass, const MatrixXd& null) {
  return multiply(multiply(null.transpose(), mass), null);
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
  made.velocity_e =
      split.answer(multiply(view(slopes.velocity_e)(choice.rows, Eigen::all), made.places), choice, n.rows());
  const MatrixXd s_e = view(slopes.acceleration_e)(choice.rows, Eigen::all),
                 s_u = view(slopes.acceleration_u)(choice.rows, Eigen::all);
  made.acceleration_e = split.answer(multiply(s_e, made.places) + multiply(s_u, made.velocity_e), choice, n.rows());
  made.acceleration_w = split.answer(multiply(s_u, n), choice, n.rows());
  const MatrixXd r_u = to_eigen(slopes.force_u);
  made.force_e = multiply(to_eigen(slopes.force_e), made.places) + multiply(r_u, made.velocity_e);
  made.force_w = multiply(r_u, n);
  return made;
}

/// Outputs, with the accelerations as they are and the reactions that follow from them.
void add_outputs(const SlopeValues& slopes, const Split& split, const Choice& choice, const MatrixXd& mass,
                 const Changes& changes, Reduced& result) {
  if (slopes.output_e.rows == 0) {
    result.output_e = NumberMatrix(0, static_cast<std::size_t>(changes.places.cols()));
    result.output_w = NumberMatrix(0, static_cast<std::size_t>(split.null.cols()));
    return;
  }
  const MatrixXd &n = split.null, &a_e = changes.acceleration_e, &a_w = changes.acceleration_w;
  const MatrixXd y_u = to_eigen(slopes.output_u), y_a = to_eigen(slopes.output_a),
                 y_l = view(slopes.output_l)(Eigen::all, choice.rows);
  result.output_e = from_eigen(to_eigen(slopes.output_e) * changes.places + y_u * changes.velocity_e + y_a * a_e +
                               y_l * split.multipliers(multiply(mass, a_e) + changes.force_e, choice));
  result.output_w =
      from_eigen(y_u * n + y_a * a_w + y_l * split.multipliers(multiply(mass, a_w) + changes.force_w, choice));
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

/// Drops rows in the span of those before them.
void keep_independent(const NumberMatrix& unit, Choice& choice) {
  const std::size_t n = unit.columns;
  spend_work(0.2 * static_cast<double>(choice.rows.size() * choice.rows.size()) * static_cast<double>(n));
  OrthonormalBasis basis(n, n);
  std::vector<std::size_t> kept;
  std::size_t geometric = 0;
  for (std::size_t k = 0; k < choice.rows.size(); ++k) {
    const std::span<const double> row(unit.values.data() + choice.rows[k] * n, n);
    if (!basis.add(row, tolerance::dependent)) continue;
    kept.push_back(choice.rows[k]);
    if (k < choice.geometric) geometric = kept.size();
  }
  choice.rows = std::move(kept);
  choice.geometric = geometric;
}

}  // namespace

Choice choose(const Terms& terms, const TermValues& values, const std::vector<bool>& fixed) {
  spend(values.jacobian.rows, values.jacobian.columns);
  Choice choice;
  const std::size_t n = terms.size();
  NumberMatrix unit = values.jacobian;
  std::vector<std::size_t> order;
  for (const bool geometric : {true, false}) {
    for (std::size_t r = 0; r < terms.row_count(); ++r)
      if (terms.is_geometric(r) == geometric && normalise({unit.values.data() + r * n, n})) order.push_back(r);
    if (geometric) choice.geometric = order.size();
  }
  choice.rows = order;
  if (!thin::are_clearly_independent(view(unit)(order, Eigen::all))) keep_independent(unit, choice);
  std::vector<bool> allowed(n);
  for (std::size_t i = 0; i < n; ++i) allowed[i] = !fixed[i];
  Pivots pivots(view(unit)(choice.rows, Eigen::all), std::move(allowed));
  if (pivots.take(0, to_index(choice.geometric), choice.dependent))
    pivots.take(to_index(choice.geometric), to_index(choice.rows.size()), choice.dependent);
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
  const thin::Cholesky reduced(reduce_mass(mass, split.null));
  if (!reduced.ok() || !bias.allFinite()) return false;
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
    thin::Lu slope;
    slope.compute(view(values.jacobian)(rows, columns));
    const VectorXd step = slope.solve(VectorXd(to_eigen(values.position)(rows)));
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
  const MatrixXd reduced_mass = reduce_mass(mass, n);
  const thin::Cholesky factor(reduced_mass);
  if (!factor.ok()) return result;
  if (split.rows.rows() > 0) result.condition = split.inverse.rcond();
  Changes changes = find_changes(slopes, split, choice);
  const MatrixXd stiffness = multiply(n.transpose(), changes.force_e + multiply(mass, changes.acceleration_e)),
                 damping = multiply(n.transpose(), changes.force_w + multiply(mass, changes.acceleration_w));

  const MatrixXd inverse =
      multiply(factor.solve(MatrixXd::Identity(n.cols(), n.cols())).cwiseAbs(), n.cwiseAbs().transpose());
  const MatrixXd r_e_size = to_eigen(slopes.force_e_size), r_u_size = to_eigen(slopes.force_u_size);
  const MatrixXd heavy = mass.cwiseAbs(),
                 size_e = multiply(inverse, multiply(r_e_size, changes.places.cwiseAbs()) +
                                                multiply(r_u_size, changes.velocity_e.cwiseAbs()) +
                                                multiply(heavy, changes.acceleration_e.cwiseAbs())),
                 size_w = multiply(
                     inverse, multiply(r_u_size, n.cwiseAbs()) + multiply(heavy, changes.acceleration_w.cwiseAbs()));
  const MatrixXd rate_e = without_rounding(-factor.solve(stiffness), size_e),
                 rate_w = without_rounding(-factor.solve(damping), size_w);
  result.mass = from_eigen(reduced_mass);
  result.stiffness = from_eigen(stiffness);
  result.damping = from_eigen(damping);
  result.rate_e = from_eigen(rate_e);
  result.rate_w = from_eigen(rate_w);
  result.kinematic_e = from_eigen(changes.velocity_e(choice.free_q, Eigen::all));
  result.kinematic_w = from_eigen(n(choice.free_q, Eigen::all));
  changes.acceleration_e += multiply(n, rate_e);
  changes.acceleration_w += multiply(n, rate_w);
  add_outputs(slopes, split, choice, mass, changes, result);

  // Rows left out as redundant must be so nearby too: what the others make of a change satisfies them.
  const MatrixXd off = multiply(all, changes.velocity_e) + multiply(to_eigen(slopes.velocity_e), changes.places);
  result.contradiction = off.size() == 0 ? 0 : off.cwiseAbs().maxCoeff();
  result.forces = balanced_size(values, at, inverse);
  result.slopes = n.cols() == 0 ? 0 : std::max({result.forces, size_e.maxCoeff(), size_w.maxCoeff()});
  result.ok = stiffness.allFinite() && damping.allFinite() && is_finite(result.output_e.values) &&
              is_finite(result.output_w.values);
  return result;
}

}  // namespace dalembert
