#pragma once
// A model file's text, addressed as TOML libraries and editors address it: by line and column in code points.

#include <cstdint>
#include <dalembert/base/error.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

class Source {
 public:
  explicit Source(std::string_view text);

  /// The text from that place on; empty for a place outside.
  std::string_view from(Place place) const;

 private:
  static constexpr std::size_t stride = 64;  // code points between marks

  std::string_view text_;
  std::vector<std::size_t> marks_;       // offsets of columns 1, 1 + stride, 1 + 2 stride, ... of each line
  std::vector<std::size_t> line_marks_;  // index of each line's first mark
};

}  // namespace dalembert
