#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/study/compare.hpp>

#include "base/tolerances.hpp"
#include "study/compare/proof.hpp"
#include "study/compare/trials.hpp"

// Numbers refute at once; only what they cannot is worth a proof.

namespace dalembert {
namespace {

constexpr double work_to_prove = 5e7;  // each way

/// M, bias, A and drift.
std::vector<Expr> terms_of(const Equations& equations) {
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
}

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

/// The same where these symbols are not negative.
bool is_proved_where(const Equations& equations, Expr difference, std::vector<Binding> at,
                     const std::vector<Expr>& nonnegative) {
  if (nonnegative.empty()) return false;
  const Equations there = fork(equations);
  for (const Expr& symbol : nonnegative) there.graph->assume_nonnegative(rebind(symbol, *there.graph));
  for (Binding& binding : at) binding.symbol = rebind(binding.symbol, *there.graph);
  std::string why;
  return is_proved(there, rebind(difference, *there.graph), at, why);
}

/// What values are made of that two sides have.
std::vector<Expr> read_by(const Equations& equations, Expr left, Expr right) {
  std::vector<Expr> list{left, right}, moved = equations.accelerations;
  for (const ConstraintRow& row : equations.rows) moved.push_back(equations.graph->symbol(reaction_symbol(row.name)));
  if (!reads_any(list, moved)) return list;
  const std::vector<Expr> all = terms_of(equations);
  list.insert(list.end(), all.begin(), all.end());
  return list;
}

}  // namespace

Comparison compare_sides(const Equations& equations, Expr left, Expr right) {
  Comparison result;
  left = without_names(equations, left);
  right = without_names(equations, right);
  Trials states(equations, read_by(equations, left, right));
  int tried = 0;
  std::optional<Trials::Trial> last;
  while (std::optional<Trials::Trial> trial = states.next()) {
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
  if (last && is_proved_where(equations, left - right, last->bindings, states.positive())) {
    result.equal = true;
    for (const Expr& each : states.positive()) result.conditions.push_back(each.name() + " >= 0");
    result.evidence = fmt::format("the difference vanishes on the constraints where {}, proved by the zero test",
                                  fmt::join(result.conditions, ", "));
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
  const std::vector<Expr> first = terms_of(one), second = copy_to(*one.graph, terms_of(other));
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
  std::vector<Expr> read = terms_of(one);
  for (const Expr& each : copy_to(*one.graph, terms_of(other))) read.push_back(each);
  Trials states(one, read);
  int tried = 0;
  while (std::optional<Trials::Trial> trial = states.next()) {
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
