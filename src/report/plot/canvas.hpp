#pragma once
// What every plot is drawn on: a sheet with a title, panels with axes, and text that XML can hold.

#include "report/plot/plot.hpp"

namespace dalembert {

/// At most so many columns of a text, the rest as "…".
std::string shorten(const std::string& text, std::size_t most);
/// For XML: reserved characters escaped; what it cannot hold, bytes that are no UTF-8 included, shown as such.
std::string escape_xml(std::string_view text);

struct Box {
  double left, top, width, height;
  double bottom() const { return top + height; }
  double right() const { return left + width; }
};

inline double x_of(double value, const Axis& axis, Box box) {
  return box.left + (value - axis.range.low) / axis.range.width() * box.width;
}
inline double y_of(double value, const Axis& axis, Box box) {
  return box.bottom() - (value - axis.range.low) / axis.range.width() * box.height;
}

class Canvas {
 public:
  static constexpr double width = 960, left = 78;

  Canvas(double height, const std::string& title);
  void draw(const std::string& element) { out_ += element; }
  void text(double x, double y, const char* anchor, const std::string& words, const char* more = "");
  /// A grid at the ticks, a frame, and the numbers of the upright axis.
  void panel(const Axis& x, const Axis& y, Box box);
  /// The numbers of the level axis and its name.
  void below(const Axis& x, Box box, const std::string& name);
  std::string take() { return std::move(out_ += "</svg>\n"); }

 private:
  std::string out_;
};

}  // namespace dalembert
