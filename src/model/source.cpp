#include "model/source.hpp"

namespace dalembert {
namespace {

bool continues_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

}  // namespace

Source::Source(std::string_view text) : text_(text) {
  std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // a byte order mark has no column
  line_marks_.push_back(0);
  marks_.push_back(at);
  std::size_t column = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '\n') {
      line_marks_.push_back(marks_.size());
      marks_.push_back(at + 1);
      column = 0;
    } else if (!continues_code_point(text[at])) {
      if (column != 0 && column % stride == 0) marks_.push_back(at);
      ++column;
    }
  }
}

std::string_view Source::from(Place place) const {
  if (place.line == 0 || place.line > line_marks_.size() || place.column == 0) return {};
  std::size_t mark = line_marks_[place.line - 1] + (place.column - 1) / stride;
  std::size_t end = place.line < line_marks_.size() ? line_marks_[place.line] : marks_.size();
  if (mark >= end) return {};
  std::size_t at = marks_[mark];
  for (std::size_t left = (place.column - 1) % stride; left > 0 && at < text_.size(); --left) {
    ++at;
    while (at < text_.size() && continues_code_point(text_[at])) ++at;
  }
  return text_.substr(at);
}

}  // namespace dalembert
