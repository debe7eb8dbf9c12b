#include "report/page/tab_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/latex_text.hpp"
#include "report/reaction_families.hpp"
#include "report/scribe.hpp"
#include "report/words.hpp"

namespace dalembert {
namespace {

std::string at_start(double value) {
  return fmt::format("{} at the start", std::isfinite(value) ? format_number(value, 6) : "unbounded");
}

std::string vector_text(const std::array<std::string, 3>& formula) {
  return is_readable(formula) ? fmt::format("[{}]", fmt::join(formula, ", ")) : "";
}

std::string join_notes(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += (text.empty() ? "note: " : "\nnote: ") + note;
  return text;
}

/// By integrals: E = ..., then the multiplier in terms of E.
void add_position(PageTab& tab, const std::string& section, const Reaction& reaction) {
  const PositionText& position = reaction.of_position;
  if (position.general.empty() || position.general == reaction.formula) return;
  for (const PositionText::Constant& constant : position.constants)
    tab.lines.push_back({section, name_to_latex(constant.name), constant.name, constant.formula,
                         fmt::format("{}: {} on this motion", constant.integral, format_number(constant.value, 10))});
  std::string remark = "by position alone";
  if (!position.remaining.empty())
    remark = fmt::format("by position, with rates left: {} not eliminated, {}", fmt::join(position.remaining, ", "),
                         position.remark);
  if (const auto& range = position.over_range)
    remark += fmt::format("; largest {} at {} = {}", format_number(range->largest, 10), range->coordinate,
                          format_number(range->at));
  tab.lines.push_back({section, name_to_latex(reaction_symbol(reaction.name)), "", position.general, remark});
}

void add_release(PageTab& tab, const std::string& section, const Reaction& reaction) {
  if (!reaction.released) return;
  const ReleasedText& released = *reaction.released;
  if (!released.rho_formula.empty() && released.rho_formula != reaction.formula)
    tab.lines.push_back({section, "\\rho", "", released.rho_formula, "by releasing " + reaction.name});
  if (!released.power_formula.empty())
    tab.lines.push_back({section, "P", "", released.power_formula, "power of the drive"});
}

void add_reaction(PageTab& tab, const Reaction& reaction) {
  const std::string symbol = reaction_symbol(reaction.name), section = symbol;
  std::string remark = reaction.unique ? "" : "not unique: of least norm";
  if (reaction.formula.empty())
    remark = fmt::format("{}{}no formula: {}; {}", remark, remark.empty() ? "" : "; ", reaction.remark,
                         at_start(reaction.value));
  tab.lines.push_back({section, name_to_latex(symbol), symbol, reaction.formula, remark});
  for (const ForceOn& force : reaction.on) {
    const char* kind = force.is_couple ? "couple" : "force";
    if (!force.is_known) continue;
    tab.lines.push_back({section, force_latex(force.is_couple, force.on), "", vector_text(force.formula),
                         fmt::format("{} on {}", kind, force.on)});
  }
  add_release(tab, section, reaction);
  add_position(tab, section, reaction);
}

}  // namespace

void fill_tab(PageTab& tab, const ReactionsReport& report) {
  tab.text = write_text(report);
  tab.words = "multipliers of the constraints as written, and their forces on the system";
  for (const std::span<const Reaction> family : group_reactions(report.reactions)) {
    if (family.size() == 1) {
      add_reaction(tab, family[0]);
      continue;
    }
    for (const Reaction& reaction : family) {
      const std::string symbol = reaction_symbol(reaction.name);
      tab.lines.push_back({"reactions", name_to_latex(symbol), symbol, "", at_start(reaction.value)});
    }
  }
}

void fill_tab(PageTab& tab, const CheckReport& report) {
  tab.text = write_text(report);
  tab.words = write_words(report);
  if (!report.remarks.empty()) tab.words += "\n" + join_notes(report.remarks);
  for (const CheckedIntegral& integral : report.integrals) {
    const std::string section = "first integral: " + integral.name;
    for (const auto& [name, formula] : integral.parts)
      tab.lines.push_back({section, name_to_latex(name), name, formula});
    tab.lines.push_back({section, fmt::format("\\text{{{}}}", words_to_latex(integral.name)), "", integral.formula,
                         at_start(integral.value)});
  }
}

void fill_tab(PageTab& tab, const FrameReport& report) {
  tab.text = write_text(report);
  if (report.velocities.empty()) return;
  tab.words = write_words(report);
  if (!report.remarks.empty()) tab.words += "\n" + join_notes(report.remarks);
  for (const FrameReport::Velocity& velocity : report.velocities)
    tab.lines.push_back({"quasi-velocities", name_to_latex(velocity.name), "", velocity.formula,
                         velocity.constraint.empty() ? "" : fmt::format("= 0 by {}", velocity.constraint)});
  for (const FrameReport::Coefficient& beta : report.beta)
    tab.lines.push_back({"transition coefficients", bracket_latex(beta.mu, beta.nu, beta.rho), "", beta.formula,
                         beta.formula.empty() ? at_start(beta.value) : ""});
  for (const FrameReport::Momentum& momentum : report.momenta)
    tab.lines.push_back({"momenta", momentum_latex(momentum.velocity), "", momentum.formula,
                         momentum.is_conserved == std::optional(true) ? "conserved"
                         : momentum.formula.empty()                   ? at_start(momentum.value)
                                                                      : ""});
}

void fill_tab(PageTab& tab, const Verification& verification) {
  tab.text = write_text(verification);
  tab.words = fmt::format("{}: {} random states (seed {}), {} skipped",
                          verification.ok ? "everything agrees" : "not everything agrees", verification.states,
                          verification.seed, verification.skipped);
  if (!verification.notes.empty()) tab.words += "\n" + join_notes(verification.notes);
  tab.table.head = {"quantity", "between", "and", "largest", "bound", ""};
  for (const Agreement& agreement : verification.agreements)
    tab.table.rows.push_back({agreement.quantity, agreement.between[0], agreement.between[1],
                              format_number(agreement.largest, 2), format_number(agreement.bound, 2),
                              agreement.ok ? "ok" : "DISAGREE: " + agreement.where});
}

}  // namespace dalembert
