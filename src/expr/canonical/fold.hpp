#pragma once
// Products of sines and cosines as sums of sines and cosines of sums.

#include "expr/canonical/ring.hpp"

namespace dalembert::canonical {

/// Linear in sines and cosines; nothing where that would be long.
std::optional<Expr> fold_angles(Ring& ring, const Poly& poly);
/// Each factor folded where that makes it shorter.
std::optional<Expr> fold_factors(Ring& ring, const Poly& poly);
bool has_angles(const Ring& ring, const Poly& poly);
/// Some term has a sine or cosine of each of two angles, given by the generators of their cosines.
bool has_both(const Poly& poly, std::size_t first, std::size_t second);

/// Roots and sines removed from the denominator by multiplying with conjugates, each factor where the denominator keeps
/// to the zeros that it has; as it was where that grows too large.
Fraction rationalise(Ring& ring, const Fraction& fraction);

}  // namespace dalembert::canonical
