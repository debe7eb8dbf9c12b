#include "simulate/system/newton.hpp"

#include <cmath>

#include "base/tolerances.hpp"
#include "simulate/system/magnitudes.hpp"

namespace dalembert {
namespace {

constexpr double truncation = 1e-9;  // directions that change residuals by less of their length are left out
constexpr double name_threshold = 1e-7;

}  // namespace

Newton::Newton(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, const Freedom& freedom, double t,
               Level level)
    : evaluator_(evaluator),
      system_(evaluator.system()),
      selection_(std::move(selection)),
      t_(t),
      level_(level),
      at_(system_),
      f_(system_.all_row_count()),
      psi_(f_.size()) {
  const std::size_t n = system_.u_count();
  for (std::size_t i = 0; i < n && level != Level::rates; ++i)
    if (freedom.free[i]) unknowns_.push_back(static_cast<Index>(i));
  for (std::size_t i = 0; i < n && level != Level::positions; ++i)
    if (freedom.free[system_.q_count() + i]) unknowns_.push_back(static_cast<Index>(system_.q_count() + i));
  for (Index r : selection_->active())
    if (system_.row(r).position && level != Level::rates) position_rows_.push_back(r);
  if (level != Level::positions) rate_rows_ = selection_->active();
  const std::vector<Condition>& conditions = evaluator.model().initial;
  for (Index c = 0; freedom.conditions && c < conditions.size(); ++c)
    if (level == Level::both || conditions[c].on_rates == (level == Level::rates)) conditions_.push_back(c);
}

bool Newton::is_angle(std::size_t k) const { return system_.classes[unknowns_[k]] == angle_class; }

bool Newton::linearise(const double* y) {
  if (!evaluator_.evaluate(t_, y, at_)) return false;
  const Magnitudes sizes(system_, at_, y);
  magnitudes_.assign(sizes.values().begin(), sizes.values().end());
  metric_ = make_metric();
  const std::size_t n = unknowns_.size();
  if (factor_cholesky(metric_, n, tolerance::epsilon).failed < n) return false;
  rows_ = make_slopes(y);
  lengths_.resize(equation_count());
  for (std::size_t r = 0; r < equation_count(); ++r) {
    const std::span<double> row = std::span(rows_).subspan(r * n, n);
    solve_lower(metric_, row);
    lengths_[r] = length_of(row);
    for (double& value : row) value = lengths_[r] > 0 ? value / lengths_[r] : value;
  }
  residual_ = scaled(y);
  return is_finite(residual_);
}

std::vector<double> Newton::step(double damping) const {
  std::vector<double> change = damping == 0 ? least(residual_) : combine(damped(damping));
  for (double& value : change) value = -value;
  return from_kinetic(std::move(change));
}

std::vector<double> Newton::step_from(std::vector<double> away) const {
  std::vector<double> residual = residual_;
  const std::vector<double> z = to_kinetic(away);
  for (std::size_t r = 0; r < residual.size(); ++r) residual[r] += dot(view().row(r), z);
  add_scaled(-1, from_kinetic(least(residual)), away);
  return away;
}

std::vector<bool> Newton::free() const {
  const std::size_t n = unknowns_.size();
  std::vector<bool> result(n, true);
  if (rows_.empty()) return result;
  const RowSplit split = split_rows(view(), truncation);
  std::vector<double> moves(n, 0.0), whole(n, 0.0);  // squares of how far unit vectors move an unknown
  const auto add_moves = [&](std::vector<double> z, std::vector<double>& squares) {
    const std::vector<double> change = from_kinetic(std::move(z));
    for (std::size_t k = 0; k < n; ++k) squares[k] += change[k] * change[k];
  };
  for (auto z = split.kernel.begin(); z != split.kernel.end(); z += static_cast<std::ptrdiff_t>(n))
    add_moves({z, z + static_cast<std::ptrdiff_t>(n)}, moves);
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> z(n, 0.0);
    z[k] = 1;
    add_moves(std::move(z), whole);
  }
  for (std::size_t k = 0; k < n; ++k) result[k] = moves[k] > name_threshold * name_threshold * whole[k];
  return result;
}

std::vector<double> Newton::least(std::span<const double> residual) const {
  return solve_least_norm(view(), residual, truncation).x;
}

std::vector<double> Newton::combine(std::span<const double> weights) const {
  std::vector<double> sum(unknowns_.size(), 0.0);
  for (std::size_t r = 0; r < weights.size(); ++r) add_scaled(weights[r], view().row(r), sum);
  return sum;
}

std::vector<double> Newton::damped(double damping) const {
  const std::size_t n = equation_count();
  std::vector<double> normal(n * n), x = residual_;
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c <= r; ++c)
      normal[r * n + c] = dot(view().row(r), view().row(c)) + (r == c ? damping : 0.0);
  factor_semidefinite(normal, n, 0);
  solve_cholesky(normal, x);
  return x;
}

std::vector<double> Newton::to_kinetic(std::span<const double> x) const {
  const std::size_t n = x.size();
  std::vector<double> z(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    add_scaled(x[i], std::span(metric_).subspan(i * n, i), std::span(z).first(i));
    z[i] += x[i] / metric_[i * n + i];  // the factor's diagonal holds reciprocals
  }
  return z;
}

std::vector<double> Newton::make_metric() const {
  const std::size_t n = system_.u_count(), count = unknowns_.size();
  std::vector<double> mass(n * n, 0.0);
  for (std::size_t k = 0; k < at_.mass().size(); ++k) {
    const auto [i, j] = system_.pattern->mass[k];
    mass[i * n + j] = mass[j * n + i] = at_.mass()[k];
  }
  for (const Mending& mend : selection_->mending()) {
    const double* a = at_.jacobian_row(mend.row);
    const auto& entries = system_.row(mend.row).jacobian;
    for (std::size_t i = 0; i < entries.size(); ++i)
      for (std::size_t j = 0; j < entries.size(); ++j)
        mass[entries[i].column * n + entries[j].column] += mend.sigma * a[i] * a[j];
  }
  const double time = level_ == Level::both ? own_time(mass) : 1;
  std::vector<double> metric(count * count);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      const Index i = unknowns_[a], j = unknowns_[b];
      const double weight = is_rate(i) != is_rate(j) ? 0 : is_rate(i) ? 1 : 1 / (time * time);
      metric[a * count + b] = weight * mass[velocity_of(i) * n + velocity_of(j)];
    }
  return metric;
}

double Newton::own_time(std::span<const double> mass) const {
  double way = 0, speed = 0;
  for (std::size_t i = 0; i < system_.u_count(); ++i) {
    const double inertia = mass[i * system_.u_count() + i];
    way += inertia * magnitudes_[i] * magnitudes_[i];
    speed += inertia * magnitudes_[system_.q_count() + i] * magnitudes_[system_.q_count() + i];
  }
  return way > 0 && speed > 0 ? std::sqrt(way / speed) : 1;
}

std::vector<double> Newton::make_slopes(const double* y) {
  const std::size_t n = unknowns_.size();
  std::vector<double> slopes(equation_count() * n, 0.0);
  Evaluation sizes(system_);
  evaluator_.evaluate_sizes(t_, y, sizes);
  std::vector<std::size_t> place(system_.q_count() + system_.u_count(), n);
  for (std::size_t k = 0; k < n; ++k) place[unknowns_[k]] = k;
  std::size_t equation = 0;
  const auto add = [&](Index r, std::size_t first) {
    const double* a = at_.jacobian_row(r);
    const double* size = r < system_.row_count() ? sizes.jacobian_row(r) : nullptr;
    for (const Entry& entry : system_.row(r).jacobian) {
      const double value = *a++, largest = size ? *size++ : 0;
      const std::size_t k = place[first + entry.column];
      if (k < n && std::abs(value) > tolerance::cancelled * largest) slopes[equation * n + k] = value;
    }
    ++equation;
  };
  for (Index r : position_rows_) add(r, 0);
  for (Index r : rate_rows_) add(r, system_.q_count());
  if (level_ == Level::both) add_differences(y, slopes);
  if (conditions_.empty()) return slopes;
  const std::vector<double> values = evaluator_.evaluate_conditions(t_, y);
  const auto& columns = system_.conditions().columns;
  const double* slope = values.data() + 2 * columns.size();
  for (Index c = 0, next = 0; c < columns.size(); ++c) {
    const bool counts = next < conditions_.size() && conditions_[next] == c;
    for (Index i : columns[c]) {
      if (counts && place[i] < n) slopes[equation * n + place[i]] = *slope;
      ++slope;
    }
    if (counts) ++next, ++equation;
  }
  return slopes;
}

void Newton::add_differences(const double* y, std::span<double> slopes) {
  constexpr double part = 1e-6;
  std::vector<double> moved(y, y + system_.size()), after(f_.size());
  for (std::size_t k = 0; k < unknowns_.size() && !is_rate(unknowns_[k]); ++k) {
    const Index i = unknowns_[k];
    const double h = part * (magnitudes_[i] > 0 ? magnitudes_[i] : 1);
    moved[i] = y[i] + h;
    evaluator_.evaluate_constraints(t_, moved.data(), f_.data(), after.data());
    moved[i] = y[i] - h;
    evaluator_.evaluate_constraints(t_, moved.data(), f_.data(), psi_.data());
    moved[i] = y[i];
    for (std::size_t r = 0; r < rate_rows_.size(); ++r)
      slopes[(position_rows_.size() + r) * unknowns_.size() + k] =
          (after[rate_rows_[r]] - psi_[rate_rows_[r]]) / (2 * h);
  }
}

std::vector<double> Newton::scaled(const double* y) {
  evaluator_.evaluate_constraints(t_, y, f_.data(), psi_.data());
  std::vector<double> g;
  for (Index r : position_rows_) g.push_back(f_[r]);
  for (Index r : rate_rows_) g.push_back(psi_[r]);
  if (!conditions_.empty()) {
    const std::vector<double> values = evaluator_.evaluate_conditions(t_, y);
    for (Index c : conditions_) g.push_back(values[c]);
  }
  for (std::size_t k = 0; k < g.size(); ++k) g[k] = lengths_[k] > 0 ? g[k] / lengths_[k] : 0;
  return g;
}

}  // namespace dalembert
