#include "mechanics/hamel/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"

namespace dalembert {

Manifold::Manifold(const Model& model) {
  for (const Constraint& constraint : model.constraints)
    if (constraint.kind == ConstraintKind::geometric) constraints_.push_back(constraint.f);
  std::vector<Expr> coordinates;
  for (const Coordinate& coordinate : model.coordinates) coordinates.push_back(coordinate.q);
  if (!constraints_.empty()) slopes_ = jacobian(constraints_, coordinates);
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

namespace {

/// A form and its derivative at a point.
struct FormAt {
  std::vector<double> theta;
  std::vector<double> slope;  // d theta_j / dx_i at [j * size + i]
  double length = 0;
};

class FormEvaluator {
 public:
  FormEvaluator(const Model& model, const Constraint& constraint)
      : form_(constraint_form(model, constraint)), size_(form_.size()) {
    if (constraint.kind == ConstraintKind::geometric) return;  // closed
    slopes_ = sparse_jacobian(form_, configuration_symbols(model));
    for (const auto& row : slopes_)
      for (const Entry& entry : row) values_.push_back(entry.value);
  }

  std::optional<FormAt> operator()(std::span<const Binding> point) const {
    FormAt at{evaluate(form_, point), std::vector<double>(size_ * size_, 0.0)};
    at.length = length_of(at.theta);
    std::vector<double> values = evaluate(values_, point);
    if (!std::isfinite(at.length) || at.length == 0 || !is_finite(values)) return std::nullopt;
    auto next = values.begin();
    for (std::size_t j = 0; j < slopes_.size(); ++j)
      for (const Entry& entry : slopes_[j]) at.slope[j * size_ + entry.column] = *next++;
    return at;
  }

 private:
  std::vector<Expr> form_, values_;
  std::size_t size_;
  std::vector<std::vector<Entry>> slopes_;
};

/// dtheta(x, y) = (d_i theta_j - d_j theta_i) x_i y_j.
double two_form(const FormAt& at, std::span<const double> x, std::span<const double> y) {
  const std::size_t size = at.theta.size();
  double sum = 0;
  for (std::size_t j = 0; j < size; ++j)
    for (std::size_t i = 0; i < size; ++i)
      if (double slope = at.slope[j * size + i]; slope != 0) sum += slope * (x[i] * y[j] - x[j] * y[i]);
  return sum;
}

/// Orthonormal vectors.
struct Vectors {
  std::size_t size;
  std::vector<double> values;
  std::size_t count() const { return values.size() / size; }
  std::span<const double> operator[](std::size_t k) const {
    return std::span<const double>(values).subspan(k * size, size);
  }
};

/// What forms leave free; empty where their rank is not clearly `rank`. They are scaled to unit length.
std::optional<Vectors> kernel_of(std::vector<double> rows, std::size_t size, std::size_t rank) {
  for (std::size_t begin = 0; begin < rows.size(); begin += size) {
    const double length = length_of(std::span(rows).subspan(begin, size));
    for (std::size_t i = 0; i < size; ++i) rows[begin + i] /= length;
  }
  RowSplit split = split_rows({rows.size() / size, size, rows}, tolerance::independent);
  if (!split.finite || split.rank != rank) return std::nullopt;
  return Vectors{size, split.kernel};
}

/// The first step of the derived flag at a configuration, modulo the geometric constraints.
class FlagAt {
 public:
  explicit FlagAt(const Model& model) : size_(model.coordinates.size() + 1) {
    for (const Constraint& constraint : model.constraints)
      if (constraint.kind != ConstraintKind::one_sided)
        (constraint.kind == ConstraintKind::geometric ? geometric_ : differential_).emplace_back(model, constraint);
  }

  /// The rank of the geometric forms where no combination c of the differential ones has c_a dtheta_a = 0 on what all
  /// forms allow; empty where one has, or the numbers do not tell.
  std::optional<std::size_t> ends_here(std::span<const Binding> point) const {
    std::vector<double> all, fixed;
    std::vector<FormAt> forms;
    for (const auto* list : {&geometric_, &differential_})
      for (const FormEvaluator& evaluator : *list) {
        std::optional<FormAt> at = evaluator(point);
        if (!at) return std::nullopt;
        all.insert(all.end(), at->theta.begin(), at->theta.end());
        if (list == &geometric_)
          for (double each : at->theta) fixed.push_back(each / at->length);
        else
          forms.push_back(std::move(*at));
      }
    const std::size_t rank = find_rank({geometric_.size(), size_, fixed}, tolerance::independent).kept.size();
    const std::optional<Vectors> free = kernel_of(all, size_, rank + forms.size());
    if (!free) return std::nullopt;
    std::vector<double> brackets;
    for (const FormAt& form : forms)
      for (std::size_t i = 0; i < free->count(); ++i)
        for (std::size_t j = i + 1; j < free->count(); ++j)
          brackets.push_back(two_form(form, (*free)[i], (*free)[j]) / form.length);
    if (forms.empty() || brackets.empty()) return std::nullopt;
    const RowRank found =
        find_rank({forms.size(), brackets.size() / forms.size(), brackets}, tolerance::clearly_nonzero);
    if (!found.finite || found.kept.size() < forms.size()) return std::nullopt;
    return rank;
  }

 private:
  std::size_t size_;
  std::vector<FormEvaluator> geometric_, differential_;
};

}  // namespace

std::optional<std::size_t> count_integrals_by_rank(const Model& model, const Manifold& manifold) {
  const FlagAt flag(model);
  for (const std::vector<Binding>& point : manifold.points()) {
    if (std::optional<std::size_t> rank = flag.ends_here(point)) return rank;
  }
  return std::nullopt;
}

bool is_proved_nonintegrable(const Model& model, const Constraint& constraint, const Manifold& manifold) {
  const FormEvaluator evaluator(model, constraint);
  for (const std::vector<Binding>& point : manifold.points()) {
    std::optional<FormAt> at = evaluator(point);
    if (!at) continue;
    const std::size_t size = at->theta.size();
    std::optional<Vectors> free = kernel_of(at->theta, size, 1);
    if (!free) continue;
    for (std::size_t i = 0; i < free->count(); ++i)
      for (std::size_t j = i + 1; j < free->count(); ++j)
        if (std::fabs(two_form(*at, (*free)[i], (*free)[j])) > tolerance::independent * at->length) return true;
  }
  return false;
}

}  // namespace dalembert
