#include "mechanics/hamel/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/tolerances.hpp"
#include "mechanics/hamel/certain.hpp"

namespace dalembert {

Manifold::Manifold(const Model& model) {
  for (const Constraint& constraint : model.constraints)
    if (constraint.kind == ConstraintKind::geometric) constraints_.push_back(constraint.f);
  std::vector<Expr> coordinates;
  for (const Coordinate& coordinate : model.coordinates) coordinates.push_back(coordinate.q);
  if (!constraints_.empty()) slopes_ = jacobian(constraints_, coordinates);
  std::vector<Replacement> given;
  for (const Parameter& parameter : model.parameters) given.push_back({parameter.symbol, parameter.value});
  for (const Parameter& parameter : model.parameters) {
    Expr value = parameter.value;
    while (!free_symbols({&value, 1}).empty()) value = substitute(value, given);
    parameters_.push_back({parameter.symbol, value});
  }
  std::vector<Binding> start{{model.time, 0.0}};
  std::vector<double> parameters = parameter_values(model), q = initial_state(model).q;
  for (std::size_t i = 0; i < parameters.size(); ++i) start.push_back({model.parameters[i].symbol, parameters[i]});
  first_ = start.size();
  for (std::size_t i = 0; i < q.size(); ++i) start.push_back({coordinates[i], q[i]});
  points_.push_back(start);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> spread(-0.3, 0.3);
  for (int point = 0; point < 4; ++point) {
    std::vector<Binding> moved = start;
    for (std::size_t i = first_; i < moved.size(); ++i) moved[i].value += spread(random);
    if (bring(moved)) points_.push_back(std::move(moved));
  }
}

bool Manifold::bring(std::vector<Binding>& point) const {
  constexpr int sweeps = 200;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double worst = 0;
    for (std::size_t a = 0; a < constraints_.size(); ++a) {
      double value = evaluate(constraints_[a], point), square = 0;
      std::vector<double> slope = evaluate(slopes_[a], point);
      for (double each : slope) square += each * each;
      if (!std::isfinite(value) || !std::isfinite(square) || square == 0) return false;
      worst = std::max(worst, std::fabs(value));
      for (std::size_t i = 0; i < slope.size(); ++i) point[first_ + i].value -= value / square * slope[i];
    }
    if (worst < tolerance::assembled) return true;
  }
  return false;
}

std::vector<Around> Manifold::around(std::size_t point) const {
  std::vector<Around> box;
  for (const Binding& each : points_[point])
    box.push_back({each.symbol, each.symbol.graph().constant_from_double(each.value)});
  std::ranges::copy(parameters_, box.begin() + 1);  // time comes first
  return box;
}

std::vector<Around> Manifold::find_box(std::size_t point) const {
  std::vector<Around> box = around(point);
  if (is_everything()) return box;
  const std::vector<Range> values = enclose(constraints_, box);
  std::vector<Expr> slopes;
  for (const auto& row : slopes_) slopes.insert(slopes.end(), row.begin(), row.end());
  const std::size_t rows = slopes_.size(), size = slopes_[0].size();
  const std::vector<Range> at_middle = enclose(slopes, box);
  const std::vector<double> inverse = find_right_inverse({rows, size, at_middle});
  if (inverse.empty()) return {};
  double reach = 0;
  for (const Range& value : values) reach = std::max(reach, 4 * value.size());
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t a = 0; a < rows; ++a) sum += std::fabs(inverse[i * rows + a]);
    box[first_ + i].radius = 2 * sum * reach;  // twice: whatever rounding does
  }
  if (!has_zero(values, {rows, size, enclose(slopes, box)}, inverse, reach)) return {};
  return box;
}

std::vector<Expr> configuration_symbols(const Model& model) {
  std::vector<Expr> variables;
  for (const Coordinate& coordinate : model.coordinates) variables.push_back(coordinate.q);
  variables.push_back(model.time);
  return variables;
}

std::vector<Expr> constraint_form(const Model& model, const Constraint& constraint) {
  if (constraint.kind == ConstraintKind::geometric) return gradient(constraint.f, configuration_symbols(model));
  std::vector<Expr> rates;
  std::vector<Replacement> rest;
  for (const Coordinate& coordinate : model.coordinates) {
    rates.push_back(coordinate.rate);
    rest.push_back({coordinate.rate, model.graph->constant(0)});
  }
  std::vector<Expr> form = gradient(constraint.f, rates);
  form.push_back(substitute(constraint.f, rest));
  return form;
}

}  // namespace dalembert
