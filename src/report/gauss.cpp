#include <fmt/format.h>

#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"

namespace dalembert {
namespace {

using Json = nlohmann::ordered_json;

const char* meaning(const LeastConstraint& gauss) {
  return gauss.loose.empty() ? "sum of m |acceleration - force/m|^2 over the mass elements"
                             : "up to a part that is free of the accelerations";
}

}  // namespace

std::string write_text(const LeastConstraint& gauss, const EquationStyle& style) {
  return fmt::format(
      "{}\nGauss's constraint, {}; its stationarity conditions, halved, are the equations of motion\n"
      "  Z = {}\n",
      write_text(gauss.equations, style), meaning(gauss), to_text(make_display(gauss.Z)));
}

std::string write_latex(const LeastConstraint& gauss, const EquationStyle& style) {
  return fmt::format("% Z: {}\n\\begin{{equation}}\n  Z = {}\n\\end{{equation}}\n{}", meaning(gauss),
                     to_latex(make_display(gauss.Z)), write_latex(gauss.equations, style));
}

std::string write_json(const LeastConstraint& gauss, const EquationStyle& style) {
  Json document = Json::parse(write_json(gauss.equations, style));
  document["Z"] = to_text(make_display(gauss.Z));
  document["Z_loose"] = gauss.loose;
  return write_document(document);
}

std::string write_text(const GaussReport& report) {
  using Align = TextTable::Align;
  std::string text = fmt::format("Gauss's constraint at t = {}\n\n", format_number(report.state.t));
  TextTable table({"coordinate", "acceleration", "actual", "Q"});
  table.align({Align::left, Align::right, Align::right, Align::right});
  for (std::size_t i = 0; i < report.coordinates.size(); ++i)
    table.add({report.coordinates[i], format_number(report.accelerations[i], 10), format_number(report.actual[i], 10),
               format_number(report.Q[i], 10)});
  text += table.text(2) + "\n";
  TextTable values;
  if (report.Z) {
    values.add({"Z", format_number(*report.Z, 12), "at these accelerations"});
    values.add({"phi", format_number(*report.phi, 12), "the least there is: at the actual ones"});
  }
  values.add({"Z - phi", format_number(report.excess, 12), "Q M^-1 Q: what the accelerations add"});
  text += values.text(2);
  if (!report.multipliers.empty()) {
    TextTable reactions;
    for (std::size_t r = 0; r < report.multipliers.size(); ++r)
      reactions.add({fmt::format("reaction({})", report.constraints[r]), format_number(report.multipliers[r], 12)});
    text += "\n" + reactions.text(2);
  }
  if (!report.loose.empty())
    text += fmt::format(
        "\nOnly Z - phi is defined here: what acts on no mass elements has no acceleration of its own to "
        "be compared with ({}).\n",
        fmt::join(report.loose, "; "));
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
