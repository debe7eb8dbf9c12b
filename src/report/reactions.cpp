#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report.hpp>
#include <nlohmann/json.hpp>

namespace dalembert {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (double value : values) list.push_back(number(value));
  return list;
}

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
  for (const auto& row : trajectory.rows) {
    course.t.push_back(row[0]);
    course.value.push_back(row[index]);
    if (std::fabs(row[index]) > std::fabs(course.largest)) course.largest = row[index], course.at = row[0];
  }
  return course;
}

std::string value_text(double value) { return std::isfinite(value) ? format_number(value, 10) : "unbounded"; }

std::string write_force(const ForceOn& force) {
  std::string text = fmt::format("  {} on {}: [{}, {}, {}]\n", force.is_couple ? "couple" : "force", force.on,
                                 value_text(force.value[0]), value_text(force.value[1]), value_text(force.value[2]));
  if (!force.formula[0].empty() && !force.formula[1].empty() && !force.formula[2].empty())
    text += fmt::format("    = [{}, {}, {}]\n", force.formula[0], force.formula[1], force.formula[2]);
  return text;
}

std::string write_position(const PositionText& position) {
  std::string text;
  if (!position.general.empty())
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
        {"integral", constant.integral}, {"formula", constant.formula}, {"value", number(constant.value)}};
  Json json = {{"general", position.general.empty() ? Json() : Json(position.general)},
               {"constants", constants},
               {"remaining", position.remaining},
               {"remark", position.remark}};
  if (const auto& range = position.over_range)
    json["range"] = {{"coordinate", range->coordinate},   {"from", number(range->from)},
                     {"to", number(range->to)},           {"full_turn", range->is_full_turn},
                     {"largest", number(range->largest)}, {"at", number(range->at)}};
  return json;
}

}  // namespace

std::string write_text(const ReactionsReport& report) {
  std::string text =
      fmt::format("Reactions at t = {}{}: multipliers of the constraints as written, forces on the system\n",
                  format_number(report.state.t), report.at_rest ? ", at rest" : "");
  if (report.reactions.empty()) text += "\nThe model has no constraints with reactions.\n";
  for (const Reaction& reaction : report.reactions) {
    text += fmt::format("\nreaction({}) = {}{}\n", reaction.name, value_text(reaction.value),
                        reaction.unique ? "" : "  (not unique: of least norm)");
    if (!reaction.formula.empty()) text += fmt::format("  = {}\n", reaction.formula);
    if (!reaction.remark.empty()) text += fmt::format("  no formula: {}\n", reaction.remark);
    text += write_position(reaction.of_position);
    for (const ForceOn& force : reaction.on) text += write_force(force);
    if (!report.along) continue;
    Course course = course_of(*report.along, reaction.name);
    text +=
        fmt::format("  largest along the motion: {} at t = {}\n", value_text(course.largest), format_number(course.at));
  }
  for (const std::string& remark : report.remarks) text += fmt::format("\nnote: {}\n", remark);
  return text;
}

std::string write_json(const ReactionsReport& report) {
  Json list = Json::array();
  for (const Reaction& reaction : report.reactions) {
    Json on = Json::object();
    for (const ForceOn& force : reaction.on) {
      bool readable = !force.formula[0].empty() && !force.formula[1].empty() && !force.formula[2].empty();
      on[force.on] = {{"formula", readable ? Json(force.formula) : Json()}, {"value", numbers(force.value)}};
      if (force.is_couple) on[force.on]["couple"] = true;
    }
    Json entry = {
        {"name", reaction.name},
        {"by", reaction.by},
        {"multiplier",
         {{"formula", reaction.formula.empty() ? Json() : Json(reaction.formula)}, {"value", number(reaction.value)}}},
        {"unique", reaction.unique},
        {"generalized", numbers(reaction.generalized)},
        {"on", on},
        {"of_position", reaction.of_position.formula.empty() ? Json() : Json(reaction.of_position.formula)},
        {"position", position_json(reaction.of_position)}};
    if (report.along) {
      Course course = course_of(*report.along, reaction.name);
      entry["along"] = {{"t", course.t}, {"value", numbers(course.value)}, {"largest", number(course.largest)}};
    }
    list.push_back(std::move(entry));
  }
  Json document = {{"reactions", list}, {"remarks", report.remarks}};
  return document.dump(2) + "\n";
}

}  // namespace dalembert
