#include "program/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dalembert {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();  // two roundings to nearest
constexpr double pi = std::numbers::pi;

/// Bounds that were rounded to nearest, and those of functions, which are right to about an ulp, moved outwards.
Bounds widen(double low, double high, double ulps = 1) {
  const double margin = ulps * unit, least = std::numeric_limits<double>::denorm_min();
  low -= std::abs(low) * margin + least;
  high += std::abs(high) * margin + least;
  // inf - inf and the like: no bound
  return {std::isnan(low) ? -Bounds::infinity : low, std::isnan(high) ? Bounds::infinity : high};
}

template <class F>
Bounds rising(F&& f, Bounds a) {
  return widen(f(a.low), f(a.high), 4);
}

/// 0 * inf: an exact zero times anything is zero.
double times(double a, double b) {
  const double product = a * b;
  return std::isnan(product) ? 0.0 : product;
}

/// Whether a has a number of the form offset + k * period.
bool meets(Bounds a, double offset, double period) {
  const double k = std::ceil((a.low - offset) / period - 1e-9);
  return offset + k * period <= a.high + 1e-9 * period;
}

}  // namespace

Bounds operator+(Bounds a, Bounds b) { return widen(a.low + b.low, a.high + b.high); }
Bounds operator-(Bounds a, Bounds b) { return widen(a.low - b.high, a.high - b.low); }
Bounds operator-(Bounds a) { return {-a.high, -a.low}; }

Bounds operator*(Bounds a, Bounds b) {
  const double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low), s = times(a.high, b.high);
  return widen(std::min({p, q, r, s}), std::max({p, q, r, s}));
}

Bounds operator/(Bounds a, Bounds b) {
  if (b.contains(0)) return Bounds::whole();
  return a * widen(1 / b.high, 1 / b.low);
}

Bounds intersect(Bounds a, Bounds b) {
  const Bounds both{std::max(a.low, b.low), std::min(a.high, b.high)};
  return both.low <= both.high ? both : a;
}

Bounds hull(Bounds a, Bounds b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Bounds square(Bounds a) {
  const Bounds size = abs(a);
  const Bounds product = widen(size.low * size.low, size.high * size.high);
  return {std::max(product.low, 0.0), product.high};
}

Bounds sqrt(Bounds a) {
  if (a.high < 0) return Bounds::whole();
  const Bounds root = widen(std::sqrt(std::max(a.low, 0.0)), std::sqrt(a.high));
  return {std::max(root.low, 0.0), root.high};
}

Bounds abs(Bounds a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return -a;
  return {0, std::max(-a.low, a.high)};
}

Bounds sign(Bounds a) {
  return {a.low > 0 ? 1.0 : (a.low < 0 ? -1.0 : 0.0), a.high > 0 ? 1.0 : (a.high < 0 ? -1.0 : 0.0)};
}

Bounds min(Bounds a, Bounds b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
Bounds max(Bounds a, Bounds b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

Bounds cos(Bounds a) {
  // Where turns can no longer be told apart, nor can the values.
  if (!(a.high - a.low < 2 * pi) || std::max(-a.low, a.high) > 1e9) return {-1, 1};
  const double first = std::cos(a.low), last = std::cos(a.high);
  Bounds range = widen(std::min(first, last), std::max(first, last), 4);
  if (meets(a, 0, 2 * pi)) range.high = 1;
  if (meets(a, pi, 2 * pi)) range.low = -1;
  return intersect({-1, 1}, range);
}

Bounds sin(Bounds a) {
  if (!(a.high - a.low < 2 * pi) || std::max(-a.low, a.high) > 1e9) return {-1, 1};
  const double first = std::sin(a.low), last = std::sin(a.high);
  Bounds range = widen(std::min(first, last), std::max(first, last), 4);
  if (meets(a, pi / 2, 2 * pi)) range.high = 1;
  if (meets(a, -pi / 2, 2 * pi)) range.low = -1;
  return intersect({-1, 1}, range);
}

Bounds tan(Bounds a) {
  if (!(a.high - a.low < pi) || std::max(-a.low, a.high) > 1e9 || meets(a, pi / 2, pi)) return Bounds::whole();
  return rising([](double x) { return std::tan(x); }, a);
}

Bounds asin(Bounds a) {
  if (a.high < -1 || a.low > 1) return Bounds::whole();
  return rising([](double x) { return std::asin(x); }, {std::max(a.low, -1.0), std::min(a.high, 1.0)});
}

Bounds acos(Bounds a) {
  if (a.high < -1 || a.low > 1) return Bounds::whole();
  return widen(std::acos(std::min(a.high, 1.0)), std::acos(std::max(a.low, -1.0)), 4);
}

Bounds atan(Bounds a) {
  return rising([](double x) { return std::atan(x); }, a);
}

Bounds sinh(Bounds a) {
  return rising([](double x) { return std::sinh(x); }, a);
}

Bounds cosh(Bounds a) {
  return rising([](double x) { return std::cosh(x); }, abs(a));
}

Bounds tanh(Bounds a) {
  return rising([](double x) { return std::tanh(x); }, a);
}

Bounds exp(Bounds a) {
  const Bounds range = rising([](double x) { return std::exp(x); }, a);
  return {std::max(range.low, 0.0), range.high};
}

Bounds log(Bounds a) {
  if (a.high <= 0) return Bounds::whole();
  return rising([](double x) { return std::log(x); }, {std::max(a.low, 0.0), a.high});
}

Bounds atan2(Bounds y, Bounds x) {
  const bool beside_the_cut = x.low > 0 || y.low > 0 || y.high < 0;
  if (!beside_the_cut) return {-pi * (1 + unit), pi * (1 + unit)};
  const double p = std::atan2(y.low, x.low), q = std::atan2(y.low, x.high), r = std::atan2(y.high, x.low),
               s = std::atan2(y.high, x.high);
  return widen(std::min({p, q, r, s}), std::max({p, q, r, s}), 4);
}

/// Where the base may be negative only whole exponents have a value, and even and odd ones another.
Bounds pow(Bounds a, Bounds b) {
  if (a.low > 0) return exp(b * log(a));
  if (b.low != b.high) return Bounds::whole();
  const double e = b.low;
  const bool whole = e == std::floor(e), even = std::fmod(e, 2) == 0;
  if (e <= 0 || (!whole && a.high < 0)) return Bounds::whole();
  const auto power = [e](double x) { return std::pow(x, e); };
  if (!whole) return rising(power, {0, a.high});
  return rising(power, even ? abs(a) : a);
}

}  // namespace dalembert
