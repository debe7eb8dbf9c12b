#include "simulate/numeric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dalembert {
namespace {

std::vector<std::pair<Index, Index>> mass_pattern(const Equations& equations) {
  std::vector<std::pair<Index, Index>> pattern;
  for (std::size_t i = 0; i < equations.mass.size(); ++i) {
    for (const Entry& entry : equations.mass[i]) pattern.emplace_back(static_cast<Index>(i), entry.column);
  }
  return pattern;
}

RowPattern row_pattern(const Equations& equations) {
  RowPattern pattern;
  for (const auto* rows : {&equations.rows, &equations.contacts}) {
    for (const ConstraintRow& row : *rows) {
      for (const Entry& entry : row.jacobian) pattern.column.push_back(entry.column);
      pattern.begin.push_back(static_cast<Index>(pattern.column.size()));
    }
  }
  return pattern;
}

std::vector<bool> unit_rows(const std::vector<ConstraintRow>& rows) {
  std::vector<bool> unit;
  for (const ConstraintRow& row : rows) unit.push_back(row.is_unit);
  return unit;
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

Numeric::Numeric(const Model& model, const Equations& equations)
    : model_(model),
      equations_(equations),
      parameters_(parameter_values(model)),
      blocks_(make_blocks(model, equations)),
      metric_(equations.velocities.size(), mass_pattern(equations), row_pattern(equations), unit_rows(equations.rows)),
      dense_solver_(dense_solver(equations.by)) {
  if (dense_solver_ && u_count() + all_row_count() > largest_dense_system)
    throw InputError({"", {}, "--by", equations.by + " solves no systems as large as this one", "use multipliers"});
  for (const Parameter& parameter : model_.parameters) {
    parameter_symbols_.push_back(equations_.graph->symbol(parameter.name));
  }
  const Completion& chosen = equations_.completion;
  parameter_symbols_.insert(parameter_symbols_.end(), chosen.symbols.begin(), chosen.symbols.end());
  parameters_.insert(parameters_.end(), chosen.values.begin(), chosen.values.end());
  has_work_ = !equations_.jacobi_power.is_zero();
  for (std::size_t r = 0; r < all_row_count(); ++r) has_work_ |= !row(r).offset.is_zero();
  rates_are_velocities_ = equations_.rates == equations_.velocities;
  compile();
  close({});
  held_ = Held(equations_, parameter_symbols_, parameters_);
  if (is_quasi()) frame_ = FrameWatch(model_, equations_, parameter_symbols_, parameters_);
  multipliers_.assign(all_row_count(), 0.0);
  change_u_.assign(u_count(), 0.0);
  change_q_.assign(q_count(), 0.0);
}

void Numeric::compile() {
  Graph& graph = *equations_.graph;
  std::vector<Expr> inputs = {equations_.time};
  inputs.insert(inputs.end(), equations_.coordinates.begin(), equations_.coordinates.end());
  inputs.insert(inputs.end(), equations_.velocities.begin(), equations_.velocities.end());
  inputs_.assign(inputs.size(), 0.0);

  std::vector<Expr> outputs;
  for (const auto& row : equations_.mass) {
    for (const Entry& entry : row) outputs.push_back(entry.value);
  }
  mass_count_ = bias_at_ = outputs.size();
  outputs.insert(outputs.end(), equations_.bias.begin(), equations_.bias.end());
  jacobian_at_ = outputs.size();
  const std::size_t rows = all_row_count();
  for (std::size_t r = 0; r < rows; ++r) {
    row_begin_.push_back(outputs.size() - jacobian_at_);
    for (const Entry& entry : row(r).jacobian) outputs.push_back(entry.value);
  }
  jacobian_count_ = outputs.size() - jacobian_at_;
  drift_at_ = outputs.size();
  for (std::size_t r = 0; r < rows; ++r) outputs.push_back(row(r).drift);
  offset_at_ = outputs.size();
  for (std::size_t r = 0; r < rows; ++r) outputs.push_back(row(r).offset);
  power_at_ = outputs.size();
  if (has_work_) outputs.push_back(equations_.jacobi_power);
  dynamics_ = Kernel(inputs, parameter_symbols_, parameters_, outputs);
  values_.assign(outputs.size(), 0.0);

  outputs.clear();
  for (std::size_t r = 0; r < rows; ++r) outputs.push_back(row(r).position ? row(r).position : graph.constant(0));
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Expr> terms = {row(r).offset};
    for (const Entry& entry : row(r).jacobian) terms.push_back(entry.value * equations_.velocities[entry.column]);
    outputs.push_back(graph.sum(terms));
  }
  constraints_ = Kernel(inputs, parameter_symbols_, parameters_, outputs);
  residuals_.assign(outputs.size(), 0.0);
  if (contact_count() > 0) {
    outputs.clear();
    std::vector<Expr> positions;
    for (const ConstraintRow& contact : equations_.contacts) {
      outputs.push_back(contact.restitution ? contact.restitution : graph.constant(0));
      positions.push_back(contact.position);
    }
    for (const auto& gradient : sparse_jacobian(positions, equations_.coordinates)) {
      gap_columns_.emplace_back();
      for (const Entry& entry : gradient) {
        gap_columns_.back().push_back(entry.column);
        outputs.push_back(entry.value);
      }
    }
    contact_kernel_ = Kernel(inputs, parameter_symbols_, parameters_, outputs);
    contact_values_.assign(outputs.size(), 0.0);
  }

  if (rates_are_velocities_) return;
  outputs = equations_.rates;
  const auto kinematics = sparse_jacobian(equations_.rates, equations_.velocities);
  for (std::size_t i = 0; i < kinematics.size(); ++i) {
    for (const Entry& entry : kinematics[i]) {
      kinematics_.emplace_back(static_cast<Index>(i), entry.column);
      outputs.push_back(entry.value);
    }
  }
  rates_ = Kernel(inputs, parameter_symbols_, parameters_, outputs);
  rates_values_.assign(outputs.size(), 0.0);
}

void Numeric::set_inputs(double t, const double* y) {
  inputs_[0] = t;
  std::copy_n(y, q_count() + u_count(), inputs_.data() + 1);
}

bool Numeric::evaluate(double t, const double* y) {
  set_inputs(t, y);
  dynamics_(inputs_.data(), values_.data());
  return all_finite(values_);
}

bool Numeric::factor(double t, const double* y) {
  return evaluate(t, y) && metric_.factor(mass().data(), jacobian().data());
}

void Numeric::derivative_by_factor(double t, const double* y, double* dy) {
  ++evaluations;
  if (!factor(t, y) || metric_.smallest_pivot() == 0) {
    std::fill_n(dy, size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  solve(dy + q_count(), multipliers_.data());
  if (rates_are_velocities_) {
    std::copy_n(y + q_count(), q_count(), dy);
  } else {
    rates_(inputs_.data(), rates_values_.data());
    std::copy_n(rates_values_.data(), q_count(), dy);
  }
  for (const Impulse& impulse : equations_.impulses) dy[impulse.coordinate] = -multipliers_[impulse.row];
  if (has_work_) {
    double power = values_[power_at_];
    for (std::size_t r = 0; r < all_row_count(); ++r) power -= multipliers_[r] * offset()[r];
    dy[q_count() + u_count()] = power;
  }
}

void Numeric::solve(double* acceleration, double* multipliers) {
  if (dense_solver_) return solve_densely(acceleration, multipliers);
  metric_.solve(bias().data(), drift().data(), acceleration, multipliers);
}

void Numeric::solve_densely(double* acceleration, double* multipliers) {
  const std::size_t n = u_count();
  const std::vector<Index>& kept = metric_.kept();
  dense_ = {n, kept.size(), std::vector<double>(n * n), {bias().begin(), bias().end()}, {}, {}};
  const double* value = mass().data();
  for (std::size_t i = 0; i < n; ++i) {
    for (const Entry& entry : equations_.mass[i]) {
      dense_.mass[i * n + entry.column] = dense_.mass[entry.column * n + i] = *value++;
    }
  }
  dense_.jacobian.assign(kept.size() * n, 0.0);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    value = jacobian().data() + jacobian_begin(kept[k]);
    for (const Entry& entry : row(kept[k]).jacobian) dense_.jacobian[k * n + entry.column] = *value++;
    dense_.drift.push_back(drift()[kept[k]]);
  }
  const DenseMotion motion = dense_solver_(dense_);
  const double absent = std::numeric_limits<double>::quiet_NaN();
  std::fill_n(multipliers, all_row_count(), motion.ok ? 0.0 : absent);
  for (std::size_t i = 0; i < n; ++i) acceleration[i] = motion.ok ? motion.acceleration[i] : absent;
  for (std::size_t k = 0; motion.ok && k < kept.size(); ++k) multipliers[kept[k]] = motion.multipliers[k];
}

void Numeric::derivative(double t, const double* y, double* dy) {
  if (!fast_ || !closed_.empty()) return derivative_by_factor(t, y, dy);
  ++evaluations;
  set_inputs(t, y);
  (*fast_)(inputs_.data(), dy + q_count());
  if (rates_are_velocities_) {
    std::copy_n(y + q_count(), q_count(), dy);
  } else {
    rates_(inputs_.data(), rates_values_.data());
    std::copy_n(rates_values_.data(), q_count(), dy);
  }
}

void Numeric::residuals(double t, const double* y, double* position, double* velocity) {
  set_inputs(t, y);
  constraints_(inputs_.data(), residuals_.data());
  std::copy_n(residuals_.data(), row_count(), position);
  std::copy_n(residuals_.data() + all_row_count(), row_count(), velocity);
}

void Numeric::gaps(double t, const double* y, double* position, double* velocity) {
  set_inputs(t, y);
  constraints_(inputs_.data(), residuals_.data());
  std::copy_n(residuals_.data() + row_count(), contact_count(), position);
  std::copy_n(residuals_.data() + all_row_count() + row_count(), contact_count(), velocity);
}

void Numeric::contact_scales(const double* y, std::span<const double> sizes, double* restitution, double* gap,
                             double* rate) {
  if (contact_count() == 0) return;
  set_inputs(inputs_[0], y);
  contact_kernel_(inputs_.data(), contact_values_.data());
  const double* slope = contact_values_.data() + contact_count();
  for (std::size_t c = 0; c < contact_count(); ++c) {
    const std::size_t r = row_count() + c;
    restitution[c] = contact_values_[c];
    gap[c] = std::abs(offset()[r] * inputs_[0]);
    rate[c] = std::abs(offset()[r]);
    for (Index i : gap_columns_[c]) gap[c] += std::abs(*slope++) * sizes[i];
    const double* a = jacobian().data() + jacobian_begin(r);
    for (const Entry& entry : row(r).jacobian) rate[c] += std::abs(*a++) * sizes[q_count() + entry.column];
  }
}

void Numeric::close(std::vector<Index> contacts) {
  closed_ = std::move(contacts);
  active_.resize(row_count());
  std::iota(active_.begin(), active_.end(), Index{0});
  for (Index c : closed_) active_.push_back(static_cast<Index>(row_count() + c));
}

double Numeric::largest_residual(double t, const double* y) {
  set_inputs(t, y);
  constraints_(inputs_.data(), residuals_.data());
  double largest = 0;
  for (Index r : active_) {
    largest = std::max({largest, std::abs(residuals_[r]), std::abs(residuals_[all_row_count() + r])});
  }
  for (std::size_t r = row_count(); r < all_row_count(); ++r) {
    const bool upper = row(r).relation == Relation::less_equal;
    largest = std::max(largest, upper ? residuals_[r] : -residuals_[r]);
  }
  return largest;
}

double Numeric::kinetic(const double* y) const {
  const double* u = y + q_count();
  double sum = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < equations_.mass.size(); ++i) {
    for (const Entry& entry : equations_.mass[i]) {
      sum += (entry.column == i ? 0.5 : 1.0) * values_[mass_at_ + k++] * u[i] * u[entry.column];
    }
  }
  return sum;
}

}  // namespace dalembert
