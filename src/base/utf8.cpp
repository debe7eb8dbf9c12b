#include "base/utf8.hpp"

#include <algorithm>

namespace dalembert {
namespace {

struct Range {
  char32_t first, last;
};

// C0 and C1 controls (U+009B begins a terminal's commands as ESC [ does), line and paragraph separators, and the marks
// and overrides of Unicode Standard Annex 9, by which text can look like another text.
constexpr Range acted_on[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x061c, 0x061c}, {0x200e, 0x200f},
                              {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfff9, 0xfffb}};

}  // namespace

bool is_acted_on(char32_t code) {
  return std::ranges::any_of(acted_on, [&](Range range) { return range.first <= code && code <= range.last; });
}

CodePoint decode_utf8(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t bytes = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (bytes == 0 || at + bytes > text.size()) return {};
  char32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, bytes};
}

}  // namespace dalembert
