#pragma once
// What operations cost, in units of about 10 ns (work.hpp): measured over the formulas of the bundled models, as the
// mean over each kind of operation. What a call into FLINT takes depends on more than its sizes; where it can vary the
// estimate is an upper one, so that no call runs away.

#include <algorithm>
#include <cmath>

#include "expr/canonical/poly.hpp"

namespace dalembert::canonical::cost {

inline constexpr double node = 40;  // converted, beside its polynomials
inline constexpr double walked_node = 5;
inline constexpr double copied_node = 25;    // from one graph to another
inline constexpr double factor_shown = 200;  // of a product arranged for reading
inline constexpr double wave = 120;          // of a product of sines and cosines being folded

/// Length, and what one term takes: its exponents are packed. Every operation looks at all generators.
struct Size {
  double length, term, generators;
  explicit Size(const Poly& poly)
      : length(static_cast<double>(poly.length())),
        term(1 + static_cast<double>(poly.context().size()) / 32),
        generators(static_cast<double>(poly.context().size())) {}
};

inline double sum(const Poly& a, const Poly& b) {
  Size x(a), y(b);
  return 50 + x.generators + 2 * (x.length + y.length) * x.term;
}

inline double product(const Poly& a, const Poly& b, double bits) {
  Size x(a), y(b);
  return 20 + 2 * x.generators + x.length * y.length * x.term * (1 + bits / 128);
}

/// Of this many terms, of a polynomial.
inline double power(const Poly& a, double terms, double bits) {
  Size x(a);
  return 20 + 2 * x.generators + std::max(terms, 1.0) * x.length * x.term * (1 + bits / 128);
}

/// Exact division: quotient and divisor are together about as long as the dividend.
inline double quotient(const Poly& a, const Poly& b) {
  Size x(a), y(b);
  return 100 + 8 * x.term * (x.length + y.length);
}

inline double common_divisor(const Poly& a, const Poly& b) {
  Size x(a), y(b);
  return 150 + 2 * x.generators + 25 * x.term * (x.length + y.length);
}

inline double factors(const Poly& a) {
  Size x(a);
  return 6000 + 1200 * x.term * x.length;
}

/// As plain values, one by one.
inline double terms(const Poly& a) {
  Size x(a);
  return x.length * (40 + 2 * x.generators);
}

inline double expression(double exponents) { return 200 + 8 * exponents; }

/// An enclosure of a node's value.
inline double ball(bool function, long bits) {
  double words = static_cast<double>(bits) / 64;
  return function ? 300 + 30 * words * std::sqrt(words) : 40 + 2 * words * std::sqrt(words);
}

}  // namespace dalembert::canonical::cost
