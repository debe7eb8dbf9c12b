#include <fmt/format.h>

#include <cmath>
#include <dalembert/base/printable.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/document.hpp"
#include "report/scribe.hpp"
#include "report/words.hpp"

namespace dalembert {
namespace {

Json answer(std::optional<bool> value) { return value ? Json(*value) : Json(); }

/// Formulas that nobody would read are left out.
Json formula_or_null(const std::string& formula) { return formula.empty() ? Json() : Json(formula); }
/// What is too large to read is told by its value.
std::string formula_or_value(const std::string& formula, double value) {
  return formula.empty() ? fmt::format("{} at the start", format_number(value, 6)) : formula;
}

std::string word(std::optional<bool> value, const char* yes, const char* no) {
  return !value ? "undecided" : *value ? yes : no;
}

Json group_document(const FrameReport& report) {
  if (!report.group) return {};
  const Group& group = *report.group;
  Json killing = Json::array();
  for (const auto& row : group.killing) {
    Json entries = Json::array();
    for (const Expr& entry : row) entries.push_back(to_text(entry));
    killing.push_back(entries);
  }
  return {{"dimension", group.dimension},
          {"kind", group.kind},
          {"name", group.name.empty() ? Json() : Json(group.name)},
          {"compact", group.is_compact},
          {"jacobi", group.satisfies_jacobi},
          {"derived", group.derived},
          {"lower_central", group.lower_central},
          {"centre", group.centre},
          {"killing", killing},
          {"signature", group.signature}};
}

std::string velocity_table(const FrameReport& report) {
  TextTable table;
  for (const FrameReport::Velocity& velocity : report.velocities) {
    constexpr std::size_t aligned = 100;  // characters; what is longer goes on by itself
    std::string formula = velocity.formula.empty() ? "as it is written" : "= " + velocity.formula;
    std::string constraint = velocity.constraint.empty() ? "" : "= 0 by " + velocity.constraint;
    if (formula.size() > aligned && !constraint.empty()) formula += "  " + std::exchange(constraint, "");
    table.add(formula.size() > aligned ? std::vector{velocity.name + "  " + formula}
                                       : std::vector{velocity.name, formula, constraint});
  }
  return wrap_lines(table.text(2));
}

constexpr std::size_t most_coefficients = 100;  // of the thousands that a large frame may have

std::string coefficient_table(const FrameReport& report) {
  if (report.beta.empty()) return "\nAll transition coefficients vanish: the velocities are rates of coordinates.\n";
  std::string text = "\nbrackets of the frame's fields: [X_mu, X_nu] = sum over rho of beta(mu, nu, rho) X_rho\n\n";
  TextTable table({"mu", "nu", "rho", "beta"});
  const std::size_t listed = std::min(report.beta.size(), most_coefficients);
  for (const FrameReport::Coefficient& b : std::span(report.beta).first(listed))
    table.add({b.mu, b.nu, b.rho, formula_or_value(b.formula, b.value)});
  text += wrap_lines(table.text(2));
  if (listed < report.beta.size())
    text += fmt::format("  ... and {} more that do not vanish: --json has them all\n", report.beta.size() - listed);
  return text;
}

std::string numbers(const std::vector<std::size_t>& list) { return fmt::format("{}", fmt::join(list, ", ")); }

std::string group_text(const FrameReport& report) {
  if (report.is_constant == std::optional(false)) return "\nThe coefficients are not constant: no group.\n";
  if (!report.group) return "\nThe group could not be decided.\n";
  const Group& group = *report.group;
  if (!group.satisfies_jacobi) return "\nThe constants do not satisfy Jacobi's identity: no group.\n";
  std::string text = fmt::format("\ngroup           {} parameter{}, {}{}", group.dimension,
                                 group.dimension == 1 ? "" : "s", group.kind, group.is_compact ? ", compact" : "");
  text += group.name.empty() ? "\n" : fmt::format(": {}\n", group.name);
  text += fmt::format("derived series  {}\n", numbers(group.derived));
  text += fmt::format("lower central   {}\n", numbers(group.lower_central));
  text += fmt::format("Killing form    {} positive, {} negative squares\n", group.signature[0], group.signature[1]);
  return text;
}

std::string integrability_text(const Integrability& integrability) {
  if (integrability.constraints.empty()) return "";
  TextTable table({"constraint", "in the system", "by itself"});
  for (const Integrability::Entry& entry : integrability.constraints)
    table.add({entry.name, word(entry.in_system, "integrable", "non-holonomic"),
               word(entry.by_itself, "integrable", "non-holonomic")});
  std::string text = "\n" + table.text(2);
  if (integrability.integrals)
    text += fmt::format("  {} independent combination{} integrate{}\n", *integrability.integrals,
                        *integrability.integrals == 1 ? "" : "s", *integrability.integrals == 1 ? "s" : "");
  return text;
}

std::string integral_text(const FrameReport& report) {
  std::string text;
  for (const FrameReport::Integral& integral : report.integrals)
    text += wrap_lines(fmt::format("  {} keeps {} constant; as a geometric constraint: {}\n", integral.constraint,
                                   integral.formula, integral.geometric));
  return text;
}

std::string momentum_table(const FrameReport& report) {
  TextTable table;
  for (const FrameReport::Momentum& momentum : report.momenta) {
    const bool conserved = momentum.is_conserved == std::optional(true);
    table.add({momentum.velocity,
               conserved               ? "conserved"
               : momentum.is_conserved ? ""
                                       : "undecided",
               "= " + formula_or_value(momentum.formula, momentum.value)});
  }
  return "\nmomenta dL/domega\n" + wrap_lines(table.text(2));
}

std::string_view euler_name(EulerKind kind) { return kind == EulerKind::restricted ? "restricted" : "broad"; }

/// E at the last time.
std::string reciprocal_text(const ReciprocalFrame& reciprocal) {
  std::string text =
      fmt::format("\nreciprocal frame X' = E X, E = 1 at the start; at t = {}\n", format_number(reciprocal.t.back()));
  std::vector<std::string> heading{""};
  for (const std::string& name : reciprocal.velocities) heading.push_back("X " + name);
  TextTable table(heading);
  const std::size_t count = reciprocal.velocities.size();
  for (std::size_t s = 0; s < count; ++s) {
    std::vector<std::string> cells{"X' " + reciprocal.velocities[s]};
    for (std::size_t t = 0; t < count; ++t) cells.push_back(format_number(reciprocal.e.back()[s * count + t], 9));
    table.add(std::move(cells));
  }
  return text + table.text(2) +
         fmt::format("  along the straight path to the same place: {} different\n",
                     format_number(reciprocal.defect, 2));
}

Json reciprocal_document(const ReciprocalFrame& reciprocal) {
  return {{"t", reciprocal.t},
          {"E", reciprocal.e},
          {"defect", std::isfinite(reciprocal.defect) ? Json(reciprocal.defect) : Json()}};
}

/// Of a frame too large to be listed: what its remarks say of it.
std::string large_text(const FrameReport& report) {
  std::string text = printable(report.name) + "\n";
  for (const std::string& remark : report.remarks) text += wrap_lines(fmt::format("\n{}\n", remark));
  return text;
}

}  // namespace

std::string write_words(const FrameReport& report) {
  return group_text(report) + integrability_text(report.integrability) + integral_text(report);
}

std::string write_text(const FrameReport& report) {
  if (report.velocities.empty()) return large_text(report);
  std::string text = fmt::format("{}: {} quasi-velocit{}\n\n", printable(report.name), report.velocities.size(),
                                 report.velocities.size() == 1 ? "y" : "ies");
  text += velocity_table(report) + coefficient_table(report) + write_words(report) + momentum_table(report);
  if (report.euler != EulerKind::none)
    text += fmt::format("\nEuler's equations in the {} sense\n", euler_name(report.euler));
  if (report.reciprocal) text += reciprocal_text(*report.reciprocal);
  for (const std::string& remark : report.remarks) text += wrap_lines(fmt::format("\nnote: {}\n", remark));
  return text;
}

std::string write_json(const FrameReport& report) {
  Json velocities = Json::array(), formulas = Json::object(), beta = Json::array(), momenta = Json::array();
  for (const FrameReport::Velocity& velocity : report.velocities) {
    velocities.push_back(velocity.name);
    formulas[velocity.name] = formula_or_null(velocity.formula);
  }
  for (const FrameReport::Coefficient& b : report.beta)
    beta.push_back({b.mu, b.nu, b.rho, formula_or_null(b.formula), json_number(b.value)});
  Json integrable = Json::object(), by_itself = Json::object();
  for (const Integrability::Entry& entry : report.integrability.constraints) {
    integrable[entry.name] = answer(entry.in_system);
    by_itself[entry.name] = answer(entry.by_itself);
  }
  for (const FrameReport::Momentum& momentum : report.momenta)
    momenta.push_back({{"velocity", momentum.velocity},
                       {"formula", formula_or_null(momentum.formula)},
                       {"conserved", answer(momentum.is_conserved)},
                       {"admitted", answer(momentum.is_admitted)},
                       {"value", json_number(momentum.value)}});
  const auto& integrals = report.integrability.integrals;
  Json found = Json::array();
  for (const FrameReport::Integral& integral : report.integrals)
    found.push_back(
        {{"constraint", integral.constraint}, {"formula", integral.formula}, {"geometric", integral.geometric}});
  Json document = {{"velocities", velocities},
                   {"formulas", formulas},
                   {"beta", beta},
                   {"constant", answer(report.is_constant)},
                   {"group", group_document(report)},
                   {"integrable", integrable},
                   {"integrable_by_itself", by_itself},
                   {"integrals", integrals ? Json(*integrals) : Json()},
                   {"found", found},
                   {"momenta", momenta},
                   {"euler", report.euler == EulerKind::none ? Json() : Json(euler_name(report.euler))},
                   {"remarks", report.remarks}};
  if (report.reciprocal) document["reciprocal"] = reciprocal_document(*report.reciprocal);
  return write_document(document);
}

}  // namespace dalembert
