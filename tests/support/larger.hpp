#pragma once

#include <cmath>

namespace dalembert::testing_support {

/// The larger of a size so far and that of a value. What is not a number stays: std::max would pass over it, and a test
/// of the largest error would pass on numbers that do not exist.
inline double larger(double so_far, double value) {
  const double size = std::abs(value);
  return std::isnan(so_far) || size <= so_far ? so_far : size;
}

}  // namespace dalembert::testing_support
