#include "restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report/report.hpp>
#include <set>

using namespace dalembert;

namespace {

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Coordinates and reactions that this model does not have tell that a file is of another one.
void refuse_foreign_columns(const CsvRow& row, const System& system) {
  std::vector<std::string> own = system.columns();
  if (system.model().reduction)  // columns of runs by another principle
    for (const Coordinate& coordinate : system.model().reduction->coordinates) own.push_back(coordinate.name);
  const std::set<std::string> columns(row.columns.begin(), row.columns.end());
  for (const std::string& column : row.columns) {
    const bool moves = columns.contains(column + "'"), reacts = column.starts_with("reaction(");
    if ((!moves && !reacts) || is_in(own, column)) continue;
    throw InputError(
        {row.file,
         {1, 0},
         "",
         fmt::format("{} is a {} that this model does not have", column, moves ? "coordinate" : "reaction"),
         "give a file that `dalembert simulate` wrote of this model"});
  }
}

/// Quasi-velocities start from the model's rates.
State read_state(const CsvRow& row, const System& system) {
  const Equations& equations = system.equations();
  if (equations.quasi) {
    ModelState state{row.value("t"), {}, {}};
    for (const Coordinate& coordinate : system.model().coordinates) {
      state.q.push_back(row.value(coordinate.name));
      state.rates.push_back(row.value(coordinate.rate.name()));
    }
    return system.to_state(state);
  }
  State state{row.value("t"), {}, {}};
  for (const Expr& symbol : equations.coordinates) state.q.push_back(row.value(symbol.name()));
  for (const Expr& symbol : equations.velocities) state.u.push_back(row.value(symbol.name()));
  return state;
}

/// What rounding in each column is a part of: its own size and, for where terms cancel, how far it goes when one
/// component of the state changes by a part of the largest of its kind; of a reaction, the largest among all.
std::vector<double> column_sizes(const System& system, Workspace& workspace, const State& state,
                                 const std::vector<double>& values) {
  constexpr double part = 1e-7;
  std::vector<double> sizes;
  for (double value : values) sizes.push_back(std::abs(value));
  State moved = state;
  const auto move = [&](std::vector<double>& kind) {
    double most = 0;
    for (double component : kind) most = std::max(most, std::abs(component));
    for (double& component : kind) {
      const double kept = component;
      component += part * most;
      const std::vector<double> there = system.evaluate_row(workspace, moved);
      for (std::size_t i = 0; i < sizes.size(); ++i)
        sizes[i] = std::max(sizes[i], std::abs(there[i] - values[i]) / part);
      component = kept;
    }
  };
  move(moved.q);
  move(moved.u);
  double most = 0;
  const auto is_reaction = [&](std::size_t i) { return system.columns()[i].starts_with("reaction("); };
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (is_reaction(i)) most = std::max(most, sizes[i]);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (is_reaction(i)) sizes[i] = most;
  return sizes;
}

/// Energy, reactions and outputs are what a model makes of a state. Which contacts push may hang on its last digits:
/// where there are any, reactions and what reads them tell nothing.
std::vector<std::size_t> telling_columns(const System& system) {
  const Model& model = system.model();
  const bool by_state_only = !system.equations().contacts.empty();
  const auto is_told_by_state = [](const Output& output) {
    const std::vector<Expr> read = free_symbols({&output.formula, 1});
    return std::ranges::none_of(read, [](const Expr& symbol) {
      return symbol.name().ends_with("''") || symbol.name().starts_with("reaction(");
    });
  };
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < system.columns().size(); ++i) {
    const std::string& name = system.columns()[i];
    const auto output = std::ranges::find(model.outputs, name, &Output::name);
    const bool tells = output != model.outputs.end()
                           ? !by_state_only || is_told_by_state(*output)
                           : name == "energy" || (!by_state_only && name.starts_with("reaction("));
    if (tells) columns.push_back(i);
  }
  return columns;
}

/// The first of these that the model has otherwise; empty if there is none.
std::string find_difference(const CsvRow& row, const System& system, const State& state) {
  constexpr double rounding = 1e-9;  // of a column's size: as far as a start may be off its constraints
  Workspace workspace = system.make_workspace();
  const std::vector<double> values = system.evaluate_row(workspace, state);
  std::vector<double> sizes;
  for (std::size_t i : telling_columns(system)) {
    const std::string& column = system.columns()[i];
    const auto found = std::ranges::find(row.columns, column);
    if (found == row.columns.end() || !std::isfinite(values[i])) continue;
    const std::optional<double> given = row.values[static_cast<std::size_t>(found - row.columns.begin())];
    if (!given || std::abs(*given - values[i]) <= rounding * std::abs(values[i])) continue;
    if (sizes.empty()) sizes = column_sizes(system, workspace, state, values);
    if (!(std::abs(*given - values[i]) > rounding * sizes[i])) continue;
    return fmt::format("{} is {:.6g} in the last row, and {:.6g} in this model at the same state", column, *given,
                       values[i]);
  }
  return "";
}

}  // namespace

Restart read_restart(const std::string& file, const System& system, const ModelOptions& options) {
  const CsvRow row = read_csv_last_row(file);
  refuse_foreign_columns(row, system);
  Restart restart{read_state(row, system), {}};
  // What is off the constraints is refused by name where the motion starts.
  const State start = system.make_consistent_start(restart.state, options.project_initial).state;
  const std::string difference = find_difference(row, system, start);
  if (difference.empty()) return restart;
  if (options.set.empty())
    throw InputError({file,
                      {row.line, 0},
                      "",
                      difference + ": the file is of another model, or of other values of its parameters",
                      "give a file of this model, or --set the values it was written with; a file without that column "
                      "is taken as it is"});
  restart.note = fmt::format("{}: {}", file, difference);
  return restart;
}
