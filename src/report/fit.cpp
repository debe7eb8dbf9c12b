#include <fmt/format.h>

#include <cmath>
#include <dalembert/report/fit.hpp>
#include <dalembert/report/report.hpp>

#include "report/document.hpp"

namespace dalembert {
namespace {

using Align = TextTable::Align;

}  // namespace

std::string write_text(const Fit& fit) {
  TextTable found({"parameter", "value", "deviation", "started from"});
  found.align({Align::left, Align::right, Align::right, Align::right});
  for (const FittedParameter& each : fit.parameters)
    found.add({each.name, format_number(each.value, 8), each.deviation ? format_number(*each.deviation, 3) : "unknown",
               format_number(each.start, 8)});
  TextTable measured({"column", "numbers", "residual", "deviation of a number"});
  measured.align({Align::left, Align::right, Align::right, Align::right});
  for (const FittedColumn& each : fit.columns)
    measured.add(
        {each.name, fmt::format("{}", each.count), format_number(each.residual, 4), format_number(each.deviation, 4)});
  std::string out = found.text() + "\n" + measured.text();
  if (fit.parameters.size() > 1 && fit.not_identifiable.size() < fit.parameters.size()) {
    std::vector<std::string> heading{"correlation"};
    for (const FittedParameter& each : fit.parameters) heading.push_back(each.name);
    TextTable table(heading);
    table.align(std::vector<Align>(heading.size(), Align::right));
    for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
      std::vector<std::string> cells{fit.parameters[i].name};
      for (std::size_t j = 0; j <= i; ++j)
        cells.push_back(std::isfinite(fit.correlation(i, j)) ? fmt::format("{:.3f}", fit.correlation(i, j)) : "");
      table.add(std::move(cells));
    }
    out += "\n" + table.text();
  }
  for (const std::string& each : fit.not_identifiable) out += fmt::format("\nnot identifiable: {}", each);
  if (!fit.not_identifiable.empty()) out += "\nkeep one of them as it is, or measure another column\n";
  for (const std::string& note : fit.notes) out += fmt::format("note: {}\n", note);
  return out;
}

std::string write_json(const Fit& fit) {
  Json parameters = Json::object(), columns = Json::object();
  for (const FittedParameter& each : fit.parameters)
    parameters[each.name] = {{"value", json_number(each.value)},
                             {"deviation", each.deviation ? json_number(*each.deviation) : Json(nullptr)},
                             {"start", json_number(each.start)},
                             {"at_bound", each.at_bound}};
  for (const FittedColumn& each : fit.columns)
    columns[each.name] = {
        {"count", each.count}, {"residual", json_number(each.residual)}, {"deviation", json_number(each.deviation)}};
  Json document = {{"parameters", parameters},
                   {"correlation", json_rows(fit.correlation)},
                   {"covariance", json_rows(fit.covariance)},
                   {"not_identifiable", fit.not_identifiable},
                   {"residual", json_number(fit.residual)},
                   {"columns", columns},
                   {"motions", fit.motions},
                   {"converged", fit.converged},
                   {"notes", fit.notes}};
  return write_document(document);
}

std::string write_svg(const Fit& fit, const std::string& title) {
  std::vector<std::string> columns;
  for (const FittedColumn& each : fit.columns) columns.push_back(each.name + " residual");
  return write_svg(fit.residuals, {title, columns});
}

}  // namespace dalembert
