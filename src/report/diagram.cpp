#include <fmt/format.h>

#include <cmath>
#include <dalembert/report/report.hpp>
#include <dalembert/report/stability.hpp>

#include "report/document.hpp"
#include "report/plot/plot.hpp"

namespace dalembert {
namespace {

/// Curves of one coordinate: a run of points of like stability, dashed (in the same colour) where it is unstable.
void add_curves(const Diagram& diagram, std::size_t coordinate, CurvePlot& plot) {
  constexpr std::size_t colours = 8;
  bool listed[2] = {false, false};
  for (const Branch& branch : diagram.branches)
    for (std::size_t k = 0; k + 1 < branch.points.size();) {
      const bool unstable = branch.points[k].unstable > 0;
      Curve curve{diagram.coordinates[coordinate] + (unstable ? ", unstable" : ""),
                  {},
                  coordinate % colours + (unstable ? colours : 0),
                  {},
                  !listed[unstable]};
      listed[unstable] = true;
      do {
        curve.x.push_back(branch.points[k].value);
        curve.values.push_back(branch.points[k].q[coordinate]);
        ++k;
      } while (k < branch.points.size() && (branch.points[k].unstable > 0) == unstable);
      if (k < branch.points.size()) {  // up to the next, so that there is no gap
        curve.x.push_back(branch.points[k].value);
        curve.values.push_back(branch.points[k].q[coordinate]);
      }
      plot.panels[coordinate].push_back(plot.curves.size());
      plot.curves.push_back(std::move(curve));
    }
}

}  // namespace

std::string write_csv(const Diagram& diagram) {
  std::string out = "branch," + diagram.name;
  for (const std::string& name : diagram.coordinates) out += "," + name;
  out += ",unstable_roots\n";
  for (std::size_t b = 0; b < diagram.branches.size(); ++b)
    for (const BranchPoint& point : diagram.branches[b].points) {
      out += fmt::format("{},{}", b + 1, write_number(point.value));
      for (const double q : point.q) out += "," + write_number(q);
      out += fmt::format(",{}\n", point.unstable);
    }
  return out;
}

std::string write_json(const Diagram& diagram) {
  Json document;
  document["parameter"] = diagram.name;
  document["coordinates"] = diagram.coordinates;
  document["branches"] = Json::array();
  for (const Branch& branch : diagram.branches) {
    Json points = Json::array();
    for (const BranchPoint& point : branch.points)
      points.push_back(
          {{"value", json_number(point.value)}, {"q", json_numbers(point.q)}, {"unstable_roots", point.unstable}});
    document["branches"].push_back(std::move(points));
  }
  document["special"] = Json::array();
  for (const SpecialPoint& point : diagram.special)
    document["special"].push_back(
        {{"kind", point.kind}, {"value", json_number(point.value)}, {"q", json_numbers(point.q)}});
  document["notes"] = diagram.notes;
  return write_document(document, -1);
}

std::string write_svg(const Diagram& diagram, const std::string& title) {
  CurvePlot plot{.title = title, .axis = diagram.name, .x = {}, .curves = {}};
  plot.panels.resize(diagram.coordinates.size());
  for (const Branch& branch : diagram.branches)
    for (const BranchPoint& point : branch.points) plot.x.push_back(point.value);
  for (std::size_t i = 0; i < diagram.coordinates.size(); ++i) add_curves(diagram, i, plot);
  for (const SpecialPoint& point : diagram.special) plot.marks.push_back(point.value);
  return draw_curves(plot);
}

std::string write_summary(const Diagram& diagram) {
  std::string out = fmt::format("{} branch{}\n", diagram.branches.size(), diagram.branches.size() == 1 ? "" : "es");
  for (const SpecialPoint& point : diagram.special) {
    std::vector<std::string> places;
    for (std::size_t i = 0; i < point.q.size(); ++i)
      places.push_back(fmt::format("{} = {}", diagram.coordinates[i],
                                   std::abs(point.q[i]) < 1e-9 ? "0" : format_number(point.q[i])));
    out += fmt::format("{} = {:.10g}  {} at {}\n", diagram.name, point.value, point.kind, fmt::join(places, ", "));
  }
  for (const std::string& note : diagram.notes) out += "note: " + note + "\n";
  return out;
}

}  // namespace dalembert
