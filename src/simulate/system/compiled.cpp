#include "simulate/system/compiled.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "mechanics/effort.hpp"

namespace dalembert {
namespace {

std::shared_ptr<const Pattern> make_pattern(const Equations& equations) {
  auto pattern = std::make_shared<Pattern>();
  pattern->size = equations.velocities.size();
  for (std::size_t i = 0; i < equations.mass.size(); ++i) {
    for (const Entry& entry : equations.mass[i]) pattern->mass.emplace_back(static_cast<Index>(i), entry.column);
  }
  for (const auto* rows : {&equations.rows, &equations.contacts}) {
    for (const ConstraintRow& row : *rows) {
      for (const Entry& entry : row.jacobian) pattern->rows.column.push_back(entry.column);
      pattern->rows.begin.push_back(static_cast<Index>(pattern->rows.column.size()));
    }
  }
  for (const ConstraintRow& row : equations.rows) pattern->unit.push_back(row.is_unit);
  return pattern;
}

void append(std::vector<Expr>& list, std::span<const Expr> more) { list.insert(list.end(), more.begin(), more.end()); }

/// The model's and the equations' own handles are the only ones.
bool is_alone(const Equations& equations) {
  return equations.model.use_count() == 1 && equations.graph.use_count() == 2 &&
         equations.graph == equations.model->graph;
}

}  // namespace

CompiledSystem::CompiledSystem(const Equations& equations) : CompiledSystem(fork(equations), Own{}) {}

CompiledSystem::CompiledSystem(Equations&& equations)
    : CompiledSystem(is_alone(equations) ? std::move(equations) : fork(equations), Own{}) {}

CompiledSystem::CompiledSystem(Equations&& equations, Own) : equations_(std::move(equations)) {
  for (const Parameter& parameter : model().parameters) symbols_.push_back(parameter.symbol);
  if (equations_.has_choice()) append(symbols_, equations_.quasi->completion->symbols);
  has_work = !equations_.jacobi_power.is_zero();
  for (std::size_t r = 0; r < all_row_count(); ++r) has_work |= !row(r).offset.is_zero();
  rates_are_velocities = equations_.rates == equations_.velocities;
  pattern = make_pattern(equations_);
  all_rows = std::make_shared<const Selection>(pattern, std::vector<Mending>{});
  no_rows = std::make_shared<const Selection>(all_rows->keep({}));
  classes = find_classes(equations_, length_rates);
  compile_start();
  compile_dynamics();
  compile_constraints();
  compile_kinematics();
  if (is_quasi()) compile_quasi();
  compile_seen();
  compile_outputs();
  name_columns();
}

std::string CompiledSystem::component_name(std::size_t i) const {
  return i < q_count() ? equations_.coordinates[i].name() : equations_.velocities[i - q_count()].name();
}

bool CompiledSystem::is_reduced() const {
  const std::optional<Reduction>& reduction = model().reduction;
  return reduction && equations_.coordinates[0].name() == reduction->coordinates[0].name;
}

std::vector<Expr> CompiledSystem::state_inputs() const {
  std::vector<Expr> inputs = {equations_.time};
  append(inputs, equations_.coordinates);
  append(inputs, equations_.velocities);
  return inputs;
}

void CompiledSystem::compile_start() {
  std::vector<Expr> symbols, values;
  for (const Parameter& parameter : model().parameters) symbols.push_back(parameter.symbol);
  if (is_quasi()) {
    for (const Coordinate& coordinate : model().coordinates) values.push_back(coordinate.value);
    for (const Coordinate& coordinate : model().coordinates) values.push_back(coordinate.rate_value);
  } else {
    values = equations_.start_coordinates;
    append(values, equations_.start_velocities);
  }
  start = Kernel(symbols, {}, values);
}

void CompiledSystem::compile_dynamics() {
  std::vector<Expr> made;
  for (const auto& row : equations_.mass) {
    for (const Entry& entry : row) made.push_back(entry.value);
  }
  at.mass_count = at.bias = made.size();
  append(made, equations_.bias);
  at.jacobian = made.size();
  for (std::size_t r = 0; r < all_row_count(); ++r) {
    at.row_begin.push_back(made.size() - at.jacobian);
    for (const Entry& entry : row(r).jacobian) made.push_back(entry.value);
  }
  at.jacobian_count = made.size() - at.jacobian;
  at.drift = made.size();
  for (std::size_t r = 0; r < all_row_count(); ++r) made.push_back(row(r).drift);
  at.offset = made.size();
  for (std::size_t r = 0; r < all_row_count(); ++r) made.push_back(row(r).offset);
  at.power = made.size();
  if (has_work) made.push_back(equations_.jacobi_power);
  at.count = made.size();
  dynamics = Kernel(state_inputs(), symbols_, made);
  append(made, equations_.rates);
  switches = Kernel(state_inputs(), symbols_, find_switches(*equations_.graph, made));
}

void CompiledSystem::compile_constraints() {
  Graph& graph = *equations_.graph;
  std::vector<Expr> made;
  for (std::size_t r = 0; r < all_row_count(); ++r)
    made.push_back(row(r).position ? row(r).position : graph.constant(0));
  for (std::size_t r = 0; r < all_row_count(); ++r) {
    std::vector<Expr> terms = {row(r).offset};
    for (const Entry& entry : row(r).jacobian) terms.push_back(entry.value * equations_.velocities[entry.column]);
    made.push_back(graph.sum(terms));
  }
  constraints = Kernel(state_inputs(), symbols_, made);
  if (contact_count() == 0) return;
  made.clear();
  std::vector<Expr> sides;
  for (const ConstraintRow& contact : equations_.contacts) {
    made.push_back(contact.restitution ? contact.restitution : graph.constant(0));
    sides.push_back(contact.position);
  }
  for (const auto& gradient : sparse_jacobian(sides, equations_.coordinates)) {
    gap_columns.emplace_back();
    for (const Entry& entry : gradient) {
      gap_columns.back().push_back(entry.column);
      made.push_back(entry.value);
    }
  }
  contacts = Kernel(state_inputs(), symbols_, made);
  for (std::size_t c = 0; c < contact_count(); ++c) {
    if (equations_.contacts[c].relation == Relation::less_equal) sides[c] = -sides[c];
  }
  gaps = Kernel(state_inputs(), symbols_, sides);
}

void CompiledSystem::compile_kinematics() {
  if (rates_are_velocities) return;
  std::vector<Expr> made = equations_.rates;
  const auto rows = sparse_jacobian(equations_.rates, equations_.velocities);
  // A displacement moves coordinates; what is carried along behind them is the integral of its rate.
  for (std::size_t i = 0; i < own_count(); ++i) {
    for (const Entry& entry : rows[i]) {
      kinematic_entries.emplace_back(static_cast<Index>(i), entry.column);
      made.push_back(entry.value);
    }
  }
  kinematics = Kernel(state_inputs(), symbols_, made);
}

void CompiledSystem::compile_quasi() {
  const QuasiVelocities& quasi = *equations_.quasi;
  std::vector<Expr> places = {equations_.time}, rates;
  append(places, equations_.coordinates);
  for (const Coordinate& coordinate : model().coordinates) rates.push_back(coordinate.rate);
  std::vector<Expr> in_rates = places;
  append(in_rates, rates);
  velocities = Kernel(in_rates, symbols_, quasi.formulas);
  if (quasi.completion) {
    std::vector<Expr> made;
    for (const auto* rows : {&quasi.completion->rows, &quasi.completion->mass})
      for (const std::vector<Expr>& row : *rows) append(made, row);
    completion = Kernel(in_rates, symbols_, made);
  }
  std::vector<Expr> made;
  for (const ConstraintRow& row : quasi.position_rows) made.push_back(row.position);
  for (std::size_t r = 0; r < quasi.position_rows.size(); ++r) {
    for (const Entry& entry : quasi.position_rows[r].jacobian) {
      position_entries.emplace_back(static_cast<Index>(r), entry.column);
      made.push_back(entry.value);
    }
  }
  positions = Kernel(places, symbols_, made);

  std::vector<Expr> formulas, entries;
  for (const FrameVelocity& velocity : quasi.frame) formulas.push_back(velocity.formula);
  if (formulas.size() != rates.size()) return;
  const auto rows = sparse_jacobian(formulas, rates);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const Entry& entry : rows[r]) {
      frame_entries.emplace_back(static_cast<Index>(r), entry.column);
      entries.push_back(entry.value);
    }
  }
  // A frame that is the same everywhere needs no watching.
  if (!std::ranges::all_of(entries, [](Expr entry) { return entry.is_constant(); }))
    frame = Kernel(places, symbols_, entries);
}

/// Momenta belong to coordinates: those of quasi-velocities are found in rates.
std::vector<FirstIntegral> CompiledSystem::find_followed() const {
  if (!is_quasi()) return find_integrals_in(equations_, effort_for(equations_));
  const FirstIntegrals made = find_integrals(*equations_.quasi->in_rates, effort_for(equations_));
  std::vector<Expr> formulas;
  for (const FirstIntegral& integral : made.found) formulas.push_back(integral.formula);
  std::vector<Replacement> rates;
  for (std::size_t i = 0; i < model().coordinates.size(); ++i)
    rates.push_back({model().coordinates[i].rate, equations_.model_rates[i]});
  formulas = substitute(copy_to(*equations_.graph, formulas), rates);
  std::vector<FirstIntegral> found;
  for (std::size_t k = 0; k < formulas.size(); ++k) found.push_back({made.found[k].name, formulas[k]});
  return found;
}

void CompiledSystem::compile_seen() {
  Graph& graph = *equations_.graph;
  std::vector<Expr> inputs = state_inputs();
  append(inputs, equations_.accelerations);
  // Reactions with equations of their own are read beside those of closed contacts.
  for (const ConstraintRow& contact : equations_.contacts)
    inputs.push_back(graph.symbol(reaction_symbol(contact.name)));
  std::vector<Expr> made;
  append(made, equations_.model_coordinates);
  append(made, equations_.model_rates);
  append(made, equations_.model_accelerations);
  see.energy = made.size();
  made.push_back(equations_.energy);
  made.push_back(equations_.jacobi);
  made.push_back((equations_.energy + equations_.lagrangian) / graph.constant(2));  // T + V and T - V
  see.integrals = made.size();
  for (const FirstIntegral& integral : find_followed()) {
    integral_names.push_back(integral.name);
    made.push_back(integral.formula);
  }
  see.recovery = made.size();
  if (equations_.recovery) {
    for (const ConstraintRow& row : equations_.recovery->rows)
      for (const Entry& entry : row.jacobian) made.push_back(entry.value);
    append(made, equations_.recovery->force);
    for (const ConstraintRow& row : equations_.recovery->rows) {
      std::vector<Expr> terms = {row.offset};
      for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations_.model_rates[entry.column]);
      made.push_back(row.position ? row.position : graph.constant(0));
      made.push_back(graph.sum(terms));
    }
  }
  see.formulas = made.size();
  if (is_quasi()) {
    for (const ReactionFormula& reaction : equations_.quasi->reactions) made.push_back(reaction.value);
    std::vector<Replacement> rates;
    for (std::size_t i = 0; i < model().coordinates.size(); ++i)
      rates.push_back({model().coordinates[i].rate, equations_.model_rates[i]});
    for (const Constraint& constraint : model().constraints) {
      if (constraint.kind == ConstraintKind::one_sided) continue;
      const bool geometric = constraint.kind == ConstraintKind::geometric;
      made.push_back(substitute(geometric ? time_derivative(model(), constraint.f) : constraint.f, rates));
      made.push_back(geometric ? constraint.f : graph.constant(0));
    }
  }
  see.count = made.size();
  seen = Kernel(inputs, symbols_, made);
}

void CompiledSystem::compile_outputs() {
  const Model& own = model();
  Graph& graph = *own.graph;
  std::unordered_map<std::string_view, std::size_t> row_of;
  row_of.reserve(all_row_count());
  for (std::size_t r = 0; r < all_row_count(); ++r) row_of.try_emplace(row(r).name, r);
  for (std::size_t c = 0; c < own.constraints.size(); ++c) {
    if (own.constraints[c].is_unit) continue;
    reaction_constraints.push_back(c);
    const auto found = row_of.find(own.constraints[c].name);
    multiplier_of.push_back(found == row_of.end() ? all_row_count() : found->second);
  }
  std::vector<Replacement> meaning;
  std::vector<Expr> made, formulas;
  for (const QuasiVelocity& v : own.quasi_velocities) {
    meaning.push_back({v.symbol, v.formula});
    made.push_back(v.formula);
  }
  for (const ReactionFormula& release : equations_.released) {
    made.push_back(release.value);
    meaning.push_back({graph.symbol(reaction_symbol(release.name)), made.back()});
  }
  for (const Output& output : own.outputs) formulas.push_back(output.formula);
  append(made, substitute(formulas, meaning));
  output_input_count = 1 + 3 * own.coordinates.size() + reaction_constraints.size() + 1;
  output_count = made.size();
  if (made.empty() && own.events.empty()) return;
  std::vector<Expr> inputs = {own.time};
  for (const Coordinate& c : own.coordinates) inputs.push_back(c.q);
  for (const Coordinate& c : own.coordinates) inputs.push_back(c.rate);
  for (const Coordinate& c : own.coordinates) inputs.push_back(c.acceleration);
  for (std::size_t c : reaction_constraints) inputs.push_back(graph.symbol(reaction_symbol(own.constraints[c].name)));
  inputs.push_back(graph.symbol("energy"));
  const std::span<const Expr> parameters = std::span(symbols_).first(own.parameters.size());
  outputs = Kernel(inputs, parameters, made);
  formulas.clear();
  for (const Event& event : own.events) formulas.push_back(event.when);
  events = Kernel(inputs, parameters, substitute(formulas, meaning));
}

void CompiledSystem::name_columns() {
  const Model& own = model();
  has_own_coordinates = equations_.impulses.empty() && equations_.model_coordinates != equations_.coordinates;
  columns = {"t"};
  if (has_own_coordinates) {
    for (const Expr& q : equations_.coordinates) columns.push_back(q.name());
    for (const Expr& u : equations_.velocities) columns.push_back(u.name());
  }
  for (const Coordinate& c : own.coordinates) columns.push_back(c.name);
  for (const Coordinate& c : own.coordinates) columns.push_back(c.name + "'");
  for (const QuasiVelocity& v : own.quasi_velocities) columns.push_back(v.name);
  for (const Impulse& impulse : equations_.impulses)
    columns.push_back(equations_.coordinates[impulse.coordinate].name());
  for (std::size_t c : reaction_constraints) {
    if (equations_.impulses.empty()) columns.push_back(reaction_symbol(own.constraints[c].name));
  }
  for (const ReactionFormula& release : equations_.released) columns.push_back(reaction_symbol(release.name));
  for (const Output& output : own.outputs) columns.push_back(output.name);
  columns.push_back("energy");
  columns.push_back("residual");
}

Kernel CompiledSystem::fast(const std::vector<Index>& mending) const {
  const std::scoped_lock lock(mutex_);
  const auto found = fast_.find(mending);
  if (found != fast_.end()) return found->second;
  return fast_[mending] = compile_fast(mending);
}

const std::shared_ptr<const CompiledSystem>& CompiledSystem::in_rates() const {
  const std::scoped_lock lock(mutex_);
  if (!in_rates_)
    in_rates_ =
        std::make_shared<const CompiledSystem>(is_quasi() ? *equations_.quasi->in_rates : derive_multipliers(model()));
  return in_rates_;
}

const Conditions& CompiledSystem::conditions() const {
  const std::scoped_lock lock(mutex_);
  if (conditions_) return *conditions_;
  Graph graph;  // of its own: that of the equations is not to grow any more
  std::vector<Expr> parts;
  for (const Condition& condition : model().initial) parts.push_back(condition.f);
  const std::vector<Expr> inputs = copy_to(graph, state_inputs()), symbols = copy_to(graph, symbols_);
  const std::vector<Expr> values = copy_to(graph, parts);
  std::vector<Expr> made = values;
  append(made, majorant(values));
  Conditions result;
  for (const auto& row : sparse_jacobian(values, std::span(inputs).subspan(1))) {
    result.columns.emplace_back();
    for (const Entry& entry : row) {
      result.columns.back().push_back(entry.column);
      made.push_back(entry.value);
    }
  }
  result.kernel = Kernel(inputs, symbols, made);
  return conditions_.emplace(std::move(result));
}

}  // namespace dalembert
