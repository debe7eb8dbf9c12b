#pragma once
// Canonical forms: a zero test with proof. Everything is over the reals: an identity counts
// where both sides are defined and real, and powers with a broken exponent are defined for bases that are not negative.

#include <cstdint>
#include <dalembert/expr.hpp>
#include <string>

namespace dalembert {

/// Bounds on the work; what would exceed them is left undone, and the result says so.
struct CanonicalLimits {
  double seconds = 1.0;              ///< for one expression
  std::size_t terms = 20000;         ///< of one polynomial
  std::size_t nodes = 20000;         ///< of the expression's graph
  long degree = 100000;              ///< of one polynomial in one atom
  std::size_t atoms = 200;           ///< distinct symbols, functions and roots
  unsigned angle_multiple = 64;      ///< sin(n*x) is expanded in sin(x), cos(x) up to this n
  std::size_t factored_terms = 300;  ///< a polynomial longer than this is not factored
};

enum class Verdict : std::uint8_t { zero, nonzero, undecided };

/// The verdict and its evidence: how zero was proved; at which point which enclosure excludes zero; what was tried.
struct ZeroTest {
  Verdict verdict = Verdict::undecided;
  std::string evidence;
};

/// Zero: proved for every point where the expression is defined. Nonzero: an enclosure excludes zero at a point.
ZeroTest test_zero(Expr expression, const CanonicalLimits& limits = {});
/// test_zero of the difference.
ZeroTest test_equal(Expr a, Expr b, const CanonicalLimits& limits = {});
/// True only where proved.
bool are_equal(Expr a, Expr b, const CanonicalLimits& limits = {});

}  // namespace dalembert
