#include "simulate/system/rank.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "simulate/system/magnitudes.hpp"

namespace dalembert {
namespace {

/// Columns L^-1 A_r^T of the rows, each of unit length (or zero), and the lengths. Rows that vanish are zero.
Eigen::MatrixXd scaled_columns(const Evaluation& at, Factor& factor, const std::vector<Index>& rows,
                               Eigen::VectorXd& lengths, const std::vector<bool>& vanishing = {}) {
  Eigen::MatrixXd x(static_cast<Eigen::Index>(factor.selection().pattern().size),
                    static_cast<Eigen::Index>(rows.size()));
  factor.dense_columns(at.jacobian().data(), rows, x.data());
  lengths = x.colwise().norm();
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    const Index row = rows[static_cast<std::size_t>(k)];
    if (row < vanishing.size() && vanishing[row])
      x.col(k).setZero();
    else if (lengths[k] > 0)
      x.col(k) /= lengths[k];
  }
  return x;
}

/// The null space of the columns (vectors c with X c = 0, largest entry 1 at least) and the complement of their span.
struct Split {
  Split(const Eigen::MatrixXd& x, double threshold) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(x);
    const Eigen::MatrixXd& r = qr.matrixQR();
    const Eigen::Index most = std::min(x.rows(), x.cols());
    Eigen::Index rank = 0;
    while (rank < most && std::abs(r(rank, rank)) > threshold) ++rank;
    const Eigen::Index free = x.cols() - rank;
    Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(x.cols(), x.cols()).rightCols(free);
    if (rank > 0 && free > 0) {
      basis.topRows(rank) =
          -r.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(r.topRightCorner(rank, free));
    }
    null = qr.colsPermutation() * basis;
    rest = Eigen::MatrixXd(qr.householderQ()).rightCols(x.rows() - rank);
  }
  Eigen::MatrixXd null, rest;
};

}  // namespace

std::vector<bool> find_vanishing(SystemEvaluator& evaluator, double t, const double* y, const Evaluation& at) {
  const CompiledSystem& system = evaluator.system();
  if (system.row_count() == 0) return {};
  const std::vector<double> sizes = evaluator.evaluate_row_sizes(t, y);
  const double* size = sizes.data() + 2 * system.row_count();
  std::vector<bool> vanishing(system.row_count(), true);
  for (std::size_t r = 0; r < system.row_count(); ++r) {
    const double* a = at.jacobian_row(r);
    for (std::size_t k = 0; k < system.row(r).jacobian.size(); ++k)
      if (!(std::abs(*a++) <= tolerance::unchanged * *size++)) vanishing[r] = false;
  }
  return vanishing;
}

RankDecision decide_rank(const Evaluation& at, std::shared_ptr<const Selection> selection,
                         const std::vector<bool>& vanishing) {
  RankDecision decision;
  std::vector<Index> rows = selection->active();
  std::erase_if(rows, [&](Index r) { return r < vanishing.size() && vanishing[r]; });
  decision.selection =
      selection->kept() == rows ? std::move(selection) : std::make_shared<const Selection>(selection->keep(rows));
  Factor factor(decision.selection);
  if (!factor.factor(at.mass().data(), at.jacobian().data()) || rows.empty()) return decision;
  if (factor.smallest_pivot() > tolerance::independent) {
    decision.smallest = factor.smallest_pivot();
    return decision;
  }
  Eigen::VectorXd lengths;
  const Eigen::MatrixXd x = scaled_columns(at, factor, rows, lengths);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(x);
  const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
  const auto& order = qr.colsPermutation().indices();
  std::vector<Index> kept;
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    const double size = k < diagonal.size() ? diagonal[k] : 0.0;
    if (size > tolerance::dependent) {
      kept.push_back(rows[static_cast<std::size_t>(order[k])]);
      decision.smallest = std::min(decision.smallest, size);
    } else {
      decision.largest_dropped = std::max(decision.largest_dropped, size);
    }
  }
  if (kept.size() < rows.size()) decision.selection = std::make_shared<const Selection>(decision.selection->keep(kept));
  return decision;
}

std::shared_ptr<const Selection> select_rows(SystemEvaluator& evaluator, double t, const double* y,
                                             const Evaluation& at) {
  const std::vector<bool> vanishing = find_vanishing(evaluator, t, y, at);
  return decide_rank(at, mend(evaluator, at, vanishing), vanishing).selection;
}

std::vector<std::vector<double>> dependencies(const Evaluation& at, Factor& factor) {
  std::vector<std::vector<double>> combinations;
  for (Index row : factor.selection().dropped()) {
    combinations.emplace_back(factor.selection().kept().size(), 0.0);
    factor.combine(at.jacobian().data(), row, combinations.back().data());
  }
  return combinations;
}

// A^T lambda stays when lambda moves along z_d = e_d - sum c_dk e_k: remove the part of lambda in their span.
void make_least_norm(const Selection& selection, const std::vector<std::vector<double>>& combinations,
                     std::span<double> multipliers) {
  const auto rows = static_cast<Eigen::Index>(multipliers.size());
  const auto count = static_cast<Eigen::Index>(selection.dropped().size());
  if (count == 0) return;
  Eigen::MatrixXd z = Eigen::MatrixXd::Zero(rows, count);
  for (Eigen::Index d = 0; d < count; ++d) {
    z(selection.dropped()[static_cast<std::size_t>(d)], d) = 1;
    const auto& combination = combinations[static_cast<std::size_t>(d)];
    for (std::size_t k = 0; k < selection.kept().size(); ++k) z(selection.kept()[k], d) -= combination[k];
  }
  Eigen::Map<Eigen::VectorXd> lambda(multipliers.data(), rows);
  const Eigen::VectorXd along = z.householderQr().solve(lambda);
  lambda -= z * along;
}

std::vector<bool> free_multipliers(const Evaluation& at, Factor& factor, double threshold,
                                   const std::vector<bool>& vanishing) {
  const std::vector<Index>& rows = factor.selection().active();
  std::vector<bool> is_free(factor.selection().pattern().rows.rows(), false);
  if (rows.empty()) return is_free;
  Eigen::VectorXd lengths;
  const Split split(scaled_columns(at, factor, rows, lengths, vanishing), threshold);
  for (Eigen::Index r = 0; r < split.null.rows(); ++r) {
    is_free[rows[static_cast<std::size_t>(r)]] =
        split.null.cols() > 0 && split.null.row(r).cwiseAbs().maxCoeff() > tolerance::doubtful;
  }
  return is_free;
}

bool velocity_selects_branch(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, double t,
                             const double* y, double threshold) {
  const CompiledSystem& system = evaluator.system();
  const std::size_t q = system.q_count(), moving = std::min(q, system.u_count());
  std::vector<double> state(y, y + system.size());
  Evaluation at(system);
  Factor factor(selection);
  const auto evaluate = [&] {
    return evaluator.evaluate(t, state.data(), at) && factor.factor(at.mass().data(), at.jacobian().data());
  };
  if (!evaluate()) return false;
  Eigen::VectorXd lengths, other;
  const Eigen::MatrixXd x = scaled_columns(at, factor, selection->active(), lengths);
  const Split split(x, threshold);
  if (split.null.cols() == 0) return true;
  double fastest = 0, size = 0;
  for (std::size_t i = 0; i < moving; ++i) {
    fastest = std::max(fastest, std::abs(y[q + i]));
    size = std::max(size, std::abs(y[i]));
  }
  if (fastest == 0) return false;
  if (size == 0) size = 1;
  const double step = 1e-6 * size / fastest;
  for (std::size_t i = 0; i < moving; ++i) state[i] += step * y[q + i];
  if (!evaluate()) return false;
  Eigen::MatrixXd moved = scaled_columns(at, factor, selection->active(), other);
  for (Eigen::Index r = 0; r < moved.cols(); ++r) {
    moved.col(r) *= lengths[r] > 0 ? other[r] / lengths[r] : other[r];  // by the lengths at the state itself
  }
  const Eigen::MatrixXd c = split.null.transpose() * (moved - x).transpose() * split.rest / 1e-6;
  if (c.rows() > c.cols()) return false;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(c);
  return std::abs(qr.matrixQR()(c.rows() - 1, c.rows() - 1)) > 1e-4;
}

namespace {

/// The rows in the user's order: which depend on those before them, on which, and whether they agree with them.
class RowByRow {
 public:
  RowByRow(SystemEvaluator& evaluator, double t, const double* y, const Evaluation& at, Eigen::MatrixXd x,
           Eigen::VectorXd lengths, std::size_t rank)
      : rows_(evaluator.equations().rows),
        at_(at),
        x_(std::move(x)),
        lengths_(std::move(lengths)),
        basis_(x_.rows(), static_cast<Eigen::Index>(rank)) {
    measure(evaluator, t, y);
  }

  /// Twice orthogonalised: what is left of a row tells whether it depends on those before it.
  void run(RankReport& report) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      Eigen::VectorXd rest = x_.col(static_cast<Eigen::Index>(r));
      for (int pass = 0; pass < 2; ++pass)
        rest -= basis_.leftCols(count_) * (basis_.leftCols(count_).transpose() * rest);
      const double left = rest.norm();
      if (left > 1e-10 && left < 1e-4)
        report.warning = "whether " + rows_[r].name + " is independent of the constraints before it is hard to decide";
      if (left >= tolerance::dependent && count_ < basis_.cols()) {
        basis_.col(count_++) = rest / left;
        independent_.push_back(static_cast<Index>(r));
      } else {
        report.redundant.push_back(compare(r));
      }
    }
    if (count_ > 0) report.condition = condition();
  }

 private:
  /// What the terms of drifts and offsets amount to, for a motion of these magnitudes.
  void measure(SystemEvaluator& evaluator, double t, const double* y) {
    const CompiledSystem& system = evaluator.system();
    const Magnitudes magnitudes(system, at_, y);
    std::vector<double> largest(y, y + system.size());
    const std::size_t q = system.q_count(), rows = system.row_count();
    for (std::size_t i = 0; i < system.u_count(); ++i) largest[q + i] = magnitudes.values()[q + i];
    const std::vector<double> sizes = evaluator.evaluate_row_sizes(t, largest.data());
    offset_size_.assign(sizes.begin() + static_cast<std::ptrdiff_t>(rows),
                        sizes.begin() + static_cast<std::ptrdiff_t>(2 * rows));
    drift_size_.assign(sizes.end() - static_cast<std::ptrdiff_t>(rows), sizes.end());
    const double* a = sizes.data() + 2 * rows;
    for (std::size_t r = 0; r < rows; ++r)
      for (const Entry& entry : system.row(r).jacobian) offset_size_[r] += *a++ * largest[q + entry.column];
  }

  RankReport::Redundant compare(std::size_t r) const {
    RankReport::Redundant redundant{rows_[r].name, {}, true};
    const auto column = static_cast<Eigen::Index>(r);
    Eigen::MatrixXd before(x_.rows(), static_cast<Eigen::Index>(independent_.size()));
    for (std::size_t k = 0; k < independent_.size(); ++k)
      before.col(static_cast<Eigen::Index>(k)) = x_.col(independent_[k]);
    Eigen::VectorXd coefficients;
    if (before.cols() > 0) coefficients = before.colPivHouseholderQr().solve(x_.col(column));
    double drift = at_.drift()[r], size = drift_size_[r];
    double offset = at_.offset()[r], offset_size = offset_size_[r];
    for (std::size_t k = 0; k < independent_.size(); ++k) {
      const double c = coefficients[static_cast<Eigen::Index>(k)];
      if (std::abs(c) < tolerance::doubtful) continue;
      redundant.depends_on.push_back(rows_[independent_[k]].name);
      const double weight = c * lengths_[column] / lengths_[independent_[k]];
      drift -= weight * at_.drift()[independent_[k]];
      size += std::abs(weight) * drift_size_[independent_[k]];
      offset -= weight * at_.offset()[independent_[k]];
      offset_size += std::abs(weight) * offset_size_[independent_[k]];
    }
    redundant.consistent =
        std::abs(drift) <= tolerance::doubtful * size && std::abs(offset) <= tolerance::doubtful * offset_size;
    return redundant;
  }

  double condition() const {
    Eigen::MatrixXd kept(x_.rows(), count_);
    for (Eigen::Index k = 0; k < count_; ++k) kept.col(k) = x_.col(independent_[static_cast<std::size_t>(k)]);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(kept);
    const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
    return diagonal.maxCoeff() / diagonal.minCoeff();
  }

  const std::vector<ConstraintRow>& rows_;
  const Evaluation& at_;
  Eigen::MatrixXd x_;
  Eigen::VectorXd lengths_;
  Eigen::MatrixXd basis_;
  Eigen::Index count_ = 0;
  std::vector<Index> independent_;
  std::vector<double> drift_size_, offset_size_;
};

}  // namespace

RankReport report_rank(SystemEvaluator& evaluator, double t, const double* y, const Evaluation& at) {
  RankReport report;
  const auto& rows = evaluator.equations().rows;
  for (const ConstraintRow& row : rows) report.names.push_back(row.name);
  report.unique.assign(rows.size(), true);
  if (rows.empty()) return report;
  const std::vector<bool> vanishing = find_vanishing(evaluator, t, y, at);
  const RankDecision decision = decide_rank(at, mend(evaluator, at, vanishing), vanishing);
  const std::vector<Index>& dropped = decision.selection->dropped();
  report.rank = decision.selection->kept().size();
  if (dropped.empty() && rows.size() > 300) {  // dense work would take seconds
    report.condition = 1 / decision.smallest;
    return report;
  }
  Factor factor(decision.selection);
  factor.factor(at.mass().data(), at.jacobian().data());
  Eigen::VectorXd lengths;
  Eigen::MatrixXd x = scaled_columns(at, factor, decision.selection->active(), lengths, vanishing);
  RowByRow(evaluator, t, y, at, std::move(x), std::move(lengths), report.rank).run(report);
  if (dropped.empty()) return report;
  const std::vector<bool> is_free = free_multipliers(at, factor, tolerance::dependent, vanishing);
  for (std::size_t r = 0; r < rows.size(); ++r) report.unique[r] = !is_free[r];
  return report;
}

}  // namespace dalembert
