#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <dalembert/base/csv.hpp>
#include <dalembert/base/error.hpp>
#include <filesystem>
#include <fstream>

namespace dalembert {
namespace {

constexpr std::size_t largest_table = 50'000'000;  // fields

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& problem,
                         const std::string& remedy) {
  throw InputError({file, {line, 0}, "", problem, remedy});
}

}  // namespace

std::string quote_csv(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' || c == '\r' ? ' ' : c);
  return out + '"';
}

std::vector<std::string> split_csv(const std::string& file, std::size_t line, std::string_view text) {
  std::vector<std::string> fields{""};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      if (quoted && i + 1 < text.size() && text[i + 1] == '"')
        fields.back() += text[++i];
      else
        quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += text[i];
    }
  }
  if (quoted) refuse(file, line, "a quotation mark is not closed", "write \"...\" around a field on one line");
  return fields;
}

std::optional<double> parse_csv_field(const std::string& file, std::size_t line, const std::string& column,
                                      const std::string& field) {
  if (field.empty()) return std::nullopt;
  double value = 0;
  auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value))
    refuse(file, line, "column " + column + " holds \"" + field.substr(0, 40) + "\", which is no number",
           "write numbers as 2.5 or 1e-3 between commas, as `dalembert simulate` does");
  return value;
}

std::optional<std::size_t> find_csv_column(const std::string& file, const std::vector<std::string>& columns,
                                           std::string_view column) {
  const auto found = std::ranges::find(columns, column);
  if (found == columns.end()) return std::nullopt;
  if (std::find(found + 1, columns.end(), column) != columns.end())
    refuse(file, 1, fmt::format("there are two columns {}", column), "give each column a name of its own");
  return static_cast<std::size_t>(found - columns.begin());
}

std::ifstream open_csv(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    refuse(path, 0, "this is no ordinary file, and may have no end", "write the table to a file first");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path, 0, "the file cannot be read", "check the name and the permissions");
  return in;
}

CsvTable read_csv(const std::string& path) {
  std::ifstream in = open_csv(path);
  CsvTable table{path, {}, {}, {}};
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (number == 1) {
      if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
      table.columns = split_csv(path, number, line);
      continue;
    }
    if (line.empty()) continue;
    const std::vector<std::string> fields = split_csv(path, number, line);
    if (fields.size() != table.columns.size())
      refuse(path, number,
             "the row has " + std::to_string(fields.size()) + " values, but the first line names " +
                 std::to_string(table.columns.size()) + " columns",
             "give each row a field for each column, empty where there is no value");
    if ((table.rows.size() + 1) * fields.size() > largest_table)
      refuse(path, number, "the file has more than " + std::to_string(largest_table) + " fields", "give a shorter one");
    std::vector<std::optional<double>>& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < fields.size(); ++i)
      row.push_back(parse_csv_field(path, number, table.columns[i], fields[i]));
    table.lines.push_back(number);
  }
  if (in.bad()) refuse(path, 0, "the file cannot be read", "check that it is a file");
  if (table.columns.empty()) refuse(path, 1, "the file is empty", "expected a first line with column names: t,...");
  return table;
}

}  // namespace dalembert
