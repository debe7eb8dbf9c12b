#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/program/program.hpp>
#include <dalembert/report/report.hpp>

// Equations as C functions.

namespace dalembert {
namespace {

/// Inside a comment of C: on one line, and nothing that ends or begins a comment.
std::string comment_text(std::string_view text) {
  std::string out;
  for (char c : printable(text)) {
    const bool joins = !out.empty() && ((out.back() == '*' && c == '/') || (out.back() == '/' && c == '*'));
    if (joins) out += ' ';
    out += c;
  }
  return out;
}

std::string names_of(const std::vector<Expr>& symbols) {
  std::vector<std::string> names;
  for (const Expr& symbol : symbols) names.push_back(comment_text(symbol.name()));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string write_c(const Equations& of) {
  const Equations equations = fork(of);
  const Model& model = *equations.model;
  const std::vector<Expr> motion = solve_unrolled(equations);
  const std::size_t size = equations.velocities.size();
  Graph& graph = *equations.graph;
  std::vector<Expr> inputs{equations.time}, parameters, terms;
  inputs.insert(inputs.end(), equations.coordinates.begin(), equations.coordinates.end());
  inputs.insert(inputs.end(), equations.velocities.begin(), equations.velocities.end());
  for (const Parameter& parameter : model.parameters) parameters.push_back(parameter.symbol);
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<Expr> row(i + 1, graph.constant(0));
    for (const Entry& entry : equations.mass[i]) row[entry.column] = entry.value;
    terms.insert(terms.end(), row.begin(), row.end());
  }
  terms.insert(terms.end(), equations.bias.begin(), equations.bias.end());
  for (const ConstraintRow& row : equations.rows) {
    std::vector<Expr> dense(size, graph.constant(0));
    for (const Entry& entry : row.jacobian) dense[entry.column] = entry.value;
    terms.insert(terms.end(), dense.begin(), dense.end());
  }
  for (const ConstraintRow& row : equations.rows) terms.push_back(row.drift);

  std::string text = fmt::format(
      "/* {}: equations of motion by {}, M u' + bias = A^T lambda, A u' + drift = 0.\n"
      "   inputs:     {}\n   parameters: {}\n"
      "   terms:      lower triangle of M by rows, bias, A by rows, drift ({} velocities, {} constraints)\n",
      comment_text(model.name), comment_text(equations.by), names_of(inputs), names_of(parameters), size,
      equations.rows.size());
  if (!motion.empty()) text += "   motion:     u', then lambda; for independent constraints and a regular M\n";
  if (equations.quasi) text += "   kinematics: rates of the coordinates\n";
  text += fmt::format("   parameter values as in the model: {{{}}} */\n\n", fmt::join(parameter_values(model), ", "));
  text += write_c(make_program(inputs, parameters, terms), "terms");
  if (!motion.empty()) text += "\n" + write_c(make_program(inputs, parameters, motion), "motion");
  if (equations.quasi) text += "\n" + write_c(make_program(inputs, parameters, equations.rates), "kinematics");
  return text;
}

}  // namespace dalembert
