#pragma once
// Numbers that know how wrong rounding may have made them, and second-order jets of them: derivatives by a route that
// shares nothing with the graph's own (expr/differentiate.cpp), with the bound to compare by.

#include <cmath>

#include "base/tolerances.hpp"

namespace dalembert {

/// A double and a first-order bound of its error: running error analysis (Higham, Accuracy and Stability of Numerical
/// Algorithms, section 3.3). Other orders of the same sums stay within a small factor of it.
struct Tracked {
  double value = 0, error = 0;

  Tracked() = default;
  Tracked(double exact) : value(exact) {}
  Tracked(double given, double uncertain) : value(given), error(uncertain) {}
};

inline Tracked rounded(double value, double inherited) {
  return {value, inherited + tolerance::epsilon * std::abs(value)};
}
inline Tracked operator-(Tracked a) { return {-a.value, a.error}; }
inline Tracked operator+(Tracked a, Tracked b) { return rounded(a.value + b.value, a.error + b.error); }
inline Tracked operator-(Tracked a, Tracked b) { return a + -b; }
inline Tracked operator*(Tracked a, Tracked b) {
  return rounded(a.value * b.value, std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
}
inline Tracked operator/(Tracked a, Tracked b) {
  double value = a.value / b.value;
  return rounded(value, (a.error + std::abs(value) * b.error) / std::abs(b.value));
}
/// f(x) from the value and the slope there.
inline Tracked applied(double value, double slope, Tracked x) {
  return rounded(value, x.error == 0 ? 0 : std::abs(slope) * x.error);
}

/// v + a e1 + b e2 + ab e1 e2 with e1^2 = e2^2 = 0: a value, its derivatives in two directions, and the mixed second
/// derivative ("hyper-dual" numbers: Fike and Alonso 2011).
struct Jet {
  Tracked v, a, b, ab;

  Jet() = default;
  Jet(double value) : v(value) {}
  Jet(Tracked value) : v(value) {}
  Jet(Tracked value, Tracked first, Tracked second, Tracked mixed) : v(value), a(first), b(second), ab(mixed) {}
};

inline Jet operator-(const Jet& x) { return {-x.v, -x.a, -x.b, -x.ab}; }
inline Jet operator+(const Jet& x, const Jet& y) { return {x.v + y.v, x.a + y.a, x.b + y.b, x.ab + y.ab}; }
inline Jet operator-(const Jet& x, const Jet& y) { return {x.v - y.v, x.a - y.a, x.b - y.b, x.ab - y.ab}; }
inline Jet operator*(const Jet& x, const Jet& y) {
  return {x.v * y.v, x.v * y.a + x.a * y.v, x.v * y.b + x.b * y.v, x.v * y.ab + x.a * y.b + x.b * y.a + x.ab * y.v};
}
/// f(x) from f, f' and f'' at its value.
inline Jet chain(const Jet& x, Tracked f, Tracked first, Tracked second) {
  return {f, first * x.a, first * x.b, second * x.a * x.b + first * x.ab};
}

}  // namespace dalembert
