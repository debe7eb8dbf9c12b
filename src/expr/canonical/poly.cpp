#include "expr/canonical/poly.hpp"

#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_vec.h>

#include <algorithm>
#include <cmath>

#include "expr/canonical/cost.hpp"
#include "expr/canonical/divisors.hpp"

namespace dalembert::canonical {

Context::Context(Budget& budget, std::size_t generators)
    : budget_(budget), size_(generators), divisors_(std::make_unique<Divisors>()) {
  fmpz_mpoly_ctx_init(context_, static_cast<slong>(generators), ORD_LEX);
}
Context::~Context() {
  divisors_.reset();  // they are of this ring
  fmpz_mpoly_ctx_clear(context_);
}

Poly::Poly(const Context& context, long value) : context_(&context) {
  fmpz_mpoly_init(poly_, context.flint());
  fmpz_mpoly_set_si(poly_, value, context.flint());
}

Poly::Poly(const Context& context, const mpz_class& value) : Poly(context) {
  fmpz_t number;
  fmpz_init(number);
  fmpz_set_mpz(number, value.get_mpz_t());
  fmpz_mpoly_set_fmpz(poly_, number, context.flint());
  fmpz_clear(number);
}

Poly::Poly(const Poly& other) : context_(other.context_) {
  fmpz_mpoly_init(poly_, flint_context());
  fmpz_mpoly_set(poly_, other.poly_, flint_context());
}

Poly::Poly(Poly&& other) noexcept : context_(other.context_) {
  fmpz_mpoly_init(poly_, flint_context());
  fmpz_mpoly_swap(poly_, other.poly_, flint_context());
}

Poly& Poly::operator=(Poly other) noexcept {
  fmpz_mpoly_swap(poly_, other.poly_, flint_context());
  return *this;
}

Poly::~Poly() { fmpz_mpoly_clear(poly_, flint_context()); }

Poly Poly::generator(const Context& context, std::size_t index) {
  Poly result(context);
  fmpz_mpoly_gen(result.poly_, static_cast<slong>(index), context.flint());
  return result;
}

Poly Poly::from_terms(const Context& context, const std::vector<Term>& terms) {
  Poly result(context);
  fmpz_t number;
  fmpz_init(number);
  for (const Term& term : terms) {
    std::vector<ulong> exponents(term.exponents.begin(), term.exponents.end());
    fmpz_set_mpz(number, term.coefficient.get_mpz_t());
    fmpz_mpoly_push_term_fmpz_ui(result.poly_, number, exponents.data(), context.flint());
  }
  fmpz_clear(number);
  fmpz_mpoly_sort_terms(result.poly_, context.flint());
  fmpz_mpoly_combine_like_terms(result.poly_, context.flint());
  return result;
}

bool Poly::is_zero() const { return fmpz_mpoly_is_zero(poly_, flint_context()) != 0; }
bool Poly::is_one() const { return fmpz_mpoly_is_one(poly_, flint_context()) != 0; }
bool Poly::is_constant() const { return fmpz_mpoly_is_fmpz(poly_, flint_context()) != 0; }
std::size_t Poly::length() const { return static_cast<std::size_t>(fmpz_mpoly_length(poly_, flint_context())); }

mpz_class Poly::constant_value() const { return is_zero() ? mpz_class(0) : term(0).coefficient; }

std::vector<long> Poly::degrees() const {
  std::vector<long> result(context_->size(), 0);
  if (!is_zero()) fmpz_mpoly_degrees_si(result.data(), poly_, flint_context());
  return result;
}

double Poly::degree_bound() const {
  return poly_->bits <= FLINT_BITS ? std::ldexp(1, static_cast<int>(poly_->bits) - 1) : HUGE_VAL;
}

long Poly::degree(std::size_t generator) const {
  return is_zero() ? 0 : fmpz_mpoly_degree_si(poly_, static_cast<slong>(generator), flint_context());
}

Term Poly::term(std::size_t index) const {
  Term result;
  fmpz_t number;
  fmpz_init(number);
  fmpz_mpoly_get_term_coeff_fmpz(number, poly_, static_cast<slong>(index), flint_context());
  fmpz_get_mpz(result.coefficient.get_mpz_t(), number);
  fmpz_clear(number);
  result.exponents.resize(context_->size());
  fmpz_mpoly_get_term_exp_si(result.exponents.data(), poly_, static_cast<slong>(index), flint_context());
  return result;
}

std::vector<Term> Poly::terms() const {
  context_->budget().charge(cost::terms(*this));
  std::vector<Term> result;
  for (std::size_t i = 0; i < length(); ++i) result.push_back(term(i));
  return result;
}

bool Poly::leads_negative() const { return !is_zero() && fmpz_sgn(poly_->coeffs) < 0; }

std::optional<std::size_t> Poly::single_generator() const {
  if (length() != 1) return {};
  Term only = term(0);
  if (only.coefficient != 1) return {};
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < only.exponents.size(); ++i) {
    if (only.exponents[i] == 0) continue;
    if (only.exponents[i] != 1 || found) return {};
    found = i;
  }
  return found;
}

std::vector<std::pair<long, Poly>> Poly::by_power_of(std::size_t generator) const {
  context_->budget().charge(cost::terms(*this));
  std::vector<std::pair<long, Poly>> result;
  fmpz_mpoly_univar_t parts;
  fmpz_mpoly_univar_init(parts, flint_context());
  fmpz_mpoly_to_univar(parts, poly_, static_cast<slong>(generator), flint_context());
  for (slong i = fmpz_mpoly_univar_length(parts, flint_context()); i-- > 0;) {
    Poly coefficient(*context_);
    fmpz_mpoly_univar_get_term_coeff(coefficient.poly_, parts, i, flint_context());
    result.emplace_back(fmpz_mpoly_univar_get_term_exp_si(parts, i, flint_context()), std::move(coefficient));
  }
  fmpz_mpoly_univar_clear(parts, flint_context());
  return result;
}

mpz_class Poly::content() const {
  mpz_class result;
  fmpz_t divisor;
  fmpz_init(divisor);
  _fmpz_vec_content(divisor, poly_->coeffs, fmpz_mpoly_length(poly_, flint_context()));
  fmpz_get_mpz(result.get_mpz_t(), divisor);
  fmpz_clear(divisor);
  return result;
}

bool operator==(const Poly& a, const Poly& b) { return fmpz_mpoly_equal(a.poly_, b.poly_, a.flint_context()) != 0; }

Poly operator+(const Poly& a, const Poly& b) {
  a.context_->budget().charge(cost::sum(a, b));
  a.context_->budget().check_terms(static_cast<double>(a.length() + b.length()));
  Poly result(*a.context_);
  fmpz_mpoly_add(result.poly_, a.poly_, b.poly_, a.flint_context());
  return result;
}

Poly operator-(const Poly& a, const Poly& b) {
  a.context_->budget().charge(cost::sum(a, b));
  a.context_->budget().check_terms(static_cast<double>(a.length() + b.length()));
  Poly result(*a.context_);
  fmpz_mpoly_sub(result.poly_, a.poly_, b.poly_, a.flint_context());
  return result;
}

Poly operator-(const Poly& a) {
  Poly result(*a.context_);
  fmpz_mpoly_neg(result.poly_, a.poly_, a.flint_context());
  return result;
}

namespace {

/// Bits of the largest coefficient.
double coefficient_bits(const Poly& poly) {
  return poly.is_zero() ? 0.0 : static_cast<double>(std::abs(fmpz_mpoly_max_bits(poly.flint())));
}

void check_degrees(const Poly& poly, double factor, const Poly* other = nullptr) {
  const auto limit = static_cast<double>(poly.context().budget().limits().degree);
  if (poly.degree_bound() * factor + (other ? other->degree_bound() : 0) <= limit) return;
  std::vector<long> degrees = poly.degrees();
  std::vector<long> more = other ? other->degrees() : std::vector<long>(degrees.size(), 0);
  for (std::size_t i = 0; i < degrees.size(); ++i)
    if (static_cast<double>(degrees[i]) * factor + static_cast<double>(more[i]) > limit)
      throw TooLarge{"a polynomial would have too high a degree"};
}

constexpr double largest_coefficient_bits = 1 << 20;

}  // namespace

Poly operator*(const Poly& a, const Poly& b) {
  Budget& budget = a.context_->budget();
  // A product of lengths m and n takes about m n steps and has at most as many terms; like terms bring it down, so the
  // work is bounded at several times the terms allowed, and the result is bounded by itself.
  double steps = static_cast<double>(a.length()) * static_cast<double>(b.length());
  budget.check_terms(steps / 16);
  check_degrees(a, 1, &b);
  const double bits = coefficient_bits(a) + coefficient_bits(b);
  if (bits > largest_coefficient_bits) throw TooLarge{"a number would have too many digits"};
  budget.charge(cost::product(a, b, bits));
  Poly result(*a.context_);
  fmpz_mpoly_mul(result.poly_, a.poly_, b.poly_, a.flint_context());
  budget.check_terms(static_cast<double>(result.length()));
  return result;
}

Poly Poly::scaled(const mpz_class& factor) const {
  Poly result(*context_);
  fmpz_t number;
  fmpz_init(number);
  fmpz_set_mpz(number, factor.get_mpz_t());
  fmpz_mpoly_scalar_mul_fmpz(result.poly_, poly_, number, flint_context());
  fmpz_clear(number);
  return result;
}

Poly Poly::divided_exactly(const mpz_class& divisor) const {
  Poly result(*context_);
  fmpz_t number;
  fmpz_init(number);
  fmpz_set_mpz(number, divisor.get_mpz_t());
  fmpz_mpoly_scalar_divexact_fmpz(result.poly_, poly_, number, flint_context());
  fmpz_clear(number);
  return result;
}

Poly Poly::power(unsigned long exponent) const {
  Budget& budget = context_->budget();
  double n = static_cast<double>(exponent);
  double t = static_cast<double>(length());
  double terms = 1;
  if (t > 1) {
    // At most binomial(n + t - 1, n) terms.
    int sign = 0;  // std::lgamma writes it where all threads see it
    const auto log_gamma = [&](double x) { return ::lgamma_r(x, &sign); };
    terms = std::exp(log_gamma(n + t) - log_gamma(n + 1) - log_gamma(t));
    budget.check_terms(terms / 4);
  }
  check_degrees(*this, n);
  const double bits = (coefficient_bits(*this) + std::log2(t + 1)) * n;
  if (bits > largest_coefficient_bits) throw TooLarge{"a number would have too many digits"};
  budget.charge(cost::power(*this, terms, bits));
  Poly result(*context_);
  if (!fmpz_mpoly_pow_ui(result.poly_, poly_, exponent, flint_context())) throw TooLarge{"a power is too large"};
  budget.check_terms(static_cast<double>(result.length()));
  return result;
}

namespace {

/// Greatest common divisors and factors cost what degrees, generators and terms together allow: measured, these bounds
/// keep a call below some tens of milliseconds.
bool is_tractable(const Poly& poly, std::size_t terms, double dense) {
  if (poly.length() <= 1) return true;
  if (poly.length() > terms) return false;
  double size = 1;
  for (long degree : poly.degrees()) size *= static_cast<double>(degree + 1);
  return size <= dense || poly.length() <= 3;
}

constexpr double largest_dense = 1e9;

bool has_bearable_degrees(const Poly& poly, long bound) {
  if (poly.degree_bound() <= static_cast<double>(bound)) return true;
  return std::ranges::all_of(poly.degrees(), [&](long degree) { return degree <= bound; });
}

}  // namespace

std::optional<Poly> Poly::divided_by(const Poly& divisor) const {
  if (divisor.is_zero()) return {};
  if (!is_tractable(*this, context_->budget().limits().terms, 1e18) || !has_bearable_degrees(*this, 4000)) return {};
  context_->budget().charge(cost::quotient(*this, divisor));
  Poly quotient(*context_);
  if (!fmpz_mpoly_divides(quotient.poly_, poly_, divisor.poly_, flint_context())) return {};
  return quotient;
}

Poly common_divisor(const Poly& a, const Poly& b) {
  const Context& context = a.context();
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  Poly result(context, 1);
  if (a.is_constant() || b.is_constant()) return Poly(context, gcd(a.content(), b.content()));
  bool bearable = is_tractable(a, 1500, largest_dense) && is_tractable(b, 1500, largest_dense) &&
                  has_bearable_degrees(a, 600) && has_bearable_degrees(b, 600);
  if (!bearable && a.length() > 1 && b.length() > 1) return Poly(context, gcd(a.content(), b.content()));
  context.budget().charge(cost::common_divisor(a, b));
  if (bearable && a.length() > 1 && b.length() > 1)
    if (std::optional<Poly> found = context.divisors().common_divisor(a, b)) return std::move(*found);
  if (!fmpz_mpoly_gcd(result.flint(), a.flint(), b.flint(), context.flint())) return Poly(context, 1);
  return result;
}

bool cancel(Poly& a, Poly& b) {
  Poly divisor = common_divisor(a, b);
  if (divisor.is_one() || divisor.is_zero()) return false;
  const Context& context = a.context();
  context.budget().charge(cost::quotient(a, divisor) + cost::quotient(b, divisor));
  Poly quotient_a(context), quotient_b(context);
  if (!fmpz_mpoly_divides(quotient_a.flint(), a.flint(), divisor.flint(), context.flint()) ||
      !fmpz_mpoly_divides(quotient_b.flint(), b.flint(), divisor.flint(), context.flint()))
    return false;
  a = std::move(quotient_a);
  b = std::move(quotient_b);
  return true;
}

namespace {

Factors read_factors(fmpz_mpoly_factor_t parts, const Context& context) {
  Factors result;
  fmpz_t constant;
  fmpz_init(constant);
  fmpz_mpoly_factor_get_constant_fmpz(constant, parts, context.flint());
  fmpz_get_mpz(result.content.get_mpz_t(), constant);
  fmpz_clear(constant);
  for (slong i = 0; i < fmpz_mpoly_factor_length(parts, context.flint()); ++i) {
    Poly base(context);
    fmpz_mpoly_factor_get_base(base.flint(), parts, i, context.flint());
    result.factors.emplace_back(std::move(base), fmpz_mpoly_factor_get_exp_si(parts, i, context.flint()));
  }
  return result;
}

/// Content and powers of generators apart, the rest whole.
Factors obvious_factors(const Poly& poly) {
  const Context& context = poly.context();
  Factors result;
  result.content = poly.content();
  if (poly.leads_negative()) result.content = -result.content;
  Poly rest = poly.divided_exactly(result.content);
  Poly monomial = term_content(rest);
  std::optional<Poly> quotient;
  if (!monomial.is_one()) quotient = rest.divided_by(monomial);
  if (quotient) {  // else out of bounds: it stays inside
    std::vector<long> degrees = monomial.degrees();
    for (std::size_t i = 0; i < degrees.size(); ++i)
      if (degrees[i] > 0) result.factors.emplace_back(Poly::generator(context, i), degrees[i]);
    rest = std::move(*quotient);
  }
  if (!rest.is_one()) result.factors.emplace_back(std::move(rest), 1);
  return result;
}

}  // namespace

Factors factor(const Poly& poly) {
  const Context& context = poly.context();
  if (poly.is_constant()) return {poly.constant_value(), {}};
  std::size_t terms = context.budget().limits().factored_terms;
  bool bearable = is_tractable(poly, terms, 1e7) && has_bearable_degrees(poly, 64) && coefficient_bits(poly) < 4000;
  if (poly.length() > 1 && !bearable) return obvious_factors(poly);
  context.budget().charge(cost::factors(poly));
  Factors obvious = obvious_factors(poly);
  if (bearable && is_seen_irreducible(obvious.factors.back().first)) return obvious;
  fmpz_mpoly_factor_t parts;
  fmpz_mpoly_factor_init(parts, context.flint());
  Factors result =
      fmpz_mpoly_factor(parts, poly.flint(), context.flint()) ? read_factors(parts, context) : std::move(obvious);
  fmpz_mpoly_factor_clear(parts, context.flint());
  for (auto& [base, exponent] : result.factors) {
    if (!base.leads_negative()) continue;
    base = -base;
    if (exponent % 2 != 0) result.content = -result.content;
  }
  return result;
}

mpq_class Fraction::rational() const {
  mpq_class value(numerator.constant_value(), denominator.constant_value());
  value.canonicalize();
  return value;
}

}  // namespace dalembert::canonical
