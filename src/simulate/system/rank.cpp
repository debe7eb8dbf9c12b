#include "simulate/system/rank.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"
#include "simulate/system/magnitudes.hpp"

namespace dalembert {
namespace {

/// Rows (L^-1 A_r^T)^T in the kinetic metric, each of unit length or zero, and the lengths they had.
struct UnitRows {
  std::size_t size;                     ///< of a row
  std::vector<double> values, lengths;  ///< row after row

  std::size_t count() const { return lengths.size(); }
  std::span<double> row(std::size_t r) { return std::span(values).subspan(r * size, size); }
  std::span<const double> row(std::size_t r) const { return std::span(values).subspan(r * size, size); }
  MatrixView view() const { return {count(), size, values}; }
};

/// Rows that vanish are zero.
UnitRows make_unit_rows(const Evaluation& at, Factor& factor, const std::vector<Index>& rows,
                        const std::vector<bool>& vanishing = {}) {
  UnitRows unit{factor.selection().pattern().size, {}, std::vector<double>(rows.size())};
  unit.values.resize(unit.size * rows.size());
  factor.dense_columns(at.jacobian().data(), rows, unit.values.data());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    unit.lengths[r] = length_of(unit.row(r));
    const bool vanishes = rows[r] < vanishing.size() && vanishing[rows[r]];
    for (double& value : unit.row(r)) value = vanishes ? 0.0 : unit.lengths[r] > 0 ? value / unit.lengths[r] : value;
  }
  return unit;
}

}  // namespace

std::vector<bool> find_vanishing(SystemEvaluator& evaluator, double t, const double* y, const Evaluation& at) {
  const CompiledSystem& system = evaluator.system();
  if (system.row_count() == 0) return {};
  Evaluation sizes(system);
  evaluator.evaluate_sizes(t, y, sizes);
  std::vector<bool> vanishing(system.row_count(), true);
  for (std::size_t r = 0; r < system.row_count(); ++r) {
    const double *a = at.jacobian_row(r), *size = sizes.jacobian_row(r);
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
  if (rows.empty()) return decision;
  Factor factor(decision.selection);
  if (!factor.factor(at.mass().data(), at.jacobian().data())) return decision;
  if (factor.smallest_pivot() > tolerance::independent) {
    decision.smallest = factor.smallest_pivot();
    return decision;
  }
  const RowRank rank = find_rank(make_unit_rows(at, factor, rows).view(), tolerance::dependent);
  decision.smallest = std::min(decision.smallest, rank.smallest);
  decision.largest_dropped = rank.largest_dropped;
  std::vector<Index> kept;
  for (std::size_t k : rank.kept) kept.push_back(rows[k]);
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

namespace {

/// Where few rows are kept: the part of lambda in the span of B = [1; C], which stays when A^T lambda does.
void keep_in_range(const Selection& selection, const std::vector<std::vector<double>>& combinations,
                   std::span<double> multipliers) {
  const std::size_t kept = selection.kept().size();
  OrthonormalBasis range(multipliers.size(), kept);
  std::vector<double> column(multipliers.size());
  for (std::size_t k = 0; k < kept; ++k) {
    std::ranges::fill(column, 0.0);
    column[selection.kept()[k]] = 1;
    for (std::size_t d = 0; d < combinations.size(); ++d) column[selection.dropped()[d]] = combinations[d][k];
    range.add(column, 0);
  }
  std::vector<double> outside(multipliers.begin(), multipliers.end()), along(range.count());
  range.split(outside, along);
  add_scaled(-1, outside, multipliers);
}

}  // namespace

// A^T lambda stays when lambda moves along z_d = e_d - sum c_dk e_k: remove the part of lambda in their span.
void make_least_norm(const Selection& selection, const std::vector<std::vector<double>>& combinations,
                     std::span<double> multipliers) {
  const std::size_t fewest = std::min(selection.kept().size(), selection.dropped().size());
  spend_work(0.3 * static_cast<double>(multipliers.size() * fewest * (fewest + 1)));
  if (selection.kept().size() < selection.dropped().size()) return keep_in_range(selection, combinations, multipliers);
  OrthonormalBasis null(multipliers.size(), selection.dropped().size());
  std::vector<double> z(multipliers.size());
  for (std::size_t d = 0; d < combinations.size(); ++d) {
    std::ranges::fill(z, 0.0);
    z[selection.dropped()[d]] = 1;
    for (std::size_t k = 0; k < selection.kept().size(); ++k) z[selection.kept()[k]] -= combinations[d][k];
    null.add(z, 0);
  }
  std::vector<double> along(null.count());
  null.split(multipliers, along);
}

std::vector<bool> free_multipliers(const Evaluation& at, Factor& factor, double threshold,
                                   const std::vector<bool>& vanishing) {
  const std::vector<Index>& rows = factor.selection().active();
  std::vector<bool> is_free(factor.selection().pattern().rows.rows(), false);
  if (rows.empty()) return is_free;
  const RowSplit split = split_rows(make_unit_rows(at, factor, rows, vanishing).view(), threshold);
  for (std::size_t k = 0; k < split.dependences.size(); ++k)
    if (std::abs(split.dependences[k]) > tolerance::doubtful) is_free[rows[k % rows.size()]] = true;
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
  const std::vector<bool> vanishing = find_vanishing(evaluator, t, y, at);
  const UnitRows rows = make_unit_rows(at, factor, selection->active(), vanishing);
  const RowSplit split = split_rows(rows.view(), threshold);
  if (split.dependences.empty()) return true;
  double fastest = 0, size = 0;
  for (std::size_t i = 0; i < moving; ++i) {
    fastest = std::max(fastest, std::abs(y[q + i]));
    size = std::max(size, std::abs(y[i]));
  }
  if (fastest == 0) return false;
  if (size == 0) size = 1;
  constexpr double part = 1e-6, clear = 1e-4;
  for (std::size_t i = 0; i < moving; ++i) state[i] += part * size / fastest * y[q + i];
  if (!evaluate()) return false;
  UnitRows moved = make_unit_rows(at, factor, selection->active());
  for (std::size_t r = 0; r < rows.count(); ++r) {  // by the lengths at the state itself, if there are any
    const Index row = selection->active()[r];
    if ((row < vanishing.size() && vanishing[row]) || !(rows.lengths[r] > 0)) continue;
    const double scale = moved.lengths[r] / rows.lengths[r];
    for (std::size_t i = 0; i < rows.size; ++i) moved.row(r)[i] = (scale * moved.row(r)[i] - rows.row(r)[i]) / part;
  }
  // What the dependences of the rows become in the directions that the rows leave free: all of it must show there.
  const std::size_t n = rows.count(), dependences = split.dependences.size() / n,
                    free = split.kernel.size() / rows.size;
  std::vector<double> second, sum(rows.size);
  for (std::size_t d = 0; d < dependences; ++d) {
    std::ranges::fill(sum, 0.0);
    for (std::size_t r = 0; r < n; ++r) add_scaled(split.dependences[d * n + r], moved.row(r), sum);
    for (std::size_t k = 0; k < free; ++k)
      second.push_back(dot(sum, std::span(split.kernel).subspan(k * rows.size, rows.size)));
  }
  return find_rank({dependences, free, second}, clear).kept.size() == dependences;
}

namespace {

/// The rows in the user's order: which depend on those before them, on which, and whether they agree with them.
class RowByRow {
 public:
  RowByRow(SystemEvaluator& evaluator, double t, const double* y, const Evaluation& at, UnitRows unit, std::size_t rank)
      : rows_(evaluator.equations().rows), at_(at), unit_(std::move(unit)), rank_(rank), basis_(unit_.size, rank) {
    measure(evaluator, t, y);
  }

  /// What those before leave of a row tells whether it depends on them.
  void run(RankReport& report) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      std::vector<double> rest(unit_.row(r).begin(), unit_.row(r).end()), inside(basis_.count());
      const double left = basis_.split(rest, inside);
      if (left > 1e-10 && left < 1e-4)
        report.warning = "whether " + rows_[r].name + " is independent of the constraints before it is hard to decide";
      if (left >= tolerance::dependent && basis_.count() < rank_ && basis_.add(unit_.row(r), 0)) {
        independent_.push_back(static_cast<Index>(r));
      } else {
        basis_.solve(inside);
        report.redundant.push_back(compare(r, inside));
      }
    }
    if (!independent_.empty()) report.condition = condition();
  }

 private:
  /// What the terms of drifts and offsets amount to, for a motion of these magnitudes.
  void measure(SystemEvaluator& evaluator, double t, const double* y) {
    const CompiledSystem& system = evaluator.system();
    const Magnitudes magnitudes(system, at_, y);
    std::vector<double> largest(y, y + system.size());
    const std::size_t q = system.q_count();
    for (std::size_t i = 0; i < system.u_count(); ++i) largest[q + i] = magnitudes.values()[q + i];
    Evaluation sizes(system);
    evaluator.evaluate_sizes(t, largest.data(), sizes);
    offset_size_.assign(sizes.offset().begin(), sizes.offset().end());
    drift_size_.assign(sizes.drift().begin(), sizes.drift().end());
    const double* a = sizes.jacobian().data();
    for (std::size_t r = 0; r < system.row_count(); ++r)
      for (const Entry& entry : system.row(r).jacobian) offset_size_[r] += *a++ * largest[q + entry.column];
  }

  /// `coefficients`: of the row in the independent ones before it.
  RankReport::Redundant compare(std::size_t r, std::span<const double> coefficients) const {
    RankReport::Redundant redundant{rows_[r].name, {}, true};
    double drift = at_.drift()[r], size = drift_size_[r];
    double offset = at_.offset()[r], offset_size = offset_size_[r];
    for (std::size_t k = 0; k < independent_.size(); ++k) {
      const double c = coefficients[k];
      if (std::abs(c) < tolerance::doubtful) continue;
      redundant.depends_on.push_back(rows_[independent_[k]].name);
      const double weight = c * unit_.lengths[r] / unit_.lengths[independent_[k]];
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
    std::vector<double> kept;
    for (Index r : independent_) kept.insert(kept.end(), unit_.row(r).begin(), unit_.row(r).end());
    return 1 / find_rank({independent_.size(), unit_.size, kept}, 0).smallest;  // the first pivot is a unit length
  }

  const std::vector<ConstraintRow>& rows_;
  const Evaluation& at_;
  UnitRows unit_;
  std::size_t rank_;
  OrthonormalBasis basis_;
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
  UnitRows unit = make_unit_rows(at, factor, decision.selection->active(), vanishing);
  RowByRow(evaluator, t, y, at, std::move(unit), report.rank).run(report);
  if (dropped.empty()) return report;
  const std::vector<bool> is_free = free_multipliers(at, factor, tolerance::dependent, vanishing);
  for (std::size_t r = 0; r < rows.size(); ++r) report.unique[r] = !is_free[r];
  return report;
}

}  // namespace dalembert
