#pragma once
// Polynomials with integer coefficients in a ring's generators, and their quotients: FLINT's fmpz_mpoly as values, each
// operation guarded against explosion before it begins.

#include <flint/fmpz_mpoly.h>
#include <gmpxx.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/canonical/budget.hpp"

namespace dalembert::canonical {

class Divisors;

/// The polynomial ring that polynomials refer to: its number of generators is fixed.
class Context {
 public:
  Context(Budget& budget, std::size_t generators);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  const fmpz_mpoly_ctx_struct* flint() const { return context_; }
  std::size_t size() const { return size_; }
  Budget& budget() const { return budget_; }
  Divisors& divisors() const { return *divisors_; }

 private:
  Budget& budget_;
  std::size_t size_;
  std::unique_ptr<Divisors> divisors_;
  fmpz_mpoly_ctx_t context_;
};

/// One term as plain values.
struct Term {
  mpz_class coefficient;
  std::vector<long> exponents;
};

class Poly {
 public:
  explicit Poly(const Context& context, long value = 0);
  Poly(const Context& context, const mpz_class& value);
  Poly(const Poly& other);
  Poly(Poly&& other) noexcept;
  Poly& operator=(Poly other) noexcept;
  ~Poly();
  static Poly generator(const Context& context, std::size_t index);
  static Poly from_terms(const Context& context, const std::vector<Term>& terms);

  const Context& context() const { return *context_; }
  fmpz_mpoly_struct* flint() { return poly_; }
  const fmpz_mpoly_struct* flint() const { return poly_; }
  const fmpz_mpoly_ctx_struct* flint_context() const { return context_->flint(); }

  bool is_zero() const;
  bool is_one() const;
  bool is_constant() const;
  mpz_class constant_value() const;  ///< of a constant
  std::size_t length() const;
  long degree(std::size_t generator) const;
  std::vector<long> degrees() const;
  double degree_bound() const;  ///< no degree is larger: what there is room for
  bool uses(std::size_t generator) const { return degree(generator) > 0; }
  std::vector<Term> terms() const;
  Term term(std::size_t index) const;
  bool leads_negative() const;
  /// The generator if the polynomial is one, to the first power with coefficient 1.
  std::optional<std::size_t> single_generator() const;
  /// Coefficients by power of a generator, exponents ascending.
  std::vector<std::pair<long, Poly>> by_power_of(std::size_t generator) const;
  mpz_class content() const;

  friend bool operator==(const Poly& a, const Poly& b);
  friend Poly operator+(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a, const Poly& b);
  friend Poly operator*(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a);
  Poly scaled(const mpz_class& factor) const;
  Poly divided_exactly(const mpz_class& divisor) const;
  Poly power(unsigned long exponent) const;
  std::optional<Poly> divided_by(const Poly& divisor) const;

 private:
  const Context* context_;
  fmpz_mpoly_t poly_;
};

/// Divides out the greatest common divisor where it can be had within bounds; true if something was cancelled.
bool cancel(Poly& a, Poly& b);
Poly common_divisor(const Poly& a, const Poly& b);

/// content * product of factor ^ exponent; factors have positive leading coefficients.
struct Factors {
  mpz_class content;
  std::vector<std::pair<Poly, long>> factors;
};
/// Into irreducible factors where the size allows it, otherwise into the obvious ones.
Factors factor(const Poly& poly);

/// numerator / denominator, the denominator's leading coefficient positive.
struct Fraction {
  Poly numerator;
  Poly denominator;

  explicit Fraction(Poly numerator_) : numerator(std::move(numerator_)), denominator(numerator.context(), 1) {}
  Fraction(Poly numerator_, Poly denominator_)
      : numerator(std::move(numerator_)), denominator(std::move(denominator_)) {}
  Fraction(const Context& context, const mpq_class& value)
      : numerator(context, value.get_num()), denominator(context, value.get_den()) {}
  bool is_zero() const { return numerator.is_zero(); }
  bool is_one() const { return numerator.is_one() && denominator.is_one(); }
  bool is_rational() const { return numerator.is_constant() && denominator.is_constant(); }
  mpq_class rational() const;
};

}  // namespace dalembert::canonical
