#include "report/document.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dalembert {

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

Json json_rows(const std::vector<std::vector<double>>& matrix) {
  Json list = Json::array();
  for (const std::vector<double>& row : matrix) list.push_back(json_numbers(row));
  return list;
}

Json json_rows(const NumberMatrix& matrix) {
  Json list = Json::array();
  for (std::size_t i = 0; i < matrix.rows; ++i)
    list.push_back(json_numbers({matrix.values.data() + i * matrix.columns, matrix.columns}));
  return list;
}

std::string write_document(const Json& document, int indent) {
  std::string text = document.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
  // The library escapes U+0000 to U+001F; DEL and C1 controls (in UTF-8: C2 80 to C2 9F) can stand in texts only.
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == 0x7f)
      out += "\\u007f";
    else if (byte == 0xc2 && next >= 0x80 && next < 0xa0)
      out += fmt::format("\\u{:04x}", next), ++i;
    else
      out += text[i];
  }
  return out;
}

}  // namespace dalembert
