#include "report/page/live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/program/javascript.hpp>

#include "report/dense_terms.hpp"
#include "simulate/march/tableau.hpp"

namespace dalembert {
namespace {

/// Unknowns of the linear system that the page solves twelve times a step, densely.
constexpr std::size_t most_unknowns = 60;

// --- DOP853's coefficients: the page has none of its own

template <std::size_t N>
Json describe(const dop853::Terms<N>& terms) {
  Json list = Json::array();
  for (const dop853::Term& term : terms) list.push_back({term.stage, term.weight});
  return list;
}

Json describe_method() {
  using namespace dop853;
  Json stages = Json::array({Json::array(), describe(a1), describe(a2), describe(a3), describe(a4), describe(a5),
                             describe(a6), describe(a7), describe(a8), describe(a9), describe(a10), describe(a11),
                             describe(b), describe(a13), describe(a14), describe(a15)});
  return {{"abscissa", abscissa},
          {"stages", stages},
          {"error5", describe(error5)},
          {"error3", describe(error3)},
          {"dense", Json::array({describe(d4), describe(d5), describe(d6), describe(d7)})}};
}

// --- programs

std::vector<Expr> all_terms(const Equations& equations) {
  std::vector<Expr> terms = dense_terms(equations);
  for (const ConstraintRow& row : equations.rows) terms.push_back(row.offset);
  for (const ConstraintRow& row : equations.rows)
    terms.push_back(row.position ? row.position : equations.graph->constant(0));
  return terms;
}

/// The largest violation of a constraint, as written.
Expr residual(const Equations& equations) {
  Expr largest = equations.graph->constant(0);
  for (const ConstraintRow& row : equations.rows) {
    Expr rate = row.offset;
    for (const Entry& entry : row.jacobian) rate += entry.value * equations.velocities[entry.column];
    largest = max(largest, abs(rate));
    if (row.position) largest = max(largest, abs(row.position));
  }
  return largest;
}

/// In the order of System::columns, without t.
std::vector<Expr> column_formulas(const Equations& equations) {
  const Model& model = *equations.model;
  Graph& graph = *equations.graph;
  std::vector<Expr> formulas = equations.coordinates;
  formulas.insert(formulas.end(), equations.velocities.begin(), equations.velocities.end());
  std::vector<Replacement> meaning{{graph.symbol("energy"), equations.energy}};
  for (const QuasiVelocity& velocity : model.quasi_velocities) {
    formulas.push_back(velocity.formula);
    meaning.push_back({velocity.symbol, velocity.formula});
  }
  for (const Constraint& constraint : model.constraints)
    if (!constraint.is_unit) formulas.push_back(graph.symbol(reaction_symbol(constraint.name)));
  for (const ReactionFormula& release : equations.released) {
    formulas.push_back(release.value);
    meaning.push_back({graph.symbol(reaction_symbol(release.name)), release.value});
  }
  for (const Output& output : model.outputs) formulas.push_back(substitute(output.formula, meaning));
  formulas.push_back(equations.energy);
  formulas.push_back(residual(equations));
  return formulas;
}

std::vector<Expr> start_formulas(const Equations& equations) {
  std::vector<Expr> start = equations.start_coordinates;
  start.insert(start.end(), equations.start_velocities.begin(), equations.start_velocities.end());
  return start;
}

/// The parameters as they follow from those that are given as numbers.
std::vector<Expr> derived_parameters(const Model& model) {
  std::vector<Expr> values;
  std::vector<Replacement> meaning;
  for (const Parameter& parameter : model.parameters) {
    const Expr value = parameter.value;
    values.push_back(free_symbols({&value, 1}).empty() ? parameter.symbol : value);
    if (values.back() != parameter.symbol) meaning.push_back({parameter.symbol, value});
  }
  for (std::size_t i = 0; i < meaning.size(); ++i) values = substitute(values, meaning);  // formulas of formulas
  return values;
}

}  // namespace

std::vector<Expr> row_symbols(const Equations& equations) {
  std::vector<Expr> inputs = state_symbols(equations);
  inputs.insert(inputs.end(), equations.accelerations.begin(), equations.accelerations.end());
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows) inputs.push_back(equations.graph->symbol(reaction_symbol(row.name)));
  return inputs;
}

std::string why_not_live(const System& system, const Trajectory& motion) {
  const Equations& equations = system.equations();
  const Model& model = system.model();
  const auto stops = [](const Event& event) { return event.stop; };
  if (!equations.contacts.empty()) return "it has one-sided constraints, whose contacts only the engine follows";
  if (motion.statistics.crossings > 0)
    return "it passes through singular configurations, which only the engine crosses";
  if (!equations.impulses.empty()) return "it is vakonomic";
  if (equations.quasi || equations.recovery || equations.coordinates.size() != model.coordinates.size())
    return "it was computed by another principle than multipliers";
  if (std::ranges::any_of(model.events, stops)) return "it has events that stop it";
  if (equations.velocities.size() + equations.rows.size() > most_unknowns)
    return fmt::format("it has more than {} velocities and constraints", most_unknowns);
  if (!motion) return "it ended before its time";
  if (motion.rows.empty() || motion.rows[0][0] != 0) return "it does not start at t = 0";
  if (!system.analyse_constraints(system.make_initial_start({}, false).state).redundant.empty())
    return "its constraints are dependent";
  return {};
}

Json describe_live(const Equations& of, double tolerance, std::string& script) {
  const Equations equations = fork(of);
  const std::vector<Expr> parameters = parameter_symbols(*equations.model);
  const auto write = [&](const std::vector<Expr>& inputs, const std::vector<Expr>& outputs) {
    return write_javascript(make_program(inputs, parameters, outputs));
  };
  script = fmt::format("{{ parameters: {}, terms: {}, columns: {}, start: {} }}",
                       write({}, derived_parameters(*equations.model)),
                       write(state_symbols(equations), all_terms(equations)),
                       write(row_symbols(equations), column_formulas(equations)), write({}, start_formulas(equations)));
  Json names = Json::array(), geometric = Json::array();
  for (const std::vector<Expr>* symbols : {&equations.coordinates, &equations.velocities})
    for (const Expr& symbol : *symbols) names.push_back(symbol.name());
  for (const ConstraintRow& row : equations.rows) geometric.push_back(static_cast<bool>(row.position));
  return {{"reason", ""},
          {"tolerance", tolerance},
          {"coordinates", equations.coordinates.size()},
          {"rows", equations.rows.size()},
          {"geometric", geometric},
          {"names", names},
          {"method", describe_method()}};
}

}  // namespace dalembert
