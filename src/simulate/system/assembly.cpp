#include "simulate/system/assembly.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/tolerances.hpp"
#include "simulate/system/magnitudes.hpp"

namespace dalembert {
namespace {

constexpr Index angle = 1;            // the class of angles
constexpr double truncation = 1e-9;   // directions that change residuals by less of their length are left out
constexpr double no_change = 1e-15;   // of the magnitudes: a step that is none
constexpr double only_noise = 1e-12;  // of the magnitudes: a step that need not make anything smaller
constexpr double name_threshold = 1e-7;

enum class Level : std::uint8_t { positions, rates, both };

/// The unknowns of a level with their equations, linearised in the kinetic metric: directions of unit length, residuals
/// in the same scale.
class Newton {
 public:
  Newton(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom, double t,
         Level level)
      : evaluator_(evaluator),
        system_(evaluator.system()),
        selection_(std::move(selection)),
        t_(t),
        level_(level),
        at_(system_),
        f_(system_.all_row_count()),
        psi_(f_.size()) {
    const std::size_t n = system_.u_count();
    for (std::size_t i = 0; i < n && level != Level::rates; ++i)
      if (freedom.free[i]) unknowns_.push_back(static_cast<Index>(i));
    for (std::size_t i = 0; i < n && level != Level::positions; ++i)
      if (freedom.free[system_.q_count() + i]) unknowns_.push_back(static_cast<Index>(system_.q_count() + i));
    for (Index r : selection_->active())
      if (system_.row(r).position && level != Level::rates) position_rows_.push_back(r);
    if (level != Level::positions) rate_rows_ = selection_->active();
    const std::vector<Condition>& conditions = evaluator.model().initial;
    for (Index c = 0; freedom.conditions && c < conditions.size(); ++c)
      if (level == Level::both || conditions[c].on_rates == (level == Level::rates)) conditions_.push_back(c);
  }

  const std::vector<Index>& unknowns() const { return unknowns_; }
  std::span<const double> magnitudes() const { return magnitudes_; }
  bool is_angle(std::size_t k) const { return system_.classes[unknowns_[k]] == angle; }

  /// False if it cannot go on: M not factored or something not finite.
  bool linearise(const double* y) {
    if (!evaluator_.evaluate(t_, y, at_)) return false;
    const Magnitudes sizes(system_, at_, y);
    magnitudes_.assign(sizes.values().begin(), sizes.values().end());
    metric_.compute(make_metric());
    if (metric_.info() != Eigen::Success) return false;
    x_ = make_slopes(y).transpose();
    if (x_.size() > 0) metric_.matrixL().solveInPlace(x_);  // Eigen's solves want at least one entry
    lengths_ = x_.colwise().norm();
    for (Eigen::Index r = 0; r < x_.cols(); ++r)
      if (lengths_[r] > 0) x_.col(r) /= lengths_[r];
    residual_ = scaled(y);
    return residual_.allFinite();
  }
  double merit() const { return residual_.squaredNorm(); }
  double merit(const double* y) { return scaled(y).squaredNorm(); }
  /// No direction reduces the residuals: they contradict each other, here at least.
  bool is_stationary() const { return (x_ * residual_).norm() < 1e-11 * residual_.norm(); }

  /// The least change that removes the residuals, to first order.
  Eigen::VectorXd step(double damping) const {
    if (damping == 0) return from_kinetic(-least(residual_));
    Eigen::MatrixXd normal = x_.transpose() * x_;
    normal.diagonal().array() += damping;
    return from_kinetic(-x_ * normal.ldlt().solve(residual_));
  }
  /// The change from here to the place nearest to one `away` from here that has no residuals, to first order.
  Eigen::VectorXd step_from(const Eigen::VectorXd& away) const {
    const Eigen::VectorXd z = metric_.matrixU() * away;
    return away - from_kinetic(least(residual_ + x_.transpose() * z));
  }
  /// Unknowns that the equations leave free.
  std::vector<bool> free() const {
    std::vector<bool> result(unknowns_.size(), true);
    if (x_.size() == 0) return result;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(x_);
    qr.setThreshold(truncation);
    const Eigen::Index left = x_.rows() - qr.rank();
    if (left == 0) return std::vector<bool>(unknowns_.size(), false);
    const Eigen::MatrixXd kernel = Eigen::MatrixXd(qr.householderQ()).rightCols(left);
    const Eigen::MatrixXd moves = metric_.matrixU().solve(kernel);
    const Eigen::MatrixXd whole = metric_.matrixU().solve(Eigen::MatrixXd::Identity(x_.rows(), x_.rows()));
    for (Eigen::Index k = 0; k < x_.rows(); ++k)
      result[static_cast<std::size_t>(k)] = moves.row(k).norm() > name_threshold * whole.row(k).norm();
    return result;
  }

 private:
  Eigen::VectorXd least(const Eigen::VectorXd& residual) const {
    if (residual.size() == 0) return Eigen::VectorXd::Zero(x_.rows());
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
    decomposition.setThreshold(truncation);
    return decomposition.compute(x_.transpose()).solve(residual);
  }
  Eigen::VectorXd from_kinetic(const Eigen::VectorXd& z) const {
    return z.size() == 0 ? z : Eigen::VectorXd(metric_.matrixU().solve(z));
  }
  bool is_rate(Index component) const { return component >= system_.q_count(); }
  Index velocity_of(Index component) const {
    return is_rate(component) ? static_cast<Index>(component - system_.q_count()) : component;
  }

  /// M, mended, over the unknowns. Positions count as rates by the motion's own time.
  Eigen::MatrixXd make_metric() const {
    const auto n = static_cast<Eigen::Index>(system_.u_count()), count = static_cast<Eigen::Index>(unknowns_.size());
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t k = 0; k < at_.mass().size(); ++k) {
      const auto [i, j] = system_.pattern->mass[k];
      mass(i, j) = mass(j, i) = at_.mass()[k];
    }
    for (const Mending& mend : selection_->mending()) {
      Eigen::VectorXd row = Eigen::VectorXd::Zero(n);
      const double* a = at_.jacobian_row(mend.row);
      for (const Entry& entry : system_.row(mend.row).jacobian) row[entry.column] = *a++;
      mass += mend.sigma * row * row.transpose();
    }
    const double time = level_ == Level::both ? own_time(mass) : 1;
    Eigen::MatrixXd metric(count, count);
    for (Eigen::Index a = 0; a < count; ++a)
      for (Eigen::Index b = 0; b < count; ++b) {
        const Index i = unknowns_[static_cast<std::size_t>(a)], j = unknowns_[static_cast<std::size_t>(b)];
        const double weight = is_rate(i) != is_rate(j) ? 0 : is_rate(i) ? 1 : 1 / (time * time);
        metric(a, b) = weight * mass(velocity_of(i), velocity_of(j));
      }
    return metric;
  }

  /// In which the magnitudes of the rates go through those of the positions.
  double own_time(const Eigen::MatrixXd& mass) const {
    double way = 0, speed = 0;
    for (std::size_t i = 0; i < system_.u_count(); ++i) {
      const double inertia = mass(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
      way += inertia * magnitudes_[i] * magnitudes_[i];
      speed += inertia * magnitudes_[system_.q_count() + i] * magnitudes_[system_.q_count() + i];
    }
    return way > 0 && speed > 0 ? std::sqrt(way / speed) : 1;
  }

  Eigen::Index equation_count() const {
    return static_cast<Eigen::Index>(position_rows_.size() + rate_rows_.size() + conditions_.size());
  }

  /// Derivatives of the equations by the unknowns; entries that are rounding count as zero.
  Eigen::MatrixXd make_slopes(const double* y) {
    Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(equation_count(), static_cast<Eigen::Index>(unknowns_.size()));
    const std::vector<double> sizes = evaluator_.evaluate_row_sizes(t_, y);
    std::vector<Eigen::Index> place(system_.q_count() + system_.u_count(), -1);
    for (std::size_t k = 0; k < unknowns_.size(); ++k) place[unknowns_[k]] = static_cast<Eigen::Index>(k);
    Eigen::Index equation = 0;
    const auto add = [&](Index r, std::size_t first) {
      const double* a = at_.jacobian_row(r);
      const double* size =
          r < system_.row_count() ? sizes.data() + 2 * system_.row_count() + system_.at.row_begin[r] : nullptr;
      for (const Entry& entry : system_.row(r).jacobian) {
        const double value = *a++, largest = size ? *size++ : 0;
        const Eigen::Index k = place[first + entry.column];
        if (k >= 0 && std::abs(value) > tolerance::cancelled * largest) slopes(equation, k) = value;
      }
      ++equation;
    };
    for (Index r : position_rows_) add(r, 0);
    for (Index r : rate_rows_) add(r, system_.q_count());
    if (level_ == Level::both) add_differences(y, slopes);
    if (conditions_.empty()) return slopes;
    const std::vector<double> values = evaluator_.evaluate_conditions(t_, y);
    const auto& columns = system_.conditions().columns;
    const double* slope = values.data() + 2 * columns.size();
    for (Index c = 0, next = 0; c < columns.size(); ++c) {
      const bool counts = next < conditions_.size() && conditions_[next] == c;
      for (Index i : columns[c]) {
        if (counts && place[i] >= 0) slopes(equation, place[i]) = *slope;
        ++slope;
      }
      if (counts) ++next, ++equation;
    }
    return slopes;
  }

  /// Of A u + b by the positions: differences do, since the result is put right by rates alone.
  void add_differences(const double* y, Eigen::MatrixXd& slopes) {
    constexpr double part = 1e-6;
    std::vector<double> moved(y, y + system_.size()), after(f_.size());
    for (std::size_t k = 0; k < unknowns_.size() && !is_rate(unknowns_[k]); ++k) {
      const Index i = unknowns_[k];
      const double h = part * (magnitudes_[i] > 0 ? magnitudes_[i] : 1);
      moved[i] = y[i] + h;
      evaluator_.evaluate_constraints(t_, moved.data(), f_.data(), after.data());
      moved[i] = y[i] - h;
      evaluator_.evaluate_constraints(t_, moved.data(), f_.data(), psi_.data());
      moved[i] = y[i];
      for (std::size_t r = 0; r < rate_rows_.size(); ++r)
        slopes(static_cast<Eigen::Index>(position_rows_.size() + r), static_cast<Eigen::Index>(k)) =
            (after[rate_rows_[r]] - psi_[rate_rows_[r]]) / (2 * h);
    }
  }

  /// Residuals by the lengths of their slopes; what no unknown changes is left to whoever looks at the result.
  Eigen::VectorXd scaled(const double* y) {
    evaluator_.evaluate_constraints(t_, y, f_.data(), psi_.data());
    Eigen::VectorXd g(equation_count());
    Eigen::Index k = 0;
    for (Index r : position_rows_) g[k++] = f_[r];
    for (Index r : rate_rows_) g[k++] = psi_[r];
    if (!conditions_.empty()) {
      const std::vector<double> values = evaluator_.evaluate_conditions(t_, y);
      for (Index c : conditions_) g[k++] = values[c];
    }
    for (k = 0; k < g.size(); ++k) g[k] = lengths_[k] > 0 ? g[k] / lengths_[k] : 0;
    return g;
  }

  SystemEvaluator& evaluator_;
  const CompiledSystem& system_;
  std::shared_ptr<const Selection> selection_;
  double t_;
  Level level_;
  Evaluation at_;
  std::vector<Index> unknowns_, position_rows_, rate_rows_, conditions_;
  std::vector<double> f_, psi_, magnitudes_;
  Eigen::LLT<Eigen::MatrixXd> metric_;
  Eigen::MatrixXd x_;
  Eigen::VectorXd lengths_, residual_;
};

/// Gauss-Newton with Armijo's rule and capped rotations; Levenberg-Marquardt damping when it stalls.
class Descent {
 public:
  Descent(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom, double t,
          Level level, std::vector<double>& y)
      : newton_(evaluator, std::move(selection), freedom, t, level), y_(y), trial_(y) {}

  /// False if the equations cannot be met from here.
  bool run() {
    constexpr int most_iterations = 200;
    if (newton_.unknowns().empty()) return true;
    double damping = 0;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (!newton_.linearise(y_.data())) return false;
      if (newton_.merit() == 0) return true;
      const Eigen::VectorXd change = newton_.step(damping);
      const double size = relative_size(change);
      if (!go(change)) {
        if (size <= only_noise) return true;
        if (newton_.is_stationary() || damping > 1e6) return false;
        damping = damping == 0 ? 1e-3 : damping * 10;
        continue;
      }
      damping = damping > 1e-8 ? damping / 5 : 0;
      if (size <= no_change) return true;
    }
    return false;
  }

  /// From where run() has come to: on the constraints to the place nearest to where it began. A fixed point of steps
  /// that converge where the constraints bend little on the way; else the place stays.
  void approach(const std::vector<double>& began) {
    constexpr int most_iterations = 50;
    constexpr double settled = 1e-9;
    if (newton_.unknowns().empty()) return;
    const std::vector<double> found = y_;
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (!newton_.linearise(y_.data())) break;
      const Eigen::VectorXd change = newton_.step_from(away(began));
      const double size = relative_size(change);
      if (size <= settled || !(size < last)) {
        if (size <= settled) return;
        break;
      }
      for (std::size_t k = 0; k < newton_.unknowns().size(); ++k)
        y_[newton_.unknowns()[k]] += change[static_cast<Eigen::Index>(k)];
      last = size;
    }
    y_ = found;
  }

 private:
  Eigen::VectorXd away(const std::vector<double>& began) const {
    Eigen::VectorXd result(static_cast<Eigen::Index>(newton_.unknowns().size()));
    for (std::size_t k = 0; k < newton_.unknowns().size(); ++k) {
      const Index i = newton_.unknowns()[k];
      result[static_cast<Eigen::Index>(k)] = began[i] - y_[i];
    }
    return result;
  }

  double relative_size(const Eigen::VectorXd& change) const {
    double size = 0;
    for (std::size_t k = 0; k < newton_.unknowns().size(); ++k) {
      const double moved = std::abs(change[static_cast<Eigen::Index>(k)]);
      const double magnitude = newton_.magnitudes()[newton_.unknowns()[k]];
      if (moved > 0) size = std::max(size, magnitude > 0 ? moved / magnitude : 1.0);
    }
    return size;
  }

  /// Along a change, as far as the residuals shrink enough; false if they do not.
  bool go(const Eigen::VectorXd& change) {
    constexpr double cap = 0.7, armijo = 1e-4;
    const std::vector<Index>& unknowns = newton_.unknowns();
    const double before = newton_.merit();
    double scale = 1;
    for (std::size_t k = 0; k < unknowns.size(); ++k)
      if (newton_.is_angle(k))
        scale = std::min(scale, cap / std::max(cap, std::abs(change[static_cast<Eigen::Index>(k)])));
    for (int halving = 0; halving < 30; ++halving, scale /= 2) {
      for (std::size_t k = 0; k < unknowns.size(); ++k)
        trial_[unknowns[k]] = y_[unknowns[k]] + scale * change[static_cast<Eigen::Index>(k)];
      const double after = newton_.merit(trial_.data());
      if (!std::isfinite(after) || after > (1 - armijo * scale) * before) continue;
      for (Index i : unknowns) y_[i] = trial_[i];
      return true;
    }
    return false;
  }

  Newton newton_;
  std::vector<double>& y_;
  std::vector<double> trial_;
};

}  // namespace

bool Freedom::any() const { return std::ranges::find(free, true) != free.end(); }
bool Freedom::all() const { return std::ranges::find(free, false) == free.end(); }

Freedom fix_all(const CompiledSystem& system) {
  return {std::vector<bool>(system.q_count() + system.u_count(), false)};
}
Freedom free_all(const CompiledSystem& system) {
  return {std::vector<bool>(system.q_count() + system.u_count(), true)};
}

bool assemble_positions(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                        double t, std::vector<double>& y) {
  const std::vector<double> began = y;
  Descent descent(evaluator, std::move(selection), freedom, t, Level::positions, y);
  if (!descent.run()) return false;
  descent.approach(began);
  return descent.run();
}

bool assemble_rates(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                    double t, std::vector<double>& y) {
  return Descent(evaluator, std::move(selection), freedom, t, Level::rates, y).run();
}

bool assemble_together(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom,
                       double t, std::vector<double>& y) {
  return Descent(evaluator, std::move(selection), freedom, t, Level::both, y).run();
}

std::vector<bool> find_undetermined(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection,
                                    const Freedom& freedom, double t, const double* y) {
  std::vector<bool> result(freedom.free.size(), false);
  for (Level level : {Level::positions, Level::rates}) {
    Newton newton(evaluator, selection, freedom, t, level);
    if (newton.unknowns().empty() || !newton.linearise(y)) continue;
    const std::vector<bool> is_free = newton.free();
    for (std::size_t k = 0; k < is_free.size(); ++k) result[newton.unknowns()[k]] = is_free[k];
  }
  return result;
}

}  // namespace dalembert
