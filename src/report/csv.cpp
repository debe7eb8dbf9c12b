#include <fmt/format.h>

#include <algorithm>
#include <dalembert/base/csv.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/report/report.hpp>
#include <fstream>

namespace dalembert {
namespace {

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& problem,
                         const std::string& remedy) {
  throw InputError({file, {line, 0}, "", problem, remedy});
}

}  // namespace

std::string write_csv(const Trajectory& trajectory) {
  std::string out;
  out.reserve(trajectory.rows.size() * trajectory.columns.size() * 20);
  for (std::size_t i = 0; i < trajectory.columns.size(); ++i)
    out += (i == 0 ? "" : ",") + quote_csv(trajectory.columns[i]);
  out += '\n';
  for (const Table::Row row : trajectory.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 0) out += ',';
      out += write_number(row[i]);
    }
    out += '\n';
  }
  return out;
}

double CsvRow::value(const std::string& column) const {
  const std::optional<std::size_t> found = find_csv_column(file, columns, column);
  if (!found) {
    std::string nearest = nearest_name(column, columns);
    refuse(file, 1, fmt::format("there is no column {}", column),
           nearest.empty() ? "expected a file that `dalembert simulate` wrote of this model"
                           : fmt::format("the nearest is {}: is it a file of this model?", nearest));
  }
  std::optional<double> value = values[*found];
  if (!value)
    refuse(file, line, fmt::format("column {} is empty in the last row", column), "a restart needs its value");
  return *value;
}

CsvRow read_csv_last_row(const std::string& path) {
  std::ifstream in = open_csv(path);
  std::string line, last, header;
  std::size_t number = 0, last_number = 0;
  while (std::getline(in, line)) {
    ++number;
    if (in.eof())  // a number that lost its last digits is a number too
      refuse(path, number, "the file ends within a line: it may have been cut off",
             "remove this line to restart from the one before, or end it with a line end if it is whole");
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (number == 1) header = line.starts_with("\xEF\xBB\xBF") ? line.substr(3) : line;
    if (number == 1 || line.empty()) continue;
    last.swap(line);
    last_number = number;
  }
  if (in.bad()) refuse(path, 0, "cannot be read", "check that it is a file");
  if (header.empty()) refuse(path, 1, "the file is empty", "expected a first line with column names: t,...");
  CsvRow row{path, last_number, split_csv(path, 1, header), {}};
  if (last_number == 0) refuse(path, 1, "there is no row under the column names", "a restart needs one");
  std::vector<std::string> fields = split_csv(path, last_number, last);
  if (fields.size() != row.columns.size())
    refuse(path, last_number,
           fmt::format("the row has {} values, but the first line names {} columns", fields.size(), row.columns.size()),
           "the file may have been cut off: remove its last line to restart from the one before");
  for (std::size_t i = 0; i < fields.size(); ++i)
    row.values.push_back(parse_csv_field(path, last_number, row.columns[i], fields[i]));
  return row;
}

}  // namespace dalembert
