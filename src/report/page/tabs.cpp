#include "report/page/terms.hpp"

#include <algorithm>
#include <dalembert/program/javascript.hpp>

#include "report/dense_terms.hpp"
#include "report/page/live.hpp"
#include "report/written_equations.hpp"

namespace dalembert {
namespace {

/// Values of terms in symbols of the state: the names of a listing's parts are replaced by what they stand for.
class TermValues {
 public:
  explicit TermValues(const Equations& equations)
      : graph_(*equations.graph), inputs_(row_symbols(equations)), parameters_(parameter_symbols(*equations.model)) {
    for (const auto* list : {&inputs_, &parameters_})
      for (const Expr& symbol : *list) known_.push_back(symbol.id());
    std::ranges::sort(known_);
  }
  void define(const NamedPart& part) {
    for (std::size_t k = 0; k < part.value.size(); ++k) {
      const std::string name = part.value.size() == 1 ? part.name : part.name + "." + "xyz"[k];
      meaning_.push_back({graph_.symbol(name), substitute(part.value[k], meaning_)});
    }
  }
  std::optional<std::size_t> add(Expr value) {
    if (!value) return {};
    const Expr meant = substitute(value, meaning_);
    for (const Expr& symbol : free_symbols({&meant, 1}))
      if (!std::ranges::binary_search(known_, symbol.id())) return {};
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
  Graph& graph_;
  std::vector<Expr> inputs_, parameters_, values_;
  std::vector<NodeId> known_;
  std::vector<Replacement> meaning_;
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

}  // namespace

Json describe_terms(const Equations& of, std::string& script) {
  const Equations equations = fork(of);
  Writing writing{.style = Scribe::Style::latex, .by_families = false, .by_terms = true};
  const WrittenEquations written = write_equations(equations, writing);
  TermValues values(equations);
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
    values.define(part);
  }
  for (const WrittenEquation& line : written.frame) add("quasi-velocities", line);
  for (const WrittenEquation& line : written.kinematics) add("rates", line);
  for (const WrittenEquation& line : written.motion) add("motion", line);
  for (const WrittenEquation& line : written.constraints) add("constraints", line);
  for (const WrittenEquation& line : written.reactions) add("reactions", line);
  script = values.javascript();
  return lines;
}

}  // namespace dalembert
