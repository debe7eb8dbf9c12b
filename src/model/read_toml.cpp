#include <fmt/format.h>

// toml++ 3.3 asserts that a key begins with a key's character, and refuses it with a proper error in the next line.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <dalembert/model/description.hpp>

#include "model/limits.hpp"
#include "model/plain_toml.hpp"
#include "model/source.hpp"

// TOML to a Description: what stands where, with its place. Nothing is interpreted here.

namespace dalembert {
namespace {

Place place_of(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }

std::string_view kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer:
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    default: return "a date or time";
  }
}

std::string join(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

struct Item {
  std::string key;
  Place place;  // of the key
  const toml::node* node;
};

class Reader {
 public:
  /// `plain` is what the library read of `text`.
  Reader(std::string_view text, const PlainToml& plain, std::string file)
      : source_(text), plain_(plain), file_(std::move(file)) {}

  Description read(const toml::table& root) {
    Description d;
    d.file = file_;
    check_keys(root, "", {"name",   "about",   "gravity",   "repeat",  "parameters", "coordinates", "definitions",
                          "frames", "points",  "bodies",    "energy",  "forces",     "constraints", "initial",
                          "frame",  "release", "reduction", "outputs", "events",     "simulate"});
    d.name = string_at(root, "name").text;
    d.about = string_at(root, "about").text;
    d.gravity = vector_at(root, "", "gravity");
    each(root, "repeat", [&](const Item& item, const std::string& key) {
      d.repeats.push_back({name_of(item), read_range(*item.node, key)});
    });
    each(root, "parameters", [&](const Item& item, const std::string& key) {
      d.parameters.push_back({name_of(item), formula(*item.node, key)});
    });
    each(root, "coordinates", [&](const Item& item, const std::string& key) {
      d.coordinates.push_back({name_of(item), read_coordinate(*item.node, key)});
    });
    each(root, "definitions", [&](const Item& item, const std::string& key) {
      d.definitions.push_back({name_of(item), vector(*item.node, key)});
    });
    each(root, "frames", [&](const Item& item, const std::string& key) {
      d.frames.push_back({name_of(item), read_frame(*item.node, key)});
    });
    each(root, "points", [&](const Item& item, const std::string& key) {
      d.points.push_back({name_of(item), read_point(*item.node, key)});
    });
    each(root, "bodies", [&](const Item& item, const std::string& key) {
      d.bodies.push_back({name_of(item), read_body(*item.node, key)});
    });
    read_energy(root, d.energy);
    each(root, "forces", [&](const Item& item, const std::string& key) {
      d.forces.push_back({name_of(item), formula(*item.node, key)});
    });
    each(root, "constraints", [&](const Item& item, const std::string& key) {
      d.constraints.push_back({name_of(item), read_constraint(*item.node, key)});
    });
    each(root, "initial", [&](const Item& item, const std::string& key) {
      d.initial.push_back({name_of(item), string(*item.node, key)});
    });
    each(root, "frame", [&](const Item& item, const std::string& key) {
      d.quasi_velocities.push_back({name_of(item), formula(*item.node, key)});
    });
    each(root, "release", [&](const Item& item, const std::string& key) {
      d.releases.push_back({name_of(item), read_release(*item.node, key)});
    });
    read_reduction(root, d.reduction);
    each(root, "outputs", [&](const Item& item, const std::string& key) {
      d.outputs.push_back({name_of(item), vector(*item.node, key)});
    });
    each(root, "events", [&](const Item& item, const std::string& key) {
      d.events.push_back({name_of(item), read_event(*item.node, key)});
    });
    read_simulate(root, d.simulate);
    return d;
  }

 private:
  Place place_of(const toml::source_region& region) const { return plain_.written(dalembert::place_of(region)); }
  Place place_of(const toml::node& node) const { return place_of(node.source()); }

  [[noreturn]] void fail(Place place, const std::string& key, std::string problem, std::string remedy) const {
    throw ModelError({file_, place, key, std::move(problem), std::move(remedy)});
  }
  [[noreturn]] void fail_type(const toml::node& node, const std::string& key, std::string_view expected) const {
    fail(place_of(node), key, fmt::format("expected {}, found {}", expected, kind_of(node)), "");
  }

  static std::string path(const std::string& table, std::string_view key) {
    return table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
  }

  // ------------------------------------------------------------------------------------------ tables

  /// The entries in the order written (the library sorts them by name).
  std::vector<Item> items(const toml::table& table) const {
    std::vector<Item> result;
    for (auto&& [key, node] : table) result.push_back({std::string(key.str()), place_of(key.source()), &node});
    std::ranges::stable_sort(result, [](const Item& a, const Item& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return result;
  }

  void check_keys(const toml::table& table, const std::string& where, const std::vector<std::string>& known) const {
    for (const Item& item : items(table)) {
      if (std::ranges::find(known, item.key) != known.end()) continue;
      std::string nearest = nearest_name(item.key, known);
      fail(item.place, path(where, item.key), "unknown key",
           nearest.empty() ? "expected one of " + join(known) : fmt::format("did you mean '{}'?", nearest));
    }
  }

  const toml::table& table(const toml::node& node, const std::string& key) const {
    if (const toml::table* found = node.as_table()) return *found;
    fail_type(node, key, "a table");
  }

  template <class Use>
  void each(const toml::table& root, const std::string& section, Use&& use) const {
    if (const toml::node* node = root.get(section))
      for (const Item& item : items(table(*node, section))) use(item, path(section, item.key));
  }

  Text name_of(const Item& item) const {
    std::string_view quoted = source_.from(item.place);
    bool quote = quoted.starts_with('"') || quoted.starts_with('\'');
    return {item.key, {item.place.line, item.place.column + (quote ? 1 : 0)}};
  }

  // ------------------------------------------------------------------------------------------ values

  /// A number or a formula.
  Text formula(const toml::node& node, const std::string& key) const {
    if (node.is_string()) return string(node, key);
    if (const auto* integer = node.as_integer()) return {std::to_string(integer->get()), place_of(node)};
    if (node.is_floating_point()) return decimal(node, key);
    fail_type(node, key, "a number or a formula in quotes");
  }

  /// The digits as written: the library has already rounded its own value.
  Text decimal(const toml::node& node, const std::string& key) const {
    std::string digits;
    for (char c : source_.from(place_of(node))) {
      if (c == '_' || (c == '+' && digits.empty())) continue;
      if ((c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') break;
      digits += c;
    }
    if (digits.empty() || digits == "-")
      fail(place_of(node), key, "a number that is not finite", "write a finite number");
    return {digits, place_of(node)};
  }

  Text string(const toml::node& node, const std::string& key) const {
    const auto* value = node.as_string();
    if (value == nullptr) fail_type(node, key, "a text in quotes");
    Place place = place_of(node);
    std::string_view source = source_.from(place);
    if (source.starts_with("\"\"\"") || source.starts_with("'''")) {
      source.remove_prefix(3);
      bool breaks = source.starts_with("\n") || source.starts_with("\r\n");  // not part of the text
      place = breaks ? Place{place.line + 1, 1} : Place{place.line, place.column + 3};
    } else {
      ++place.column;
    }
    return {value->get(), place};
  }

  VectorText vector(const toml::node& node, const std::string& key, bool is_inertia = false) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) {
      if (!node.is_string() && !node.is_number())
        fail_type(node, key, "a number, a formula in quotes or a list of three");
      return {formula(node, key)};
    }
    if (list->size() != 3 && !(is_inertia && list->size() == 6))
      fail(place_of(node), key, fmt::format("a list of {}", list->size()),
           is_inertia ? "expected xx yy zz, or xx yy zz xy yz zx" : "expected three components");
    VectorText result;
    result.place = place_of(node);
    for (const toml::node& part : *list) result.parts.push_back(formula(part, key));
    return result;
  }

  std::vector<Text> strings(const toml::node& node, const std::string& key) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) fail_type(node, key, "a list of names");
    std::vector<Text> result;
    for (const toml::node& part : *list) result.push_back(string(part, key));
    return result;
  }

  Text string_at(const toml::table& from, const std::string& key) const {
    const toml::node* node = from.get(key);
    return node != nullptr ? string(*node, key) : Text();
  }
  Text string_at(const toml::table& from, const std::string& where, const char* key, Text otherwise) const {
    const toml::node* node = from.get(key);
    return node != nullptr ? string(*node, path(where, key)) : otherwise;
  }
  Text formula_at(const toml::table& from, const std::string& where, const char* key, Text otherwise = {}) const {
    const toml::node* node = from.get(key);
    return node != nullptr ? formula(*node, path(where, key)) : otherwise;
  }
  VectorText vector_at(const toml::table& from, const std::string& where, const char* key, bool inertia = false) const {
    const toml::node* node = from.get(key);
    return node != nullptr ? vector(*node, path(where, key), inertia) : VectorText();
  }

  // ------------------------------------------------------------------------------------------ entries

  RangeText read_range(const toml::node& node, const std::string& key) const {
    Text range = string(node, key);
    std::size_t dots = range.text.find("..");
    if (dots == std::string::npos) fail(range.place, key, "not a range", "write it as \"1..N\"");
    Place after{range.place.line, range.place.column + dots + 2};
    return {{range.text.substr(0, dots), range.place}, {range.text.substr(dots + 2), after}};
  }

  CoordinateText read_coordinate(const toml::node& node, const std::string& key) const {
    const toml::table* both = node.as_table();
    if (both == nullptr) {
      if (!node.is_string() && !node.is_number())
        fail_type(node, key, "a number, a formula in quotes or { value, rate }, { guess }");
      return {formula(node, key), 0};
    }
    check_keys(*both, key, {"value", "rate", "guess", "rate_guess"});
    const bool guess = is_guess(*both, key, "value", "guess"), rate_guess = is_guess(*both, key, "rate", "rate_guess");
    return {formula_at(*both, key, guess ? "guess" : "value", 0),
            formula_at(*both, key, rate_guess ? "rate_guess" : "rate", 0), guess,
            rate_guess || (guess && both->get("rate") == nullptr)};
  }

  bool is_guess(const toml::table& entry, const std::string& key, const char* given, const char* guess) const {
    const toml::node* node = entry.get(guess);
    if (node != nullptr && entry.get(given) != nullptr)
      fail(place_of(*node), path(key, guess), fmt::format("both `{}` and `{}` are there", given, guess),
           fmt::format("`{}` is kept exactly, `{}` is solved for: write one of them", given, guess));
    return node != nullptr;
  }

  FrameText read_frame(const toml::node& node, const std::string& key) const {
    const toml::table& entry = table(node, key);
    check_keys(entry, key, {"parent", "origin", "rotate"});
    FrameText frame{string_at(entry, key, "parent", "world"), vector_at(entry, key, "origin"), {}};
    if (const toml::node* rotate = entry.get("rotate")) frame.rotate = read_rotations(*rotate, path(key, "rotate"));
    return frame;
  }

  std::vector<RotationText> read_rotations(const toml::node& node, const std::string& key) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) fail_type(node, key, "a list of rotations, as [[\"z\", \"theta\"]]");
    std::vector<RotationText> rotations;
    for (const toml::node& part : *list) {
      const toml::array* rotation = part.as_array();
      if (rotation == nullptr) fail_type(part, key, "a list of rotations, as [[\"z\", \"theta\"]]");
      RotationText result;
      for (const toml::node& word : *rotation) {
        if (&word == rotation->get(0)) {
          result.kind = string(word, key);
        } else {
          result.arguments.push_back(formula(word, key));
        }
      }
      if (result.kind.empty()) result.kind.place = place_of(part);
      rotations.push_back(std::move(result));
    }
    return rotations;
  }

  PointText read_point(const toml::node& node, const std::string& key) const {
    const toml::table& entry = table(node, key);
    check_keys(entry, key, {"frame", "position", "mass", "force"});
    return {string_at(entry, key, "frame", "world"), vector_at(entry, key, "position"), formula_at(entry, key, "mass"),
            vector_at(entry, key, "force")};
  }

  BodyText read_body(const toml::node& node, const std::string& key) const {
    const toml::table& entry = table(node, key);
    check_keys(entry, key, {"frame", "centre", "mass", "inertia", "force", "torque"});
    return {string_at(entry, key, "frame", {}),     vector_at(entry, key, "centre"), formula_at(entry, key, "mass"),
            vector_at(entry, key, "inertia", true), vector_at(entry, key, "force"),  vector_at(entry, key, "torque")};
  }

  void read_energy(const toml::table& root, EnergyText& energy) const {
    const toml::node* node = root.get("energy");
    if (node == nullptr) return;
    const toml::table& entry = table(*node, "energy");
    check_keys(entry, "energy", {"kinetic", "potential", "dissipation", "lagrangian"});
    energy = {formula_at(entry, "energy", "kinetic"), formula_at(entry, "energy", "potential"),
              formula_at(entry, "energy", "dissipation"), formula_at(entry, "energy", "lagrangian")};
  }

  ConstraintText read_constraint(const toml::node& node, const std::string& key) const {
    const toml::table* entry = node.as_table();
    if (entry == nullptr) {
      if (!node.is_string()) fail_type(node, key, "a relation in quotes or { relation, restitution }");
      return {string(node, key), {}};
    }
    check_keys(*entry, key, {"relation", "restitution"});
    if (entry->get("relation") == nullptr)
      fail(place_of(node), key, "no relation is given", "write { relation = \"z >= 0\", restitution = 0.8 }");
    return {string_at(*entry, key, "relation", {}), formula_at(*entry, key, "restitution")};
  }

  ReleaseText read_release(const toml::node& node, const std::string& key) const {
    const toml::table& entry = table(node, key);
    check_keys(entry, key, {"constraint", "points"});
    ReleaseText release{string_at(entry, key, "constraint", {}), {}};
    if (const toml::node* points = entry.get("points")) release.points = strings(*points, path(key, "points"));
    return release;
  }

  void read_reduction(const toml::table& root, ReductionText& reduction) const {
    const toml::node* node = root.get("reduction");
    if (node == nullptr) return;
    reduction.place = place_of(*node);
    for (const Item& item : items(table(*node, "reduction"))) {
      std::string key = path("reduction", item.key);
      if (item.key != "coordinates") {
        reduction.embedding.push_back({name_of(item), formula(*item.node, key)});
        continue;
      }
      for (const Item& inner : items(table(*item.node, key)))
        reduction.coordinates.push_back({name_of(inner), read_coordinate(*inner.node, path(key, inner.key))});
    }
    if (reduction.coordinates.empty())
      fail(reduction.place, "reduction", "no coordinates are given", "write coordinates = { s = 0 }");
  }

  EventText read_event(const toml::node& node, const std::string& key) const {
    const toml::table* entry = node.as_table();
    if (entry == nullptr) {
      if (!node.is_string()) fail_type(node, key, "a formula in quotes or { when, direction, action }");
      return {string(node, key), "either", "stop"};
    }
    check_keys(*entry, key, {"when", "direction", "action"});
    if (entry->get("when") == nullptr) fail(place_of(node), key, "no formula is given", "write { when = \"...\" }");
    return {formula_at(*entry, key, "when"), string_at(*entry, key, "direction", "either"),
            string_at(*entry, key, "action", "stop")};
  }

  void read_simulate(const toml::table& root, SimulateText& simulate) const {
    const toml::node* node = root.get("simulate");
    if (node == nullptr) return;
    const toml::table& entry = table(*node, "simulate");
    check_keys(entry, "simulate", {"until", "every", "tolerance", "principle", "multipliers"});
    simulate.until = formula_at(entry, "simulate", "until");
    simulate.every = formula_at(entry, "simulate", "every");
    simulate.tolerance = formula_at(entry, "simulate", "tolerance");
    simulate.principle = string_at(entry, "simulate", "principle", {});
    const toml::node* multipliers = entry.get("multipliers");
    if (multipliers == nullptr) return;
    for (const Item& item : items(table(*multipliers, "simulate.multipliers")))
      simulate.multipliers.push_back({name_of(item), formula(*item.node, path("simulate.multipliers", item.key))});
  }

  Source source_;
  const PlainToml& plain_;
  std::string file_;
};

}  // namespace

namespace {

/// "m = 1,5": a comma where TOML expects the end of the line.
bool has_decimal_comma(std::string_view line) {
  auto skip = [&](std::string_view characters) {
    line.remove_prefix(std::min(line.find_first_not_of(characters), line.size()));
  };
  line = line.substr(0, line.find('\n'));
  line.remove_prefix(std::min(line.find('='), line.size()));
  skip("= \t+-");
  const std::size_t before = line.size();
  skip("0123456789");
  return line.size() < before && line.size() > 1 && line[0] == ',' && line[1] >= '0' && line[1] <= '9';
}

}  // namespace

Description parse_description(std::string_view text, const std::string& file) {
  if (text.size() > limits::file_size)
    throw ModelError(
        {file,
         {},
         "",
         fmt::format("the file has {} bytes, more than {} (limit `file_size`)", text.size(), limits::file_size),
         "a large model is a short file with [repeat]"});
  PlainToml plain(text, file);
  toml::table root;
  try {
    root = toml::parse(plain.text(), file);
  } catch (const toml::parse_error& error) {
    Place place = plain.written(place_of(error.source()));
    bool comma = has_decimal_comma(Source(text).from({place.line, 1}));
    throw ModelError({file, place, "", std::string(error.description()),
                      comma ? "write decimals with a point, as 1.5" : "expected a TOML file"});
  }
  return Reader(text, plain, file).read(root);
}

}  // namespace dalembert
