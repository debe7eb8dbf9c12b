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
  constexpr std::size_t most = 40;
  TextTable table({"constraint", "kind", "time", "integrability", "residual", "reaction"});
  for (std::size_t i = 0; i < report.constraints.size() && i < most; ++i) {
    const CheckedConstraint& constraint = report.constraints[i];
    table.add({constraint.name, kind_name(constraint.kind), constraint.is_rheonomic ? "rheonomic" : "scleronomic",
               integrability_word(constraint), format_number(constraint.residual, 3),
               constraint.is_unit ? "" : (constraint.is_unique ? "unique" : "not unique")});
  }
  std::string text = table.text(2);
  if (report.constraints.size() > most) text += fmt::format("  ... and {} more\n", report.constraints.size() - most);
  return text;
}

/// What the names in a formula stand for.
std::string parts_text(const CheckedIntegral& integral) {
  std::string text = fmt::format("\nparts of the {}, each in terms of what comes before\n", integral.name);
  const auto has = [&](const char* prefix) {
    return std::ranges::any_of(integral.parts, [&](const auto& part) { return part[0].starts_with(prefix); });
  };
  if (has("v_")) text += "  v_B, omega_B: velocity of B's origin and angular velocity of B, in B's own axes\n";
  if (has("u_")) text += "  u_B: velocity of B's origin, in the axes of B's parent\n";
  if (has("i_")) text += "  i_B, j_B, k_B: B's axes, in the axes of B's parent\n";
  for (const auto& [name, formula] : integral.parts) text += wrap_text(fmt::format("  {} = {}", name, formula)) + "\n";
  return text;
}

std::string redundant_text(const CheckReport& report, const RankReport::Redundant& redundant) {
  if (!redundant.depends_on.empty())
    return fmt::format("\nredundant: {} follows from {}", redundant.name, joined(redundant.depends_on));
  if (std::ranges::find(report.singular, redundant.name) == report.singular.end())
    return fmt::format("\nredundant: {} reads 0 = 0", redundant.name);
  return fmt::format("\nredundant here: the derivatives of {} vanish in this singular configuration", redundant.name);
}

}  // namespace

std::string write_words(const CheckReport& report) {
  std::string text =
      fmt::format("coordinates         {}: {}\n", report.coordinates.size(), join_first(report.coordinates));
  text += fmt::format("degrees of freedom  {}\n", report.degrees_of_freedom);
  text += fmt::format("Lagrangian          {}\n", report.is_natural ? "natural" : "general");
  if (!report.constraints.empty()) {
    text += fmt::format("constraints         {}, rank {}, condition {}\n\n{}", report.constraints.size(),
                        report.rank.rank, format_number(report.rank.condition, 3), constraint_table(report));
  }
  for (const RankReport::Redundant& redundant : report.rank.redundant) text += redundant_text(report, redundant);
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
