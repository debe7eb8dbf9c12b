#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <dalembert/report/report.hpp>

#include "base/utf8.hpp"
#include "report/plot/plot.hpp"

namespace dalembert {
namespace {

// Okabe and Ito (2008): told apart with any colour vision; dashes from the ninth curve on.
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                   "#E69F00", "#56B4E9", "#000000", "#8C6D1F"};
constexpr std::size_t colour_count = std::size(colours);
constexpr std::size_t most_in_panel = 8;
constexpr double width = 960, left = 78, gap = 30, character = 7.6, line_height = 18;

/// What XML 1.0 has no place for (section 2.2), with the controls that it only discourages.
bool is_no_character(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xFFFE || code == 0xFFFF;
}

/// For XML: reserved characters escaped; what it cannot hold, bytes that are no UTF-8 included, shown as such.
std::string escape(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    auto [code, bytes] = decode_utf8(text, at);
    switch (code) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += bytes == 0 || is_no_character(code) ? std::string("\uFFFD") : std::string(text.substr(at, bytes));
    }
    at += std::max<std::size_t>(bytes, 1);
  }
  return out;
}

/// At most so many characters of a text, the rest as "…".
std::string shorten(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  std::string out;
  for (char c : text) {
    bool begins = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (begins && display_width(out) + 1 >= most) break;
    out += c;
  }
  return out + "…";
}

struct Box {
  double left, top, width, height;
  double bottom() const { return top + height; }
  double right() const { return left + width; }
};

struct Curve {
  std::string name;
  std::vector<double> values;
  std::size_t style;  ///< counts through all panels
};

class Drawing {
 public:
  Drawing(const PlotOptions& options, std::vector<double> time, std::vector<Curve> curves)
      : time_(std::move(time)), curves_(std::move(curves)), time_axis_(make_axis(span_of(time_), 10, false)) {
    std::vector<Interval> scales;
    std::size_t longest = 4;
    for (const Curve& curve : curves_) {
      scales.push_back(span_of(curve.values));
      longest = std::max(longest, display_width(shorten(curve.name, 24)));
    }
    panels_ = group_by_scale(scales, most_in_panel);
    double legend = 40 + character * static_cast<double>(longest);
    double panel_height = panels_.size() == 1 ? 380 : panels_.size() == 2 ? 240 : 170;
    double top = options.title.empty() ? 30 : 58;
    double height = top + static_cast<double>(panels_.size()) * (panel_height + gap) + 22;
    open(height, options.title);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      Box box{left, top + static_cast<double>(i) * (panel_height + gap), width - left - legend, panel_height};
      draw_panel(panels_[i], box, i + 1 == panels_.size());
    }
    out_ += "</svg>\n";
  }

  std::string take() { return std::move(out_); }

 private:
  void open(double height, const std::string& title) {
    out_ += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
        "font-family=\"system-ui, 'Helvetica Neue', 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#333\">\n",
        width, height);
    out_ += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    if (title.empty()) return;
    out_ += fmt::format("<title>{}</title>\n", escape(title));
    text(left, 30, "start", shorten(title, 90), " font-size=\"17\" font-weight=\"600\" fill=\"#111\"");
  }

  void text(double x, double y, const char* anchor, const std::string& words, const char* more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                        escape(words));
  }

  void draw_panel(const std::vector<std::size_t>& members, Box box, bool last) {
    Interval data{INFINITY, -INFINITY};
    for (std::size_t i : members) data = hull(data, span_of(curves_[i].values));
    Axis axis = make_axis(data, std::max(3, static_cast<int>(box.height / 34)), true);
    draw_grid(axis, box, last);
    for (std::size_t i : members) draw_curve(curves_[i], axis, box);
    double y = box.top + 12;
    for (std::size_t i : members) {
      out_ += fmt::format("<path d=\"M{:.1f} {:.1f}h18\" {}/>\n", box.right() + 12, y - 4, stroke(curves_[i]));
      text(box.right() + 36, y, "start", shorten(curves_[i].name, 24));
      y += line_height;
    }
  }

  double x_of(double time, Box box) const {
    return box.left + (time - time_axis_.range.low) / time_axis_.range.width() * box.width;
  }
  static double y_of(double value, const Axis& axis, Box box) {
    return box.bottom() - (value - axis.range.low) / axis.range.width() * box.height;
  }

  void draw_grid(const Axis& axis, Box box, bool last) {
    out_ += "<path fill=\"none\" stroke=\"#e4e4e4\" d=\"";
    for (const Tick& tick : time_axis_.ticks)
      out_ += fmt::format("M{:.1f} {:.1f}v{:.1f}", x_of(tick.value, box), box.top, box.height);
    for (const Tick& tick : axis.ticks)
      out_ += fmt::format("M{:.1f} {:.1f}h{:.1f}", box.left, y_of(tick.value, axis, box), box.width);
    out_ += "\"/>\n";
    out_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#999\"/>\n",
        box.left, box.top, box.width, box.height);
    for (const Tick& tick : axis.ticks) text(box.left - 7, y_of(tick.value, axis, box) + 4, "end", tick.label);
    if (!axis.note.empty()) text(box.left, box.top - 7, "start", axis.note, " fill=\"#666\"");
    if (!last) return;
    for (const Tick& tick : time_axis_.ticks) text(x_of(tick.value, box), box.bottom() + 17, "middle", tick.label);
    text(box.left + box.width / 2, box.bottom() + 36, "middle", "t", " font-style=\"italic\"");
    if (!time_axis_.note.empty()) text(box.right(), box.bottom() + 36, "end", time_axis_.note, " fill=\"#666\"");
  }

  static std::string stroke(const Curve& curve) {
    const char* dashes = curve.style < colour_count ? "" : " stroke-dasharray=\"6 3\"";
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"{}",
                       colours[curve.style % colour_count], dashes);
  }

  void draw_curve(const Curve& curve, const Axis& axis, Box box) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < time_.size(); ++i) {
      x.push_back(x_of(time_[i], box));
      y.push_back(y_of(curve.values[i], axis, box));
    }
    std::string path;
    for (const std::vector<PlotPoint>& run : thin(x, y, 0.5)) {
      path += fmt::format("M{:.2f} {:.2f}", run[0].x, run[0].y);
      if (run.size() == 1) path += "h0";  // with round ends: a dot
      for (std::size_t i = 1; i < run.size(); ++i)
        path += fmt::format("{}{:.2f} {:.2f}", i == 1 ? "L" : " ", run[i].x, run[i].y);
    }
    if (!path.empty())
      out_ += fmt::format("<path {} stroke-linecap=\"round\" d=\"{}\"><title>{}</title></path>\n", stroke(curve), path,
                          escape(curve.name));
  }

  std::vector<double> time_;
  std::vector<Curve> curves_;
  Axis time_axis_;
  std::vector<std::vector<std::size_t>> panels_;
  std::string out_;
};

}  // namespace

std::string write_svg(const Trajectory& trajectory, const PlotOptions& options) {
  Trajectory chosen = options.columns.empty() ? trajectory : select_columns(trajectory, options.columns);
  const auto column = [&](std::size_t k) {
    const std::span<const double> values = chosen.rows.column(k);
    return std::vector<double>(values.begin(), values.end());
  };
  std::vector<double> time = column(0);
  std::vector<Curve> curves;
  for (std::size_t i = 1; i < chosen.columns.size(); ++i) curves.push_back({chosen.columns[i], column(i), i - 1});
  return Drawing(options, std::move(time), std::move(curves)).take();
}

}  // namespace dalembert
