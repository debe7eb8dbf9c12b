#pragma once
// UTF-8, one code point at a time.

#include <cstddef>
#include <string_view>

namespace dalembert {

struct CodePoint {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: what stands there is not UTF-8
};

/// The code point that begins at text[at]. Overlong forms, surrogates and numbers past U+10FFFF are not UTF-8.
CodePoint decode_utf8(std::string_view text, std::size_t at);

/// A control character, or one that turns the direction of writing: what shows text acts on it.
bool is_acted_on(char32_t code);

}  // namespace dalembert
