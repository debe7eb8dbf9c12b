#include "simulate/march/jumps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "simulate/march/root.hpp"

namespace dalembert {
namespace {

constexpr double most = 10;         // tolerances by which a step may differ from the integral of its forces
constexpr double thin = 1e-6;       // of tolerance times step: how long the step over a jump is
constexpr double thinnest = 2e-14;  // of the time

// Gauss's formula with four nodes, exact to degree 7 as the dense output is.
constexpr std::array<double, 4> nodes = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                         0.8611363115940526};
constexpr std::array<double, 4> weights = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                           0.3478548451374538};

}  // namespace

Jumps::Jumps(Course& course, const Sizes& sizes, double tolerance)
    : course_(course), sizes_(sizes), tolerance_(tolerance), kernel_(course.system().switches) {
  const CompiledSystem& system = course.system();
  if (!system.switches) return;
  const std::size_t count = system.switches.output_count();
  kernel_.set_parameters(course.evaluator().all_parameters());
  Enclosing program(system.switches.function());
  program.set_parameters(course.evaluator().all_parameters());
  search_.emplace(system.switches.input_count(), std::move(program));
  all_.resize(count);
  std::iota(all_.begin(), all_.end(), std::size_t{0});
  for (auto* values : {&shifts_, &values_, &last_t_, &last_value_}) values->assign(count, 0.0);
  inputs_.assign(system.switches.input_count(), 0.0);
  for (auto* values : {&y_, &slope_, &sum_}) values->assign(system.size(), 0.0);
}

void Jumps::sample(double t, std::span<double> inputs) {
  Method& method = course_.method();
  method.interpolate(course_.f(), std::clamp((t - method.t()) / method.h(), 0.0, 1.0), y_);
  inputs[0] = t;
  std::copy_n(y_.begin(), inputs.size() - 1, inputs.begin() + 1);
}

/// A function may have changed its sign once since it was looked at last.
void Jumps::follow(std::size_t function, double right) {
  const auto value = [this, function](double t) {
    sample(t, inputs_);
    kernel_(inputs_.data(), values_.data());
    return values_[function];
  };
  const double before = last_value_[function], now = value(right);
  if (before * now < 0) changes_.push_back(find_root(value, last_t_[function], before, right, now));
  if (now != 0) last_value_[function] = now;
  last_t_[function] = right;
}

/// Times in the step just taken at which some function changes its sign.
void Jumps::find_changes() {
  const double from = course_.method().t(), to = from + course_.method().h();
  changes_.clear();
  sample(from, inputs_);
  kernel_(inputs_.data(), last_value_.data());
  std::fill(last_t_.begin(), last_t_.end(), from);
  search_->find(
      from, to, all_, shifts_, [this](double t, std::span<double> inputs) { sample(t, inputs); },
      [this](std::size_t function, double, double right, int way) {
        if (way == 0 || !(last_value_[function] * way > 0)) follow(function, right);
      });
  for (std::size_t function : all_) follow(function, to);
  std::sort(changes_.begin(), changes_.end());
}

/// Whether the dense output moves by the integral of the derivative along it.
bool Jumps::agrees(double left, double right) {
  const double middle = (left + right) / 2, half = (right - left) / 2;
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const double t = middle + nodes[k] * half;
    sample(t, inputs_);
    course_.derivative()(t, y_.data(), slope_.data());
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += half * weights[k] * slope_[i];
  }
  sample(right, inputs_);
  std::swap(y_, slope_);
  sample(left, inputs_);
  for (std::size_t i = 0; i < sizes_.scale().size(); ++i) {
    const double gap = std::abs(slope_[i] - y_[i] - sum_[i]);
    if (!(gap <= most * (sizes_.scale()[i] + sizes_.noise()[i]))) return false;
  }
  return true;
}

bool Jumps::is_crossing(double t, double h) const {
  if (!place_) return false;
  const double width = place_->after - place_->before;
  return t > place_->before - width / 4 && t + h < place_->after + width / 4;
}

double Jumps::plan(double t, double h) const {
  if (!place_) return h;
  const double width = place_->after - place_->before;
  return std::min(h, (t > place_->before - width / 4 ? place_->after : place_->before) - t);
}

bool Jumps::passed_unseen() {
  if (!search_) return false;
  const double from = course_.method().t(), h = course_.method().h(), to = from + h;
  const double width = std::max(thin * tolerance_ * h, thinnest * std::max(std::abs(from), std::abs(to)));
  if (is_crossing(from, h) || h <= 4 * width) return false;
  find_changes();
  double left = from;
  for (std::size_t k = 0; k <= changes_.size(); ++k) {
    const double right = k < changes_.size() ? changes_[k] : to;
    if (changes_.empty()) return false;
    if (right > left && !agrees(left, right)) {
      const double t = k == 0 ? right : left;
      place_ = Place{std::max(from, t - width / 2), t + width / 2, h};
      return true;
    }
    left = right;
  }
  return false;
}

std::optional<double> Jumps::went_over(double t) {
  if (!place_ || t < place_->after - (place_->after - place_->before) / 4) return std::nullopt;
  const double step = place_->step;
  place_.reset();
  return step;
}

}  // namespace dalembert
