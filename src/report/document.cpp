#include "report/document.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/utf8.hpp"

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
  const std::string text = document.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
  // The library escapes U+0000 to U+001F inside texts; what else is acted on can stand there only.
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = decode_utf8(text, at);
    if (code > 0x1f && is_acted_on(code))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    else
      out.append(text, at, bytes);
    at += bytes;
  }
  return out;
}

}  // namespace dalembert
