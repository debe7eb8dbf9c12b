#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/plot/canvas.hpp"

namespace dalembert {
namespace {

// From dark blue over green to yellow, of evenly growing lightness: after viridis (S. van der Walt, N. Smith 2015).
constexpr std::array<std::array<double, 3>, 6> ramp = {
    {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {253, 231, 37}}};

std::string colour_of(double part) {
  if (!std::isfinite(part)) return "#ccc";
  const double place = std::clamp(part, 0.0, 1.0) * (ramp.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  const double rest = place - static_cast<double>(low);
  std::array<long, 3> rgb{};
  for (std::size_t k = 0; k < 3; ++k) rgb[k] = std::lround((1 - rest) * ramp[low][k] + rest * ramp[low + 1][k]);
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

/// The different values of an axis, and where one's cell ends: halfway to the next.
struct Cells {
  std::vector<double> centres;

  explicit Cells(std::vector<double> values) : centres(std::move(values)) {
    std::erase_if(centres, [](double value) { return !std::isfinite(value); });
    std::ranges::sort(centres);
    centres.erase(std::unique(centres.begin(), centres.end()), centres.end());
  }
  double edge(std::size_t k) const {
    const std::size_t n = centres.size();
    if (n == 1) return centres[0] + (k == 0 ? -0.5 : 0.5);
    if (k == 0) return centres[0] - 0.5 * (centres[1] - centres[0]);
    if (k == n) return centres[n - 1] + 0.5 * (centres[n - 1] - centres[n - 2]);
    return 0.5 * (centres[k - 1] + centres[k]);
  }
  Interval range() const { return {edge(0), edge(centres.size())}; }
  std::size_t find(double value) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(centres, value) - centres.begin());
  }
};

/// A strip of all colours beside the panel, with its numbers.
void draw_scale(Canvas& canvas, const Axis& axis, Box box, const std::string& name) {
  constexpr int steps = 64;
  const Box strip{box.right() + 24, box.top, 16, box.height};
  for (int k = 0; k < steps; ++k)
    canvas.draw(fmt::format("<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                            strip.left, strip.bottom() - (k + 1) * strip.height / steps, strip.width,
                            strip.height / steps + 0.5, colour_of((k + 0.5) / steps)));
  for (const Tick& tick : axis.ticks)
    canvas.text(strip.right() + 6, y_of(tick.value, axis, strip) + 4, "start", tick.label);
  canvas.text(strip.left, strip.top - 9, "start", shorten(name, 14) + (axis.note.empty() ? "" : " " + axis.note));
}

}  // namespace

std::string draw_heat_map(const HeatMap& map) {
  const double top = map.title.empty() ? 30 : 68, height = 480;
  Canvas canvas(top + height + 52, map.title);
  const Box box{Canvas::left, top, Canvas::width - Canvas::left - 150, height};
  const Cells columns(map.x), rows(map.y);
  if (columns.centres.empty() || rows.centres.empty()) return canvas.take();
  const bool is_grid = columns.centres.size() * rows.centres.size() == map.values.size();
  const auto framed = [](const Axis& axis, Interval range) { return Axis{range, axis.ticks, axis.note}; };
  Axis x = make_axis(is_grid ? columns.range() : span_of(map.x), 8, !is_grid);
  Axis y = make_axis(is_grid ? rows.range() : span_of(map.y), 10, !is_grid);
  if (is_grid) x = framed(x, columns.range());
  if (is_grid) y = framed(y, rows.range());
  const Axis scale = make_axis(span_of(map.values), 8, false);
  canvas.panel(x, y, box);
  for (std::size_t k = 0; k < map.values.size(); ++k) {
    if (!std::isfinite(map.x[k]) || !std::isfinite(map.y[k])) continue;
    const std::string colour = colour_of((map.values[k] - scale.range.low) / scale.range.width());
    if (!is_grid) {
      canvas.draw(fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x_of(map.x[k], x, box),
                              y_of(map.y[k], y, box), colour));
      continue;
    }
    const std::size_t i = columns.find(map.x[k]), j = rows.find(map.y[k]);
    const double left = x_of(columns.edge(i), x, box), right = x_of(columns.edge(i + 1), x, box);
    const double low = y_of(rows.edge(j), y, box), high = y_of(rows.edge(j + 1), y, box);
    canvas.draw(
        fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
                    "shape-rendering=\"crispEdges\"/>\n",
                    left, high, right - left, low - high, colour));
  }
  canvas.below(x, box, map.x_name);
  canvas.text(box.left - 60, box.top - 9, "start", shorten(map.y_name, 40), " font-style=\"italic\"");
  draw_scale(canvas, scale, box, map.value_name);
  return canvas.take();
}

}  // namespace dalembert
