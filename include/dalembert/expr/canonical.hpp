#pragma once
// Canonical form, zero test with proof, and the form that people read. Everything is over the reals: an identity counts
// where both sides are defined and real, and powers with a broken exponent are defined for bases that are not negative.

#include <cstdint>
#include <dalembert/expr/display.hpp>
#include <dalembert/expr/expr.hpp>
#include <dalembert/expr/work.hpp>
#include <span>
#include <string>
#include <vector>

namespace dalembert {

/// Bounds on the work; what would exceed them is left undone, and the result says so.
struct CanonicalLimits {
  double work = 1e8;                 ///< for one expression, in the units of work.hpp
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
  double work = 0;  ///< done
};

/// Zero: proved for every point where the expression is defined. Nonzero: an enclosure excludes zero at a point.
ZeroTest test_zero(Expr expression, const CanonicalLimits& limits = {});
/// test_zero of the difference.
ZeroTest test_equal(Expr a, Expr b, const CanonicalLimits& limits = {});
/// True only where proved.
bool are_equal(Expr a, Expr b, const CanonicalLimits& limits = {});

/// A form made of an expression. `complete` is false where the limits stopped the work: then the form is the expression
/// as it was given, `shown` is empty, and the remark says why.
struct Displayed {
  Expr expression;  ///< of the same graph
  Shown shown;      ///< order and factors as they are to be read
  bool complete = true;
  std::string remark;
  double work = 0;  ///< done
};

/// The quotient of two expanded polynomials in common atoms: one form for all expressions that the relations used can
/// prove equal, but for roots and sines in a denominator. These go where it keeps to the zeros that it has: no form has
/// one that the expression has not.
Displayed make_canonical(Expr expression, const CanonicalLimits& limits = {});

/// The shortest readable form found: factored, over common denominators, angles folded, collected by the rates (where
/// none are given: the symbols whose names end in '). No denominator has a zero that the expression has not.
Displayed make_display(Expr expression, std::span<const Expr> rates = {}, const CanonicalLimits& limits = {});
/// The same for several, within the same limits each.
std::vector<Displayed> make_display(std::span<const Expr> expressions, std::span<const Expr> rates = {},
                                    const CanonicalLimits& limits = {});

/// The form as it is to be read, or the expression as it is (print.hpp).
std::string to_text(const Displayed& displayed);
std::string to_latex(const Displayed& displayed);

}  // namespace dalembert
