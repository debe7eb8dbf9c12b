#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report/report.hpp>

#include "report/latex_text.hpp"
#include "report/reaction_families.hpp"
#include "report/rows.hpp"
#include "report/scribe.hpp"

// What check, frame, gauss and reactions say, as equations of LaTeX: formulas and values. Their sentences are for text.

namespace dalembert {
namespace {

std::string number(double value) { return number_to_latex(value); }

std::string column(const std::array<std::string, 3>& parts) {
  return fmt::format("\\begin{{pmatrix}} {} \\\\ {} \\\\ {} \\end{{pmatrix}}", parts[0], parts[1], parts[2]);
}

std::string vector_of(const std::array<std::string, 3>& formula, const std::array<double, 3>& value) {
  const std::string numbers = column({number(value[0]), number(value[1]), number(value[2])});
  if (!is_readable(formula)) return numbers;
  return column({text_to_latex(formula[0]), text_to_latex(formula[1]), text_to_latex(formula[2])}) + " = " + numbers;
}

void add_reaction(LatexLines& lines, const Reaction& reaction) {
  const std::string value = number(reaction.value);
  const std::string formula = reaction.formula.empty() ? value : text_to_latex(reaction.formula);
  lines.add(name_to_latex(reaction_symbol(reaction.name)), formula == value ? value : formula + " = " + value);
  for (const ForceOn& force : reaction.on)
    if (force.is_known)
      lines.add(force_latex(force.is_couple, force.on, reaction.name), vector_of(force.formula, force.value));
}

}  // namespace

std::string write_latex(const ReactionsReport& report) {
  return with_distinct_names(
      [&] {
        LatexLines lines;
        lines.remark(fmt::format("reactions at t = {}: multipliers of the constraints as written, forces on the system",
                                 format_number(report.state.t)));
        for (const JointReport& joint : report.joints) {
          lines.remark(fmt::format("joint {}: what {} exerts on it, in world axes", joint.name, joint.parent));
          lines.add(force_latex(false, joint.name), vector_of(joint.force.world_formula, joint.force.world));
          lines.add(force_latex(true, joint.name), vector_of(joint.couple.world_formula, joint.couple.world));
        }
        for (const std::span<const Reaction> family : group_reactions(report.reactions)) {
          if (family.size() == 1) {
            add_reaction(lines, family[0]);
            continue;
          }
          lines.remark(fmt::format("reaction({}) to reaction({}), {} of them: the least and the largest",
                                   family.front().name, family.back().name, family.size()));
          const auto [least, most] = std::ranges::minmax_element(family, {}, &Reaction::value);
          lines.add(name_to_latex(reaction_symbol(least->name)), number(least->value));
          lines.add(name_to_latex(reaction_symbol(most->name)), number(most->value));
        }
        for (const auto& [name, value] : report.accelerations) lines.add(name_to_latex(name), number(value));
        return lines.text();
      },
      report.names);
}

std::string write_latex(const FrameReport& report) {
  return with_distinct_names(
      [&] {
        LatexLines lines;
        lines.remark(report.name + ": quasi-velocities, their transition coefficients and momenta");
        for (const FrameReport::Velocity& velocity : report.velocities)
          if (!velocity.formula.empty())
            lines.add(name_to_latex(velocity.name),
                      text_to_latex(velocity.formula) + (velocity.constraint.empty() ? "" : " = 0"));
        for (const FrameReport::Coefficient& beta : report.beta)
          if (!beta.formula.empty()) lines.add(bracket_latex(beta.mu, beta.nu, beta.rho), text_to_latex(beta.formula));
        for (const FrameReport::Momentum& momentum : report.momenta)
          if (!momentum.formula.empty()) lines.add(momentum_latex(momentum.velocity), text_to_latex(momentum.formula));
        return lines.text();
      },
      report.names);
}

std::string write_latex(const GaussReport& report) {
  return with_distinct_names(
      [&] {
        LatexLines lines;
        lines.remark(fmt::format("Gauss's constraint at t = {}", format_number(report.state.t)));
        const std::size_t shown = std::min(most_rows, report.coordinates.size());
        for (std::size_t i = 0; i < shown; ++i)
          lines.add(name_to_latex(report.coordinates[i] + "''"), number(report.accelerations[i]));
        if (shown < report.coordinates.size())
          lines.remark(fmt::format("the first {} of {} accelerations and reactions; --json has all", most_rows,
                                   report.coordinates.size()));
        if (report.Z) lines.add("Z", number(*report.Z));
        if (report.phi) lines.add("\\varphi", number(*report.phi));
        lines.add("Z - \\varphi", number(report.excess));
        for (std::size_t r = 0; r < std::min(most_rows, report.multipliers.size()); ++r)
          lines.add(name_to_latex(reaction_symbol(report.constraints[r])), number(report.multipliers[r]));
        return lines.text();
      },
      report.names);
}

}  // namespace dalembert
