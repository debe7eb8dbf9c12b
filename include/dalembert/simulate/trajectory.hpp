#pragma once
// What a motion leaves behind: rows of numbers under named columns, and how it ended.

#include <dalembert/mechanics/state.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// How a motion ended.
enum class Status : std::uint8_t {
  finished,        ///< `until` was reached
  event,           ///< an event that stops
  singular,        ///< constraints or mass matrix lose rank and no way through was found
  undetermined,    ///< branches of the motion meet: the equations do not say which is taken
  step_underflow,  ///< the tolerance cannot be met
  not_finite,      ///< a formula gives no number
  interrupted,     ///< the stop flag was raised
};
/// As in JSON: "step-underflow".
std::string_view status_name(Status status);

/// Rows of numbers in one buffer, column after column, so that each column is contiguous. A copy shares the numbers
/// until it is written to.
class Table {
 public:
  /// One row, read across the columns.
  class Row {
   public:
    Row(const double* first, std::size_t stride, std::size_t size) : first_(first), stride_(stride), size_(size) {}
    std::size_t size() const { return size_; }
    double operator[](std::size_t column) const { return first_[column * stride_]; }
    operator std::vector<double>() const;

   private:
    const double* first_;
    std::size_t stride_, size_;
  };
  class Iterator {
   public:
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Table& table, std::size_t at) : table_(&table), at_(at) {}
    Row operator*() const { return (*table_)[at_]; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return {*table_, at_++}; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const Table* table_ = nullptr;
    std::size_t at_ = 0;
  };

  Table() = default;
  explicit Table(std::size_t columns) : columns_(columns) {}
  /// From rows of equal length.
  Table(std::initializer_list<std::vector<double>> rows);

  std::size_t size() const { return rows_; }
  bool empty() const { return rows_ == 0; }
  std::size_t column_count() const { return columns_; }
  Row operator[](std::size_t row) const { return {data_.get() + row, capacity_, columns_}; }
  Row back() const { return (*this)[rows_ - 1]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, rows_}; }
  std::span<const double> column(std::size_t k) const { return {data_.get() + k * capacity_, rows_}; }
  /// The numbers, shared: alive as long as any holder is.
  std::shared_ptr<const double[]> data() const { return data_; }

  /// Room for so many rows: up to there add() allocates nothing.
  void reserve(std::size_t rows);
  void add(std::span<const double> row);
  void set(std::size_t row, std::size_t column, double value);
  /// The columns at these places.
  Table pick(std::span<const std::size_t> columns) const;

 private:
  void relocate(std::size_t capacity);

  std::size_t columns_ = 0, rows_ = 0, capacity_ = 0;
  std::shared_ptr<double[]> data_;
};

/// What velocities jumped by.
struct Impact {
  double impulse = 0;             ///< of this contact, with the sign that its reaction has
  double energy_lost = 0;         ///< T + V before and after, by all contacts struck at that time
  bool several_outcomes = false;  ///< contacts struck one after the other would have left it with other velocities
};

struct EventRecord {
  std::string name;
  std::string kind;  ///< "record", "stop"; of contacts "impact", "touch-down", "lift-off", "chattering ends"
  double t = 0;
  std::vector<double> state;  ///< the row at that time
  std::optional<Impact> impact = {};
};

/// How far something that should stay constant moved.
struct Drift {
  std::string name;
  double start = 0;
  double largest = 0;  ///< largest change from the start, over the rows
};

struct Summary {
  double largest_kinetic = 0;    ///< u M u / 2, over the rows
  Drift energy;                  ///< T + V; constant for conservative models only
  Drift balance;                 ///< Jacobi's integral minus the work done on it (theory 1.7): constant for every model
  std::vector<Drift> integrals;  ///< the first integrals that the equations name
  double largest_residual = 0;
};

struct Statistics {
  std::size_t steps = 0, rejected = 0, evaluations = 0, projections = 0, crossings = 0, selections = 0;
  std::size_t choices = 0;  ///< how often quasi-velocities were chosen again
  double seconds = 0;
};

/// A motion. A value that does not exist (an unbounded reaction) is a quiet NaN and only such a value is; reports write
/// it as null or empty.
struct Trajectory {
  std::vector<std::string> columns;
  Table rows;
  Status status = Status::finished;
  std::string message;
  std::string contradicting;  ///< the constraint that contradicts the others on the way, where that ended it
  std::vector<EventRecord> events;
  std::vector<std::string> notes;  ///< what a user should know: projection at the start, redundancy, crossings
  Statistics statistics;
  Summary summary;
  std::vector<double> error;  ///< with estimate_error: per column, largest difference relative to the column's size
  State last;                 ///< the state of the last row

  /// It went as far as it was asked to, or to an event that stops.
  explicit operator bool() const { return status == Status::finished || status == Status::event; }
  /// How it ended, in a line.
  std::string brief() const;
  /// A column by name, one number a row; InputError with the nearest names where there is none.
  std::span<const double> operator[](std::string_view column) const;
};

}  // namespace dalembert
