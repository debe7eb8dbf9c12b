#pragma once
// Numbers under named columns, as text: RFC 4180 without line ends inside fields.

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// Where a column stands; nothing where there is none of that name. InputError naming the file where there are several.
std::optional<std::size_t> find_csv_column(const std::string& file, const std::vector<std::string>& columns,
                                           std::string_view column);

/// A file's columns. A field that is empty has no number.
struct CsvTable {
  std::string file;
  std::vector<std::string> columns;
  std::vector<std::vector<std::optional<double>>> rows;
  std::vector<std::size_t> lines;  ///< of the rows in the file

  std::optional<std::size_t> find(std::string_view column) const { return find_csv_column(file, columns, column); }
};

/// To read from. InputError where it cannot be read, or is no ordinary file: a device or a pipe may have no end.
std::ifstream open_csv(const std::string& path);
/// The whole file, empty lines passed over. InputError naming file and line where it cannot be read, has no first line
/// with names, or a row has too few or too many fields or something that is no number.
CsvTable read_csv(const std::string& path);

/// As it stands in a line: in quotes where it has to be. A line end becomes a space.
std::string quote_csv(const std::string& text);
/// Fields of one line, quotes taken off. InputError naming file and line where a quotation mark is not closed.
std::vector<std::string> split_csv(const std::string& file, std::size_t line, std::string_view text);
/// A finite number; nothing where the field is empty.
std::optional<double> parse_csv_field(const std::string& file, std::size_t line, const std::string& column,
                                      const std::string& field);

}  // namespace dalembert
