#include <algorithm>
#include <dalembert/report/sweep.hpp>

#include "report/plot/plot.hpp"

namespace dalembert {
namespace {

bool has_column(const SweepTable& table, const std::string& name) {
  return std::ranges::find(table.columns, name) != table.columns.end();
}

/// The section where it has all that is asked for; else the runs, whose error says what is missing.
const SweepTable& choose_table(const SweepResult& result, const SweepPlot& plot) {
  const SweepTable& runs = result["runs"];
  const auto has_all = [&](const SweepTable& table) {
    return std::ranges::all_of(std::initializer_list<std::string>{plot.x, plot.y, plot.colour},
                               [&](const std::string& name) { return name.empty() || has_column(table, name); });
  };
  for (const SweepTable& table : result.tables)
    if (table.name == "section" && has_all(table)) return table;
  return runs;
}

/// Columns of a table that do not vary: of a section behind t, of runs those before it.
std::vector<std::string> own_columns(const SweepResult& result, const SweepTable& table) {
  const auto first = table.columns.begin() + 1 + static_cast<std::ptrdiff_t>(result.axes);
  if (table.name == "section") return {first + 1, table.columns.end()};
  return {first, table.columns.end() - 1};
}

/// What is not given, chosen as the header says.
SweepPlot complete(const SweepResult& result, const SweepTable& table, SweepPlot plot) {
  const std::vector<std::string> own = own_columns(result, table);
  const auto varies = [&](std::size_t k) { return table.columns[1 + k]; };
  const bool is_section = table.name == "section", one_run = result["runs"].size() == 1;
  if (own.empty() && plot.y.empty())
    throw InputError({"", {}, "", "there is nothing to draw", "keep something in [keep] or [section]"});
  if (plot.x.empty() && plot.y.empty() && plot.colour.empty() && !is_section && result.axes >= 2) {
    plot.x = varies(0);
    plot.y = varies(1);
    plot.colour = own[0];
  }
  const bool in_phase = is_section && (one_run || result.axes == 0) && own.size() > 1;
  if (plot.x.empty()) plot.x = in_phase ? own[0] : result.axes > 0 ? varies(0) : "run";
  if (plot.y.empty()) plot.y = in_phase ? own[1] : own[0];
  return plot;
}

}  // namespace

std::string write_svg(const SweepResult& result, const SweepPlot& asked) {
  const SweepTable& table = choose_table(result, asked);
  const SweepPlot plot = complete(result, table, asked);
  const std::vector<double> x = table.column(plot.x), y = table.column(plot.y);
  if (!plot.colour.empty())
    return draw_heat_map({plot.title, plot.x, plot.y, plot.colour, x, y, table.column(plot.colour)});
  return draw_curves({.title = plot.title,
                      .axis = plot.x,
                      .x = x,
                      .curves = {{.name = plot.y, .values = y, .style = 0, .x = {}, .listed = true, .dots = true}}});
}

}  // namespace dalembert
