#pragma once
// A dense matrix in memory that someone else owns, row after row.

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>

namespace dalembert {

struct MatrixView {
  std::size_t rows = 0, columns = 0;
  std::span<const double> values;  ///< rows * columns

  MatrixView(std::size_t row_count, std::size_t column_count, std::span<const double> entries)
      : rows(row_count), columns(column_count), values(entries) {
    assert(entries.size() == row_count * column_count);
  }
  std::span<const double> row(std::size_t r) const { return values.subspan(r * columns, columns); }
  double operator()(std::size_t r, std::size_t c) const { return values[r * columns + c]; }
};

inline bool is_finite(std::span<const double> values) {
  for (double value : values)
    if (!std::isfinite(value)) return false;
  return true;
}

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// y += factor * x.
inline void add_scaled(double factor, std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// Euclidean length, also where the squares leave the range of doubles.
double length_of(std::span<const double> x);

}  // namespace dalembert
