#include "simulate/system/derivative.hpp"

#include <algorithm>
#include <limits>

namespace dalembert {

Derivative::Derivative(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection)
    : evaluator_(evaluator),
      at_(evaluator.system()),
      factor_(std::move(selection)),
      multipliers_(evaluator.system().all_row_count()),
      inputs_(1 + evaluator.system().q_count() + evaluator.system().u_count()) {
  if (!factor_.selection().is_whole()) return;
  std::vector<Index> mending;
  for (const Mending& mend : factor_.selection().mending()) mending.push_back(mend.row);
  fast_ = BoundKernel(evaluator.system().fast(mending));
  renew_choice();
}

void Derivative::renew_choice() {
  if (!fast_) return;
  std::vector<double> parameters(evaluator_.parameters().begin(), evaluator_.parameters().end());
  parameters.insert(parameters.end(), evaluator_.choice().begin(), evaluator_.choice().end());
  for (const Mending& mend : factor_.selection().mending()) parameters.push_back(mend.sigma);
  fast_.set_parameters(parameters);
}

void Derivative::by_factor(double t, const double* y, double* dy) {
  const CompiledSystem& system = evaluator_.system();
  const std::size_t q = system.q_count(), u = system.u_count();
  ++evaluations_;
  const bool there = evaluator_.evaluate(t, y, at_) && factor_.factor(at_.mass().data(), at_.jacobian().data());
  if (!there || factor_.smallest_pivot() == 0) {
    std::fill_n(dy, system.size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  evaluator_.solve(at_, factor_, dy + q, multipliers_.data());
  evaluator_.evaluate_rates(t, y, dy);
  for (const Impulse& impulse : system.equations().impulses) dy[impulse.coordinate] = -multipliers_[impulse.row];
  if (!system.has_work) return;
  double power = at_.power();
  for (std::size_t r = 0; r < system.all_row_count(); ++r) power -= multipliers_[r] * at_.offset()[r];
  dy[q + u] = power;
}

void Derivative::operator()(double t, const double* y, double* dy) {
  if (!fast_) return by_factor(t, y, dy);
  const CompiledSystem& system = evaluator_.system();
  ++evaluations_;
  inputs_[0] = t;
  std::copy_n(y, system.q_count() + system.u_count(), inputs_.data() + 1);
  fast_(inputs_.data(), dy + system.q_count());
  evaluator_.evaluate_rates(t, y, dy);
}

}  // namespace dalembert
