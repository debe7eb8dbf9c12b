#include <cmath>
#include <dalembert/expr/evaluator.hpp>
#include <dalembert/study/sweep.hpp>
#include <filesystem>

#include "model/read_text.hpp"
#include "model/toml_reader.hpp"

// A study file to a Sweep: names and formulas as written, numbers that vary as numbers.

namespace dalembert {
namespace {

constexpr double most_values = 1e7;  // of one axis

class StudyReader : private TomlReader {
 public:
  using TomlReader::TomlReader;

  Study read(const toml::table& root) {
    check_keys(root, "", {"model", "set", "vary", "list", "draw", "keep", "section", "motion", "run"});
    Study study;
    study.sweep.file = file();
    study.model = string_at(root, "model").text;
    if (study.model.empty()) fail({}, "model", "no model is named", "write model = \"FILE.toml\" or \"models:NAME\"");
    each(root, "set", [&](const Item& item, const std::string& key) {
      study.sweep.set.push_back({item.key, formula(*item.node, key).text});
    });
    read_axes(root, study.sweep);
    each(root, "keep", [&](const Item& item, const std::string& key) {
      study.sweep.keep.push_back({name_of(item), formula(*item.node, key)});
    });
    if (const toml::node* node = root.get("section")) study.sweep.section = read_section(table(*node, "section"));
    if (const toml::node* node = root.get("motion")) {
      const toml::table& motion = table(*node, "motion");
      check_keys(motion, "motion", {"columns"});
      study.sweep.motion = columns_at(motion, "motion");
    }
    if (const toml::node* node = root.get("run")) read_run(table(*node, "run"), study);
    if (study.sweep.keep.empty() && !study.sweep.section && study.sweep.motion.empty())
      fail({}, "keep", "nothing is kept of the runs", "add [keep], [section] or [motion]");
    return study;
  }

 private:
  // ------------------------------------------------------------------------------------------ what varies

  void read_axes(const toml::table& root, Sweep& sweep) {
    const bool varies = root.get("vary") != nullptr, lists = root.get("list") != nullptr;
    if (varies == lists)
      fail({}, varies ? "list" : "vary", varies ? "both [vary] and [list] are there" : "nothing varies",
           "write [vary] for every combination of the values, or [list] for the first of all, the second of all, ...");
    const toml::node* draw = root.get("draw");
    const bool draws = draw != nullptr;
    if (draw != nullptr) read_draw(table(*draw, "draw"), sweep);
    if (lists && draws) fail({}, "draw", "a list is not drawn", "draw from the ranges of [vary]");
    if (lists) sweep.kind = SweepKind::list;
    each(root, lists ? "list" : "vary", [&](const Item& item, const std::string& key) {
      sweep.axes.push_back({name_of(item), read_values(*item.node, key, draws)});
    });
  }

  void read_draw(const toml::table& entry, Sweep& sweep) const {
    check_keys(entry, "draw", {"kind", "count", "seed"});
    const Text kind = string_at(entry, "draw", "kind", "random");
    if (kind.text != "random" && kind.text != "sobol")
      fail(kind.place, "draw.kind", "'" + kind.text + "' is no way to draw", "write \"random\" or \"sobol\"");
    sweep.kind = kind.text == "sobol" ? SweepKind::sobol : SweepKind::random;
    sweep.count = count_at(entry, "draw", "count", 0);
    sweep.seed = count_at(entry, "draw", "seed", 1);
  }

  std::size_t count_at(const toml::table& entry, const std::string& where, const char* key,
                       std::size_t otherwise) const {
    const toml::node* node = entry.get(key);
    if (node == nullptr) return otherwise;
    const auto* number = node->as_integer();
    if (number == nullptr || number->get() < 0)
      fail(place_of(*node), path(where, key), "expected a whole number that is not negative", "write it as 100");
    return static_cast<std::size_t>(number->get());
  }

  std::vector<double> read_values(const toml::node& node, const std::string& key, bool draws) const {
    if (const toml::array* list = node.as_array()) {
      if (draws) fail(place_of(node), key, "a draw needs a range, not a list", "write it as \"LOW:HIGH\"");
      std::vector<double> values;
      for (const toml::node& part : *list) values.push_back(number_of(formula(part, key), key));
      return values;
    }
    const Text text = formula(node, key);
    std::vector<Text> parts = split(text);
    if (draws != (parts.size() == 2) || parts.size() > 3)
      fail(text.place, key, "'" + text.text + "' is no " + (draws ? "range to draw from" : "range with a step"),
           draws ? "write it as \"LOW:HIGH\"" : "write it as \"FIRST:LAST:STEP\", or a list, or add [draw]");
    if (parts.size() == 3) return steps(parts, key);
    std::vector<double> values;
    for (const Text& part : parts) values.push_back(number_of(part, key));
    if (draws && !(values[0] < values[1]))
      fail(text.place, key, "the range has no width", "write the smaller end first");
    return values;
  }

  static std::vector<Text> split(const Text& text) {
    std::vector<Text> parts;
    std::size_t begin = 0;
    while (true) {
      const std::size_t colon = std::min(text.text.find(':', begin), text.text.size());
      Place place = text.place;
      if (place.line != 0) place.column += begin;
      parts.emplace_back(text.text.substr(begin, colon - begin), place);
      if (colon == text.text.size()) return parts;
      begin = colon + 1;
    }
  }

  /// FIRST, FIRST + STEP, ... up to LAST: each is rounded once, so 0.3 is what comes after 0.2 in steps of 0.1.
  std::vector<double> steps(const std::vector<Text>& parts, const std::string& key) const {
    Graph graph;
    const Expr first = constant_of(graph, parts[0], key), last = constant_of(graph, parts[1], key),
               step = constant_of(graph, parts[2], key);
    if (evaluate_constant(step) == 0) fail(parts[2].place, key, "a step of zero", "give another step");
    const double count = evaluate_constant((last - first) / step);
    if (!(count >= -1e-9 && count < most_values))
      fail(parts[2].place, key, fmt::format("these are {} steps", count + 1),
           "give a step that leads from the first value to the last");
    return steps(parts, key, static_cast<long>(std::floor(count * (1 + 1e-12) + 1e-9)) + 1);
  }

  std::vector<double> steps(const std::vector<Text>& parts, const std::string& key, long count) const {
    constexpr long at_once = 1000;  // a graph keeps all that was made in it
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    for (long begin = 0; begin < count; begin += at_once) {
      Graph graph;
      const Expr first = constant_of(graph, parts[0], key), step = constant_of(graph, parts[2], key);
      for (long k = begin; k < std::min(begin + at_once, count); ++k)
        values.push_back(evaluate_constant(first + graph.constant(k) * step));
    }
    return values;
  }

  static double evaluate_constant(const Expr& expression) { return Evaluator({&expression, 1}, {})({})[0]; }

  Expr constant_of(Graph& graph, const Text& text, const std::string& key) const {
    try {
      const Expr value = parse_expression(graph, text.text);
      if (std::isfinite(evaluate_constant(value))) return value;
    } catch (const FormulaError& error) {
      fail(text.place, key, error.complaint().problem, error.complaint().remedy);
    }
    fail(text.place, key, "'" + text.text + "' is no number", "write numbers, as 0.1 or \"pi/2\"");
  }

  double number_of(const Text& text, const std::string& key) const {
    Graph graph;
    return evaluate_constant(constant_of(graph, text, key));
  }

  // ------------------------------------------------------------------------------------------ what is kept

  /// One formula, or a list of them.
  std::vector<Text> texts_at(const toml::table& entry, const std::string& where, const char* key) const {
    const toml::node* node = entry.get(key);
    if (node == nullptr) return {};
    if (node->is_array()) return strings(*node, path(where, key));
    return {string(*node, path(where, key))};
  }

  std::vector<Text> columns_at(const toml::table& entry, const std::string& where) const {
    std::vector<Text> columns = texts_at(entry, where, "columns");
    if (entry.get("columns") != nullptr && columns.empty())
      fail(place_of(*entry.get("columns")), where + ".columns", "the list is empty", "name some columns");
    return columns;
  }

  SweepSection read_section(const toml::table& entry) const {
    check_keys(entry, "section", {"event", "when", "direction", "every", "skip", "columns"});
    SweepSection section;
    section.events = texts_at(entry, "section", "event");
    section.when = formula_at(entry, "section", "when");
    section.direction = string_at(entry, "section", "direction", "either");
    section.every = formula_at(entry, "section", "every");
    section.skip = count_at(entry, "section", "skip", 0);
    section.columns = columns_at(entry, "section");
    return section;
  }

  void read_run(const toml::table& entry, Study& study) const {
    check_keys(entry, "run", {"until", "every", "tolerance", "chunks"});
    study.sweep.until = formula_at(entry, "run", "until");
    study.sweep.every = formula_at(entry, "run", "every");
    study.sweep.tolerance = formula_at(entry, "run", "tolerance");
    study.chunks = count_at(entry, "run", "chunks", 0);
  }
};

}  // namespace

Study parse_study(std::string_view text, const std::string& file) {
  const ParsedToml parsed(text, file);
  return StudyReader(text, parsed.plain, file).read(parsed.root);
}

Study read_study(const std::string& path) {
  Study study = parse_study(read_text(path, "give the path of a study file"), path);
  const std::filesystem::path model = study.model;
  if (!study.model.starts_with("models:") && model.is_relative())
    study.model = std::filesystem::path(path).parent_path() / model;
  return study;
}

}  // namespace dalembert
