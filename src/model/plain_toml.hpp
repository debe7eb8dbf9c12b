#pragma once
// TOML in ASCII, for a library that must not see anything else.

#include <dalembert/base/error.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// The same TOML with every character beyond ASCII written as an escape, and where each stood. toml++ 3.3 has undefined
/// behaviour on such characters wherever it asks whether they are white space, which broken texts can make it ask
/// anywhere.
class PlainToml {
 public:
  /// Throws ModelError where the text is not UTF-8, where a character beyond ASCII stands outside strings and comments
  /// (TOML allows none there), and where a dotted key has so many parts that tables inside tables would exhaust the
  /// stack.
  PlainToml(std::string_view text, const std::string& file);

  const std::string& text() const { return text_; }
  /// The place in the text as written of a place in text().
  Place written(Place place) const;

 private:
  friend class PlainTomlWriter;
  /// Columns [begin, end) of a line stand for the one column written.
  struct Escape {
    std::size_t line, begin, end, column;
  };

  std::string text_;
  std::vector<Escape> escapes_;  // as they come
};

}  // namespace dalembert
