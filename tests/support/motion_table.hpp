#pragma once
// The table that `dalembert simulate` writes.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/run_command.hpp"

namespace dalembert::testing_support {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  std::size_t index(const std::string& column) const {
    const auto found = std::find(columns.begin(), columns.end(), column);
    if (found == columns.end()) throw std::runtime_error("there is no column " + column);
    return static_cast<std::size_t>(found - columns.begin());
  }

  const std::vector<double>& row_at(double time) const {
    for (const std::vector<double>& row : rows)
      if (std::abs(row[0] - time) <= 1e-12 * (1 + time)) return row;
    throw std::runtime_error("there is no row at t = " + std::to_string(time));
  }
};

/// CSV with a header line; an empty cell, a value that does not exist, is NaN.
inline Table read_csv(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  for (std::string line, cell; std::getline(lines, line);) {
    std::istringstream cells(line);
    if (table.columns.empty()) {
      while (std::getline(cells, cell, ',')) table.columns.push_back(cell);
    } else {
      std::vector<double>& row = table.rows.emplace_back();
      while (std::getline(cells, cell, ',')) row.push_back(cell.empty() ? NAN : std::strtod(cell.c_str(), nullptr));
      row.resize(table.columns.size(), NAN);
    }
  }
  return table;
}

/// Runs `dalembert simulate MODEL OPTIONS...`; an exception, so a failure of the test, if it does not end well.
inline Table simulate(const std::string& model, const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"simulate", model};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const CommandResult result = run_command(arguments, {.seconds = 500, .folder = {}});
  if (result.status != 0) throw std::runtime_error("simulate " + model + " failed: " + result.err);
  const Table table = read_csv(result.out);
  if (table.rows.empty()) throw std::runtime_error("simulate " + model + " wrote no rows");
  return table;
}

}  // namespace dalembert::testing_support
