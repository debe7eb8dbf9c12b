#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report/report.hpp>
#include <optional>
#include <set>

#include "report/plot/canvas.hpp"

namespace dalembert {
namespace {

// Okabe and Ito (2008): told apart with any colour vision; dashes from the ninth curve on.
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                   "#E69F00", "#56B4E9", "#000000", "#8C6D1F"};
constexpr std::size_t colour_count = std::size(colours);
constexpr std::size_t most_in_panel = 8;
constexpr double width = Canvas::width, left = Canvas::left, gap = 30, character = 7.6, line_height = 18;

class Drawing {
 public:
  explicit Drawing(const CurvePlot& plot)
      : time_(plot.x),
        curves_(plot.curves),
        axis_name_(plot.axis),
        marks_(plot.marks),
        time_axis_(make_axis(span_of(time_), 10, false)),
        panels_(plot.panels) {
    std::vector<Interval> scales;
    std::size_t longest = 4;
    for (const Curve& curve : curves_) {
      scales.push_back(span_of(curve.values));
      longest = std::max(longest, display_width(shorten(curve.name, 24)));
    }
    if (panels_.empty()) panels_ = group_by_scale(scales, most_in_panel);
    double legend = 40 + character * static_cast<double>(longest);
    double panel_height = panels_.size() == 1 ? 380 : panels_.size() == 2 ? 240 : 170;
    double top = plot.title.empty() ? 30 : 58;
    double height = top + static_cast<double>(panels_.size()) * (panel_height + gap) + 22;
    canvas_.emplace(height, plot.title);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      Box box{left, top + static_cast<double>(i) * (panel_height + gap), width - left - legend, panel_height};
      draw_panel(panels_[i], box, i + 1 == panels_.size());
    }
  }

  std::string take() { return canvas_->take(); }

 private:
  void draw_panel(const std::vector<std::size_t>& members, Box box, bool last) {
    Interval data{INFINITY, -INFINITY};
    for (std::size_t i : members) data = hull(data, span_of(curves_[i].values));
    Axis axis = make_axis(data, std::max(3, static_cast<int>(box.height / 34)), true);
    canvas_->panel(time_axis_, axis, box);
    if (last) canvas_->below(time_axis_, box, axis_name_);
    for (const double mark : marks_)
      canvas_->draw(fmt::format("<path stroke=\"#666\" stroke-dasharray=\"2 3\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n",
                                x_of(mark, time_axis_, box), box.top, box.height));
    for (std::size_t i : members) draw_curve(curves_[i], axis, box);
    double y = box.top + 12;
    for (std::size_t i : members) {
      if (!curves_[i].listed) continue;
      canvas_->draw(fmt::format("<path d=\"M{:.1f} {:.1f}h18\" {}/>\n", box.right() + 12, y - 4, stroke(curves_[i])));
      canvas_->text(box.right() + 36, y, "start", shorten(curves_[i].name, 24));
      y += line_height;
    }
  }

  static std::string stroke(const Curve& curve) {
    const char* dashes = curve.style < colour_count ? "" : " stroke-dasharray=\"6 3\"";
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}",
                       colours[curve.style % colour_count], curve.dots ? 2.2 : 1.6, dashes);
  }

  void draw_curve(const Curve& curve, const Axis& axis, Box box) {
    std::vector<double> x, y;
    const std::vector<double>& places = curve.x.empty() ? time_ : curve.x;
    for (std::size_t i = 0; i < places.size(); ++i) {
      x.push_back(x_of(places[i], time_axis_, box));
      y.push_back(y_of(curve.values[i], axis, box));
    }
    std::string path;
    if (curve.dots) path = draw_dots(x, y);
    for (const std::vector<PlotPoint>& run : curve.dots ? std::vector<std::vector<PlotPoint>>() : thin(x, y, 0.5)) {
      path += fmt::format("M{:.2f} {:.2f}", run[0].x, run[0].y);
      if (run.size() == 1) path += "h0";  // with round ends: a dot
      for (std::size_t i = 1; i < run.size(); ++i)
        path += fmt::format("{}{:.2f} {:.2f}", i == 1 ? "L" : " ", run[i].x, run[i].y);
    }
    if (!path.empty())
      canvas_->draw(fmt::format("<path {} stroke-linecap=\"round\" d=\"{}\"><title>{}</title></path>\n", stroke(curve),
                                path, escape_xml(curve.name)));
  }

  /// Of dots in one place of the picture one is drawn.
  static std::string draw_dots(const std::vector<double>& x, const std::vector<double>& y) {
    std::set<std::pair<long, long>> places;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (std::isfinite(x[i]) && std::isfinite(y[i])) places.insert({std::lround(2 * x[i]), std::lround(2 * y[i])});
    std::string path;
    for (const auto& [column, row] : places)
      path += fmt::format("M{:.1f} {:.1f}h0", static_cast<double>(column) / 2, static_cast<double>(row) / 2);
    return path;
  }

  std::vector<double> time_;
  std::vector<Curve> curves_;
  std::string axis_name_;
  std::vector<double> marks_;
  Axis time_axis_;
  std::vector<std::vector<std::size_t>> panels_;
  std::optional<Canvas> canvas_;
};

}  // namespace

std::string draw_curves(const CurvePlot& plot) { return Drawing(plot).take(); }

std::string write_svg(const Trajectory& trajectory, const PlotOptions& options) {
  Trajectory chosen = options.columns.empty() ? trajectory : select_columns(trajectory, options.columns);
  const auto column = [&](std::size_t k) {
    const std::span<const double> values = chosen.rows.column(k);
    return std::vector<double>(values.begin(), values.end());
  };
  std::vector<double> time = column(0);
  std::vector<Curve> curves;
  for (std::size_t i = 1; i < chosen.columns.size(); ++i) curves.push_back({chosen.columns[i], column(i), i - 1});
  return draw_curves({.title = options.title, .x = std::move(time), .curves = std::move(curves)});
}

}  // namespace dalembert
