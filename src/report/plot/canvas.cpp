#include "report/plot/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/report/report.hpp>

#include "base/utf8.hpp"

namespace dalembert {
namespace {

/// What XML 1.0 has no place for (section 2.2), with the controls that it only discourages.
bool is_no_character(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xFFFE || code == 0xFFFF;
}

}  // namespace

std::string escape_xml(std::string_view text) {
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

Canvas::Canvas(double height, const std::string& title) {
  out_ += fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
      "font-family=\"system-ui, 'Helvetica Neue', 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#333\">\n",
      width, height);
  out_ += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  if (title.empty()) return;
  out_ += fmt::format("<title>{}</title>\n", escape_xml(title));
  text(left, 30, "start", shorten(title, 90), " font-size=\"17\" font-weight=\"600\" fill=\"#111\"");
}

void Canvas::text(double x, double y, const char* anchor, const std::string& words, const char* more) {
  out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                      escape_xml(words));
}

void Canvas::panel(const Axis& x, const Axis& y, Box box) {
  out_ += "<path fill=\"none\" stroke=\"#e4e4e4\" d=\"";
  for (const Tick& tick : x.ticks)
    out_ += fmt::format("M{:.1f} {:.1f}v{:.1f}", x_of(tick.value, x, box), box.top, box.height);
  for (const Tick& tick : y.ticks)
    out_ += fmt::format("M{:.1f} {:.1f}h{:.1f}", box.left, y_of(tick.value, y, box), box.width);
  out_ += "\"/>\n";
  out_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#999\"/>\n", box.left,
      box.top, box.width, box.height);
  for (const Tick& tick : y.ticks) text(box.left - 7, y_of(tick.value, y, box) + 4, "end", tick.label);
  if (!y.note.empty()) text(box.left, box.top - 7, "start", y.note, " fill=\"#666\"");
}

void Canvas::below(const Axis& x, Box box, const std::string& name) {
  for (const Tick& tick : x.ticks) text(x_of(tick.value, x, box), box.bottom() + 17, "middle", tick.label);
  text(box.left + box.width / 2, box.bottom() + 36, "middle", name, " font-style=\"italic\"");
  if (!x.note.empty()) text(box.right(), box.bottom() + 36, "end", x.note, " fill=\"#666\"");
}

}  // namespace dalembert
