#include "model/source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/limits.hpp"

namespace dalembert {
namespace {

bool continues_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

/// Just enough of TOML's grammar to know what is inside a string or a comment.
class KeyScanner {
 public:
  KeyScanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '#') {
        skip_comment();
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        if (c == '.') count_part();
        if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}' || c == '\n') parts_ = 1;
        step();
      }
    }
  }

 private:
  void step() {
    if (text_[at_] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else if (!continues_code_point(text_[at_])) {
      ++place_.column;
    }
    ++at_;
  }

  void count_part() {
    if (++parts_ <= limits::key_depth) return;
    throw ModelError({file_, place_, "",
                      fmt::format("a key has more than {} parts (limit `key_depth`)", limits::key_depth),
                      "model files need two, as in [points.P]"});
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') step();
  }

  void skip_string(char quote) {
    bool multiline = text_.substr(at_, 3) == std::string(3, quote);
    std::string_view end = multiline ? text_.substr(at_, 3) : text_.substr(at_, 1);
    for (std::size_t i = 0; i < end.size(); ++i) step();
    while (at_ < text_.size()) {
      if (text_.substr(at_, end.size()) == end) {
        for (std::size_t i = 0; i < end.size(); ++i) step();
        return;
      }
      if (!multiline && text_[at_] == '\n') return;  // not TOML: the parser says so
      if (quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()) step();
      step();
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t parts_ = 1;
  Place place_{1, 1};
};

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

void check_key_depth(std::string_view text, const std::string& file) { KeyScanner(text, file).run(); }

namespace {

/// The end of the string that begins at `at`; the text's end where the string is broken, since nothing after that is
/// read.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool long_string = text.substr(at, 3) == std::string(3, quote);
  std::size_t next = at + (long_string ? 3 : 1);
  while (next < text.size()) {
    if (text[next] == '\\' && quote == '"') {
      next += 2;
    } else if (!long_string && text[next] == '\n') {
      return text.size();
    } else if (long_string && text.substr(next, 3) == std::string(3, quote)) {
      next += 3;
      for (int more = 0; more < 2 && next < text.size() && text[next] == quote; ++more) ++next;
      return next;
    } else if (!long_string && text[next] == quote) {
      return next + 1;
    } else {
      ++next;
    }
  }
  return text.size();
}

/// Line and column of an offset, both from 1; columns count code points.
Place place_of_offset(std::string_view text, std::size_t offset) {
  Place place{1, 1};
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n')
      place = {place.line + 1, 1};
    else if ((static_cast<unsigned char>(text[i]) & 0xC0u) != 0x80u)
      ++place.column;
  }
  return place;
}

}  // namespace

void check_letters(std::string_view text, const std::string& file) {
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte order mark
  while (at < text.size()) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '"' || text[at] == '\'') {
      at = end_of_string(text, at);
    } else if (static_cast<unsigned char>(text[at]) >= 0x80u) {
      throw ModelError({file, place_of_offset(text, at), "",
                        "a character that TOML allows in strings and comments only",
                        "put names with such letters in quotes, as \"θ\" = 1"});
    } else {
      ++at;
    }
  }
}

}  // namespace dalembert
