#include "report/page/html.hpp"

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>

namespace dalembert {

std::string escape_html(std::string_view text) {
  std::string safe;
  for (char letter : printable_lines(text)) switch (letter) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += letter;
    }
  return safe;
}

std::string escape_path(std::string_view name) {
  std::string safe;
  for (char letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' || letter == '.';
    is_plain ? safe += letter : safe += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return safe;
}

std::string hash_source(std::string_view content) {
  const std::array<unsigned char, 32> digest = sha256(content);
  return fmt::format("'sha256-{}'",
                     to_base64(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size())));
}

}  // namespace dalembert
