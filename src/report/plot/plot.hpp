#pragma once
// The parts of a plot: axes with readable numbers, panels of like scale, curves thinned to what can be seen.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace dalembert {

struct Interval {
  double low = 0, high = 0;
  double width() const { return high - low; }
};

/// The finite values' interval; low > high where there is none.
Interval span_of(std::span<const double> values);
bool is_empty(Interval interval);
Interval hull(Interval a, Interval b);

struct Tick {
  double value;
  std::string label;
};

/// A linear axis. Labels are (value - origin) / 10^exponent; `note` says so where it is not the value itself.
struct Axis {
  Interval range;
  std::vector<Tick> ticks;
  std::string note;
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them. With `widen`, the range grows to
/// leave the data a margin; it always has a width.
Axis make_axis(Interval data, int wanted, bool widen);

/// Which curves share a panel: in the order given, those whose scales are alike; at most `most` in one.
std::vector<std::vector<std::size_t>> group_by_scale(std::span<const Interval> scales, std::size_t most);

struct PlotPoint {
  double x, y;
};

/// A curve in pixels as runs without gaps: a value that is not finite ends a run. In each strip `resolution` wide only
/// the first, lowest, highest and last points are kept, which draws the same picture.
std::vector<std::vector<PlotPoint>> thin(std::span<const double> x, std::span<const double> y, double resolution);

struct Curve {
  std::string name;
  std::vector<double> values;
  std::size_t style;           ///< counts through all panels; dashed from the ninth on
  std::vector<double> x = {};  ///< its own places on the axis; the plot's where empty
  bool listed = true;          ///< in the legend
  bool dots = false;           ///< points of their own, no line through them
};

/// A self-contained SVG of curves over one axis.
struct CurvePlot {
  std::string title, axis = "t";
  std::vector<double> x;
  std::vector<Curve> curves;
  std::vector<std::vector<std::size_t>> panels = {};  ///< curves by index; by their scales where none are given
  std::vector<double> marks = {};                     ///< places on the axis to draw a line at
};
std::string draw_curves(const CurvePlot& plot);

/// A number at each of many places, as colour: cells where the places are all of a grid, else dots.
struct HeatMap {
  std::string title, x_name, y_name, value_name;
  std::vector<double> x, y, values;
};
std::string draw_heat_map(const HeatMap& map);

}  // namespace dalembert
