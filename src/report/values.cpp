#include <fmt/format.h>

#include <cmath>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"

namespace dalembert {
namespace {

std::string number_or_none(double value) { return std::isfinite(value) ? format_number(value) : "none"; }

/// In the form that the formulas have.
Json json_matrix(const std::vector<std::vector<double>>& rows, std::size_t columns) {
  if (columns <= most_columns_by_rows) return json_rows(rows);
  Json entries = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if (rows[i][j] != 0) entries.push_back({i, j, json_number(rows[i][j])});
  return {{"size", {rows.size(), columns}}, {"entries", std::move(entries)}};
}

}  // namespace

std::string add_values(const std::string& document, const EquationValues& values) {
  Json whole = Json::parse(document);
  const std::size_t size = values.state.u.size();
  whole["values"] = {{"t", values.state.t},
                     {"coordinates", json_numbers(values.state.q)},
                     {"velocities", json_numbers(values.state.u)},
                     {"mass_matrix", json_matrix(values.mass, size)},
                     {"bias", json_numbers(values.bias)},
                     {"jacobian", json_matrix(values.jacobian, size)},
                     {"drift", json_numbers(values.drift)},
                     {"kinematics", {{"N", json_matrix(values.kinematics, size)}, {"n0", json_numbers(values.offset)}}},
                     {"accelerations", json_numbers(values.accelerations)},
                     {"multipliers", json_numbers(values.multipliers)}};
  return write_document(whole);
}

std::string write_text(const Equations& equations, const EquationValues& values) {
  constexpr std::size_t widest = 12;
  const std::size_t size = equations.velocities.size();
  const bool shows_matrices = size <= widest;
  auto heading = [&](std::vector<std::string> names) {
    if (shows_matrices)
      for (const Expr& velocity : equations.velocities) names.push_back(velocity.name());
    return names;
  };
  auto add = [&](TextTable& table, std::vector<std::string> cells, const std::vector<double>& row) {
    if (shows_matrices)
      for (double value : row) cells.push_back(number_or_none(value));
    table.add(std::move(cells));
  };
  TextTable motion(heading({"velocity", "value", "acceleration", "bias", shows_matrices ? "mass matrix:" : ""}));
  for (std::size_t i = 0; i < size; ++i)
    add(motion,
        {equations.velocities[i].name(), number_or_none(values.state.u[i]), number_or_none(values.accelerations[i]),
         number_or_none(values.bias[i]), ""},
        values.mass[i]);
  std::string text = fmt::format("\nvalues at t = {}\n", format_number(values.state.t));
  for (std::size_t i = 0; i < values.state.q.size(); ++i)
    text += fmt::format("  {} = {}\n", equations.coordinates[i].name(), number_or_none(values.state.q[i]));
  text += "\n" + motion.text(2);
  if (equations.rows.empty()) return text;
  TextTable rows(heading({"constraint", "reaction", "drift", shows_matrices ? "jacobian:" : ""}));
  for (std::size_t i = 0; i < equations.rows.size(); ++i)
    add(rows,
        {equations.rows[i].name, i < values.multipliers.size() ? number_or_none(values.multipliers[i]) : "none",
         number_or_none(values.drift[i]), ""},
        values.jacobian[i]);
  return text + "\n" + rows.text(2);
}

}  // namespace dalembert
