#include <algorithm>
#include <cstdio>
#include <dalembert/base/printable.hpp>

#include "base/utf8.hpp"

namespace dalembert {
namespace {

std::string escape(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  char text[16];
  std::snprintf(text, sizeof text, code < 0x80 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(code));
  return text;
}

std::string escape_byte(char byte) {
  char text[8];
  std::snprintf(text, sizeof text, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
  return text;
}

std::string shown(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    auto [code, bytes] = decode_utf8(text, at);
    if (bytes == 0)
      out += escape_byte(text[at]);
    else if (is_acted_on(code) && !(keep_lines && code == '\n'))
      out += escape(code);
    else
      out += text.substr(at, bytes);
    at += std::max<std::size_t>(bytes, 1);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }
std::string printable_lines(std::string_view text) { return shown(text, true); }

}  // namespace dalembert
