#include <fmt/format.h>

#include <cmath>
#include <dalembert/report/report.hpp>
#include <limits>

namespace dalembert {
namespace {

constexpr std::size_t most_listed = 12;

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

/// A change in relation to a size, where there is one.
std::string relative(double change, double size) {
  if (!std::isfinite(change)) return "–";
  if (size > 0) return fmt::format("{:.2g}", change / size);
  return fmt::format("{:.2g} (absolute)", change);
}

void add_constants(TextTable& table, const Summary& summary) {
  // Of what stays at rest it is rounding, and no size.
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const bool moves = summary.largest_kinetic > rounding * std::abs(summary.energy.start);
  const double kinetic = moves ? summary.largest_kinetic : 0;
  table.add(
      {"residual", fmt::format("{:.2g}", summary.largest_residual), "largest violation of a constraint, as written"});
  if (!summary.balance.name.empty())
    table.add({"energy balance", relative(summary.balance.largest, kinetic),
               "largest gap, relative to the largest kinetic energy"});
  if (!summary.energy.name.empty())
    table.add({"energy", relative(summary.energy.largest, kinetic),
               "largest change, relative to the largest kinetic energy"});
  std::size_t listed = 0;
  for (const Drift& integral : summary.integrals) {
    if (integral.name == summary.energy.name) continue;
    if (listed++ == most_listed) break;
    table.add({integral.name, fmt::format("{:.2g}", integral.largest),
               fmt::format("largest change from {}", format_number(integral.start))});
  }
  if (listed > most_listed) table.add({"...", "", fmt::format("{} first integrals in all", summary.integrals.size())});
}

std::string event_lines(const Trajectory& trajectory) {
  TextTable table;
  table.align({TextTable::Align::left, TextTable::Align::right});
  for (std::size_t i = 0; i < trajectory.events.size() && i < most_listed; ++i) {
    const EventRecord& event = trajectory.events[i];
    std::vector<std::string> cells{event.name, "t = " + format_number(event.t, 12), event.kind};
    if (event.impact)
      cells.push_back(fmt::format("impulse {}, energy lost {}{}", format_number(event.impact->impulse),
                                  format_number(event.impact->energy_lost),
                                  event.impact->several_outcomes ? ", one of several outcomes" : ""));
    table.add(cells);
  }
  if (trajectory.events.size() > most_listed) table.add({fmt::format("... {} in all", trajectory.events.size())});
  return table.text(4);
}

std::string error_line(const Trajectory& trajectory) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < trajectory.error.size(); ++i)
    if (!(trajectory.error[i] <= trajectory.error[worst])) worst = i;
  return fmt::format("{:.2g} of its size in column {}, where it is largest", trajectory.error[worst],
                     trajectory.columns[worst]);
}

}  // namespace

std::string write_summary(const Trajectory& trajectory) {
  const Statistics& statistics = trajectory.statistics;
  std::string out = std::string(status_name(trajectory.status));
  if (!trajectory.message.empty()) out += ": " + trajectory.message;
  out += "\n";
  for (const std::string& note : trajectory.notes) out += "note: " + note + "\n";
  TextTable table;
  table.add({"rows", std::to_string(trajectory.rows.size()),
             trajectory.rows.empty() ? "" : "to t = " + format_number(trajectory.rows.back()[0], 12)});
  table.add({"steps", std::to_string(statistics.steps),
             fmt::format("{} rejected, {} evaluations, {}", statistics.rejected, statistics.evaluations,
                         seconds_text(statistics.seconds))});
  add_constants(table, trajectory.summary);
  out += table.text(2);
  if (!trajectory.error.empty()) out += "  estimated error: " + error_line(trajectory) + "\n";
  if (!trajectory.events.empty()) out += "  events:\n" + event_lines(trajectory);
  return out;
}

}  // namespace dalembert
