#include "model/limits.hpp"
#include "model/toml_reader.hpp"

// TOML to a Description: what stands where, with its place. Nothing is interpreted here.

namespace dalembert {
namespace {

class Reader : private TomlReader {
 public:
  using TomlReader::TomlReader;

  Description read(const toml::table& root) {
    Description d;
    d.file = file();
    check_keys(root, "", {"name",   "about",   "gravity",   "repeat",  "parameters", "coordinates", "definitions",
                          "frames", "points",  "bodies",    "energy",  "forces",     "constraints", "initial",
                          "frame",  "release", "reduction", "outputs", "events",     "simulate",    "inputs",
                          "shapes", "steady",  "inverse",   "periodic"});
    d.name = string_at(root, "name").text;
    d.about = string_at(root, "about").text;
    d.gravity = vector_at(root, "", "gravity");
    each(root, "repeat", [&](const Item& item, const std::string& key) {
      d.repeats.push_back({name_of(item), read_range(*item.node, key)});
    });
    each(root, "parameters", [&](const Item& item, const std::string& key) { read_parameter(item, key, d); });
    each(root, "inputs", [&](const Item& item, const std::string& key) {
      d.inputs.push_back({name_of(item), read_input(*item.node, key)});
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
    each(root, "shapes", [&](const Item& item, const std::string& key) {
      d.shapes.push_back({name_of(item), read_shape(*item.node, key)});
    });
    read_simulate(root, d.simulate);
    read_studies(root, d);
    return d;
  }

 private:
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

  /// One number or formula, or a list of them.
  std::vector<Text> formulas(const toml::node& node, const std::string& key) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) return {formula(node, key)};
    std::vector<Text> result;
    for (const toml::node& part : *list) result.push_back(formula(part, key));
    return result;
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

  void read_parameter(const Item& item, const std::string& key, Description& d) const {
    const toml::table* entry = item.node->as_table();
    if (entry == nullptr) {
      if (!item.node->is_string() && !item.node->is_number())
        fail_type(*item.node, key, "a number, a formula in quotes or { value, positive }");
      d.parameters.push_back({name_of(item), formula(*item.node, key)});
      return;
    }
    check_keys(*entry, key, {"value", "positive"});
    const toml::node* value = entry->get("value");
    if (value == nullptr) fail(place_of(*item.node), key, "no value is given", "write { value = 1, positive = true }");
    d.parameters.push_back({name_of(item), formula(*value, key + ".value")});
    const toml::node* positive = entry->get("positive");
    if (positive == nullptr) return;
    if (!positive->is_boolean()) fail_type(*positive, key + ".positive", "true or false");
    if (positive->value_or(false)) d.positive.push_back(name_of(item));
  }

  InputText read_input(const toml::node& node, const std::string& key) const {
    const toml::table* entry = node.as_table();
    if (entry == nullptr) {
      if (!node.is_string() && !node.is_number())
        fail_type(node, key, "a number, a formula of t in quotes or { file, column }");
      return {formula(node, key)};
    }
    check_keys(*entry, key, {"file", "column"});
    for (const char* part : {"file", "column"})
      if (string_at(*entry, key, part, {}).text.empty())
        fail(place_of(node), key, fmt::format("no {} is given", part),
             "write { file = \"u.csv\", column = \"torque\" }");
    return {string_at(*entry, key, "file", {}), string_at(*entry, key, "column", {})};
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

  ShapeText read_shape(const toml::node& node, const std::string& key) const {
    const toml::table& entry = table(node, key);
    check_keys(entry, key, {"kind", "frame", "size", "at", "axis", "between", "colour", "file"});
    ShapeText shape;
    shape.kind = string_at(entry, key, "kind", {});
    shape.frame = string_at(entry, key, "frame", "world");
    if (const toml::node* size = entry.get("size")) shape.size = formulas(*size, path(key, "size"));
    shape.at = vector_at(entry, key, "at");
    shape.axis = string_at(entry, key, "axis", "z");
    if (const toml::node* between = entry.get("between")) shape.between = strings(*between, path(key, "between"));
    if (const toml::node* given = between_and(entry); given != nullptr)
      fail(place_of(*given), key, "`between` says where it is already",
           "leave `frame`, `at` and `axis` out, or leave `between` out");
    shape.colour = string_at(entry, key, "colour", {});
    shape.file = string_at(entry, key, "file", {});
    return shape;
  }
  /// What `between` leaves no room for.
  static const toml::node* between_and(const toml::table& entry) {
    if (entry.get("between") == nullptr) return nullptr;
    for (const char* other : {"frame", "at", "axis"})
      if (const toml::node* given = entry.get(other)) return given;
    return nullptr;
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

  /// What commands solve for: [steady], [inverse], [periodic].
  void read_studies(const toml::table& root, Description& d) const {
    if (const toml::node* node = root.get("steady")) {
      const toml::table& entry = table(*node, "steady");
      check_keys(entry, "steady", {"constant"});
      if (const toml::node* list = entry.get("constant")) d.steady.constant = strings(*list, "steady.constant");
    }
    if (const toml::node* node = root.get("inverse")) {
      const toml::table& entry = table(*node, "inverse");
      check_keys(entry, "inverse", {"follow", "by"});
      if (const toml::node* follow = entry.get("follow"))
        for (const Item& item : items(table(*follow, "inverse.follow")))
          d.inverse.follow.push_back({name_of(item), formula(*item.node, path("inverse.follow", item.key))});
      if (const toml::node* list = entry.get("by")) d.inverse.by = strings(*list, "inverse.by");
    }
    if (const toml::node* node = root.get("periodic")) {
      const toml::table& entry = table(*node, "periodic");
      check_keys(entry, "periodic", {"section", "period", "free"});
      d.periodic.section = string_at(entry, "periodic", "section", {});
      d.periodic.period = formula_at(entry, "periodic", "period");
      if (const toml::node* list = entry.get("free")) d.periodic.free = strings(*list, "periodic.free");
    }
  }
};

}  // namespace

Description parse_description(std::string_view text, const std::string& file) {
  const ParsedToml parsed(text, file);
  return Reader(text, parsed.plain, file).read(parsed.root);
}

}  // namespace dalembert
