#include <algorithm>
#include <cmath>
#include <dalembert/expr/evaluator.hpp>
#include <dalembert/study/linear_formulas.hpp>

#include "base/tolerances.hpp"

// M q'' + h(q, q') = 0 about a motion with q'' = 0: C = dh/dq', K = dh/dq, as formulas of the parameters.

namespace dalembert {
namespace {

constexpr std::size_t most_coordinates = 6;  // matrices of more are not read

/// Coordinates and rates that the start gives by formulas, at these; what was solved for stays a symbol.
std::vector<Replacement> list_known(const Equations& equations, const Linearization& at,
                                    const std::vector<Binding>& bindings) {
  std::vector<Replacement> known;
  const auto add = [&](Expr symbol, Expr value, double number) {
    const double size = std::max(1.0, std::abs(number));
    if (std::abs(evaluate(value, bindings) - number) <= tolerance::unchanged * size) known.push_back({symbol, value});
  };
  for (std::size_t i = 0; i < equations.coordinates.size(); ++i) {
    add(equations.coordinates[i], equations.start_coordinates[i], at.about.q[i]);
    add(equations.velocities[i], equations.start_velocities[i], at.about.rates[i]);
  }
  return known;
}

bool agrees(const FormulaMatrix& formulas, const NumberMatrix& numbers, const std::vector<Binding>& bindings) {
  double size = 0;
  for (const double number : numbers.values) size = std::max(size, std::abs(number));
  for (std::size_t i = 0; i < numbers.rows; ++i)
    for (std::size_t j = 0; j < numbers.columns; ++j)
      if (!(std::abs(evaluate(formulas[i][j], bindings) - numbers(i, j)) <= tolerance::consistent * size)) return false;
  return true;
}

}  // namespace

std::optional<LinearFormulas> derive_second_order(const Model& model, const Linearization& at) {
  if (!at.second_order || at.coordinates.size() > most_coordinates || !model.constraints.empty()) return std::nullopt;
  const Equations equations = derive_multipliers(model);
  if (!equations.rows.empty() || !equations.contacts.empty()) return std::nullopt;
  const std::vector<Binding> bindings = bind_symbols(*equations.model, at.about, parameter_values(*equations.model));
  const std::vector<Replacement> known = list_known(equations, at, bindings);
  const auto place_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(at.coordinates, name) - at.coordinates.begin());
  };
  const auto mass_entry = [&](std::size_t i, std::size_t j) {
    for (const Entry& entry : equations.mass[std::max(i, j)])
      if (entry.column == std::min(i, j)) return entry.value;
    return equations.graph->constant(0);
  };
  LinearFormulas made{equations.graph, {}, {}, {}};
  const std::vector<std::string>& names = at.second_order->coordinates;
  for (const std::string& row : names) {
    for (FormulaMatrix* matrix : {&made.mass, &made.damping, &made.stiffness}) matrix->emplace_back();
    const std::size_t i = place_of(row);
    for (const std::string& column : names) {
      const std::size_t j = place_of(column);
      made.mass.back().push_back(substitute(mass_entry(i, j), known));
      made.damping.back().push_back(substitute(derivative(equations.bias[i], equations.velocities[j]), known));
      made.stiffness.back().push_back(substitute(derivative(equations.bias[i], equations.coordinates[j]), known));
    }
  }
  const SecondOrder& numbers = *at.second_order;
  if (!agrees(made.mass, numbers.mass, bindings) || !agrees(made.damping, numbers.damping, bindings) ||
      !agrees(made.stiffness, numbers.stiffness, bindings))
    return std::nullopt;
  return made;
}

}  // namespace dalembert
