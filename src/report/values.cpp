#include <fmt/format.h>

#include <cmath>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"

namespace dalembert {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (double value : values) list.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  return list;
}

Json matrix(const std::vector<std::vector<double>>& rows) {
  Json list = Json::array();
  for (const std::vector<double>& row : rows) list.push_back(numbers(row));
  return list;
}

std::string number(double value) { return std::isfinite(value) ? format_number(value) : "none"; }

}  // namespace

std::string add_values(const std::string& document, const EquationValues& values) {
  Json whole = Json::parse(document);
  whole["values"] = {{"t", values.state.t},
                     {"coordinates", numbers(values.state.q)},
                     {"velocities", numbers(values.state.u)},
                     {"mass_matrix", matrix(values.mass)},
                     {"bias", numbers(values.bias)},
                     {"jacobian", matrix(values.jacobian)},
                     {"drift", numbers(values.drift)},
                     {"kinematics", {{"N", matrix(values.kinematics)}, {"n0", numbers(values.offset)}}},
                     {"accelerations", numbers(values.accelerations)},
                     {"multipliers", numbers(values.multipliers)}};
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
      for (double value : row) cells.push_back(number(value));
    table.add(std::move(cells));
  };
  TextTable motion(heading({"velocity", "value", "acceleration", "bias", shows_matrices ? "mass matrix:" : ""}));
  for (std::size_t i = 0; i < size; ++i)
    add(motion,
        {equations.velocities[i].name(), number(values.state.u[i]), number(values.accelerations[i]),
         number(values.bias[i]), ""},
        values.mass[i]);
  std::string text = fmt::format("\nvalues at t = {}\n", format_number(values.state.t));
  for (std::size_t i = 0; i < values.state.q.size(); ++i)
    text += fmt::format("  {} = {}\n", equations.coordinates[i].name(), number(values.state.q[i]));
  text += "\n" + motion.text(2);
  if (equations.rows.empty()) return text;
  TextTable rows(heading({"constraint", "reaction", "drift", shows_matrices ? "jacobian:" : ""}));
  for (std::size_t i = 0; i < equations.rows.size(); ++i)
    add(rows,
        {equations.rows[i].name, i < values.multipliers.size() ? number(values.multipliers[i]) : "none",
         number(values.drift[i]), ""},
        values.jacobian[i]);
  return text + "\n" + rows.text(2);
}

}  // namespace dalembert
