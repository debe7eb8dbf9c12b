#include <fmt/format.h>

#include <cmath>
#include <dalembert/report/periodic.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/report/stability.hpp>

#include "report/document.hpp"

namespace dalembert {
namespace {

/// Coordinates and rates at the start, by turns, then the period.
std::vector<std::string> start_names(const PeriodicDiagram& diagram) {
  std::vector<std::string> names;
  for (const std::string& name : diagram.coordinates) names.insert(names.end(), {name, name + "'"});
  names.emplace_back("T");
  return names;
}

std::vector<double> start_numbers(const PeriodicPoint& point) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < point.start.q.size(); ++i)
    numbers.insert(numbers.end(), {point.start.q[i], point.start.rates[i]});
  numbers.push_back(point.period);
  return numbers;
}

Json to_json(const PeriodicDiagram& diagram, const PeriodicPoint& point) {
  Json made = {{"value", point.value}, {"period", point.period}};
  const std::vector<std::string> names = start_names(diagram);
  const std::vector<double> numbers = start_numbers(point);
  Json state = Json::object();
  for (std::size_t i = 0; i + 1 < names.size(); ++i) state[names[i]] = numbers[i];
  made["state"] = std::move(state);
  made["multipliers"] = Json::array();
  for (const std::complex<double>& value : point.multipliers)
    made["multipliers"].push_back({value.real(), value.imag()});
  made["unstable_multipliers"] = point.unstable;
  return made;
}

}  // namespace

std::string write_csv(const PeriodicDiagram& diagram) {
  std::string out = diagram.name;
  for (const std::string& name : start_names(diagram)) out += "," + name;
  const std::size_t count = diagram.points.empty() ? 0 : diagram.points[0].multipliers.size();
  for (std::size_t k = 1; k <= count; ++k) out += fmt::format(",re(multiplier{0}),im(multiplier{0})", k);
  out += ",unstable_multipliers\n";
  for (const PeriodicPoint& point : diagram.points) {
    out += write_number(point.value);
    for (const double number : start_numbers(point)) out += "," + write_number(number);
    for (const std::complex<double>& value : point.multipliers)
      out += "," + write_number(value.real()) + "," + write_number(value.imag());
    out += fmt::format(",{}\n", point.unstable);
  }
  return out;
}

std::string write_json(const PeriodicDiagram& diagram) {
  Json document;
  document["parameter"] = diagram.name;
  document["points"] = Json::array();
  for (const PeriodicPoint& point : diagram.points) document["points"].push_back(to_json(diagram, point));
  document["special"] = Json::array();
  for (const SpecialPeriodic& special : diagram.special) {
    Json entry = {{"kind", special.kind}};
    entry.update(to_json(diagram, special.at));
    document["special"].push_back(std::move(entry));
  }
  document["notes"] = diagram.notes;
  return write_document(document, -1);
}

std::string write_svg(const PeriodicDiagram& diagram, const std::string& title) {
  const std::vector<std::string> names = start_names(diagram);
  std::vector<std::size_t> varying;
  const auto number = [&](std::size_t k, std::size_t i) { return start_numbers(diagram.points[k])[i]; };
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t k = 1; k < diagram.points.size(); ++k)
      if (std::abs(number(k, i) - number(0, i)) > 1e-9 * std::max(1.0, std::abs(number(0, i)))) {
        varying.push_back(i);
        break;
      }
  Diagram drawn{diagram.name, {}, {{}}, {}, {}};
  for (const std::size_t i : varying) drawn.coordinates.push_back(names[i]);
  drawn.coordinates.emplace_back("|multiplier|");
  for (const PeriodicPoint& point : diagram.points) {
    BranchPoint made{point.value, {}, point.unstable};
    const std::vector<double> numbers = start_numbers(point);
    for (const std::size_t i : varying) made.q.push_back(numbers[i]);
    made.q.push_back(point.multipliers.empty() ? 0 : std::abs(point.multipliers[0]));
    drawn.branches[0].points.push_back(std::move(made));
  }
  for (const SpecialPeriodic& special : diagram.special) drawn.special.push_back({special.kind, special.at.value, {}});
  return write_svg(drawn, title);
}

std::string write_summary(const PeriodicDiagram& diagram) {
  std::string out = fmt::format("{} motions\n", diagram.points.size());
  const std::vector<std::string> names = start_names(diagram);
  for (const SpecialPeriodic& special : diagram.special) {
    std::vector<std::string> places;
    const std::vector<double> numbers = start_numbers(special.at);
    for (std::size_t i = 0; i < names.size(); ++i)
      places.push_back(fmt::format("{} = {}", names[i], std::abs(numbers[i]) < 1e-9 ? "0" : format_number(numbers[i])));
    out +=
        fmt::format("{} = {:.10g}  {} at {}\n", diagram.name, special.at.value, special.kind, fmt::join(places, ", "));
  }
  for (const std::string& note : diagram.notes) out += "note: " + note + "\n";
  return out;
}

}  // namespace dalembert
