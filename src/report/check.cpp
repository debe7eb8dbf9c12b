#include <fmt/format.h>

#include <algorithm>
#include <dalembert/base/printable.hpp>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"
#include "report/rows.hpp"
#include "report/scribe.hpp"
#include "report/words.hpp"

namespace dalembert {
namespace {

std::string kind_name(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::geometric: return "geometric";
    case ConstraintKind::differential: return "differential";
    default: return "one-sided";
  }
}

std::string integrability_word(const CheckedConstraint& constraint) {
  if (constraint.kind != ConstraintKind::differential) return "";
  if (!constraint.is_integrable) return "undecided";
  return *constraint.is_integrable ? "integrable" : "non-holonomic";
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string constraint_table(const CheckReport& report) {
  const std::vector<std::vector<std::string>> rows = constraint_cells(report);
  TextTable table(rows[0]);
  for (const std::vector<std::string>& row : std::span(rows).subspan(1)) table.add(row);
  return table.text(2) + tell_left_out(report);
}

/// What the names in a formula stand for.
std::string parts_text(const CheckedIntegral& integral) {
  std::string text = fmt::format("\nparts of the {}, each in terms of what comes before\n", integral.name);
  for (const std::string& line : explain_parts(integral)) text += fmt::format("  {}\n", line);
  for (const auto& [name, formula] : integral.parts) text += wrap_text(fmt::format("  {} = {}", name, formula)) + "\n";
  return text;
}

}  // namespace

std::vector<std::vector<std::string>> constraint_cells(const CheckReport& report) {
  std::vector<std::vector<std::string>> rows{{"constraint", "kind", "time", "integrability", "residual", "reaction"}};
  for (const CheckedConstraint& constraint :
       std::span(report.constraints).first(std::min(most_rows, report.constraints.size())))
    rows.push_back({constraint.name, kind_name(constraint.kind), constraint.is_rheonomic ? "rheonomic" : "scleronomic",
                    integrability_word(constraint), format_number(constraint.residual, 3),
                    constraint.is_unit ? "" : (constraint.is_unique ? "unique" : "not unique")});
  return rows;
}

std::string tell_left_out(const CheckReport& report) {
  const std::size_t count = report.constraints.size();
  return count > most_rows ? fmt::format("  ... and {} more\n", count - most_rows) : "";
}

std::string write_redundant(const CheckReport& report, const RankReport::Redundant& redundant) {
  if (!redundant.depends_on.empty())
    return fmt::format("redundant: {} follows from {}", redundant.name, joined(redundant.depends_on));
  if (std::ranges::find(report.singular, redundant.name) == report.singular.end())
    return fmt::format("redundant: {} reads 0 = 0", redundant.name);
  return fmt::format("redundant here: the derivatives of {} vanish in this singular configuration", redundant.name);
}

std::vector<std::string> explain_parts(const CheckedIntegral& integral) {
  const auto has = [&](const char* prefix) {
    return std::ranges::any_of(integral.parts, [&](const auto& part) { return part[0].starts_with(prefix); });
  };
  std::vector<std::string> lines;
  if (has("v_")) lines.emplace_back("v_B, omega_B: velocity of B's origin and angular velocity of B, in B's own axes");
  if (has("u_")) lines.emplace_back("u_B: velocity of B's origin, in the axes of B's parent");
  if (has("i_")) lines.emplace_back("i_B, j_B, k_B: B's axes, in the axes of B's parent");
  return lines;
}

std::string write_words(const CheckReport& report) {
  std::string text =
      fmt::format("coordinates         {}: {}\n", report.coordinates.size(), join_first(report.coordinates));
  text += fmt::format("degrees of freedom  {}\n", report.degrees_of_freedom);
  text += fmt::format("Lagrangian          {}\n", report.is_natural ? "natural" : "general");
  if (!report.constraints.empty()) {
    text += fmt::format("constraints         {}, rank {}, condition {}\n\n{}", report.constraints.size(),
                        report.rank.rank, format_number(report.rank.condition, 3), constraint_table(report));
  }
  for (const RankReport::Redundant& redundant : report.rank.redundant)
    text += "\n" + write_redundant(report, redundant);
  if (!report.rank.redundant.empty()) text += "\n";
  return text;
}

std::string write_text(const CheckReport& report) {
  std::string text = report.name.empty() ? "" : printable(report.name) + "\n";
  if (!report.about.empty()) text += report.about + "\n";
  text += (text.empty() ? "" : "\n") + write_words(report);
  if (!report.integrals.empty()) text += "\nfirst integrals\n";
  TextTable integrals;
  constexpr std::size_t most = 100;
  for (const CheckedIntegral& integral : std::span(report.integrals).first(std::min(most, report.integrals.size())))
    integrals.add({integral.name, format_number(integral.value, 9),
                   integral.formula.empty() ? "(a formula too large to read)" : "= " + integral.formula});
  text += wrap_lines(integrals.text(2));
  if (report.integrals.size() > most) text += fmt::format("  ... and {} more\n", report.integrals.size() - most);
  for (const CheckedIntegral& integral : report.integrals)
    if (!integral.parts.empty()) text += parts_text(integral);
  for (const std::string& remark : report.remarks) text += wrap_lines(fmt::format("\nnote: {}\n", remark));
  return text;
}

std::string write_json(const CheckReport& report) {
  Json constraints = Json::array(), integrals = Json::array(), redundant = Json::array();
  for (const CheckedConstraint& constraint : report.constraints)
    constraints.push_back({{"name", constraint.name},
                           {"kind", kind_name(constraint.kind)},
                           {"time", constraint.is_rheonomic ? "rheonomic" : "scleronomic"},
                           {"integrable", constraint.is_integrable ? Json(*constraint.is_integrable) : Json()},
                           {"integral", constraint.integral.empty() ? Json() : Json(constraint.integral)},
                           {"residual", constraint.residual},
                           {"unique", constraint.is_unique}});
  for (const CheckedIntegral& integral : report.integrals)
    integrals.push_back({{"name", integral.name},
                         {"formula", integral.formula.empty() ? Json() : Json(integral.formula)},
                         {"parts", integral.parts},
                         {"value", integral.value}});
  for (const RankReport::Redundant& row : report.rank.redundant) redundant.push_back(row.name);
  Json document = {{"name", report.name},
                   {"coordinates", report.coordinates},
                   {"degrees_of_freedom", report.degrees_of_freedom},
                   {"rank", report.rank.rank},
                   {"redundant", redundant},
                   {"lagrangian", report.is_natural ? "natural" : "general"},
                   {"constraints", constraints},
                   {"integrals", integrals},
                   {"condition", report.rank.condition},
                   {"remarks", report.remarks}};
  return write_document(document);
}

}  // namespace dalembert
