#include "model/plain_toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"
#include "model/limits.hpp"

namespace dalembert {

/// Knows just enough of TOML's grammar to tell what is inside a string or a comment. Up to the first error it reads a
/// text as any TOML parser does; past it nothing matters but that all is ASCII.
class PlainTomlWriter {
 public:
  PlainTomlWriter(std::string_view text, const std::string& file, PlainToml& to)
      : text_(text), file_(file), to_(to), at_(text.starts_with("\xef\xbb\xbf") ? 3 : 0) {}  // a byte order mark

  void run() {
    to_.text_.reserve(text_.size());
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '#') {
        skip_to(std::min(text_.find('\n', at_), text_.size()));
      } else if (c == '"' || c == '\'') {
        string(c);
      } else if (is_beyond_ascii()) {
        decode();
        fail("a character that TOML allows in strings and comments only",
             "put names with such letters in quotes, as \"θ\" = 1");
      } else {
        if (c == '.') count_part();
        if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}' || c == '\n') parts_ = 1;
        copy(1);
      }
    }
  }

 private:
  [[noreturn]] void fail(std::string problem, std::string remedy) const {
    throw ModelError({file_, place_, "", std::move(problem), std::move(remedy)});
  }

  bool is_beyond_ascii() const { return static_cast<unsigned char>(text_[at_]) >= 0x80u; }
  bool is_next(std::string_view word) const { return text_.substr(at_, word.size()) == word; }

  CodePoint decode() const {
    CodePoint point = decode_utf8(text_, at_);
    if (point.bytes == 0) fail("the text is not valid UTF-8", "save it as UTF-8");
    return point;
  }

  /// So many characters of ASCII as they are.
  void copy(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
      to_.text_ += text_[at_];
      if (text_[at_] == '\n') {
        place_ = {place_.line + 1, 1};
        column_ = 1;
      } else {
        ++place_.column;
        ++column_;
      }
    }
  }

  /// One character, of so many bytes, written otherwise.
  void write(std::string_view replacement, std::size_t bytes) {
    to_.text_ += replacement;
    to_.escapes_.push_back({place_.line, column_, column_ + replacement.size(), place_.column});
    at_ += bytes;
    column_ += replacement.size();
    ++place_.column;
  }

  void escape() {
    CodePoint point = decode();
    write(point.code > 0xffff ? fmt::format("\\U{:08X}", std::uint32_t{point.code})
                              : fmt::format("\\u{:04X}", std::uint32_t{point.code}),
          point.bytes);
  }

  /// Text in which a character beyond ASCII means nothing.
  void skip_to(std::size_t end) {
    while (at_ < end) {
      if (is_beyond_ascii()) {
        write("?", decode().bytes);
      } else {
        copy(1);
      }
    }
  }

  void count_part() {
    if (++parts_ <= limits::key_depth) return;
    fail(fmt::format("a key has more than {} parts (limit `key_depth`)", limits::key_depth),
         "model files need two, as in [points.P]");
  }

  /// A basic string takes escapes as it is; a literal one that needs some becomes a basic one.
  void string(char quote) {
    bool is_long = is_next(std::string(3, quote));
    std::size_t end = content_end(quote, is_long);
    std::string_view content = text_.substr(at_, end - at_);
    bool literal = quote == '\'';
    bool changes =
        literal && std::ranges::any_of(content, [](char c) { return static_cast<unsigned char>(c) >= 0x80u; });
    auto delimiter = [&] {
      for (int i = is_long ? 3 : 1; i > 0; --i) changes ? write("\"", 1) : copy(1);
    };
    delimiter();
    while (at_ < end) {
      if (is_beyond_ascii()) {
        escape();
      } else if (changes && (text_[at_] == '"' || text_[at_] == '\\')) {
        write(text_[at_] == '"' ? "\\\"" : "\\\\", 1);
      } else {
        if (!literal && text_[at_] == '\\') copy_escape();
        copy(1);
      }
    }
    if (at_ < text_.size() && text_[at_] == quote) return delimiter();
    skip_to(text_.size());  // the string is broken off, which is an error
  }

  void copy_escape() {
    copy(1);
    if (at_ < text_.size() && is_beyond_ascii())
      fail("a backslash before a character beyond ASCII", "write \\\\ for a backslash");
  }

  /// Where the content of the string that begins here ends: at its closing quotes, or where it is broken off.
  std::size_t content_end(char quote, bool is_long) const {
    const std::string closing(is_long ? 3 : 1, quote);
    std::size_t next = at_ + closing.size();
    while (next < text_.size()) {
      if (text_[next] == '\\' && quote == '"') {
        next += 2;
      } else if (!is_long && text_[next] == '\n') {
        return next;
      } else if (text_.substr(next, closing.size()) == closing) {
        // A long string may end in up to two quotes of its own.
        for (int own = 0; is_long && own < 2 && next + 3 < text_.size() && text_[next + 3] == quote; ++own) ++next;
        return next;
      } else {
        ++next;
      }
    }
    return text_.size();
  }

  std::string_view text_;
  const std::string& file_;
  PlainToml& to_;
  std::size_t at_;
  std::size_t parts_ = 1;
  Place place_{1, 1};       // in the text as written
  std::size_t column_ = 1;  // in the plain text
};

PlainToml::PlainToml(std::string_view text, const std::string& file) { PlainTomlWriter(text, file, *this).run(); }

Place PlainToml::written(Place place) const {
  auto after = std::ranges::upper_bound(escapes_, std::pair(place.line, place.column), {},
                                        [](const Escape& escape) { return std::pair(escape.line, escape.begin); });
  if (after == escapes_.begin() || std::prev(after)->line != place.line) return place;
  const Escape& last = *std::prev(after);
  std::size_t past = place.column < last.end ? 0 : place.column - last.end + 1;
  return {place.line, last.column + past};
}

}  // namespace dalembert
