#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <dalembert/expr/formula.hpp>
#include <dalembert/simulate/trajectory.hpp>

namespace dalembert {

std::string_view status_name(Status status) {
  switch (status) {
    case Status::finished: return "finished";
    case Status::event: return "event";
    case Status::singular: return "singular";
    case Status::undetermined: return "undetermined";
    case Status::step_underflow: return "step-underflow";
    case Status::not_finite: return "not-finite";
    case Status::interrupted: return "interrupted";
  }
  return "";
}

Table::Row::operator std::vector<double>() const {
  std::vector<double> values(size_);
  for (std::size_t k = 0; k < size_; ++k) values[k] = (*this)[k];
  return values;
}

Table::Table(std::initializer_list<std::vector<double>> rows) : columns_(rows.size() > 0 ? rows.begin()->size() : 0) {
  reserve(rows.size());
  for (const std::vector<double>& row : rows) add(row);
}

/// The columns side by side in a buffer of their own.
void Table::relocate(std::size_t capacity) {
  auto data = std::make_shared_for_overwrite<double[]>(std::max<std::size_t>(capacity * columns_, 1));
  for (std::size_t k = 0; k < columns_ && rows_ > 0; ++k)
    std::memcpy(data.get() + k * capacity, data_.get() + k * capacity_, rows_ * sizeof(double));
  data_ = std::move(data);
  capacity_ = capacity;
}

void Table::reserve(std::size_t rows) {
  if (rows > capacity_) relocate(rows);
}

void Table::add(std::span<const double> row) {
  if (row.size() != columns_)
    throw InputError({"",
                      {},
                      "",
                      fmt::format("a row of {} numbers is added to {} columns", row.size(), columns_),
                      "give one number a column"});
  if (rows_ == capacity_ || data_.use_count() > 1)
    relocate(rows_ == capacity_ ? std::max<std::size_t>(2 * capacity_, 16) : capacity_);
  for (std::size_t k = 0; k < columns_; ++k) data_[k * capacity_ + rows_] = row[k];
  ++rows_;
}

void Table::set(std::size_t row, std::size_t column, double value) {
  if (row >= rows_ || column >= columns_)
    throw InputError({"", {}, "", "there is no such place in the table", "count rows and columns from 0"});
  if (data_.use_count() > 1) relocate(capacity_);
  data_[column * capacity_ + row] = value;
}

Table Table::pick(std::span<const std::size_t> columns) const {
  Table chosen(columns.size());
  chosen.relocate(rows_);
  chosen.rows_ = rows_;
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (rows_ > 0) std::memcpy(chosen.data_.get() + k * rows_, column(columns[k]).data(), rows_ * sizeof(double));
  return chosen;
}

std::string Trajectory::brief() const {
  std::string text(status_name(status));
  if (!message.empty()) text += ": " + message;
  return text;
}

std::span<const double> Trajectory::operator[](std::string_view column) const {
  const auto found = std::ranges::find(columns, column);
  if (found != columns.end()) return rows.column(static_cast<std::size_t>(found - columns.begin()));
  const std::string nearest = nearest_name(std::string(column), columns);
  throw InputError({"",
                    {},
                    std::string(column),
                    "the motion has no column of this name",
                    nearest.empty() ? "Trajectory::columns lists them" : "did you mean " + nearest + "?"});
}

}  // namespace dalembert
