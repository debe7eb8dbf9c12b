#include "expr/rational.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dalembert {
namespace {

constexpr double largest_bits = 1 << 16;  // of a power that is multiplied out

mpq_class integer_power(const mpq_class& base, long exponent) {
  mpq_class result;
  unsigned long size = static_cast<unsigned long>(exponent < 0 ? -exponent : exponent);
  mpz_pow_ui(result.get_num_mpz_t(), base.get_num_mpz_t(), size);
  mpz_pow_ui(result.get_den_mpz_t(), base.get_den_mpz_t(), size);
  return exponent < 0 ? mpq_class(1 / result) : result;
}

bool is_bearable(const mpq_class& base, const mpz_class& exponent) {
  double bits = static_cast<double>(mpz_sizeinbase(base.get_num_mpz_t(), 2) + mpz_sizeinbase(base.get_den_mpz_t(), 2));
  if (abs(base.get_num()) == 1 && base.get_den() == 1) return exponent.fits_slong_p();
  if (abs(exponent) <= 1) return true;  // no larger than the base itself
  return bits * std::abs(exponent.get_d()) <= largest_bits;
}

bool exact_root(const mpq_class& base, unsigned long degree, mpq_class& root) {
  return mpz_root(root.get_num_mpz_t(), base.get_num_mpz_t(), degree) != 0 &&
         mpz_root(root.get_den_mpz_t(), base.get_den_mpz_t(), degree) != 0;
}

}  // namespace

std::uint32_t hash_of(const mpq_class& value) {
  // All limbs count: coefficients are often high powers of two, whose low bits are all zero.
  std::uint64_t hash = static_cast<std::uint64_t>(sgn(value) + 1);
  auto include = [&](mpz_srcptr z) {
    for (std::size_t k = 0; k < mpz_size(z); ++k)
      hash = (hash ^ (mpz_getlimbn(z, static_cast<mp_size_t>(k)) * 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu +
             (hash >> 31);
    hash += 0x2545f4914f6cdd1du;
  };
  include(value.get_num_mpz_t());
  include(value.get_den_mpz_t());
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

bool is_even_integer(const mpq_class& value) { return is_integer(value) && mpz_even_p(value.get_num_mpz_t()) != 0; }

RationalPower rational_power(const mpq_class& base, const mpq_class& exponent) {
  if (sgn(base) == 0) return sgn(exponent) > 0 ? RationalPower{0, 0} : RationalPower{1, exponent};
  if (is_integer(exponent)) {
    if (!is_bearable(base, exponent.get_num())) return {1, exponent};
    return {integer_power(base, exponent.get_num().get_si()), 0};
  }
  if (sgn(base) < 0) return {1, exponent};
  const mpz_class& degree = exponent.get_den();
  mpq_class root;
  if (degree.fits_ulong_p() && degree < 64 && is_bearable(base, exponent.get_num()) &&
      exact_root(base, degree.get_ui(), root))
    return {integer_power(root, exponent.get_num().get_si()), 0};
  mpz_class whole;
  mpz_fdiv_q(whole.get_mpz_t(), exponent.get_num_mpz_t(), exponent.get_den_mpz_t());
  if (!is_bearable(base, whole)) return {1, exponent};
  return {integer_power(base, whole.get_si()), mpq_class(exponent - whole)};
}

bool rational_power_changes(const mpq_class& base, const mpq_class& exponent) {
  RationalPower result = rational_power(base, exponent);
  return result.exponent != exponent || result.outside != 1;
}

double nearest_double(const mpq_class& value) {
  const mpz_class& numerator = value.get_num();
  if (value.get_den() == 1 && mpz_sizeinbase(numerator.get_mpz_t(), 2) <= 53) return numerator.get_d();
  // value = quotient * 2^-shift with 56 or 57 bits in the quotient, or fewer where the result is subnormal: two bits
  // below its last, which stand for all that follow.
  long shift = 56 + static_cast<long>(mpz_sizeinbase(value.get_den_mpz_t(), 2)) -
               static_cast<long>(mpz_sizeinbase(numerator.get_mpz_t(), 2));
  shift = std::min(shift, 1074L + 2);
  mpz_class scaled = abs(numerator), divisor = value.get_den(), remainder;
  if (shift >= 0) {
    scaled <<= static_cast<unsigned long>(shift);
  } else {
    divisor <<= static_cast<unsigned long>(-shift);
  }
  mpz_class quotient;
  mpz_fdiv_qr(quotient.get_mpz_t(), remainder.get_mpz_t(), scaled.get_mpz_t(), divisor.get_mpz_t());
  std::uint64_t bits = mpz_get_ui(quotient.get_mpz_t()) | (remainder != 0);
  int dropped = std::max(2, static_cast<int>(std::bit_width(bits)) - 53);
  std::uint64_t half = std::uint64_t{1} << (dropped - 1), kept = bits >> dropped, rest = bits & (2 * half - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  double size = std::ldexp(static_cast<double>(kept), static_cast<int>(std::clamp(dropped - shift, -1074L, 2000L)));
  return sgn(numerator) < 0 ? -size : size;
}

}  // namespace dalembert
