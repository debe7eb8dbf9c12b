#include "simulate/observer.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <dalembert/mechanics/release.hpp>
#include <limits>

#include "simulate/contact.hpp"

namespace dalembert {
namespace {

constexpr double unbounded = 1e-7;  // a smallest pivot below this: multipliers are not to be believed
constexpr double absent = std::numeric_limits<double>::quiet_NaN();

bool has_column(const Constraint& constraint) { return !constraint.is_unit; }

/// Coordinates that the model does not have get columns of their own, ahead of its coordinates.
bool has_own_coordinates(const Equations& equations) {
  return equations.impulses.empty() && equations.model_coordinates != equations.coordinates;
}

}  // namespace

Observer::Observer(Numeric& numeric) : numeric_(numeric) {
  for (std::size_t c = 0; c < numeric.model().constraints.size(); ++c) {
    if (has_column(numeric.model().constraints[c])) reaction_rows_.push_back(c);
  }
  for (std::size_t c : reaction_rows_) {
    const std::string& name = numeric.model().constraints[c].name;
    std::size_t row = 0;
    while (row < numeric.all_row_count() && numeric.row(row).name != name) ++row;
    multiplier_of_.push_back(row);
  }
  compile_seen();
  compile_outputs();
  name_columns();
  accelerations_.assign(numeric.u_count(), 0.0);
  multipliers_.assign(numeric.all_row_count(), 0.0);
  reactions_.assign(reaction_rows_.size(), 0.0);
}

/// From (t, q, u, u'): the model's q, q', q'', energy, Jacobi's integral, first integrals, and what reactions that the
/// equations do not carry are recovered from.
void Observer::compile_seen() {
  const Equations& equations = numeric_.equations();
  std::vector<Expr> inputs = {equations.time};
  for (const auto* list : {&equations.coordinates, &equations.velocities, &equations.accelerations}) {
    inputs.insert(inputs.end(), list->begin(), list->end());
  }
  // Reactions with equations of their own are read beside those of closed contacts.
  for (const ConstraintRow& row : equations.contacts)
    inputs.push_back(equations.graph->symbol(reaction_symbol(row.name)));
  std::vector<Expr> outputs;
  for (const auto* list : {&equations.model_coordinates, &equations.model_rates, &equations.model_accelerations}) {
    outputs.insert(outputs.end(), list->begin(), list->end());
  }
  energy_at_ = outputs.size();
  outputs.push_back(equations.energy);
  outputs.push_back(equations.jacobi);
  integrals_at_ = outputs.size();
  for (const FirstIntegral& integral : find_integrals(equations, Effort::glance)) {
    integral_names_.push_back(integral.name);
    outputs.push_back(integral.formula);
  }
  recovery_at_ = outputs.size();
  Graph& graph = *equations.graph;
  for (const ConstraintRow& row : equations.recovery.rows) {
    for (const Entry& entry : row.jacobian) outputs.push_back(entry.value);
  }
  outputs.insert(outputs.end(), equations.recovery.force.begin(), equations.recovery.force.end());
  for (const ConstraintRow& row : equations.recovery.rows) {
    std::vector<Expr> terms = {row.offset};
    for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations.model_rates[entry.column]);
    outputs.push_back(row.position ? row.position : graph.constant(0));
    outputs.push_back(graph.sum(terms));
  }
  formulas_at_ = outputs.size();
  if (numeric_.is_quasi()) {
    const Model& model = numeric_.model();
    for (const ReactionFormula& reaction : equations.reaction_formulas) outputs.push_back(reaction.value);
    std::vector<Replacement> rates;
    for (std::size_t i = 0; i < model.coordinates.size(); ++i)
      rates.push_back({model.coordinates[i].rate, equations.model_rates[i]});
    for (const Constraint& constraint : model.constraints) {
      if (constraint.kind == ConstraintKind::one_sided) continue;
      const bool geometric = constraint.kind == ConstraintKind::geometric;
      outputs.push_back(substitute(geometric ? time_derivative(model, constraint.f) : constraint.f, rates));
      outputs.push_back(geometric ? constraint.f : graph.constant(0));
    }
  }
  see_ = Kernel(inputs, numeric_.parameter_symbols(), numeric_.parameters(), outputs);
  see_inputs_.assign(inputs.size(), 0.0);
  seen_.assign(outputs.size(), 0.0);
}

/// From (t, the model's q, q', q'', reactions, energy): quasi-velocities, released reactions, outputs, events.
void Observer::compile_outputs() {
  const Model& model = numeric_.model();
  Graph& graph = *model.graph;
  std::vector<Expr> inputs = {model.time};
  for (const Coordinate& c : model.coordinates) inputs.push_back(c.q);
  for (const Coordinate& c : model.coordinates) inputs.push_back(c.rate);
  for (const Coordinate& c : model.coordinates) inputs.push_back(c.acceleration);
  for (std::size_t c : reaction_rows_) inputs.push_back(graph.symbol(reaction_symbol(model.constraints[c].name)));
  inputs.push_back(graph.symbol("energy"));
  std::vector<Replacement> meaning;
  std::vector<Expr> outputs;
  for (const QuasiVelocity& v : model.quasi_velocities) {
    meaning.push_back({v.symbol, v.formula});
    outputs.push_back(v.formula);
  }
  for (const ReleasedReaction& release : derive_releases(model, Effort::glance)) {
    outputs.push_back(release.lambda);
    meaning.push_back({graph.symbol(reaction_symbol(release.name)), outputs.back()});
  }
  std::vector<Expr> formulas;
  for (const Output& output : model.outputs) formulas.push_back(output.formula);
  for (const Event& event : model.events) formulas.push_back(event.when);
  formulas = substitute(formulas, meaning);
  outputs.insert(outputs.end(), formulas.begin(), formulas.end());
  events_at_ = outputs.size() - model.events.size();
  std::vector<Expr> parameters;
  for (const Parameter& parameter : model.parameters) parameters.push_back(parameter.symbol);
  output_ = Kernel(inputs, parameters, numeric_.parameters().first(parameters.size()), outputs);
  output_inputs_.assign(inputs.size(), 0.0);
  outputs_.assign(outputs.size(), 0.0);
}

void Observer::name_columns() {
  const Model& model = numeric_.model();
  const Equations& equations = numeric_.equations();
  columns_ = {"t"};
  if (has_own_coordinates(equations)) {
    for (const Expr& q : equations.coordinates) columns_.push_back(q.name());
    for (const Expr& u : equations.velocities) columns_.push_back(u.name());
  }
  for (const Coordinate& c : model.coordinates) columns_.push_back(c.name);
  for (const Coordinate& c : model.coordinates) columns_.push_back(c.name + "'");
  for (const QuasiVelocity& v : model.quasi_velocities) columns_.push_back(v.name);
  for (const Impulse& impulse : equations.impulses)
    columns_.push_back(equations.coordinates[impulse.coordinate].name());
  for (std::size_t c : reaction_rows_) {
    if (equations.impulses.empty()) columns_.push_back(reaction_symbol(model.constraints[c].name));
  }
  for (const Release& release : model.releases) columns_.push_back(reaction_symbol(release.name));
  for (const Output& output : model.outputs) columns_.push_back(output.name);
  columns_.push_back("energy");
  columns_.push_back("residual");
}

void Observer::solve_motion(const RankDecision& rank) {
  Metric& metric = numeric_.metric();
  if (!numeric_.active_rows().empty() && metric.smallest_pivot() < unbounded) {
    // The motion is smooth through such an instant, but neither it nor the multipliers can be had from one state.
    std::fill(accelerations_.begin(), accelerations_.end(), absent);
    std::fill(multipliers_.begin(), multipliers_.end(), absent);
    return;
  }
  numeric_.solve(accelerations_.data(), multipliers_.data());
  if (rank.dropped.empty()) return;
  const auto combinations = dependencies(numeric_, rank);
  make_least_norm(rank, combinations, multipliers_);
  if (!numeric_.closed().empty()) make_admissible(numeric_, rank, combinations, multipliers_);
}

double Observer::contact_multiplier(const std::string& name) const {
  for (std::size_t r = numeric_.row_count(); r < numeric_.all_row_count(); ++r) {
    if (numeric_.row(r).name == name) return multipliers_[r];
  }
  return 0;
}

void Observer::recover() {
  const Recovery& recovery = numeric_.equations().recovery;
  const auto rows = static_cast<Eigen::Index>(recovery.rows.size());
  const auto size = static_cast<Eigen::Index>(recovery.force.size());
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(size, rows);
  const double* value = seen_.data() + recovery_at_;
  Eigen::VectorXd known = Eigen::VectorXd::Zero(size);  // what contacts exert
  for (Eigen::Index r = 0; r < rows; ++r) {
    const ConstraintRow& row = recovery.rows[static_cast<std::size_t>(r)];
    if (row.kind != ConstraintKind::one_sided) {
      for (const Entry& entry : row.jacobian) columns(entry.column, r) = *value++;
      continue;
    }
    const double multiplier = contact_multiplier(row.name);
    for (const Entry& entry : row.jacobian) known[entry.column] += multiplier * *value++;
  }
  const Eigen::VectorXd force = Eigen::Map<const Eigen::VectorXd>(value, size) - known;
  value += size;
  for (const ConstraintRow& row : recovery.rows) {
    if (row.kind != ConstraintKind::one_sided)
      residual_ = std::max({residual_, std::abs(value[0]), std::abs(value[1])});
    value += 2;
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-10);
  const Eigen::VectorXd lambda = decomposition.compute(columns).solve(force);
  const Model& model = numeric_.model();
  for (std::size_t k = 0; k < reaction_rows_.size(); ++k) {
    for (Eigen::Index r = 0; r < rows; ++r) {
      const ConstraintRow& row = recovery.rows[static_cast<std::size_t>(r)];
      if (row.kind != ConstraintKind::one_sided && row.name == model.constraints[reaction_rows_[k]].name) {
        reactions_[k] = lambda[r];
      }
    }
  }
}

/// Reactions that have equations of their own; residuals of all constraints as the model writes them.
void Observer::read_formulas() {
  const Model& model = numeric_.model();
  const auto& formulas = numeric_.equations().reaction_formulas;
  for (std::size_t k = 0; k < reaction_rows_.size(); ++k)
    for (std::size_t r = 0; r < formulas.size(); ++r)
      if (formulas[r].name == model.constraints[reaction_rows_[k]].name) reactions_[k] = seen_[formulas_at_ + r];
  for (std::size_t i = formulas_at_ + formulas.size(); i < seen_.size(); ++i)
    residual_ = std::max(residual_, std::abs(seen_[i]));
}

bool Observer::observe(double t, const double* y, const RankDecision& rank) {
  t_ = t;
  state_.assign(y, y + numeric_.q_count() + numeric_.u_count());
  if (!numeric_.factor(t, y)) return false;
  kinetic_ = numeric_.kinetic(y);
  solve_motion(rank);
  residual_ = numeric_.largest_residual(t, y);

  see_inputs_[0] = t;
  std::copy(state_.begin(), state_.end(), see_inputs_.begin() + 1);
  auto next = std::copy(accelerations_.begin(), accelerations_.end(), see_inputs_.begin() + 1 + std::ssize(state_));
  std::copy(multipliers_.end() - static_cast<std::ptrdiff_t>(numeric_.contact_count()), multipliers_.end(), next);
  see_(see_inputs_.data(), seen_.data());
  for (std::size_t k = 0; k < reactions_.size(); ++k) {
    if (multiplier_of_[k] < multipliers_.size()) reactions_[k] = multipliers_[multiplier_of_[k]];
  }
  if (!numeric_.equations().recovery.rows.empty())
    recover();
  else if (numeric_.is_quasi())
    read_formulas();
  // A vakonomic motion has multipliers mu instead of reactions, in the same order.
  const std::vector<Impulse>& impulses = numeric_.equations().impulses;
  for (std::size_t k = 0; k < impulses.size(); ++k) reactions_[k] = state_[impulses[k].coordinate];
  const std::size_t n = numeric_.model().coordinates.size();
  output_inputs_[0] = t;
  std::copy_n(seen_.begin(), 3 * n, output_inputs_.begin() + 1);
  std::copy(reactions_.begin(), reactions_.end(), output_inputs_.begin() + 1 + static_cast<std::ptrdiff_t>(3 * n));
  output_inputs_.back() = energy();
  output_(output_inputs_.data(), outputs_.data());
  return true;
}

void Observer::write_row(std::vector<double>& row) const {
  const Equations& equations = numeric_.equations();
  const std::size_t n = numeric_.model().coordinates.size();
  row.clear();
  row.push_back(t_);
  if (has_own_coordinates(equations)) row.insert(row.end(), state_.begin(), state_.end());
  row.insert(row.end(), seen_.begin(), seen_.begin() + static_cast<std::ptrdiff_t>(2 * n));
  const auto frame = static_cast<std::ptrdiff_t>(numeric_.model().quasi_velocities.size());
  row.insert(row.end(), outputs_.begin(), outputs_.begin() + frame);
  row.insert(row.end(), reactions_.begin(), reactions_.end());  // those of releases come first among the outputs
  row.insert(row.end(), outputs_.begin() + frame, outputs_.begin() + static_cast<std::ptrdiff_t>(events_at_));
  row.push_back(energy());
  row.push_back(residual_);
  for (double& value : row) {
    if (!std::isfinite(value)) value = absent;
  }
}

}  // namespace dalembert
