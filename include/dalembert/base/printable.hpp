#pragma once
// Text of unknown origin (names, keys, paths) made safe to show.

#include <string>
#include <string_view>

namespace dalembert {

/// The text on one line, with nothing in it that a terminal acts on: control characters, characters that turn the
/// direction of writing and bytes that are no UTF-8 are shown as \n, \x1b, \u202e.
std::string printable(std::string_view text);
/// The same line by line: line ends stay.
std::string printable_lines(std::string_view text);

}  // namespace dalembert
