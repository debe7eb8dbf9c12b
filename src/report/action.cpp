#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/printable.hpp>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"
#include "report/rows.hpp"

namespace dalembert {
namespace {

Json by_name(const std::vector<std::string>& names, const std::vector<double>& values, const char* suffix = "") {
  Json object = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) object[names[i] + suffix] = json_number(values[i]);
  return object;
}

}  // namespace

std::string write_json(const ActionReport& report) {
  Json momenta = Json::array();
  const bool checked = report.is_checked;
  auto slope = [&](double value) { return checked ? json_number(value) : Json(); };
  for (const ActionMomentum& j : report.momenta)
    momenta.push_back({{"velocity", j.velocity},
                       {"J0", json_number(j.start)},
                       {"J1", json_number(j.end)},
                       {"dS0", slope(j.slope_start)},
                       {"dS1", slope(j.slope_end)},
                       {"bound0", slope(j.bound_start)},
                       {"bound1", slope(j.bound_end)}});
  Json document = {{"S", json_number(report.action)},
                   {"principal", report.is_principal},
                   {"t0", report.from_time},
                   {"t1", report.to_time},
                   {"from", by_name(report.coordinates, report.from)},
                   {"to", by_name(report.coordinates, report.to)},
                   {"rates0", by_name(report.coordinates, report.rates_from, "'")},
                   {"rates1", by_name(report.coordinates, report.rates_to, "'")},
                   {"momenta", momenta},
                   {"energy", json_number(report.jacobi)},
                   {"dS_dt1", slope(report.slope_time)},
                   {"bound_t1", slope(report.bound_time)},
                   {"miss", json_number(report.miss)},
                   {"motions", report.motions},
                   {"unchecked", report.unchecked.empty() ? Json() : Json(report.unchecked)},
                   {"ok", report.ok}};
  return write_document(document);
}

std::string write_text(const ActionReport& report) {
  std::string text =
      fmt::format("{}: {}\n\nS = {}  from t = {} to t = {}\n\n", printable(report.name),
                  report.is_principal ? "Hamilton's principal function" : "action along the motion",
                  format_number(report.action, 12), format_number(report.from_time), format_number(report.to_time));
  using Align = TextTable::Align;
  TextTable places({"coordinate", "at the start", "rate", "at the end", "rate"});
  places.align({Align::left, Align::right, Align::right, Align::right, Align::right});
  for (std::size_t i = 0; i < std::min(most_rows, report.coordinates.size()); ++i)
    places.add({report.coordinates[i], format_number(report.from[i], 9), format_number(report.rates_from[i], 9),
                format_number(report.to[i], 9), format_number(report.rates_to[i], 9)});
  text += places.text(2) + tell_rest(report.coordinates.size()) + "\n";
  if (report.is_checked) {
    TextTable table({"momentum of", "J0", "-dS/dtheta0", "J1", "dS/dtheta1", "differences good to"});
    table.align({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right});
    for (const ActionMomentum& j : report.momenta)
      table.add({j.velocity, format_number(j.start, 9), format_number(-j.slope_start, 9), format_number(j.end, 9),
                 format_number(j.slope_end, 9), format_number(std::max(j.bound_start, j.bound_end), 2)});
    text += table.text(2);
    text += fmt::format("\n  energy at the end {}, -dS/dt1 {} (good to {})\n", format_number(report.jacobi, 9),
                        format_number(-report.slope_time, 9), format_number(report.bound_time, 2));
    text += report.ok ? "  the momenta are the derivatives of S\n" : "  THE MOMENTA ARE NOT THE DERIVATIVES OF S\n";
  } else {
    TextTable table({"momentum of", "J0", "J1"});
    table.align({Align::left, Align::right, Align::right});
    for (std::size_t i = 0; i < std::min(most_rows, report.momenta.size()); ++i) {
      const ActionMomentum& j = report.momenta[i];
      table.add({j.velocity, format_number(j.start, 9), format_number(j.end, 9)});
    }
    text += table.text(2) + tell_rest(report.momenta.size());
    if (!report.unchecked.empty())
      text +=
          fmt::format("\nnote: the momenta were not compared with differences of the action: {}\n", report.unchecked);
    if (report.momenta.size() > most_compared_momenta)
      text += fmt::format("\nnote: more than {} momenta are not compared with differences of the action\n",
                          most_compared_momenta);
  }
  text += fmt::format("\n{} motion{} computed\n", report.motions, report.motions == 1 ? "" : "s");
  return text;
}

}  // namespace dalembert
