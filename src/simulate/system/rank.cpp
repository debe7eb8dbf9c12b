#include "simulate/system/rank.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"

namespace dalembert {
namespace {

/// Columns L^-1 A_r^T of the rows, each of unit length (or zero), and the lengths.
Eigen::MatrixXd scaled_columns(const Evaluation& at, Factor& factor, const std::vector<Index>& rows,
                               Eigen::VectorXd& lengths) {
  Eigen::MatrixXd x(static_cast<Eigen::Index>(factor.selection().pattern().size),
                    static_cast<Eigen::Index>(rows.size()));
  factor.dense_columns(at.jacobian().data(), rows, x.data());
  lengths = x.colwise().norm();
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    if (lengths[k] > 0) x.col(k) /= lengths[k];
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

RankDecision decide_rank(const Evaluation& at, std::shared_ptr<const Selection> selection) {
  RankDecision decision;
  decision.selection = selection->dropped().empty()
                           ? std::move(selection)
                           : std::make_shared<const Selection>(selection->keep(selection->active()));
  const std::vector<Index>& rows = decision.selection->active();
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

std::shared_ptr<const Selection> select_rows(const SystemEvaluator& evaluator, const Evaluation& at) {
  return decide_rank(at, mend(evaluator, at)).selection;
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

std::vector<bool> free_multipliers(const Evaluation& at, Factor& factor, double threshold) {
  const std::vector<Index>& rows = factor.selection().active();
  std::vector<bool> is_free(factor.selection().pattern().rows.rows(), false);
  if (rows.empty()) return is_free;
  Eigen::VectorXd lengths;
  const Split split(scaled_columns(at, factor, rows, lengths), threshold);
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

RankReport report_rank(const SystemEvaluator& evaluator, const Evaluation& at) {
  RankReport report;
  const auto& rows = evaluator.equations().rows;
  for (const ConstraintRow& row : rows) report.names.push_back(row.name);
  report.unique.assign(rows.size(), true);
  if (rows.empty()) return report;
  const RankDecision decision = decide_rank(at, mend(evaluator, at));
  const std::vector<Index>& dropped = decision.selection->dropped();
  report.rank = decision.selection->kept().size();
  if (dropped.empty() && rows.size() > 300) {  // dense work would take seconds
    report.condition = 1 / decision.smallest;
    return report;
  }
  Factor factor(decision.selection);
  factor.factor(at.mass().data(), at.jacobian().data());
  Eigen::VectorXd lengths;
  const Eigen::MatrixXd x = scaled_columns(at, factor, decision.selection->active(), lengths);

  // In the user's order, twice orthogonalised: what is left of a row tells whether it depends on those before it.
  Eigen::MatrixXd basis(x.rows(), static_cast<Eigen::Index>(report.rank));
  std::vector<Index> independent;
  Eigen::Index count = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Eigen::VectorXd rest = x.col(static_cast<Eigen::Index>(r));
    for (int pass = 0; pass < 2; ++pass) rest -= basis.leftCols(count) * (basis.leftCols(count).transpose() * rest);
    const double left = rest.norm();
    if (left > 1e-10 && left < 1e-4) {
      report.warning = "whether " + rows[r].name + " is independent of the constraints before it is hard to decide";
    }
    if (left >= tolerance::dependent && count < basis.cols()) {
      basis.col(count++) = rest / left;
      independent.push_back(static_cast<Index>(r));
      continue;
    }
    RankReport::Redundant redundant{rows[r].name, {}, true};
    Eigen::MatrixXd before(x.rows(), static_cast<Eigen::Index>(independent.size()));
    for (std::size_t k = 0; k < independent.size(); ++k) {
      before.col(static_cast<Eigen::Index>(k)) = x.col(independent[k]);
    }
    const auto column = static_cast<Eigen::Index>(r);
    Eigen::VectorXd coefficients;
    if (before.cols() > 0) coefficients = before.colPivHouseholderQr().solve(x.col(column));
    double drift = at.drift()[r], size = std::abs(drift);
    double offset = at.offset()[r], offset_size = std::abs(offset);
    for (std::size_t k = 0; k < independent.size(); ++k) {
      const double c = coefficients[static_cast<Eigen::Index>(k)];
      if (std::abs(c) < tolerance::doubtful) continue;
      redundant.depends_on.push_back(rows[independent[k]].name);
      const double weight = c * lengths[column] / lengths[independent[k]];
      drift -= weight * at.drift()[independent[k]];
      size += std::abs(weight * at.drift()[independent[k]]);
      offset -= weight * at.offset()[independent[k]];
      offset_size += std::abs(weight * at.offset()[independent[k]]);
    }
    redundant.consistent =
        std::abs(drift) <= tolerance::doubtful * size && std::abs(offset) <= tolerance::doubtful * offset_size;
    report.redundant.push_back(std::move(redundant));
  }
  const std::vector<bool> is_free =
      dropped.empty() ? std::vector<bool>(rows.size(), false) : free_multipliers(at, factor, tolerance::dependent);
  for (std::size_t r = 0; r < rows.size(); ++r) report.unique[r] = !is_free[r];
  if (count > 0) {
    Eigen::MatrixXd kept(x.rows(), count);
    for (Eigen::Index k = 0; k < count; ++k) kept.col(k) = x.col(independent[static_cast<std::size_t>(k)]);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(kept);
    const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
    report.condition = diagonal.maxCoeff() / diagonal.minCoeff();
  }
  return report;
}

}  // namespace dalembert
