#pragma once
// Common divisors by division, where it is known what a polynomial is made of.

#include "expr/canonical/poly.hpp"

namespace dalembert::canonical {

/// Irreducible polynomials met so far. Denominators are products of few: that those divide another polynomial, or do
/// not, is seen much sooner than a greatest common divisor is found.
class Divisors {
 public:
  /// Nothing where the shorter one is not a product of known ones, generators and a number.
  std::optional<Poly> common_divisor(const Poly& a, const Poly& b);

 private:
  std::vector<Poly> known_;
};

/// The number and the generators that divide all terms.
Poly term_content(const Poly& poly);
/// True where it is plain that a polynomial without term content has no factors.
bool is_plainly_irreducible(const Poly& poly);
/// The same, and where it is of first degree in a generator, with coefficients that have no common divisor.
bool is_seen_irreducible(const Poly& poly);

}  // namespace dalembert::canonical
