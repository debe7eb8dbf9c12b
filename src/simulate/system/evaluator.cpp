#include "simulate/system/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <limits>

#include "mechanics/hamel/nearby.hpp"
#include "simulate/system/sparse.hpp"

namespace dalembert {
namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

[[noreturn]] void refuse_name(const std::string& name, const std::string& what, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  throw InputError(
      {"",
       {},
       name,
       "there is no " + what + " of this name",
       nearest.empty() ? "`dalembert check` lists the names of a model" : "did you mean " + nearest + "?"});
}

void check_finite(const std::string& name, double value) {
  if (!std::isfinite(value))
    throw InputError({"", {}, name, fmt::format("{} is not a finite number", value), "give a finite value"});
}

}  // namespace

SystemEvaluator::SystemEvaluator(std::shared_ptr<const CompiledSystem> system)
    : positions(system->positions),
      frame(system->frame),
      seen(system->seen),
      outputs(system->outputs),
      system_(std::move(system)),
      start_(system_->start),
      dynamics_(system_->dynamics),
      constraints_(system_->constraints),
      contacts_(system_->contacts),
      kinematics_(system_->kinematics),
      velocities_(system_->velocities),
      completion_(system_->completion),
      parameters_(model().parameters.size() +
                  (equations().has_choice() ? equations().quasi->completion->symbols.size() : 0)),
      inputs_(1 + system_->q_count() + std::max(system_->u_count(), system_->q_count())),
      residuals_(2 * system_->all_row_count()),
      contact_values_(system_->contacts.output_count()),
      kinematic_values_(system_->kinematics.output_count()) {}

// --- parameters

void SystemEvaluator::set_parameters(const NamedNumbers& instead) {
  set_parameters(parameter_values(model(), instead));
}

void SystemEvaluator::set_parameters(std::span<const double> values) {
  std::copy(values.begin(), values.end(), parameters_.begin());
  spread_parameters();
}

void SystemEvaluator::set_choice(std::span<const double> choice) {
  std::copy(choice.begin(), choice.end(), parameters_.begin() + std::ssize(model().parameters));
  spread_parameters();
}

void SystemEvaluator::spread_parameters() {
  for (BoundKernel* kernel : {&dynamics_, &constraints_, &contacts_, &kinematics_, &velocities_, &completion_,
                              &positions, &frame, &seen, &outputs})
    kernel->set_parameters(parameters_);
  if (conditions_) conditions_->set_parameters(parameters_);
  for (std::optional<Sizing>* sizing : {&dynamics_sizes_, &position_sizes_})
    if (*sizing) (*sizing)->set_parameters(parameters_);
}

// --- states

const double* SystemEvaluator::state_inputs(double t, const double* y) {
  inputs_[0] = t;
  std::copy_n(y, system_->q_count() + system_->u_count(), inputs_.data() + 1);
  return inputs_.data();
}

const double* SystemEvaluator::model_inputs(double t, std::span<const double> q, std::span<const double> rates) {
  inputs_[0] = t;
  std::copy(rates.begin(), rates.end(), std::copy(q.begin(), q.end(), inputs_.begin() + 1));
  return inputs_.data();
}

State SystemEvaluator::initial_state(const NamedNumbers& instead) {
  const bool quasi = system_->is_quasi();
  const std::size_t q = system_->q_count(), u = quasi ? q : system_->u_count();
  std::vector<double> values(q + u);
  start_(parameters_.data(), values.data());
  for (const auto& [name, value] : instead) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < q + u; ++i)
      known.push_back(i < q || !quasi ? system_->component_name(i) : model().coordinates[i - q].name + "'");
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) refuse_name(name, "coordinate or rate", known);
    check_finite(name, value);
    values[static_cast<std::size_t>(found - known.begin())] = value;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(q);
  if (quasi) return to_state(ModelState{0, {values.begin(), middle}, {middle, values.end()}});
  return {0, {values.begin(), middle}, {middle, values.end()}, {}};
}

std::vector<double> SystemEvaluator::choose(double t, std::span<const double> q, std::span<const double> rates) {
  const Completion& completion = *equations().quasi->completion;
  std::vector<double> values(system_->completion.output_count());
  completion_(model_inputs(t, q, rates), values.data());
  return choose_completion(completion.rows.size(), completion.mass.size(), values);
}

State SystemEvaluator::to_state(const ModelState& in_model) {
  const std::size_t count = model().coordinates.size();
  if (in_model.q.size() != count || in_model.rates.size() != count)
    throw InputError(
        {"",
         {},
         "",
         fmt::format("a state of {} coordinates and {} rates was given", in_model.q.size(), in_model.rates.size()),
         fmt::format("the model has {} coordinates", count)});
  if (!system_->is_quasi()) {
    if (system_->has_own_coordinates)
      throw InputError({model().file,
                        {},
                        "reduction",
                        "a state in the model's coordinates does not say what those of the reduction are",
                        "give the state in the reduction's coordinates"});
    State state = initial_state({});
    state.t = in_model.t;
    std::copy(in_model.q.begin(), in_model.q.end(), state.q.begin());
    state.u = in_model.rates;
    return state;
  }
  State state{in_model.t, in_model.q, std::vector<double>(system_->u_count()), {}};
  if (equations().has_choice()) {
    state.choice = choose(in_model.t, in_model.q, in_model.rates);
    if (state.choice.empty())  // a singular configuration: what is free a moment later on the motion
      if (const std::vector<double> moved = move_along(in_model.q, in_model.rates); !moved.empty())
        state.choice = choose(in_model.t, moved, in_model.rates);
    if (state.choice.empty())
      throw InputError({model().file,
                        {},
                        "constraints",
                        "no velocities that the constraints leave free could be chosen at this state",
                        "give a [frame] that contains the constraints, or use --by multipliers"});
    set_choice(state.choice);
  }
  velocities_(model_inputs(in_model.t, in_model.q, in_model.rates), state.u.data());
  return state;
}

ModelState SystemEvaluator::to_model_state(const State& state) {
  const std::vector<double> y = to_vector(state);
  const std::size_t n = model().coordinates.size();
  std::vector<double> values(system_->see.count), inputs{state.t};
  inputs.insert(inputs.end(), y.begin(),
                y.begin() + static_cast<std::ptrdiff_t>(system_->q_count() + system_->u_count()));
  inputs.resize(system_->seen.input_count(), 0.0);  // neither accelerations nor reactions are needed
  seen(inputs.data(), values.data());
  const auto q = values.begin(), rates = q + static_cast<std::ptrdiff_t>(n);
  return {state.t, {q, rates}, {rates, rates + static_cast<std::ptrdiff_t>(n)}};
}

std::vector<double> SystemEvaluator::to_vector(const State& state) {
  if (state.q.size() != system_->q_count() || state.u.size() != system_->u_count())
    throw InputError({"",
                      {},
                      "",
                      fmt::format("the state has {} coordinates and {} velocities", state.q.size(), state.u.size()),
                      fmt::format("{} and {} are needed", system_->q_count(), system_->u_count())});
  if (state.choice.size() != choice().size())
    throw InputError({"",
                      {},
                      "",
                      fmt::format("the state has {} numbers that say which velocities are meant", state.choice.size()),
                      fmt::format("{} are needed: make the state with to_state", choice().size())});
  if (!state.choice.empty()) set_choice(state.choice);
  std::vector<double> y(state.q);
  y.insert(y.end(), state.u.begin(), state.u.end());
  y.resize(system_->size(), 0.0);
  return y;
}

State SystemEvaluator::from_vector(double t, const double* y) const {
  const double* u = y + system_->q_count();
  return {t, {y, u}, {u, u + system_->u_count()}, {choice().begin(), choice().end()}};
}

bool SystemEvaluator::choose_again(double t, double* y) {
  const std::size_t q = system_->q_count();
  std::vector<double> rates(q);
  evaluate_rates(t, y, rates.data());
  const std::vector<double> values = choose(t, {y, q}, rates);
  if (values.empty()) return false;
  set_choice(values);
  velocities_(model_inputs(t, {y, q}, rates), y + q);
  return true;
}

// --- what the programs give

bool SystemEvaluator::evaluate(double t, const double* y, Evaluation& at) {
  dynamics_(state_inputs(t, y), at.values_.data());
  return all_finite(at.values_);
}

void SystemEvaluator::evaluate_constraints(double t, const double* y, double* position, double* velocity) {
  constraints_(state_inputs(t, y), residuals_.data());
  const std::size_t rows = system_->all_row_count();
  std::copy_n(residuals_.data(), rows, position);
  std::copy_n(residuals_.data() + rows, rows, velocity);
}

Sizing& SystemEvaluator::bind(std::optional<Sizing>& sizing, const Kernel& kernel) const {
  if (!sizing) {
    sizing.emplace(kernel.function());
    sizing->set_parameters(parameters_);
  }
  return *sizing;
}

void SystemEvaluator::evaluate_sizes(double t, const double* y, Evaluation& sizes) {
  bind(dynamics_sizes_, system_->dynamics)(state_inputs(t, y), sizes.values_.data());
}

std::vector<double> SystemEvaluator::evaluate_position_sizes(double t, const double* y) {
  std::vector<double> sizes(2 * system_->all_row_count());
  if (!sizes.empty()) bind(position_sizes_, system_->constraints)(state_inputs(t, y), sizes.data());
  sizes.resize(system_->all_row_count());
  return sizes;
}

std::vector<double> SystemEvaluator::evaluate_conditions(double t, const double* y) {
  const Kernel& kernel = system_->conditions().kernel;
  if (!conditions_) {
    conditions_.emplace(kernel);
    conditions_->set_parameters(parameters_);
  }
  std::vector<double> values(kernel.output_count());
  (*conditions_)(state_inputs(t, y), values.data());
  return values;
}

double SystemEvaluator::largest_residual(double t, const double* y, const Selection& selection) {
  constraints_(state_inputs(t, y), residuals_.data());
  const std::size_t rows = system_->row_count(), all = system_->all_row_count();
  double largest = 0;
  for (Index r : selection.active())
    largest = std::max({largest, std::abs(residuals_[r]), std::abs(residuals_[all + r])});
  for (std::size_t r = rows; r < all; ++r) {
    const bool upper = system_->row(r).relation == Relation::less_equal;
    largest = std::max(largest, upper ? residuals_[r] : -residuals_[r]);
  }
  return largest;
}

void SystemEvaluator::evaluate_rates(double t, const double* y, double* rates) {
  const std::size_t q = system_->q_count();
  if (system_->rates_are_velocities) {
    std::copy_n(y + q, q, rates);
    return;
  }
  kinematics_(state_inputs(t, y), kinematic_values_.data());
  std::copy_n(kinematic_values_.data(), q, rates);
}

void SystemEvaluator::displace(double t, const double* y, const double* du, double* dq) {
  const std::size_t q = system_->q_count();
  if (system_->rates_are_velocities) {
    std::copy_n(du, q, dq);
    return;
  }
  kinematics_(state_inputs(t, y), kinematic_values_.data());
  std::fill_n(dq, q, 0.0);
  const auto& entries = system_->kinematic_entries;
  for (std::size_t k = 0; k < entries.size(); ++k)
    dq[entries[k].first] += kinematic_values_[q + k] * du[entries[k].second];
}

void SystemEvaluator::evaluate_contact_scales(double t, const double* y, const Evaluation& at,
                                              std::span<const double> magnitudes, double* restitution, double* gap,
                                              double* rate) {
  contacts_(state_inputs(t, y), contact_values_.data());
  const double* slope = contact_values_.data() + system_->contact_count();
  for (std::size_t c = 0; c < system_->contact_count(); ++c) {
    const std::size_t r = system_->row_count() + c;
    restitution[c] = contact_values_[c];
    gap[c] = std::abs(at.offset()[r] * t);
    rate[c] = std::abs(at.offset()[r]);
    for (Index i : system_->gap_columns[c]) gap[c] += std::abs(*slope++) * magnitudes[i];
    const double* a = at.jacobian_row(r);
    for (const Entry& entry : system_->row(r).jacobian)
      rate[c] += std::abs(*a++) * magnitudes[system_->q_count() + entry.column];
  }
}

BoundKernel SystemEvaluator::bind_fast(const Selection& selection) const {
  if (!selection.is_whole()) return {};
  std::vector<Index> mending;
  std::vector<double> parameters = parameters_;
  for (const Mending& mend : selection.mending()) {
    mending.push_back(mend.row);
    parameters.push_back(mend.sigma);
  }
  BoundKernel bound(system_->fast(mending));
  bound.set_parameters(parameters);
  return bound;
}

double SystemEvaluator::kinetic(const Evaluation& at, const double* y) const {
  const double* u = y + system_->q_count();
  const auto& entries = system_->pattern->mass;
  double sum = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto [i, j] = entries[k];
    sum += (i == j ? 0.5 : 1.0) * at.mass()[k] * u[i] * u[j];
  }
  return sum;
}

namespace {

/// The kept rows and M in full.
DenseSystem make_dense(const CompiledSystem& system, const Evaluation& at, const Selection& selection) {
  const std::size_t n = system.u_count();
  const std::vector<Index>& kept = selection.kept();
  DenseSystem dense{n, kept.size(), std::vector<double>(n * n), {at.bias().begin(), at.bias().end()}, {}, {}};
  const auto& entries = system.pattern->mass;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto [i, j] = entries[k];
    dense.mass[i * n + j] = dense.mass[j * n + i] = at.mass()[k];
  }
  dense.jacobian.assign(kept.size() * n, 0.0);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const double* value = at.jacobian_row(kept[k]);
    for (const Entry& entry : system.row(kept[k]).jacobian) dense.jacobian[k * n + entry.column] = *value++;
    dense.drift.push_back(at.drift()[kept[k]]);
  }
  return dense;
}

/// The same by entries.
SparseSystem make_sparse(const CompiledSystem& system, const Evaluation& at, const Selection& selection) {
  const std::vector<Index>& kept = selection.kept();
  SparseSystem sparse{system.u_count(), kept.size(), {}, {at.bias().begin(), at.bias().end()}, {}, {}};
  const auto& entries = system.pattern->mass;
  for (std::size_t k = 0; k < entries.size(); ++k)
    sparse.mass.push_back({entries[k].first, entries[k].second, at.mass()[k]});
  for (Index k = 0; k < kept.size(); ++k) {
    const double* value = at.jacobian_row(kept[k]);
    for (const Entry& entry : system.row(kept[k]).jacobian) sparse.jacobian.push_back({k, entry.column, *value++});
    sparse.drift.push_back(at.drift()[kept[k]]);
  }
  return sparse;
}

/// By the solver of a principle's own, dense where most numbers are there anyway.
SolvedMotion solve_by_principle(const CompiledSystem& system, const Evaluation& at, const Selection& selection) {
  const bool projects = system.equations().solver == Solver::projector;
  const std::size_t n = system.u_count(), unknowns = n + selection.kept().size();
  constexpr double mostly_there = 0.15;
  if (unknowns >= least_sparse &&
      static_cast<double>(system.pattern->mass.size()) < mostly_there * static_cast<double>(n * n)) {
    const SparseSystem sparse = make_sparse(system, at, selection);
    return projects ? project_motion(sparse) : minimise_constraint(sparse);
  }
  const DenseSystem dense = make_dense(system, at, selection);
  return projects ? project_motion(dense) : minimise_constraint(dense);
}

}  // namespace

void SystemEvaluator::solve(const Evaluation& at, Factor& factor, double* acceleration, double* multipliers) const {
  if (equations().solver == Solver::gram_matrix)
    return factor.solve(at.bias().data(), at.drift().data(), acceleration, multipliers);
  const SolvedMotion motion = solve_by_principle(*system_, at, factor.selection());
  std::fill_n(multipliers, system_->all_row_count(), motion.ok ? 0.0 : absent);
  for (std::size_t i = 0; i < system_->u_count(); ++i) acceleration[i] = motion.ok ? motion.acceleration[i] : absent;
  const std::vector<Index>& kept = factor.selection().kept();
  for (std::size_t k = 0; motion.ok && k < kept.size(); ++k) multipliers[kept[k]] = motion.multipliers[k];
}

}  // namespace dalembert
