#include "simulate/march/course.hpp"

#include <algorithm>
#include <array>

#include "base/tolerances.hpp"

namespace dalembert {
namespace {

// Of the best pivot. Below it a state is not put back onto the constraints, which would move it by rounding over the
// pivot, and multipliers, whose rounding goes with its inverse cube, are not shown.
constexpr double singular = 1e-4;
// Of the frame's at the beginning of the step: rates are not taken from quasi-velocities.
constexpr double singular_frame = 1e-2;

}  // namespace

Course::Course(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const std::string& method)
    : evaluator_(evaluator),
      method_(make_method(method, evaluator.system().size())),
      f_([this](double t, const double* y, double* dy) { (*derivative_)(t, y, dy); }),
      magnitudes_(evaluator.system()),
      row_lengths_(evaluator.system().all_row_count(), 0.0),
      raw_(evaluator.system().size()),
      frame_(evaluator) {
  select(std::move(selection));
  if (evaluator.system().is_quasi() && evaluator.equations().has_choice())
    held_.emplace(evaluator, FrameWatch::Of::held);
  if (held_ && !*held_) held_.reset();
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
  derivative_->with_parts(t, y.data(), slope().data());
  derivative_->factor().include_lengths(row_lengths_);
  magnitudes_.set_inertias(derivative_->evaluation());
  magnitudes_.include(y.data());
  if (system().is_quasi()) magnitudes_.set_ways(evaluator_, t, y.data());
}

void Course::go_back(double t, std::span<const double> y, std::span<const double> slope_there,
                     std::span<const double> choice) {
  if (!std::ranges::equal(choice, evaluator_.choice())) {
    evaluator_.set_choice(choice);
    derivative_->renew_choice();
  }
  t_ = t;
  std::copy(y.begin(), y.end(), state().begin());
  std::copy(slope_there.begin(), slope_there.end(), slope().begin());
}

void Course::advance() {
  t_ = method_->t() + method_->h();
  magnitudes_.include(method_->end().data());
  if (held_) held_->read(t_, method_->end().data());
  method_->advance();
}

double Course::pivot() {
  return held_ ? held_->read(t_, state().data()).pivot : derivative_->factor().smallest_pivot();
}

double Course::pivot_ahead(double t, const double* y) {
  if (held_) return held_->peek(t, y).pivot;
  return projector_->factor(t, y, row_lengths_) ? projector_->factor().smallest_pivot() : 0;
}

double Course::pivot_at_end(double t) {
  return held_ ? held_->peek(t, method_->end().data()).pivot : projector_->factor().smallest_pivot();
}

void Course::include_held(double t, const double* q) {
  if (held_) held_->read(t, q);
}

void Course::state_at(double t, std::span<double> y) {
  const double x = (t - method_->t()) / method_->h();
  if (x >= 1) {
    std::copy_n(method_->end().begin(), y.size(), y.begin());
    return;
  }
  method_->interpolate(f_, std::max(x, 0.0), y);
  if (x <= 0 || inside_->is_idle() || !inside_->factor(t, y.data(), row_lengths_)) return;
  std::copy(y.begin(), y.end(), raw_.begin());
  // Where rows are about to depend on others they would move the state by rounding over what is left of them: there it
  // stays as exact as the method has it.
  const double pivot = held_ ? held_->peek(t, y.data()).pivot : inside_->factor().smallest_pivot();
  const bool is_singular = may_lose_rank() && pivot < singular * best_pivot_;
  if (is_singular || !inside_->project(t, y.data(), magnitudes_.with(method_->end().data())).ok)
    std::copy(raw_.begin(), raw_.end(), y.begin());
}

bool Course::observe_at(double t, std::span<double> y, Observation& observation) {
  state_at(t, y);
  if (has_singular_frame(t, y.data())) return observe_between(t, y, observation);
  return observer_->observe(t, y.data(), observation, row_lengths_,
                            std::max(singular * best_pivot_, tolerance::doubtful));
}

/// Quasi-velocities that the engine chose, beside those at the beginning of the step.
bool Course::has_singular_frame(double t, const double* y) {
  if (!frame_ || !system().equations().has_choice()) return false;
  frame_.renew_choice();
  const double before = frame_.read(t_, method_->start().data()).pivot;
  return frame_.read(t, y).pivot < singular_frame * before;
}

/// The rates that quasi-velocities stand for are not determined in a singular configuration, but they are smooth along
/// the motion: by the polynomial through eight places of the step, four on either side.
bool Course::observe_between(double t, std::span<double> y, Observation& observation) {
  constexpr std::array<double, 4> weights{0.8, -0.4, 4.0 / 35, -1.0 / 70};  // Lagrange's, of distances 1 to 4
  constexpr double part = 0.05;  // of the step: far enough for the rates, near enough for the polynomial
  const double from = method_->t(), to = from + method_->h();
  const double spacing = std::min({part * (to - from), (t - from) / 4, (to - t) / 4});
  if (!(spacing > 0)) return false;
  std::vector<Observation> beside(2 * weights.size(), Observation(system()));
  std::vector<double> by(beside.size()), place(y.size());
  for (std::size_t k = 0; k < beside.size(); ++k) {
    const double way = spacing * static_cast<double>(1 + k / 2) * (k % 2 == 0 ? 1 : -1);
    by[k] = weights[k / 2];
    state_at(t + way, place);
    if (!observer_->observe(t + way, place.data(), beside[k])) return false;
  }
  observer_->observe_between(t, y.data(), beside, by, observation);
  return true;
}

}  // namespace dalembert
