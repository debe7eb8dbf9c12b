#include <fmt/format.h>

#include <algorithm>

#include "model/elaborator.hpp"
#include "model/limits.hpp"

// Families are expanded and names declared before any formula is looked at.

namespace dalembert {
namespace {

constexpr std::string_view reserved[] = {"pi",           "t",     "energy", "residual", "position", "velocity",
                                         "acceleration", "omega", "axis",   "reaction", "sum"};

bool is_reserved(std::string_view name) {
  return std::ranges::find(reserved, name) != std::end(reserved) || is_builtin_function(name);
}

/// One name and nothing else, as formulas read it.
bool is_name(const std::string& text) {
  if (text.find('{') != std::string::npos) return false;
  try {
    Formula formula = parse_syntax(text);
    const SyntaxNode& node = formula.nodes.back();
    return node.kind == SyntaxNode::Kind::name && node.primes == 0 && node.text == text;
  } catch (const FormulaError&) {
    return false;
  }
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates, std::string otherwise) {
  std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? otherwise : fmt::format("did you mean '{}'?", nearest);
}

std::string at_line(Place place) { return place.line == 0 ? "" : fmt::format(" at line {}", place.line); }

}  // namespace

/// Entries in the order written; neighbours with the same indices are one family and go index by index:
/// x{k}, y{k} give x1, y1, x2, y2, ...
template <class T>
std::vector<Member<T>> Elaborator::expand(const std::vector<Named<T>>& entries, std::string_view section) {
  std::vector<Member<T>> members;
  for (std::size_t begin = 0; begin < entries.size();) {
    Where where{section, &entries[begin].name};
    std::vector<std::string> indices =
        guarded(where, entries[begin].name, [&] { return families_.indices_in(entries[begin].name.text); });
    std::size_t end = begin + 1;
    while (!indices.empty() && end < entries.size() && guarded({section, &entries[end].name}, entries[end].name, [&] {
                                                         return families_.indices_in(entries[end].name.text);
                                                       }) == indices)
      ++end;
    for (const Indices& values : guarded(where, entries[begin].name, [&] { return families_.combinations(indices); }))
      for (std::size_t i = begin; i < end; ++i) {
        Where here{section, &entries[i].name, {}, &values};
        if (++entries_ > limits::entries)
          fail(here, {}, fmt::format("more than {} entries in all (limit `entries`)", limits::entries),
               "use smaller families");
        members.push_back({reference(here, entries[i].name), &entries[i], values});
      }
    begin = end;
  }
  return members;
}

void Elaborator::check_name(const Where& where, const std::string& name) const {
  if (name.size() > limits::name_length)
    fail(where, {}, fmt::format("a name of more than {} bytes (limit `name_length`)", limits::name_length),
         "use a shorter name");
  if (!is_name(name))
    fail(where, {}, fmt::format("'{}' is not a name", name),
         "names are letters, digits and _, and begin with a letter");
}

void Elaborator::declare(const Where& where, const std::string& name, NameKind kind, std::size_t index) {
  constexpr std::string_view words[] = {
      "parameter", "coordinate", "coordinate of [reduction]", "definition", "quasi-velocity", "output", "input"};
  check_name(where, name);
  if (is_reserved(name)) fail(where, {}, fmt::format("the name '{}' is reserved", name), "use another name");
  auto [found, is_new] = names_.try_emplace(name, Name{kind, index, where.entry->place});
  if (!is_new)
    fail(where, {},
         fmt::format("the name '{}' is already that of the {}{}", name,
                     words[static_cast<std::size_t>(found->second.kind)], at_line(found->second.place)),
         "use another name");
}

void Elaborator::declare_thing(const Where& where, const std::string& name, ThingKind kind, std::size_t index) {
  constexpr std::string_view words[] = {"frame", "point", "body"};
  check_name(where, name);
  auto [found, is_new] = things_.try_emplace(name, Thing{kind, index, where.entry->place});
  if (is_new) return;
  bool stands_for_frame =
      kind == ThingKind::body && found->second.kind == ThingKind::frame && found->second.index == frame_of_body_[index];
  if (!stands_for_frame)
    fail(where, {},
         fmt::format("the name '{}' is already that of the {}{}", name,
                     words[static_cast<std::size_t>(found->second.kind)], at_line(found->second.place)),
         kind == ThingKind::body ? "a body may have the name of the frame that it uses only" : "use another name");
}

void Elaborator::declare_names() {
  parameters_ = expand(description_.parameters, "parameters");
  coordinates_ = expand(description_.coordinates, "coordinates");
  if (coordinates_.size() > limits::coordinates)
    fail({"coordinates", &coordinates_.back().entry->name}, {},
         fmt::format("{} coordinates, more than {} (limit `coordinates`)", coordinates_.size(), limits::coordinates),
         "use a smaller family");
  definitions_ = expand(description_.definitions, "definitions");
  inputs_ = expand(description_.inputs, "inputs");
  quasi_velocities_ = expand(description_.quasi_velocities, "frame");
  reduced_ = expand(description_.reduction.coordinates, "reduction.coordinates");
  outputs_ = expand(description_.outputs, "outputs");
  auto declare_all = [&](const auto& members, std::string_view section, NameKind kind) {
    for (std::size_t i = 0; i < members.size(); ++i)
      declare({section, &members[i].entry->name, {}, &members[i].indices}, members[i].name, kind, i);
  };
  names_.reserve(entries_ + description_.inputs.size());
  declare_all(parameters_, "parameters", NameKind::parameter);
  declare_all(coordinates_, "coordinates", NameKind::coordinate);
  declare_all(definitions_, "definitions", NameKind::definition);
  declare_all(quasi_velocities_, "frame", NameKind::quasi_velocity);
  declare_all(reduced_, "reduction.coordinates", NameKind::reduced);
  declare_all(outputs_, "outputs", NameKind::output);
  declare_inputs();
}

void Elaborator::declare_things() {
  frames_ = expand(description_.frames, "frames");
  points_ = expand(description_.points, "points");
  bodies_ = expand(description_.bodies, "bodies");
  things_.reserve(1 + frames_.size() + points_.size() + bodies_.size());
  things_.emplace("world", Thing{ThingKind::frame, 0, {}});
  for (std::size_t i = 0; i < frames_.size(); ++i)
    declare_thing({"frames", &frames_[i].entry->name, {}, &frames_[i].indices}, frames_[i].name, ThingKind::frame,
                  i + 1);
  for (std::size_t i = 0; i < points_.size(); ++i)
    declare_thing({"points", &points_[i].entry->name, {}, &points_[i].indices}, points_[i].name, ThingKind::point, i);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyText& body = bodies_[i].entry->what;
    Where where{"bodies", &bodies_[i].entry->name, {}, &bodies_[i].indices};
    if (body.frame.empty()) fail(where, {}, "a body needs a frame", "write frame = \"...\"");
    frame_of_body_.push_back(find_frame({"bodies", &bodies_[i].entry->name, "frame", &bodies_[i].indices}, body.frame));
    declare_thing(where, bodies_[i].name, ThingKind::body, i);
  }
}

void Elaborator::declare_constraints() {
  constraints_ = expand(description_.constraints, "constraints");
  releases_ = expand(description_.releases, "release");
  conditions_ = expand(description_.initial, "initial");
  forces_ = expand(description_.forces, "forces");
  embedding_ = expand(description_.reduction.embedding, "reduction");
  events_ = expand(description_.events, "events");
  shapes_ = expand(description_.shapes, "shapes");
  auto declare_in = [&](const Where& where, const std::string& name, bool is_release) {
    auto [found, is_new] = constraint_names_.try_emplace(name, ConstraintName{where.entry->place, is_release});
    if (!is_new)
      fail(where, {},
           fmt::format("the name '{}' is already that of the {}{}", name,
                       found->second.is_release ? "release" : "constraint", at_line(found->second.place)),
           "use another name");
  };
  constraint_names_.reserve(constraints_.size() + releases_.size());
  for (const Member<ConstraintText>& member : constraints_) {
    Where where{"constraints", &member.entry->name, {}, &member.indices};
    check_name(where, member.name);
    declare_in(where, member.name, false);
  }
  for (const Member<ReleaseText>& member : releases_)
    declare_in({"release", &member.entry->name, {}, &member.indices}, member.name, true);
  auto declare_own = [&](const auto& members, std::string_view section, std::string_view what) {
    std::unordered_map<std::string, Place> names;
    for (const auto& member : members) {
      Where where{section, &member.entry->name, {}, &member.indices};
      check_name(where, member.name);
      auto [found, is_new] = names.try_emplace(member.name, member.entry->name.place);
      if (!is_new)
        fail(where, {},
             fmt::format("the name '{}' is already that of the {}{}", member.name, what, at_line(found->second)),
             "use another name");
    }
  };
  declare_own(events_, "events", "event");
  declare_own(shapes_, "shapes", "shape");
  declare_own(conditions_, "initial", "condition");
}

std::string Elaborator::reference(const Where& where, const Text& text) {
  return guarded(where, text,
                 [&] { return families_.expand(text.text, where.indices != nullptr ? *where.indices : Indices{}); });
}

std::size_t Elaborator::find_frame(const Where& where, const Text& text) {
  std::string name = reference(where, text);
  auto found = things_.find(name);
  if (found != things_.end() && found->second.kind == ThingKind::frame) return found->second.index;
  std::vector<std::string> frames;
  for (const auto& [known, thing] : things_)
    if (thing.kind == ThingKind::frame) frames.push_back(known);
  std::ranges::sort(frames);
  fail(where, text.place, fmt::format("there is no frame '{}'", name),
       did_you_mean(name, frames, "describe it as [frames." + name + "]"));
}

std::size_t Elaborator::find_coordinate(const Where& where, const Text& text) {
  std::string name = reference(where, text);
  auto found = names_.find(name);
  if (found != names_.end() && found->second.kind == NameKind::coordinate) return found->second.index;
  std::vector<std::string> coordinates;
  for (const Member<CoordinateText>& member : coordinates_) coordinates.push_back(member.name);
  fail(where, text.place, fmt::format("there is no coordinate '{}'", name),
       did_you_mean(name, coordinates, "expected the name of a coordinate"));
}

std::vector<std::string> Elaborator::known_names() const {
  std::vector<std::string> names;
  for (const auto& entry : names_) names.push_back(entry.first);
  for (std::string_view word : reserved) names.emplace_back(word);
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> Elaborator::known_things() const {
  std::vector<std::string> names;
  for (const auto& entry : things_) names.push_back(entry.first);
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> Elaborator::known_constraints() const {
  std::vector<std::string> names;
  for (const auto& entry : constraint_names_) names.push_back(entry.first);
  std::ranges::sort(names);
  return names;
}

const Text& Elaborator::overridden(const std::string& name, const Text& written, Where& where) {
  auto found = override_texts_.find(name);
  if (found == override_texts_.end()) return written;
  where = {"", &found->second.name};
  return found->second.what;
}

void Elaborator::check_overrides() {
  for (const Override& change : overrides_) {
    std::string name = change.name;
    bool rate = name.ends_with('\'');
    if (rate) name.pop_back();
    auto found = names_.find(name);
    bool known = found != names_.end() &&
                 (found->second.kind == NameKind::coordinate || found->second.kind == NameKind::reduced ||
                  ((found->second.kind == NameKind::parameter || found->second.kind == NameKind::signal) && !rate));
    if (known) continue;
    std::vector<std::string> candidates;
    for (const auto& [candidate, entry] : names_)
      if (entry.kind == NameKind::coordinate || entry.kind == NameKind::reduced ||
          ((entry.kind == NameKind::parameter || entry.kind == NameKind::signal) && !rate))
        candidates.push_back(candidate);
    std::ranges::sort(candidates);
    throw ModelError(
        {description_.file,
         {},
         "--set " + change.name,
         fmt::format("there is no parameter or coordinate '{}'", name),
         did_you_mean(name, candidates, "expected a parameter, a coordinate or a coordinate's rate such as q'")});
  }
}

}  // namespace dalembert
