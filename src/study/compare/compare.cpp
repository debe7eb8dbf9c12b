#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/study/compare.hpp>
#include <random>

#include "base/tolerances.hpp"
#include "study/compare/proof.hpp"
#include "study/metric_reactions.hpp"

// Numbers refute at once; only what they cannot is worth a proof.

namespace dalembert {
namespace {

constexpr int trials = 8, large_trials = 3;
constexpr double work_to_prove = 5e7;  // each way

/// States on the constraints, around the start and with other parameters, and what the system does there.
class Trials {
 public:
  explicit Trials(const Equations& equations) : equations_(equations), system_(equations), random_(1) {}

  struct Trial {
    NamedNumbers parameters;
    State state;
    Response response;
    std::vector<Binding> bindings;  // of everything that a formula may read
  };

  int count() const { return is_large() ? large_trials : trials; }

  /// The start as written first. Empty where the system cannot be assembled there.
  std::optional<Trial> next(int index) {
    const Model& model = *equations_.model;
    std::uniform_real_distribution<double> spread(-0.3, 0.3);
    Trial trial;
    const std::vector<double> given = parameter_values(model);
    for (std::size_t i = 0; i < given.size(); ++i)
      if (index > 0 && !model.parameters[i].shapes && model.parameters[i].value.is_constant())
        trial.parameters.emplace_back(model.parameters[i].name,
                                      given[i] * (1 + spread(random_)) + 0.01 * spread(random_));
    try {
      Workspace workspace = system_.make_workspace(trial.parameters);
      State state = system_.initial_state(workspace);
      if (index > 0 && !is_large())
        for (auto* list : {&state.q, &state.u})
          for (double& value : *list) value += spread(random_);
      trial.state = system_.make_consistent_start(workspace, state, true).state;
      if (index > 0 && is_large()) trial.state = move_on(workspace, trial);
      trial.response = system_.evaluate_motion(workspace, trial.state);
      trial.bindings = bind_symbols(equations_, trial.state, workspace.parameters());
    } catch (const InputError&) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < equations_.accelerations.size(); ++i)
      trial.bindings.push_back({equations_.accelerations[i], trial.response.acceleration[i]});
    for (std::size_t a = 0; a < equations_.rows.size(); ++a)
      trial.bindings.push_back(
          {equations_.graph->symbol(reaction_symbol(equations_.rows[a].name)), trial.response.multipliers[a]});
    for (const ConstraintRow& contact : equations_.contacts)  // none of them touches
      trial.bindings.push_back({equations_.graph->symbol(reaction_symbol(contact.name)), 0});
    return trial;
  }

  /// All of the state; of a large system what the formulas read, so that a person can.
  NamedNumbers describe(const Trial& trial, std::span<const Expr> formulas = {}) const {
    NamedNumbers state = trial.parameters;
    state.emplace_back("t", trial.state.t);
    const std::vector<Expr> read = free_symbols(formulas);
    auto add = [&](const std::vector<Expr>& symbols, const std::vector<double>& values) {
      for (std::size_t i = 0; i < symbols.size(); ++i)
        if (!is_large() || std::ranges::find(read, symbols[i]) != read.end())
          state.emplace_back(symbols[i].name(), values[i]);
    };
    add(equations_.coordinates, trial.state.q);
    add(equations_.velocities, trial.state.u);
    return state;
  }

 private:
  bool is_large() const { return equations_.coordinates.size() > most_dense; }

  /// Where the motion is a moment later: a state at random would be put back onto the constraints by dense matrices.
  /// The moment is so long that the largest acceleration changes a rate by a part in ten of its square root.
  State move_on(Workspace& workspace, const Trial& trial) {
    const Response response = system_.evaluate_motion(workspace, trial.state);
    double largest = 1;
    for (double value : response.acceleration) largest = std::max(largest, std::fabs(value));
    const double until = trial.state.t + 0.1 / std::sqrt(largest);
    return system_.simulate({.until = until, .every = until, .parameters = trial.parameters}).last;
  }

  const Equations& equations_;
  System system_;
  std::mt19937_64 random_;
};

/// A thousand times what a state may be off the constraints by (tolerances.hpp), in parts of the sizes.
bool clearly_differ(double left, double right) {
  return std::fabs(left - right) > tolerance::clearly_nonzero * (1 + std::fabs(left) + std::fabs(right));
}

/// Energies and released reactions in place of their symbols.
Expr without_names(const Equations& equations, Expr expression) {
  Graph& graph = *equations.graph;
  std::vector<Replacement> meaning{{graph.symbol("energy"), equations.energy}};
  for (const ReactionFormula& released : equations.released)
    meaning.push_back({graph.symbol(reaction_symbol(released.name)), released.value});
  return substitute(expression, meaning);
}

/// Accelerations and multipliers as formulas in place of their symbols; empty where they are not to be had.
std::optional<Expr> along_motion(const Equations& equations, Expr expression, std::string& why) {
  std::vector<Expr> unknown = equations.accelerations;
  for (const ConstraintRow& row : equations.rows) unknown.push_back(equations.graph->symbol(reaction_symbol(row.name)));
  if (!reads_any({&expression, 1}, unknown)) return expression;
  if (!equations.contacts.empty()) {
    why = "what contacts do to the motion is not known beforehand";
    return std::nullopt;
  }
  Solution solution = solve_symbolically_in(equations, work_to_prove);
  if (solution.accelerations.size() != equations.accelerations.size() ||
      solution.multipliers.size() != equations.rows.size()) {
    why = solution.remark;
    return std::nullopt;
  }
  std::vector<Replacement> values;
  for (std::size_t i = 0; i < solution.accelerations.size(); ++i)
    values.push_back({equations.accelerations[i], solution.accelerations[i]});
  for (std::size_t a = 0; a < solution.multipliers.size(); ++a)
    values.push_back({unknown[equations.accelerations.size() + a], solution.multipliers[a]});
  return substitute(expression, values);
}

bool is_proved(const Equations& equations, Expr difference, std::span<const Binding> at, std::string& why) {
  if (follows_from_equations(equations, difference, at, work_to_prove)) return true;
  const std::optional<Expr> solved = along_motion(equations, difference, why);
  return solved && vanish_on_constraints(equations, {*solved}, at);
}

}  // namespace

Comparison compare_sides(const Equations& equations, Expr left, Expr right) {
  Comparison result;
  left = without_names(equations, left);
  right = without_names(equations, right);
  Trials states(equations);
  int tried = 0;
  std::optional<Trials::Trial> last;
  for (int index = 0; index < states.count(); ++index) {
    std::optional<Trials::Trial> trial = states.next(index);
    if (!trial) continue;
    const double one = evaluate(left, trial->bindings), other = evaluate(right, trial->bindings);
    if (!std::isfinite(one) || !std::isfinite(other)) continue;
    ++tried;
    if (!clearly_differ(one, other)) {
      last = std::move(trial);
      continue;
    }
    result.equal = false;
    result.evidence =
        fmt::format("at a state on the constraints the left side is {:.12g} and the right side {:.12g}", one, other);
    result.counterexample = {states.describe(*trial, std::array{left, right}), one, other};
    return result;
  }
  std::string why;
  if (last && is_proved(equations, left - right, last->bindings, why)) {
    result.equal = true;
    result.evidence = "the difference vanishes on the constraints, proved by the zero test";
    return result;
  }
  result.evidence =
      fmt::format("the sides agree at {} random states on the constraints{}; a proof was not found{}", tried,
                  equations.contacts.empty() ? "" : ", no contact closed", why.empty() ? "" : ": " + why);
  return result;
}

namespace {

[[noreturn]] void refuse_coordinates(const Model& one, const Model& other) {
  auto names = [](const Model& model) {
    std::vector<std::string> list;
    for (const Coordinate& coordinate : model.coordinates) list.push_back(coordinate.name);
    return fmt::format("{}", fmt::join(list, ", "));
  };
  throw InputError({other.file,
                    {},
                    "coordinates",
                    fmt::format("the coordinates are {}, those of {} are {}", names(other), one.file, names(one)),
                    "compare models that are written in the same coordinates"});
}

/// M, bias, A and drift are the same formulas, proved: then everything is.
bool are_same_equations(const Equations& one, const Equations& other) {
  auto all = [](const Equations& equations) {
    std::vector<Expr> list = equations.bias;
    std::vector<std::vector<Expr>> dense(equations.velocities.size() + equations.rows.size(),
                                         std::vector<Expr>(equations.velocities.size(), equations.graph->constant(0)));
    for (std::size_t i = 0; i < equations.mass.size(); ++i)
      for (const Entry& entry : equations.mass[i]) dense[i][entry.column] = entry.value;
    for (std::size_t a = 0; a < equations.rows.size(); ++a) {
      for (const Entry& entry : equations.rows[a].jacobian)
        dense[equations.velocities.size() + a][entry.column] = entry.value;
      list.push_back(equations.rows[a].drift);
    }
    for (const auto& row : dense) list.insert(list.end(), row.begin(), row.end());
    return list;
  };
  const std::vector<Expr> first = all(one), second = copy_to(*one.graph, all(other));
  CanonicalLimits limits;
  limits.work = 1e7;
  Work work(1e8);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == second[i]) continue;
    if (work.is_used_up()) return false;
    const ZeroTest test = test_equal(first[i], second[i], limits);
    work.spend(test.work);
    if (test.verdict != Verdict::zero) return false;
  }
  return true;
}

}  // namespace

Comparison compare_models(const Equations& one_of, const Equations& other_of) {
  const Equations one = fork(one_of), other = fork(other_of);
  Comparison result;
  const bool same_coordinates = one.coordinates.size() == other.coordinates.size() &&
                                std::ranges::equal(one.coordinates, other.coordinates, {}, &Expr::name, &Expr::name);
  if (!same_coordinates) refuse_coordinates(*one.model, *other.model);
  const System second(other);
  Trials states(one);
  int tried = 0;
  for (int index = 0; index < states.count(); ++index) {
    std::optional<Trials::Trial> trial = states.next(index);
    if (!trial) continue;
    NamedNumbers shared;
    const std::vector<double> own = parameter_values(*one.model, trial->parameters);
    for (const Parameter& parameter : other.model->parameters)
      for (std::size_t i = 0; i < own.size(); ++i)
        if (one.model->parameters[i].name == parameter.name && !parameter.shapes && parameter.value.is_constant())
          shared.emplace_back(parameter.name, own[i]);
    auto refute = [&](const std::string& what, double left, double right) {
      result.equal = false;
      result.evidence = fmt::format("{} is {:.12g} by the first and {:.12g} by the other", what, left, right);
      result.counterexample = {states.describe(*trial), left, right};
      return result;
    };
    Response response;
    try {
      Workspace workspace = second.make_workspace(shared);
      const Residuals residuals = second.evaluate_residuals(workspace, trial->state);
      for (std::size_t a = 0; a < other.rows.size(); ++a)
        for (double residual : {residuals.position[a], residuals.velocity[a]})
          if (clearly_differ(0, residual))
            return refute("the residual of the other's " + other.rows[a].name, 0, residual);
      response = second.evaluate_motion(workspace, trial->state);
    } catch (const InputError&) {
      continue;
    }
    ++tried;
    for (std::size_t i = 0; i < one.accelerations.size(); ++i)
      if (clearly_differ(trial->response.acceleration[i], response.acceleration[i]))
        return refute(one.accelerations[i].name(), trial->response.acceleration[i], response.acceleration[i]);
    for (std::size_t a = 0; a < one.rows.size(); ++a)
      for (std::size_t b = 0; b < other.rows.size(); ++b)
        if (one.rows[a].name == other.rows[b].name &&
            clearly_differ(trial->response.multipliers[a], response.multipliers[b]))
          return refute(reaction_symbol(one.rows[a].name), trial->response.multipliers[a], response.multipliers[b]);
  }
  if (one.rows.size() == other.rows.size() && are_same_equations(one, other)) {
    result.equal = true;
    result.evidence = "mass matrix, bias, Jacobian and drift are the same, proved by the zero test";
    return result;
  }
  result.evidence =
      fmt::format("accelerations and common reactions agree at {} random states; a proof was not found", tried);
  return result;
}

}  // namespace dalembert
