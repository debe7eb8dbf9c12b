#include "report/page/tabs.hpp"

#include <algorithm>
#include <dalembert/base/printable.hpp>
#include <dalembert/program/javascript.hpp>

#include "model/vectors.hpp"
#include "report/dense_terms.hpp"
#include "report/latex_text.hpp"
#include "report/page/live.hpp"
#include "report/written_equations.hpp"

namespace dalembert {
namespace {

/// Values of terms in symbols of the state: other names are replaced by what they stand for.
class TermValues {
 public:
  explicit TermValues(const Equations& equations)
      : graph_(*equations.graph), inputs_(row_symbols(equations)), parameters_(parameter_symbols(*equations.model)) {
    for (const auto* list : {&inputs_, &parameters_})
      for (const Expr& symbol : *list) known_.push_back(symbol.id());
    std::ranges::sort(known_);
    define_model(equations);
    begin_section();
  }
  Graph& graph() const { return graph_; }
  bool is_vector(const std::string& name) const {
    const Expr component = graph_.symbol(name + ".x");
    return std::ranges::any_of(meaning_, [&](const Replacement& each) { return each.symbol == component; });
  }
  /// Names of parts mean something else from here on.
  void begin_section() { meaning_ = of_model_; }
  void define(const std::string& name, const std::vector<Expr>& value) {
    for (std::size_t k = 0; k < value.size(); ++k)
      meaning_.push_back(
          {graph_.symbol(value.size() == 1 ? name : name + "." + "xyz"[k]), substitute(value[k], meaning_)});
  }
  std::optional<std::size_t> add(Expr value) {
    if (!value) return {};
    const Expr meant = substitute(value, meaning_);
    for (const Expr& symbol : free_symbols({&meant, 1}))
      if (!is_known(symbol)) return {};
    values_.push_back(meant);
    return values_.size() - 1;
  }
  /// The places of all components, or null.
  Json add_vector(const std::vector<Expr>& components) {
    Json places = Json::array();
    for (const Expr& component : components)
      if (const std::optional<std::size_t> place = add(component)) places.push_back(*place);
    return places.size() == components.size() ? places : Json();
  }
  std::string javascript() const { return write_javascript(make_program(inputs_, parameters_, values_)); }

 private:
  bool is_known(const Expr& symbol) const { return std::ranges::binary_search(known_, symbol.id()); }
  void name_model(Expr symbol, Expr value) {
    if (!is_known(symbol) && symbol != value) of_model_.push_back({symbol, substitute(value, of_model_)});
  }
  /// What the reports of other commands are written in: the model's own rates, velocities and reactions.
  void define_model(const Equations& equations) {
    const Model& model = *equations.model;
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      name_model(model.coordinates[i].q, equations.model_coordinates[i]);
      name_model(model.coordinates[i].rate, equations.model_rates[i]);
      name_model(graph_.symbol(model.coordinates[i].name + "''"), equations.model_accelerations[i]);
    }
    for (const QuasiVelocity& velocity : model.quasi_velocities) name_model(velocity.symbol, velocity.formula);
    if (equations.quasi)
      for (const ReactionFormula& reaction : equations.quasi->reactions)
        name_model(graph_.symbol(reaction_symbol(reaction.name)), reaction.value);
    for (const ReactionFormula& release : equations.released)
      name_model(graph_.symbol(reaction_symbol(release.name)), release.value);
  }

  Graph& graph_;
  std::vector<Expr> inputs_, parameters_, values_;
  std::vector<NodeId> known_;
  std::vector<Replacement> of_model_, meaning_;
};

Json describe_side(const std::vector<WrittenTerm>& terms, TermValues& values) {
  Json side = Json::array();
  for (const WrittenTerm& term : terms) {
    Json one{{"latex", term.text}, {"negative", term.is_negative}};
    if (const std::optional<std::size_t> place = values.add(term.value)) one["value"] = *place;
    side.push_back(std::move(one));
  }
  return side;
}

Json describe_equations(const Equations& equations, TermValues& values) {
  Writing writing{.style = Scribe::Style::latex, .by_families = false, .by_terms = true};
  const WrittenEquations written = write_equations(equations, writing);
  Json lines = Json::array();
  const auto add = [&](const char* section, const WrittenEquation& line) {
    lines.push_back({{"section", section},
                     {"name", line.name},
                     {"left", describe_side(line.left_terms, values)},
                     {"right", describe_side(line.right_terms, values)}});
  };
  for (std::size_t i = 0; i < written.listed.size(); ++i) {
    const NamedPart& part = written.parts[i];
    add("named parts", written.listed[i]);
    if (part.value.size() == 3) lines.back()["left"][0]["vector"] = values.add_vector(part.value);
    values.define(part.name, part.value);
  }
  for (const WrittenEquation& line : written.frame) add("quasi-velocities", line);
  for (const WrittenEquation& line : written.kinematics) add("rates", line);
  for (const WrittenEquation& line : written.motion) add("motion", line);
  for (const WrittenEquation& line : written.constraints) add("constraints", line);
  for (const WrittenEquation& line : written.reactions) add("reactions", line);
  return lines;
}

/// A formula that a report has as text, and its components as expressions.
struct ReadFormula {
  Shown shown;
  std::vector<Expr> value;
  bool is_vector() const { return value.size() == 3; }
};

/// One expression, or the three of a vector; names of vectors are told from others by what is defined.
std::vector<Expr> components_of(const Shown& shown, const TermValues& values) {
  Graph& graph = values.graph();
  using Kind = Shown::Kind;
  if (shown.kind == Kind::name && values.is_vector(shown.text))
    return {graph.symbol(shown.text + ".x"), graph.symbol(shown.text + ".y"), graph.symbol(shown.text + ".z")};
  const bool is_of_vectors = shown.kind == Kind::call && (shown.text == "cross" || shown.text == "dot");
  if (!is_of_vectors && shown.kind != Kind::vector && shown.kind != Kind::sum && shown.kind != Kind::product &&
      shown.kind != Kind::quotient)
    return {to_expr(shown, graph)};
  std::vector<std::vector<Expr>> parts;
  for (const Shown& child : shown.children) parts.push_back(components_of(child, values));
  if (shown.kind == Kind::vector) return {parts.at(0).at(0), parts.at(1).at(0), parts.at(2).at(0)};
  const auto vector = [&](std::size_t k) { return Vector3{parts.at(k).at(0), parts[k].at(1), parts[k].at(2)}; };
  if (is_of_vectors && shown.text == "dot") return {dot(vector(0), vector(1))};
  if (is_of_vectors) {
    const Vector3 made = cross(vector(0), vector(1));
    return {made.begin(), made.end()};
  }
  std::vector<Expr> total = parts.at(0);
  for (std::size_t k = 1; k < parts.size(); ++k) {
    if (total.size() < parts[k].size()) std::swap(total, parts[k]);  // a number times a vector
    for (std::size_t c = 0; c < total.size(); ++c) {
      const Expr& next = parts[k].size() == 1 ? parts[k][0] : parts[k].at(c);
      total[c] = shown.kind == Kind::sum       ? total[c] + next
                 : shown.kind == Kind::product ? total[c] * next
                                               : total[c] / next;
    }
  }
  return total;
}

/// One that tells a family by its index is none: it stays text.
std::optional<ReadFormula> read_formula(const std::string& text, const TermValues& values) {
  if (text.empty()) return {};
  try {
    Shown shown = text_to_shown(text);
    std::vector<Expr> value = components_of(shown, values);
    return ReadFormula{std::move(shown), std::move(value)};
  } catch (const InputError&) {
    return {};
  } catch (const std::out_of_range&) {  // a number where a vector belongs
    return {};
  }
}

Json describe_line(const PageLine& line, TermValues& values) {
  Json left{{"latex", line.left}, {"negative", false}}, right = Json::array();
  const std::optional<ReadFormula> formula = read_formula(line.formula, values);
  const auto set_value = [&](Expr value) {
    if (const std::optional<std::size_t> place = values.add(value)) left["value"] = *place;
  };
  if (formula && formula->is_vector()) {
    left["vector"] = values.add_vector(formula->value);
    right.push_back({{"latex", to_latex(formula->shown)}, {"negative", false}});
  } else if (formula) {
    set_value(formula->value[0]);
    right = describe_side(split_terms(formula->shown, values.graph(), Scribe::Style::latex), values);
  } else if (!line.symbol.empty()) {
    set_value(values.graph().symbol(line.symbol));
  }
  if (formula && !line.symbol.empty()) values.define(line.symbol, formula->value);
  const std::string unset = formula ? "" : line.formula;
  return {{"section", line.section},
          {"name", line.symbol},
          {"left", Json::array({left})},
          {"right", right},
          {"remark", unset.empty() || line.remark.empty() ? unset + line.remark : unset + "; " + line.remark}};
}

Json describe_lines(const std::vector<PageLine>& lines, TermValues& values) {
  Json list = Json::array();
  std::string section;
  for (const PageLine& line : lines) {
    if (line.section != section) values.begin_section();
    section = line.section;
    list.push_back(describe_line(line, values));
  }
  return list;
}

/// Equations of nothing: their terms have no values.
Equations no_equations() {
  Equations none;
  none.graph = std::make_shared<Graph>();
  Model model;
  model.graph = none.graph;
  none.time = model.time = none.graph->symbol("t");
  none.model = std::make_shared<const Model>(model);
  return none;
}

}  // namespace

Json describe_tabs(const std::vector<PageTab>& tabs, std::string& script) {
  const auto first = std::ranges::find_if(tabs, [](const PageTab& tab) { return tab.equations != nullptr; });
  const Equations equations = first == tabs.end() ? no_equations() : fork(*first->equations);
  TermValues values(equations);
  Json list = Json::array();
  for (const PageTab& tab : tabs) {
    Json one{{"title", tab.title}, {"text", printable_lines(tab.text)}};
    if (!tab.words.empty()) one["words"] = tab.words;
    if (!tab.table.rows.empty()) one["table"] = {{"head", tab.table.head}, {"rows", tab.table.rows}};
    if (tab.equations != nullptr) one["lines"] = describe_equations(equations, values);
    if (!tab.lines.empty()) one["lines"] = describe_lines(tab.lines, values);
    list.push_back(std::move(one));
  }
  if (first != tabs.end()) script = values.javascript();
  return list;
}

}  // namespace dalembert
