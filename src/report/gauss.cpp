#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"
#include "report/rows.hpp"
#include "report/scribe.hpp"
#include "study/index_families.hpp"

namespace dalembert {
namespace {

const char* meaning(const LeastConstraint& gauss) {
  return gauss.loose.empty() ? "sum of m |acceleration - force/m|^2 over the mass elements"
                             : "up to a part that is free of the accelerations";
}

constexpr std::size_t longest_z = 4000;  // characters

/// The terms of a sum; whatever is none is a term by itself.
std::vector<Expr> terms_of(Expr expression) {
  if (expression.op() != Op::sum) return {expression};
  Graph& graph = expression.graph();
  const std::span<const Part> stored = graph.parts(expression.id());
  const std::vector<Part> parts(stored.begin(), stored.end());  // a copy: new terms move what the graph stores
  std::vector<Expr> terms;
  for (const Part& part : parts) terms.push_back(graph.constant(graph.value(part.weight)) * graph[part.node]);
  terms.push_back(graph[graph.offset(expression.id())]);
  if (terms.back().is_zero()) terms.pop_back();
  return terms;
}

/// As one formula; of families of terms that is long, and they are written once, by index. Empty where Z has no short
/// formula.
std::string write_z(const LeastConstraint& gauss, Scribe::Style style) {
  const Equations own = fork(gauss.equations);
  const Expr z = rebind(gauss.Z, *own.graph);
  std::vector<std::string> accelerations;
  for (const Expr& acceleration : own.accelerations) accelerations.push_back(acceleration.name());
  Scribe scribe(style, {3e7, 6e7});
  if (count_written(z) <= hopeless_size)
    if (std::string whole = scribe(z, accelerations); whole.size() <= longest_z) return whole;
  if (style != Scribe::Style::text) return {};
  std::vector<std::string> terms;
  for (const Expr& term : terms_of(z))
    terms.push_back(count_written(term) <= hopeless_size ? scribe(term) : std::string(longest_z, ' '));
  std::string sum = Families(*own.model).write_sum(terms);
  return sum.size() <= longest_z ? sum : std::string();
}

}  // namespace

std::string write_text(const LeastConstraint& gauss, const EquationStyle& style) {
  const std::string z = write_z(gauss, Scribe::Style::text);
  return fmt::format(
      "{}\nGauss's constraint, {};\nits stationarity conditions, halved, are the equations of motion\n{}\n",
      write_text(gauss.equations, style), meaning(gauss),
      z.empty() ? "  Z has no short formula; `dalembert gauss` evaluates it" : wrap_text("  Z = " + z));
}

std::string write_latex(const LeastConstraint& gauss, const EquationStyle& style) {
  return with_distinct_names([&] {
    const std::string z = write_z(gauss, Scribe::Style::latex);
    if (z.empty()) return write_latex(gauss.equations, style);
    return fmt::format("% Z: {}\n\\begin{{equation}}\n  Z = {}\n\\end{{equation}}\n{}", meaning(gauss), wrap_latex(z),
                       write_latex(gauss.equations, style));
  });
}

std::string write_json(const LeastConstraint& gauss, const EquationStyle& style) {
  Json document = Json::parse(write_json(gauss.equations, style));
  const std::string z = write_z(gauss, Scribe::Style::text);
  document["Z"] = z.empty() ? Json() : Json(z);
  document["Z_loose"] = gauss.loose;
  return write_document(document);
}

std::string write_text(const GaussReport& report) {
  using Align = TextTable::Align;
  std::string text = fmt::format("Gauss's constraint at t = {}\n\n", format_number(report.state.t));
  TextTable table({"coordinate", "acceleration", "actual", "Q"});
  table.align({Align::left, Align::right, Align::right, Align::right});
  for (std::size_t i = 0; i < report.coordinates.size() && i < most_rows; ++i)
    table.add({report.coordinates[i], format_number(report.accelerations[i], 10), format_number(report.actual[i], 10),
               format_number(report.Q[i], 10)});
  text += table.text(2) + tell_rest(report.coordinates.size()) + "\n";
  TextTable values;
  if (report.Z) {
    values.add({"Z", format_number(*report.Z, 12), "at these accelerations"});
    values.add({"phi", format_number(*report.phi, 12), "the least there is: at the actual ones"});
  }
  values.add({"Z - phi", format_number(report.excess, 12), "Q M^-1 Q: what the accelerations add"});
  text += values.text(2);
  if (!report.multipliers.empty()) {
    TextTable reactions;
    for (std::size_t r = 0; r < report.multipliers.size() && r < most_rows; ++r)
      reactions.add({fmt::format("reaction({})", report.constraints[r]), format_number(report.multipliers[r], 12)});
    text += "\n" + reactions.text(2) + tell_rest(report.multipliers.size());
  }
  if (!report.loose.empty())
    text += wrap_lines(
        fmt::format("\nOnly Z - phi is defined here: what acts on no mass elements has no acceleration of its own to "
                    "be compared with ({}).\n",
                    fmt::join(report.loose, ", ")));
  return text;
}

std::string write_json(const GaussReport& report) {
  auto maybe = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
  };
  Json document{{"Z", report.Z ? maybe(report.Z) : maybe(report.excess)},
                {"phi", maybe(report.phi)},
                {"Q", report.Q},
                {"accelerations", report.accelerations},
                {"actual", report.actual},
                {"excess", maybe(report.excess)},
                {"coordinates", report.coordinates},
                {"reactions", Json::object()},
                {"t", report.state.t},
                {"loose", report.loose}};
  for (std::size_t r = 0; r < report.multipliers.size(); ++r)
    document["reactions"][report.constraints[r]] = report.multipliers[r];
  return write_document(document);
}

}  // namespace dalembert
