#include "study/linearize/shape.hpp"

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"

namespace dalembert {
namespace {

/// The largest entries of all of [a | b].
double size_of(const NumberMatrix& a, const NumberMatrix& b) {
  double largest = 0;
  for (const NumberMatrix* matrix : {&a, &b})
    for (const double value : matrix->values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// A slope that rounding does not explain, in a matrix of this size.
bool is_clear(double slope, double size) { return std::abs(slope) > tolerance::clear_sign * size; }

}  // namespace

std::vector<std::size_t> find_shape(const std::vector<Reduced>& at, std::size_t extra) {
  const std::size_t places = at[0].rate_e.columns;
  std::vector<bool> in(places, false);
  for (const Reduced& each : at) {
    const double size = each.slopes;
    for (std::size_t i = 0; i < each.rate_e.rows; ++i)
      for (std::size_t j = extra - 1; j < places; ++j)
        if (is_clear(each.rate_e(i, j), size)) in[j] = true;
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const Reduced& each : at) {
      const double size = size_of(each.kinematic_e, each.kinematic_w);
      for (std::size_t i = 0; i + extra < places; ++i)
        for (std::size_t j = extra - 1; in[extra + i] && j < places; ++j)
          if (!in[j] && is_clear(each.kinematic_e(i, j), size)) in[j] = grown = true;
    }
  }
  std::vector<std::size_t> shape;
  for (std::size_t j = 0; j < places; ++j)
    if (in[j]) shape.push_back(j);
  return shape;
}

void add_what_acts(const NumberMatrix& a, std::vector<bool>& marked) {
  double size = 0;
  for (const double value : a.values) size = std::max(size, std::abs(value));
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i < a.rows; ++i)
      for (std::size_t j = 0; marked[i] && j < a.columns; ++j)
        if (!marked[j] && is_clear(a(i, j), size)) marked[j] = grown = true;
  }
}

}  // namespace dalembert
