#include "study/sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/formula.hpp>
#include <set>

namespace dalembert {
namespace {

using When = KeptColumn::When;

constexpr const char* column_stem = "sweep_column";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// A kept formula: max(...) or min(...) of one argument, or a value at the end.
struct Asked {
  Text formula;
  When when = When::end;
};

/// The text of the only argument, with its place.
Text argument_of(const Text& call) {
  const std::size_t open = call.text.find('('), close = call.text.rfind(')');
  Text argument(call.text.substr(open + 1, close - open - 1), call.place);
  if (call.place.line != 0) argument.place.column += open + 1;
  return argument;
}

Asked read_kept(const Text& formula) {
  try {
    const Formula syntax = parse_syntax(formula.text);
    const SyntaxNode& root = syntax.nodes[syntax.left];
    if (root.kind == SyntaxNode::Kind::call && root.children == 1 && (root.text == "max" || root.text == "min"))
      return {argument_of(formula), root.text == "max" ? When::largest : When::smallest};
  } catch (const FormulaError&) {  // said where the formula gets its meaning
  }
  return {formula, When::end};
}

/// The description with what the study adds. Everything that is kept becomes an output of its own, so that it is
/// computed like any other column; extremes of the state are found as zeros of their rate.
class Extension {
 public:
  Extension(const Description& model, const Sweep& sweep) : description_(model), sweep_(sweep) {
    for (const auto& entry : model.parameters) names_.insert(entry.name.text);
    for (const auto& entry : model.definitions) names_.insert(entry.name.text);
    for (const auto& entry : model.outputs) names_.insert(entry.name.text);
    for (const auto& entry : model.quasi_velocities) names_.insert(entry.name.text);
    for (const auto& entry : model.reduction.coordinates) names_.insert(entry.name.text);
    for (const auto& entry : model.coordinates) names_.insert(entry.name.text);
    for (const auto& entry : model.events) events_.insert(entry.name.text);
    const SweepSection* section = sweep.section ? &*sweep.section : nullptr;
    if (!sweep.until.empty()) description_.simulate.until = sweep.until;
    if (!sweep.tolerance.empty()) description_.simulate.tolerance = sweep.tolerance;
    const Text& every = section != nullptr && !section->every.empty() ? section->every : sweep.every;
    if (!every.empty()) description_.simulate.every = every;
  }

  /// The column of a formula: one that is there, or an output added for it.
  std::string column_of(const Text& formula, const std::string& key) {
    const std::string text = trimmed(formula.text);
    const bool is_call = (text.starts_with("reaction(") || text.starts_with("multiplier(")) &&
                         text.find_first_of("()", text.find('(') + 1) == text.size() - 1;
    if (text == "t" || text == "energy" || text == "residual" || is_call) return text;
    const std::string name = fresh(column_stem);
    keys_.push_back({"outputs." + name, key});
    description_.output(name, formula);
    return name;
  }

  /// Its extremes are events: where its rate changes sign. Where it reads what only rows know they are looked for
  /// there.
  bool watch(const Text& formula, When when, const std::string& key) {
    if (!is_of_state(formula.text)) return false;
    const std::string name = fresh("sweep_extreme");
    keys_.push_back({"definitions." + name, key});
    description_.definition(name, formula);
    add_event(name + "'", when == When::largest ? "falling" : "rising", key);
    return true;
  }

  std::string add_event(const Text& when, const Text& direction, const std::string& key) {
    const std::string name = fresh("sweep_event");
    keys_.push_back({"events." + name, key});
    description_.event(name, {.when = when, .direction = direction, .action = "record"});
    events_.insert(name);
    return name;
  }

  bool has_parameter(const std::string& name) const {
    return std::ranges::any_of(description_.parameters, [&](const auto& entry) { return entry.name.text == name; });
  }
  bool has_event(const std::string& name) const { return events_.contains(name); }
  std::vector<std::string> event_names() const { return {events_.begin(), events_.end()}; }

  /// What is wrong with what was added is said with the study's place and key.
  Model make() const {
    try {
      return make_model(description_, sweep_.set);
    } catch (const ModelError& error) {
      Complaint complaint = error.complaint();
      for (const Added& added : keys_)
        if (complaint.key == added.key || complaint.key.starts_with(added.key + ".")) {
          complaint.file = sweep_.file;
          complaint.key = added.shown;
          throw ModelError(complaint);
        }
      const Text strobes = sweep_.section ? sweep_.section->every : Text();
      for (const auto& [key, text, table] :
           {std::tuple("until", &sweep_.until, "run"), std::tuple("tolerance", &sweep_.tolerance, "run"),
            std::tuple("every", &sweep_.every, "run"), std::tuple("every", &strobes, "section")})
        if (complaint.key == fmt::format("simulate.{}", key) && !text->empty()) {
          complaint.file = sweep_.file;
          complaint.key = fmt::format("{}.{}", table, key);
          throw ModelError(complaint);
        }
      throw;
    }
  }

 private:
  struct Added {
    std::string key, shown;
  };

  std::string fresh(const std::string& stem) {
    std::string name;
    do name = fmt::format("{}_{}", stem, ++count_);
    while (names_.contains(name) || events_.contains(name));
    return name;
  }

  /// It reads time, coordinates, rates and parameters only: definitions may say it, and its rate can be formed.
  bool is_of_state(const std::string& text) const {
    const auto is_later = [this](const std::string& name) {
      const auto named = [&name](const auto& entry) { return entry.name.text == name; };
      return name == "energy" || std::ranges::any_of(description_.outputs, named) ||
             std::ranges::any_of(description_.quasi_velocities, named);
    };
    try {
      for (const SyntaxNode& node : parse_syntax(text).nodes) {
        if (node.kind == SyntaxNode::Kind::name && (node.primes > 1 || is_later(node.text))) return false;
        if (node.kind == SyntaxNode::Kind::call && (node.text == "reaction" || node.text == "acceleration"))
          return false;
      }
    } catch (const FormulaError&) {
      return false;
    }
    return true;
  }

  Description description_;
  const Sweep& sweep_;
  std::set<std::string> names_, events_;
  std::vector<Added> keys_;
  int count_ = 0;
};

/// What heads a column is a name or a formula: nothing that a spreadsheet would act on.
void check_heading(const Sweep& sweep, const Text& name, const std::string& key) {
  try {
    parse_syntax(name.text);
  } catch (const FormulaError&) {
    refuse(sweep, name, key, fmt::format("'{}' is not a name", name.text),
           "names are letters, digits and _, and begin with a letter");
  }
}

/// Columns by name, before the system tells where they are.
struct Names {
  std::vector<std::string> kept, section, motion;
};

void extend_kept(Extension& model, const Sweep& sweep, SweepLayout& layout, Names& names) {
  std::set<std::string> taken = {"run", "t", "status", "message"};
  const auto take = [&](const Text& name, const std::string& key, const std::string& column) {
    if (!taken.insert(column).second)
      refuse(sweep, name, key, fmt::format("there is already a column {}", column), "use another name");
  };
  for (const SweepAxis& axis : sweep.axes)
    take(axis.name, "vary." + axis.name.text, axis.name.text + (model.has_parameter(axis.name.text) ? "" : "(0)"));
  for (const SweepKeep& keep : sweep.keep) {
    const std::string key = "keep." + keep.name.text;
    check_heading(sweep, keep.name, key);
    const auto [formula, when] = read_kept(keep.formula);
    take(keep.name, key, keep.name.text);
    if (when != When::end) take(keep.name, key, keep.name.text + ".t");
    names.kept.push_back(model.column_of(formula, key));
    layout.kept.push_back({keep.name.text, 0, when});
    if (when != When::end && !model.watch(formula, when, key)) layout.reads_rows = true;
  }
}

void extend_section(Extension& model, const Sweep& sweep, SweepLayout& layout, Names& names) {
  if (!sweep.section) return;
  const SweepSection& section = *sweep.section;
  const int ways = (section.events.empty() ? 0 : 1) + (section.when.empty() ? 0 : 1) + (section.every.empty() ? 0 : 1);
  if (ways != 1)
    refuse(sweep, {}, "section", "one of `event`, `when` and `every` is needed",
           "write event = \"NAME\" of the model, when = \"FORMULA\" or every = \"2*pi/w\"");
  for (const Text& event : section.events) {
    if (!model.has_event(event.text)) {
      const std::string nearest = nearest_name(event.text, model.event_names());
      refuse(
          sweep, event, "section.event", fmt::format("the model has no event {}", event.text),
          nearest.empty() ? "name one of its [events], or give when = \"FORMULA\"" : "did you mean " + nearest + "?");
    }
    layout.section_events.push_back(event.text);
  }
  if (!section.when.empty())
    layout.section_events.push_back(model.add_event(section.when, section.direction, "section.when"));
  layout.strobes = !section.every.empty();
  if (layout.strobes && !sweep.every.empty())
    refuse(sweep, section.every, "section.every", "rows are already at multiples of run.every", "give one of the two");
  for (const Text& column : section.columns) {
    names.section.push_back(model.column_of(column, "section.columns"));
    layout.section_names.push_back(trimmed(column.text));
  }
}

std::size_t find_column(const System& system, const std::string& name, const Sweep& sweep, const std::string& key) {
  const auto found = std::ranges::find(system.columns(), name);
  if (found == system.columns().end()) {
    const std::string nearest = nearest_name(name, system.columns());
    throw InputError({sweep.file,
                      {},
                      key,
                      fmt::format("the motion has no column {}", name),
                      nearest.empty() ? "check the name" : fmt::format("did you mean {}?", nearest)});
  }
  return static_cast<std::size_t>(found - system.columns().begin());
}

/// Where the columns are in the motion; the model's own, but for t, where a study names none.
void place_columns(const System& system, const Sweep& sweep, const Names& names, SweepLayout& layout) {
  for (std::size_t k = 0; k < layout.kept.size(); ++k)
    layout.kept[k].column = find_column(system, names.kept[k], sweep, "keep." + layout.kept[k].name);
  for (const std::string& name : names.section)
    layout.section_columns.push_back(find_column(system, name, sweep, "section.columns"));
  for (const std::string& name : names.motion)
    layout.motion_columns.push_back(find_column(system, name, sweep, "motion.columns"));
  if (!sweep.section || !names.section.empty()) return;
  for (std::size_t k = 1; k < system.columns().size(); ++k) {
    if (system.columns()[k].starts_with(column_stem)) continue;
    layout.section_columns.push_back(k);
    layout.section_names.push_back(system.columns()[k]);
  }
}

/// Wrong names are said before the first run, not by each.
void check_axes(SweepPlan::Parts& parts) {
  const Model& model = parts.system.model();
  Workspace workspace = parts.system.make_workspace();
  const std::vector<double> values = run_values(parts.sweep, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Text& name = parts.sweep.axes[i].name;
    const bool is_parameter =
        std::ranges::any_of(model.parameters, [&](const Parameter& parameter) { return parameter.name == name.text; });
    parts.is_parameter.push_back(is_parameter);
    try {
      const NamedNumbers one = {{name.text, values[i]}};
      if (is_parameter)
        parts.system.set_parameters(workspace, one);
      else
        parts.system.initial_state(workspace, one);
    } catch (const InputError& error) {
      refuse(parts.sweep, name, "vary." + name.text, error.complaint().problem, error.complaint().remedy);
    }
  }
}

Equations derive(const Model& model) {
  return model.simulate.vakonomic ? derive_vakonomic(model) : derive_multipliers(model);
}

/// Until, every and tolerance of a run; what has no formula is a number of the model.
Evaluator make_times(const Model& model) {
  const SimulateSettings& own = model.simulate;
  Graph& graph = *model.graph;
  const auto given = [&](const Expr& formula, double number) {
    return formula ? formula : graph.constant_from_double(number);
  };
  const Expr until = given(own.formulas.until, own.until);
  const std::vector<Expr> formulas = {
      until,
      own.formulas.every || own.every_given ? given(own.formulas.every, own.every) : until / graph.constant(1000),
      given(own.formulas.tolerance, own.tolerance)};
  std::vector<Expr> symbols;
  for (const Parameter& parameter : model.parameters) symbols.push_back(parameter.symbol);
  return {formulas, symbols};
}

}  // namespace

SweepPlan::SweepPlan(const Description& description, const Sweep& sweep) {
  const std::size_t runs = count_runs(sweep);
  Extension extension(description, sweep);
  SweepLayout layout;
  Names names;
  extend_kept(extension, sweep, layout, names);
  extend_section(extension, sweep, layout, names);
  for (const Text& column : sweep.motion) {
    names.motion.push_back(extension.column_of(column, "motion.columns"));
    layout.motion_names.push_back(trimmed(column.text));
    layout.reads_rows = true;
  }
  const Model model = extension.make();
  const Equations equations = derive(model);
  System system(equations);
  std::optional<Ensemble> ensemble;
  if (Ensemble::applies(equations)) ensemble.emplace(system);
  place_columns(system, sweep, names, layout);
  auto parts = std::make_shared<Parts>(
      Parts{sweep, runs, std::move(layout), std::move(system), std::move(ensemble), make_times(model)});
  check_axes(*parts);
  parts_ = std::move(parts);
}

const Sweep& SweepPlan::sweep() const { return parts_->sweep; }
const std::string& SweepPlan::model_name() const { return parts_->system.model().name; }
std::size_t SweepPlan::run_count() const { return parts_->runs; }

SweepResult SweepPlan::make_empty() const {
  std::vector<std::string> head = {"run"};
  for (std::size_t i = 0; i < parts_->sweep.axes.size(); ++i)
    head.push_back(parts_->sweep.axes[i].name.text + (parts_->is_parameter[i] ? "" : "(0)"));
  SweepResult result;
  result.axes = parts_->sweep.axes.size();
  SweepTable& runs = result.tables.emplace_back(SweepTable{"runs", head, {"status", "message"}, {}, {}});
  for (const KeptColumn& kept : parts_->layout.kept) {
    runs.columns.push_back(kept.name);
    if (kept.when != When::end) runs.columns.push_back(kept.name + ".t");
  }
  runs.columns.push_back("t");
  const auto add = [&](const char* name, const std::vector<std::string>& own) {
    SweepTable& table = result.tables.emplace_back(SweepTable{name, head, {}, {}, {}});
    table.columns.push_back("t");
    table.columns.insert(table.columns.end(), own.begin(), own.end());
  };
  if (parts_->sweep.section) add("section", parts_->layout.section_names);
  if (parts_->layout.section_events.size() > 1) result.tables.back().labels = {"event"};
  if (!parts_->layout.motion_names.empty()) add("motion", parts_->layout.motion_names);
  return result;
}

}  // namespace dalembert
