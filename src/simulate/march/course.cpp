#include "simulate/march/course.hpp"

#include <algorithm>

namespace dalembert {

Course::Course(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const std::string& method)
    : evaluator_(evaluator),
      method_(make_method(method, evaluator.system().size())),
      f_([this](double t, const double* y, double* dy) { (*derivative_)(t, y, dy); }),
      magnitudes_(evaluator.system()),
      row_lengths_(evaluator.system().all_row_count(), 0.0),
      raw_(evaluator.system().size()) {
  select(std::move(selection));
}

void Course::select(std::shared_ptr<const Selection> selection) {
  if (selection == selection_) return;
  if (derivative_) evaluations_ += derivative_->evaluations();
  selection_ = std::move(selection);
  derivative_ = std::make_unique<Derivative>(evaluator_, selection_);
  projector_ = std::make_unique<Projector>(evaluator_, selection_);
  inside_ = std::make_unique<Projector>(evaluator_, selection_);
  observer_ = std::make_unique<Observer>(evaluator_, selection_);
}

void Course::restart(double t, std::span<const double> y, std::shared_ptr<const Selection> selection) {
  select(std::move(selection));
  t_ = t;
  std::copy(y.begin(), y.end(), state().begin());
  derivative_->by_factor(t, y.data(), slope().data());
  derivative_->factor().include_lengths(row_lengths_);
  magnitudes_.set_inertias(derivative_->evaluation());
  magnitudes_.include(y.data());
}

void Course::go_back(double t, std::span<const double> y, std::span<const double> slope_there) {
  t_ = t;
  std::copy(y.begin(), y.end(), state().begin());
  std::copy(slope_there.begin(), slope_there.end(), slope().begin());
}

void Course::advance() {
  t_ = method_->t() + method_->h();
  magnitudes_.include(method_->end().data());
  method_->advance();
}

void Course::state_at(double t, std::span<double> y) {
  const double x = (t - method_->t()) / method_->h();
  if (x >= 1) {
    std::copy_n(method_->end().begin(), y.size(), y.begin());
    return;
  }
  method_->interpolate(f_, std::max(x, 0.0), y);
  if (x <= 0 || inside_->is_idle() || !inside_->factor(t, y.data())) return;
  std::copy(y.begin(), y.end(), raw_.begin());
  if (!inside_->project(t, y.data(), magnitudes_.with(method_->end().data())).ok) std::copy(raw_.begin(), raw_.end(), y.begin());
}

bool Course::observe_at(double t, std::span<double> y, Observation& observation) {
  state_at(t, y);
  return observer_->observe(t, y.data(), observation, row_lengths_);
}

}  // namespace dalembert
