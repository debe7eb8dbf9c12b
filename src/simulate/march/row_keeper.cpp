#include "simulate/march/row_keeper.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "simulate/system/magnitudes.hpp"
#include "simulate/system/rank.hpp"

namespace dalembert {
namespace {

constexpr double worn = 0.1;          // part of their first pivot at which rows are chosen again
constexpr double independent = 1e-6;  // what the kept rows leave of another, in parts of its length
constexpr double violated = 1e3;      // tolerances, and never below
constexpr double off_start = 1e-9;    // the part of its terms by which a start may be off as well

}  // namespace

RowKeeper::RowKeeper(Course& course, double tolerance) : course_(course), tolerance_(tolerance) {
  if (course.system().is_quasi() && course.system().equations().recovery) in_rates_.emplace(course.evaluator());
}

/// A dropped row no longer lies in the span of those kept.
bool RowKeeper::comes_back() {
  const std::vector<Index>& dropped = course_.selection()->dropped();
  Projector& projector = course_.projector();
  if (!projector.factor(course_.t(), course_.state().data())) return false;
  const std::size_t n = course_.system().u_count();
  columns_.resize(2 * n * dropped.size());
  double *whole = columns_.data(), *rest = whole + n * dropped.size();
  projector.factor().dense_columns(projector.evaluation().jacobian().data(), dropped, whole);
  projector.factor().free_columns(projector.evaluation().jacobian().data(), dropped, rest);
  const std::vector<bool> vanishing =
      find_vanishing(course_.evaluator(), course_.t(), course_.state().data(), projector.evaluation());
  for (std::size_t k = 0; k < dropped.size(); ++k) {
    if (dropped[k] < vanishing.size() && vanishing[dropped[k]]) continue;
    double length = 0, left = 0;
    for (std::size_t i = 0; i < n; ++i) {
      length += whole[k * n + i] * whole[k * n + i];
      left += rest[k * n + i] * rest[k * n + i];
    }
    if (left > independent * independent * length) return true;
  }
  return false;
}

std::optional<RowKeeper::Violated> RowKeeper::find_violated(double t, const double* y) {
  if (!in_rates_) return find_violated(course_.evaluator(), course_.selection()->dropped(), t, y, course_.magnitudes());
  SystemEvaluator& evaluator = in_rates_->evaluator();
  const std::vector<double> state = in_rates_->state(course_.evaluator(), t, y);
  Evaluation at(evaluator.system());
  if (!evaluator.evaluate(t, state.data(), at)) return std::nullopt;
  std::vector<Index> all(evaluator.system().row_count());
  std::iota(all.begin(), all.end(), Index{0});
  return find_violated(evaluator, all, t, state.data(), Magnitudes(evaluator.system(), at, state.data()).values());
}

std::optional<RowKeeper::Violated> RowKeeper::find_violated(SystemEvaluator& evaluator, std::span<const Index> rows,
                                                            double t, const double* y,
                                                            std::span<const double> magnitudes) const {
  if (rows.empty()) return std::nullopt;
  const CompiledSystem& system = evaluator.system();
  std::vector<double> position(system.all_row_count()), velocity(system.all_row_count());
  evaluator.evaluate_constraints(t, y, position.data(), velocity.data());
  const std::vector<double> sizes = evaluator.evaluate_position_sizes(t, y);
  Evaluation rate_sizes(system);
  evaluator.evaluate_sizes(t, y, rate_sizes);
  const double most = std::max(violated * tolerance_, off_start);
  for (Index r : rows) {
    if (r >= system.row_count()) continue;
    double rate_size = rate_sizes.offset()[r];
    const double* size = rate_sizes.jacobian_row(r);
    for (std::size_t k = 0; k < system.row(r).jacobian.size(); ++k)
      rate_size += size[k] * magnitudes[system.q_count() + system.row(r).jacobian[k].column];
    const bool in_position = std::abs(position[r]) > most * sizes[r];
    if (!in_position && !(std::abs(velocity[r]) > most * rate_size)) continue;
    return Violated{system.row(r).name, t, in_position ? position[r] : velocity[r]};
  }
  return std::nullopt;
}

std::shared_ptr<const Selection> RowKeeper::watch(double pivot, double reference) {
  if (course_.selection()->dropped().empty()) return nullptr;
  if (pivot > worn * reference && !comes_back()) return nullptr;
  Evaluation at(course_.system());
  if (!course_.evaluator().evaluate(course_.t(), course_.state().data(), at)) return nullptr;
  const double* y = course_.state().data();
  std::shared_ptr<const Selection> chosen =
      decide_rank(at, course_.selection(), find_vanishing(course_.evaluator(), course_.t(), y, at)).selection;
  return chosen->kept() == course_.selection()->kept() ? nullptr : chosen;
}

}  // namespace dalembert
