#include <algorithm>
#include <cmath>

#include "report/plot/plot.hpp"

namespace dalembert {
namespace {

/// A curve is legible in a panel while it takes at least this part of its height.
constexpr double least_part = 0.08;

bool is_constant(Interval scale) { return scale.width() <= 1e-9 * std::max(std::abs(scale.low), std::abs(scale.high)); }

/// A panel's curves with one more; `least` is the smallest width among those that vary.
bool fits(Interval panel, double least, Interval curve) {
  if (is_empty(curve) || is_empty(panel)) return true;
  double both = hull(panel, curve).width();
  if (is_constant(curve) || is_constant(panel))  // a level line: only where it does not squeeze the others
    return both <= 1.3 * std::max(panel.width(), curve.width());
  return both * least_part <= std::min(least, curve.width());
}

}  // namespace

std::vector<std::vector<std::size_t>> group_by_scale(std::span<const Interval> scales, std::size_t most) {
  struct Panel {
    std::vector<std::size_t> curves;
    Interval scale;
    double least;  // width among the curves that vary
  };
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    auto panel = std::ranges::find_if(panels, [&](const Panel& candidate) {
      return candidate.curves.size() < most && fits(candidate.scale, candidate.least, scales[i]);
    });
    double own = is_empty(scales[i]) || is_constant(scales[i]) ? INFINITY : scales[i].width();
    if (panel == panels.end()) {
      panels.push_back({{i}, scales[i], own});
    } else {
      panel->curves.push_back(i);
      panel->scale = hull(panel->scale, scales[i]);
      panel->least = std::min(panel->least, own);
    }
  }
  std::vector<std::vector<std::size_t>> groups;
  for (Panel& panel : panels) groups.push_back(std::move(panel.curves));
  return groups;
}

std::vector<std::vector<PlotPoint>> thin(std::span<const double> x, std::span<const double> y, double resolution) {
  std::vector<std::vector<PlotPoint>> runs;
  std::vector<PlotPoint> strip;
  bool broken = true;
  auto flush = [&] {
    if (strip.empty()) return;
    auto [low, high] = std::ranges::minmax_element(strip, {}, &PlotPoint::y);
    auto keep = {strip.begin(), std::min(low, high), std::max(low, high), strip.end() - 1};
    auto before = strip.end();
    for (auto point : keep) {
      if (point != before) runs.back().push_back(*point);
      before = point;
    }
    strip.clear();
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      flush();
      broken = true;
      continue;
    }
    if (broken) runs.emplace_back();
    broken = false;
    if (!strip.empty() && std::floor(strip.front().x / resolution) != std::floor(x[i] / resolution)) flush();
    strip.push_back({x[i], y[i]});
  }
  flush();
  return runs;
}

}  // namespace dalembert
