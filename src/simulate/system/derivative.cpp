#include "simulate/system/derivative.hpp"

#include <algorithm>
#include <limits>

namespace dalembert {
namespace {

/// Of numbers that were just written: one wide load, as memmove has, would wait until all of them have left the
/// processor's store buffer, a tenth of a right-hand side.
void copy_one_by_one(const double* from, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
    asm volatile("");  // else the compiler makes it a memmove
  }
}

}  // namespace

Derivative::Derivative(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection)
    : evaluator_(evaluator),
      at_(evaluator.system()),
      factor_(std::move(selection)),
      multipliers_(evaluator.system().all_row_count()),
      inputs_(1 + evaluator.system().q_count() + evaluator.system().u_count()) {
  renew_choice();
}

void Derivative::renew_choice() { fast_ = evaluator_.bind_fast(factor_.selection()); }

void Derivative::with_parts(double t, const double* y, double* dy) {
  if (!fast_ || !evaluator_.system().needs_no_factor(factor_.selection())) return by_factor(t, y, dy);
  evaluator_.evaluate(t, y, at_);
  (*this)(t, y, dy);
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
  copy_one_by_one(y, system.q_count() + system.u_count(), inputs_.data() + 1);
  fast_(inputs_.data(), dy + system.q_count() - system.fast_rate_count());
  if (system.rates_are_velocities) copy_one_by_one(y + system.q_count(), system.q_count(), dy);
}

}  // namespace dalembert
