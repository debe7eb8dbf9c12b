#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"
#include "report/reaction_families.hpp"
#include "report/scribe.hpp"

namespace dalembert {
namespace {

/// The column of a reaction along the motion; absent values are NaN.
struct Course {
  std::vector<double> t, value;
  double largest = 0;
  double at = 0;
};

Course course_of(const Trajectory& trajectory, const std::string& name) {
  Course course;
  auto column = std::ranges::find(trajectory.columns, reaction_symbol(name));
  if (column == trajectory.columns.end()) return course;
  auto index = static_cast<std::size_t>(column - trajectory.columns.begin());
  for (const Table::Row row : trajectory.rows) {
    course.t.push_back(row[0]);
    course.value.push_back(row[index]);
    if (std::fabs(row[index]) > std::fabs(course.largest)) course.largest = row[index], course.at = row[0];
  }
  return course;
}

/// Without the sign of a zero, which means nothing to a reader.
std::string value_text(double value) { return std::isfinite(value) ? format_number(value, 10) : "unbounded"; }

std::string write_force(const ForceOn& force) {
  if (!force.is_known) return fmt::format("  force on {}: not known\n", force.on);
  std::string text = fmt::format("  {} on {}: [{}, {}, {}]\n", force.is_couple ? "couple" : "force", force.on,
                                 value_text(force.value[0]), value_text(force.value[1]), value_text(force.value[2]));
  if (!force.formula[0].empty() && !force.formula[1].empty() && !force.formula[2].empty())
    text += fmt::format("    = [{}, {}, {}]\n", force.formula[0], force.formula[1], force.formula[2]);
  return text;
}

std::string write_position(const PositionText& position, const std::string& formula) {
  std::string text;
  if (!position.general.empty() && position.general != formula)
    text += fmt::format("  by {}: {}\n", position.remaining.empty() ? "position alone" : "position, with rates left",
                        position.general);
  for (const PositionText::Constant& constant : position.constants)
    text += fmt::format("    {} = {}, the {}: {} on this motion\n", constant.name, constant.formula, constant.integral,
                        value_text(constant.value));
  if (!position.remaining.empty())
    text += fmt::format("    {} not eliminated: {}\n", fmt::join(position.remaining, ", "), position.remark);
  if (const auto& range = position.over_range)
    text += fmt::format("    largest {} at {} = {}, over {} from {} to {}{}\n", value_text(range->largest),
                        range->coordinate, format_number(range->at), range->coordinate, format_number(range->from),
                        format_number(range->to), range->is_full_turn ? " (a full turn)" : "");
  return text;
}

Json position_json(const PositionText& position) {
  Json constants = Json::object();
  for (const PositionText::Constant& constant : position.constants)
    constants[constant.name] = {
        {"integral", constant.integral}, {"formula", constant.formula}, {"value", json_number(constant.value)}};
  Json json = {{"general", position.general.empty() ? Json() : Json(position.general)},
               {"constants", constants},
               {"remaining", position.remaining},
               {"remark", position.remark}};
  if (const auto& range = position.over_range)
    json["range"] = {{"coordinate", range->coordinate},        {"from", json_number(range->from)},
                     {"to", json_number(range->to)},           {"full_turn", range->is_full_turn},
                     {"largest", json_number(range->largest)}, {"at", json_number(range->at)}};
  return json;
}

std::string_view verdict_text(Verdict orthogonal) {
  return orthogonal == Verdict::zero ? "yes, by (47)" : orthogonal == Verdict::nonzero ? "no" : "undecided";
}

std::string write_released(const Reaction& reaction) {
  const ReleasedText& released = *reaction.released;
  std::string text = fmt::format("  by releasing {}; rho = {}\n", reaction.name, value_text(released.rho));
  if (!released.rho_formula.empty() && released.rho_formula != reaction.formula)
    text += fmt::format("    = {}\n", released.rho_formula);
  if (released.power) {
    text += fmt::format("  power of the drive: {}\n", value_text(*released.power));
    if (!released.power_formula.empty()) text += fmt::format("    = {}\n", released.power_formula);
  }
  if (!released.remark.empty())
    text += fmt::format("  orthogonal: {}; {}\n", verdict_text(released.orthogonal), released.remark);
  return text;
}

Json released_json(const ReleasedText& released) {
  Json json = {
      {"rho",
       {{"formula", released.rho_formula.empty() ? Json() : Json(released.rho_formula)},
        {"value", json_number(released.rho)}}},
      {"orthogonal", released.orthogonal == Verdict::undecided ? Json() : Json(released.orthogonal == Verdict::zero)},
      {"remark", released.remark}};
  if (released.power)
    json["power"] = {{"formula", released.power_formula.empty() ? Json() : Json(released.power_formula)},
                     {"value", json_number(*released.power)}};
  return json;
}

std::string write_axes(std::string_view axes, const std::array<double, 3>& value,
                       const std::array<std::string, 3>& formula) {
  std::string text =
      fmt::format("    {:<7} [{}, {}, {}]\n", axes, value_text(value[0]), value_text(value[1]), value_text(value[2]));
  if (is_readable(formula)) text += fmt::format("            = [{}, {}, {}]\n", formula[0], formula[1], formula[2]);
  return text;
}

std::string write_joint(const JointReport& joint) {
  std::string text = fmt::format("\njoint {}: what {} exerts on it at its origin, drives included{}\n", joint.name,
                                 joint.parent, joint.unique ? "" : " (not unique: of least norm)");
  for (const auto& [name, vector] : {std::pair("force", &joint.force), std::pair("couple", &joint.couple)}) {
    text += fmt::format("  {}\n", name);
    text += write_axes("world", vector->world, vector->world_formula);
    if (joint.parent != "world") text += write_axes(joint.parent, vector->parent, vector->parent_formula);
  }
  if (!joint.remark.empty()) text += fmt::format("  no formula: {}\n", joint.remark);
  return text;
}

/// The column of a joint's load along the motion (with_joint_outputs) in which its x component stands.
std::size_t joint_column(const Trajectory& trajectory, const std::string& name, std::string_view what) {
  std::string first = fmt::format("joint({}).{}.x", name, what);
  return static_cast<std::size_t>(std::ranges::find(trajectory.columns, first) - trajectory.columns.begin());
}

std::string write_joint_largest(const Trajectory& trajectory, const std::string& name) {
  std::string text;
  for (std::string_view what : {"force", "couple"}) {
    double largest = 0, time = 0;
    const std::size_t x = joint_column(trajectory, name, what);
    for (const Table::Row row : trajectory.rows)
      if (double size = std::hypot(row[x], row[x + 1], row[x + 2]); size > largest) largest = size, time = row[0];
    text +=
        fmt::format("  largest {} along the motion: {} at t = {}\n", what, value_text(largest), format_number(time));
  }
  return text;
}

Json vector_json(const JointVector& vector) {
  auto part = [](const std::array<std::string, 3>& formula, const std::array<double, 3>& value) {
    return Json{{"formula", is_readable(formula) ? Json(formula) : Json()}, {"value", json_numbers(value)}};
  };
  return {{"world", part(vector.world_formula, vector.world)}, {"parent", part(vector.parent_formula, vector.parent)}};
}

/// A joint's load along the motion, from the columns of with_joint_outputs.
Json joint_course(const Trajectory& trajectory, const std::string& name) {
  Json course = {{"t", Json::array()}};
  for (const Table::Row row : trajectory.rows) course["t"].push_back(json_number(row[0]));
  for (std::string what : {"force", "couple"}) {
    double largest = 0;
    for (std::string axes : {"world", "parent"}) {
      const std::size_t column = joint_column(trajectory, name, (axes == "world" ? "" : "parent.") + what);
      Json list = Json::array();
      for (const Table::Row row : trajectory.rows) {
        const double load[] = {row[column], row[column + 1], row[column + 2]};
        list.push_back(json_numbers(load));
        largest = std::max(largest, std::hypot(row[column], row[column + 1], row[column + 2]));
      }
      course[what][axes] = std::move(list);
    }
    course[what]["largest"] = json_number(largest);
  }
  return course;
}

Json joint_json(const JointReport& joint, const std::optional<Trajectory>& along) {
  Json json = {{"name", joint.name},
               {"parent", joint.parent},
               {"force", vector_json(joint.force)},
               {"couple", vector_json(joint.couple)},
               {"unique", joint.unique}};
  if (along) json["along"] = joint_course(*along, joint.name);
  return json;
}

std::string write_reaction(const Reaction& reaction, const std::optional<Trajectory>& along) {
  std::string text = fmt::format("\nreaction({}) = {}{}\n", reaction.name, value_text(reaction.value),
                                 reaction.unique ? "" : "  (not unique: of least norm)");
  if (reaction.theta)
    text += fmt::format("  along the constraint's unit vector: theta = {}\n", value_text(*reaction.theta));
  if (!reaction.formula.empty())
    text += fmt::format("  = {}{}\n", reaction.formula,
                        reaction.by == "multiplier" && reaction.formula_by == "hamel" ? "  (by hamel)" : "");
  if (!reaction.remark.empty()) text += fmt::format("  no formula: {}\n", reaction.remark);
  if (reaction.released) text += write_released(reaction);
  text += write_position(reaction.of_position, reaction.formula);
  for (const ForceOn& force : reaction.on) text += write_force(force);
  if (!along) return text;
  const Course course = course_of(*along, reaction.name);
  return text + fmt::format("  largest along the motion: {} at t = {}\n", value_text(course.largest),
                            format_number(course.at));
}

/// Reactions whose names differ in a number at their end: how many, and the extremes of their values.
std::string write_family(std::span<const Reaction> family, const std::optional<Trajectory>& along) {
  const auto [least, most] = std::ranges::minmax_element(family, {}, &Reaction::value);
  std::string text = fmt::format("\nreaction({}) to reaction({}), {} of them: from {} ({}) to {} ({})\n",
                                 family.front().name, family.back().name, family.size(), value_text(least->value),
                                 least->name, value_text(most->value), most->name);
  if (!along) return text;
  Course largest;
  std::string where;
  for (const Reaction& reaction : family)
    if (Course course = course_of(*along, reaction.name);
        where.empty() || std::fabs(course.largest) > std::fabs(largest.largest))
      largest = std::move(course), where = reaction.name;
  return text + fmt::format("  largest along the motion: {} ({}) at t = {}\n", value_text(largest.largest), where,
                            format_number(largest.at));
}

std::string write_accelerations(const ReactionsReport& report) {
  if (report.accelerations.empty()) return {};
  std::vector<std::string> texts;
  for (const auto& [name, value] : report.accelerations)
    texts.push_back(fmt::format("{} = {}", name, value_text(value)));
  return fmt::format("\nAccelerations here: {}\n", fmt::join(texts, ", "));
}

/// The name without the digits that it ends in.
std::string_view stem_of(std::string_view name) { return name.substr(0, name.find_last_not_of("0123456789") + 1); }

}  // namespace

std::vector<std::span<const Reaction>> group_reactions(std::span<const Reaction> reactions) {
  constexpr std::size_t many = 24;
  const bool by_families = reactions.size() > many;
  std::vector<std::span<const Reaction>> families;
  while (!reactions.empty()) {
    std::size_t size = 1;
    while (by_families && size < reactions.size() && stem_of(reactions[size].name) == stem_of(reactions[0].name))
      ++size;
    families.push_back(reactions.first(size));
    reactions = reactions.subspan(size);
  }
  return families;
}

std::string write_text(const ReactionsReport& report) {
  std::string text =
      fmt::format("Reactions at t = {}{}: multipliers of the constraints as written, forces on the system\n",
                  format_number(report.state.t), report.at_rest ? ", at rest" : "");
  for (const JointReport& joint : report.joints) {
    text += write_joint(joint);
    if (report.along) text += write_joint_largest(*report.along, joint.name);
  }
  if (report.reactions.empty() && report.joints.empty()) text += "\nThe model has no constraints with reactions.\n";
  const std::vector<std::span<const Reaction>> families = group_reactions(report.reactions);
  for (const std::span<const Reaction> family : families)
    text += family.size() == 1 ? write_reaction(family[0], report.along) : write_family(family, report.along);
  if (families.size() < report.reactions.size()) text += "\nEach by itself: --json\n";
  text += write_accelerations(report);
  if (!report.releasable.empty())
    text += fmt::format("\nCan also be released, with --release NAME: {}\n", fmt::join(report.releasable, ", "));
  if (!report.hung.empty())
    text += fmt::format("\nLoads in joints, with --joint NAME: {}\n", fmt::join(report.hung, ", "));
  for (const std::string& remark : report.remarks) text += fmt::format("\nnote: {}\n", remark);
  return wrap_lines(text);
}

std::string write_json(const ReactionsReport& report) {
  Json list = Json::array();
  for (const Reaction& reaction : report.reactions) {
    Json on = Json::object();
    for (const ForceOn& force : reaction.on) {
      if (!force.is_known) {
        on[force.on] = nullptr;
        continue;
      }
      bool readable = !force.formula[0].empty() && !force.formula[1].empty() && !force.formula[2].empty();
      on[force.on] = {{"formula", readable ? Json(force.formula) : Json()}, {"value", json_numbers(force.value)}};
      if (force.is_couple) on[force.on]["couple"] = true;
    }
    Json entry = {{"name", reaction.name},
                  {"by", reaction.by},
                  {"multiplier",
                   {{"formula", reaction.formula.empty() ? Json() : Json(reaction.formula)},
                    {"formula_by", reaction.formula.empty() ? Json() : Json(reaction.formula_by)},
                    {"value", json_number(reaction.value)}}},
                  {"unique", reaction.unique},
                  {"generalized", json_numbers(reaction.generalized)},
                  {"on", on},
                  {"of_position", reaction.of_position.formula.empty() ? Json() : Json(reaction.of_position.formula)},
                  {"position", position_json(reaction.of_position)}};
    if (reaction.released) entry.update(released_json(*reaction.released));
    if (reaction.theta) entry["theta"] = json_number(*reaction.theta);
    if (report.along) {
      Course course = course_of(*report.along, reaction.name);
      entry["along"] = {
          {"t", course.t}, {"value", json_numbers(course.value)}, {"largest", json_number(course.largest)}};
    }
    list.push_back(std::move(entry));
  }
  Json document = {
      {"reactions", list}, {"releasable", report.releasable}, {"joints", report.hung}, {"remarks", report.remarks}};
  for (const auto& [name, value] : report.accelerations) document["accelerations"][name] = json_number(value);
  for (const JointReport& joint : report.joints) document["joint"] = joint_json(joint, report.along);
  return write_document(document);
}

}  // namespace dalembert
