#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <dalembert/report/report.hpp>

#include "base/utf8.hpp"
#include "report/scribe.hpp"

namespace dalembert {
namespace {

struct Range {
  char32_t first, last;
};

// Unicode 15, general category Mn in the scripts that names and formulas use, and zero-width characters.
constexpr Range no_width[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                              {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
// Unicode Standard Annex 11: East Asian Wide and Fullwidth, in large blocks.
constexpr Range double_width[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0x33FF}, {0x3400, 0x4DBF},
                                  {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},  {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
                                  {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},  {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
                                  {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <std::size_t Count>
bool is_in(const Range (&ranges)[Count], char32_t code) {
  return std::ranges::any_of(ranges, [&](Range range) { return range.first <= code && code <= range.last; });
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    auto [code, bytes] = decode_utf8(text, at);
    at += std::max<std::size_t>(bytes, 1);  // what is not UTF-8 counts byte by byte
    if (!is_in(no_width, code)) width += is_in(double_width, code) ? 2 : 1;
  }
  return width;
}

TextTable& TextTable::align(std::vector<Align> columns) {
  columns_ = std::move(columns);
  return *this;
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  auto measure = [&](const std::vector<std::string>& cells) {
    widths.resize(std::max(widths.size(), cells.size()));
    if (cells.size() == 1 && heading_.empty()) return;  // a line by itself
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], display_width(cells[i]));
  };
  measure(heading_);
  std::ranges::for_each(rows_, measure);

  std::string out;
  auto write = [&](const std::vector<std::string>& cells) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::string padding(widths[i] - std::min(widths[i], display_width(cells[i])), ' ');
      bool right = i < columns_.size() && columns_[i] == Align::right;
      line += (i == 0 ? "" : "  ") + (right ? padding + cells[i] : cells[i] + padding);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  if (!heading_.empty()) {
    write(heading_);
    std::vector<std::string> rule;
    std::size_t room = widest_line - std::min(widest_line, indent);  // of what is longer the lines are broken
    for (std::size_t width : widths) {
      rule.emplace_back();
      for (std::size_t i = 0; i < std::min(width, room); ++i) rule.back() += "─";
      room -= std::min(room, width + 2);
    }
    write(rule);
  }
  std::ranges::for_each(rows_, write);
  return out;
}

std::string format_number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value + 0.0, digits) : "–";  // a zero without a sign
}

std::string write_number(double value) {
  if (!std::isfinite(value)) return "";
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace dalembert
