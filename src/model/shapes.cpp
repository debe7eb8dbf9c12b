#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "model/elaborator.hpp"

// [shapes]: what pictures show beside, or in place of, what they find themselves.

namespace dalembert {
namespace {

/// A kind as it is written, how many numbers it takes, and what to write.
struct KindRule {
  ShapeKind kind;
  std::string_view name;
  std::size_t least, most;
  bool is_between = false;
  std::string_view example;
};
constexpr KindRule rules[] = {
    {ShapeKind::box, "box", 3, 3, false, "size = [0.4, 0.2, 0.1]: its lengths along the axes"},
    {ShapeKind::sphere, "sphere", 1, 1, false, "size = 0.1: its radius"},
    {ShapeKind::cylinder, "cylinder", 2, 2, false, "size = [0.1, 0.5]: its radius and length"},
    {ShapeKind::disk, "disk", 1, 2, false, "size = 0.3: its radius, or [0.3, 0.02] with its thickness"},
    {ShapeKind::wheel, "wheel", 1, 2, false, "size = 0.3: its radius, or [0.3, 0.05] with its width"},
    {ShapeKind::rod, "rod", 0, 1, true, "size = 0.01: its radius, or nothing"},
    {ShapeKind::line, "line", 0, 0, true, "no size: a line has none"},
    {ShapeKind::spring, "spring", 0, 2, true, "size = [0.05, 8]: its radius and number of coils, or nothing"},
    {ShapeKind::ground, "ground", 0, 2, false, "size = [4, 2]: its lengths, or nothing"},
    {ShapeKind::mesh, "mesh", 0, 1, false, "size = 0.001: what the file's numbers are multiplied by, or nothing"},
};
constexpr std::array<std::string_view, 3> chosen_by_drawing = {"marker", "point", "axes"};

struct NamedColour {
  std::string_view name;
  std::uint32_t value;
};
constexpr NamedColour colours[] = {
    {"red", 0xd83b3b},    {"orange", 0xd8703b}, {"yellow", 0xd8b83b}, {"green", 0x3ba55d},
    {"blue", 0x3b7dd8},   {"purple", 0x9b59b6}, {"pink", 0xd84b7d},   {"brown", 0x8a5a3b},
    {"white", 0xf4f4f4},  {"black", 0x20242c},  {"grey", 0x8a94a6},   {"gray", 0x8a94a6},
    {"silver", 0xc0c6d0}, {"gold", 0xc9a227},   {"cyan", 0x2aa5a5},   {"steel", 0x5f7085}};

std::vector<std::string> names_of(const auto& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.emplace_back(one.name);
  return names;
}

std::optional<std::uint32_t> read_colour(const std::string& text) {
  for (const NamedColour& colour : colours)
    if (colour.name == text) return colour.value;
  if (text.size() != 7 || text[0] != '#' || text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
    return {};
  return static_cast<std::uint32_t>(std::stoul(text.substr(1), nullptr, 16));
}

std::string count_of(const KindRule& rule) {
  if (rule.least == rule.most) return rule.most == 1 ? "one number" : fmt::format("{} numbers", rule.most);
  return rule.least == 0 ? fmt::format("at most {} number{}", rule.most, rule.most == 1 ? "" : "s")
                         : fmt::format("{} or {} numbers", rule.least, rule.most);
}

}  // namespace

std::string_view shape_name(ShapeKind kind) {
  for (const KindRule& rule : rules)
    if (rule.kind == kind) return rule.name;
  return chosen_by_drawing[static_cast<std::size_t>(kind) - static_cast<std::size_t>(ShapeKind::marker)];
}

void Elaborator::make_shapes() {
  for (const Member<ShapeText>& member : shapes_) make_shape(member);
}

void Elaborator::make_shape(const Member<ShapeText>& member) {
  const ShapeText& text = member.entry->what;
  Where where{"shapes", &member.entry->name, "kind", &member.indices};
  const std::vector<std::string> kinds = names_of(rules);
  const std::string all = fmt::format("{}", fmt::join(kinds, ", "));
  if (text.kind.empty()) fail(where, {}, "a shape needs a kind", "expected one of " + all);
  const auto rule = std::ranges::find(rules, text.kind.text, &KindRule::name);
  if (rule == std::end(rules)) {
    const std::string nearest = nearest_name(text.kind.text, kinds);
    fail(where, text.kind.place, fmt::format("there is no kind '{}'", text.kind.text),
         nearest.empty() ? "expected one of " + all : fmt::format("did you mean '{}'?", nearest));
  }
  Shape made;
  made.name = member.name;
  made.kind = rule->kind;
  made.place = member.entry->name.place;
  place_shape(member, rule->is_between, made);
  where.field = "size";
  if (text.size.size() < rule->least || text.size.size() > rule->most)
    fail(where, text.size.empty() ? Place{} : text.size[0].place,
         fmt::format("a {} takes {}, and here are {}", rule->name, count_of(*rule), text.size.size()),
         fmt::format("write {}", rule->example));
  for (const Text& part : text.size) {
    made.size.push_back(scalar(where, part, {member.indices}));
    require(where, part, made.size.back(), in_positions, "t, coordinates and parameters");
  }
  where.field = "axis";
  if (text.axis.text != "x" && text.axis.text != "y" && text.axis.text != "z")
    fail(where, text.axis.place, fmt::format("'{}' is not an axis", text.axis.text),
         "write \"x\", \"y\" or \"z\"; for another direction put the shape on a frame that is turned there");
  made.axis = static_cast<std::size_t>(text.axis.text[0] - 'x');
  where.field = "colour";
  if (!text.colour.empty()) made.colour = read_colour(text.colour.text);
  if (!text.colour.empty() && !made.colour) {
    const std::string nearest = nearest_name(text.colour.text, names_of(colours));
    fail(where, text.colour.place, fmt::format("'{}' is not a colour", text.colour.text),
         nearest.empty() ? "write \"#3b7dd8\" or a name such as \"blue\"" : fmt::format("did you mean '{}'?", nearest));
  }
  where.field = "file";
  const bool is_mesh = rule->kind == ShapeKind::mesh;
  if (text.file.empty() == is_mesh)
    fail(
        where, text.file.place, is_mesh ? "a mesh needs a file" : fmt::format("a {} has no file", rule->name),
        is_mesh ? "write file = \"part.stl\", a path from the model file's folder" : "only a mesh is read from a file");
  if (is_mesh) made.file = (std::filesystem::path(description_.file).parent_path() / text.file.text).string();
  model_.shapes.push_back(std::move(made));
}

/// On a frame, or between two things.
void Elaborator::place_shape(const Member<ShapeText>& member, bool is_between, Shape& made) {
  const ShapeText& text = member.entry->what;
  Where where{"shapes", &member.entry->name, "between", &member.indices};
  if (is_between != !text.between.empty())
    fail(where, text.between.empty() ? text.kind.place : text.between[0].place,
         is_between ? fmt::format("a {} is between two places", text.kind.text)
                    : fmt::format("a {} is on a frame, not between two places", text.kind.text),
         is_between ? "write between = [\"A\", \"B\"] with two points, bodies or frames"
                    : "write frame = \"...\", or use a rod, line or spring");
  if (!is_between) {
    where.field = "frame";
    const std::string name = reference(where, text.frame);
    const auto found = things_.find(name);
    const bool is_body = found != things_.end() && found->second.kind == ThingKind::body;
    made.frame = is_body ? frame_of(found->second) : find_frame(where, text.frame);
    where.field = "at";
    const Vector3 inside = vector(where, text.at, {member.indices});
    const Text& blamed = text.at.empty() ? member.entry->name : text.at.parts[0];
    require(where, blamed, inside, in_positions, "t, coordinates and parameters");
    made.at = guarded(where, blamed, [&] { return carry(made.frame, inside).first; });
    return;
  }
  if (text.between.size() != 2)
    fail(where, text.between[0].place, fmt::format("{} names", text.between.size()),
         "write between = [\"A\", \"B\"]: two");
  for (const Text& end : text.between) {
    const std::string name = reference(where, end);
    const auto found = things_.find(name);
    if (found == things_.end()) {
      const std::string nearest = nearest_name(name, known_things());
      fail(where, end.place, fmt::format("there is no point, body or frame '{}'", name),
           nearest.empty() ? "describe it in [points], [bodies] or [frames]"
                           : fmt::format("did you mean '{}'?", nearest));
    }
    const Vector3 position = spot(found->second, name).position;
    &end == &text.between[0] ? made.at = position : made.to.emplace(position);
  }
}

}  // namespace dalembert
