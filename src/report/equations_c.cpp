#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/program/program.hpp>
#include <dalembert/report/report.hpp>

#include "report/contacts.hpp"
#include "report/dense_terms.hpp"
#include "report/listing_c.hpp"

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

std::string listed_names(const std::vector<Expr>& symbols) {
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
  const std::vector<Expr> inputs = state_symbols(equations), parameters = parameter_symbols(model),
                          terms = dense_terms(equations);
  std::string text = fmt::format(
      "/* {}: equations of motion by {}, M u' + bias = A^T lambda, A u' + drift = 0.\n"
      "   inputs:     {}\n   parameters: {}\n"
      "   terms:      lower triangle of M by rows, bias, A by rows, drift ({} velocities, {} constraints)\n",
      comment_text(model.name), comment_text(equations.by), listed_names(inputs), listed_names(parameters), size,
      equations.rows.size());
  if (!motion.empty()) text += "   motion:     u', then lambda; for independent constraints and a regular M\n";
  if (equations.quasi) text += "   kinematics: rates of the coordinates\n";
  if (!equations.contacts.empty())
    text += fmt::format(
        "   contacts:   gap, A by velocities, drift of each of {} one-sided constraints, which motion leaves out:\n"
        "               M u' + bias = A^T lambda, gap >= 0, lambda >= 0, gap lambda = 0,\n"
        "               and A u' + drift >= 0 with lambda (A u' + drift) = 0 while gap and its rate are 0\n",
        equations.contacts.size());
  text += fmt::format("   parameter values as in the model: {{{}}} */\n\n", fmt::join(parameter_values(model), ", "));
  text += write_c(make_program(inputs, parameters, terms), "terms");
  if (!motion.empty()) text += "\n" + write_c(make_program(inputs, parameters, motion), "motion");
  if (equations.quasi) text += "\n" + write_c(make_program(inputs, parameters, equations.rates), "kinematics");
  if (!equations.contacts.empty())
    text += "\n" + write_c(make_program(inputs, parameters, contact_terms(equations)), "contacts");
  if (std::string listed = write_listing_c(equations); !listed.empty()) text += "\n" + listed;
  return text;
}

}  // namespace dalembert
