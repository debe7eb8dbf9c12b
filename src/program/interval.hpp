#pragma once
// Intervals of numbers: each function contains every value that the function has for arguments in the given intervals,
// rounding included. What has no bound is the whole line; where a function has no value, nothing is said.

#include <limits>

namespace dalembert {

struct Bounds {
  double low = 0, high = 0;

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr Bounds whole() { return {-infinity, infinity}; }
  static constexpr Bounds point(double x) { return {x, x}; }

  bool contains(double x) const { return low <= x && x <= high; }
  bool is_positive() const { return low > 0; }
  bool is_negative() const { return high < 0; }
};

Bounds operator+(Bounds a, Bounds b);
Bounds operator-(Bounds a, Bounds b);
Bounds operator-(Bounds a);
Bounds operator*(Bounds a, Bounds b);
Bounds operator/(Bounds a, Bounds b);

/// What lies in both; where rounding has left nothing, the first.
Bounds intersect(Bounds a, Bounds b);
Bounds hull(Bounds a, Bounds b);

Bounds square(Bounds a);
Bounds sqrt(Bounds a);
Bounds abs(Bounds a);
Bounds sign(Bounds a);
Bounds min(Bounds a, Bounds b);
Bounds max(Bounds a, Bounds b);
Bounds sin(Bounds a);
Bounds cos(Bounds a);
Bounds tan(Bounds a);
Bounds asin(Bounds a);
Bounds acos(Bounds a);
Bounds atan(Bounds a);
Bounds sinh(Bounds a);
Bounds cosh(Bounds a);
Bounds tanh(Bounds a);
Bounds exp(Bounds a);
Bounds log(Bounds a);
Bounds atan2(Bounds y, Bounds x);
Bounds pow(Bounds a, Bounds b);

}  // namespace dalembert
