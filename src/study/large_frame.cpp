#include "study/large_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/print.hpp>

#include "study/index_families.hpp"
#include "study/writer.hpp"

namespace dalembert {
namespace {

/// The velocity that a constraint forbids: df/dt of a geometric one, f of a differential one.
Expr forbidden_velocity(const Model& model, const Constraint& constraint) {
  if (constraint.kind == ConstraintKind::differential) return constraint.f;
  std::vector<Replacement> direction{{model.time, model.graph->constant(1)}};
  for (const Coordinate& coordinate : model.coordinates) direction.push_back({coordinate.q, coordinate.rate});
  return directional_derivative(constraint.f, direction);
}

/// One line a family: "name{k} (k = 2..9): formula".
std::vector<std::string> write_families(const Model& model, const std::vector<std::string>& names,
                                        const std::vector<Expr>& formulas, const char* end) {
  constexpr std::size_t most = 20;
  const Families families(model);
  std::vector<std::string> texts, lines;
  for (const Expr& formula : formulas) texts.push_back(to_text(formula));
  const std::vector<EquationFamily> groups = families.group(names, texts);
  for (const EquationFamily& family : groups) {
    if (lines.size() == most) {
      lines.push_back(fmt::format("... and {} more", groups.size() - most));
      break;
    }
    const std::size_t first = family.members[0];
    const auto indexed = [&](const std::string& text) {
      return family.has_index() ? families.with_index(text, family.first) : text;
    };
    std::string written = write_if_short(formulas[first], work_to_write);
    if (written.empty()) written = "too long to read";
    lines.push_back(fmt::format("{}{}: {}{}", indexed(names[first]),
                                family.has_index() ? fmt::format(" (k = {}..{})", family.first, family.last) : "",
                                indexed(written), end));
  }
  return lines;
}

/// Velocities that are rates of functions of place and time, so that no bracket of their fields is left.
bool are_rates(const Model& model) {
  const auto is_rate = [](const Constraint& c) { return c.kind != ConstraintKind::differential && !c.is_unit; };
  return model.quasi_velocities.empty() && std::ranges::all_of(model.constraints, is_rate);
}

std::string tell_integrability(const Integrability& integrability) {
  std::vector<std::string> by_verdict[3];
  for (const Integrability::Entry& entry : integrability.constraints)
    by_verdict[!entry.in_system ? 2 : *entry.in_system ? 0 : 1].push_back(entry.name);
  std::vector<std::string> told;
  const char* words[] = {"integrable", "non-holonomic", "undecided"};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& names = by_verdict[k];
    if (names.empty()) continue;
    told.push_back(fmt::format("{} {} ({}{})", names.size(), words[k], names.front(),
                               names.size() == 1 ? "" : (names.size() == 2 ? ", " : " to ") + names.back()));
  }
  return fmt::format("constraints in the system: {}", fmt::join(told, ", "));
}

void add_lines(FrameReport& report, std::string heading, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) heading += "\n  " + line;
  report.remarks.push_back(std::move(heading));
}

}  // namespace

FrameReport describe_large_frame(const Model& model) {
  FrameReport report;
  report.name = model.name;
  report.names = symbol_names(model);
  std::vector<std::string> names;
  std::vector<Expr> formulas;
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind == ConstraintKind::one_sided) continue;
    names.push_back(constraint.name);
    formulas.push_back(forbidden_velocity(model, constraint));
  }
  const std::size_t n = model.coordinates.size();
  report.remarks.push_back(fmt::format("{} quasi-velocities, too many to list", n));
  if (!names.empty())
    add_lines(report, fmt::format("{} vanish, one for each constraint", names.size()),
              write_families(model, names, formulas, " = 0"));
  if (!model.quasi_velocities.empty()) {
    names.clear(), formulas.clear();
    for (const QuasiVelocity& velocity : model.quasi_velocities) {
      names.push_back(velocity.name);
      formulas.push_back(velocity.formula);
    }
    add_lines(report, fmt::format("{} are given", names.size()), write_families(model, names, formulas, ""));
  } else if (names.empty()) {
    report.remarks.push_back("They are the rates of the coordinates.");
  } else {
    report.remarks.push_back(
        "The others complete them: the part of the coordinates' rates that is orthogonal to them in the kinetic "
        "metric.");
  }
  if (are_rates(model)) {
    report.is_constant = true;
    report.remarks.push_back(
        "With rates of coordinates beside them all transition coefficients vanish: each velocity is the rate of a "
        "function of place and time. "
        "The group is abelian.");
  } else {
    report.remarks.push_back(
        "Their transition coefficients are not listed: there would be one for every three velocities.");
  }
  report.integrability = decide_integrability(model);
  if (!report.integrability.constraints.empty()) report.remarks.push_back(tell_integrability(report.integrability));
  if (!report.integrability.remark.empty()) report.remarks.push_back("integrability: " + report.integrability.remark);
  return report;
}

}  // namespace dalembert
