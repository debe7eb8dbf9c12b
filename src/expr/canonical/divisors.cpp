#include "expr/canonical/divisors.hpp"

#include <algorithm>

namespace dalembert::canonical {
namespace {

/// How often, up to some bound, it divides `from`, which is left without it.
std::size_t take_out(const Poly& divisor, Poly& from, std::size_t most) {
  std::size_t times = 0;
  Poly quotient(from.context());
  while (times < most && divisor.length() <= from.length() &&
         fmpz_mpoly_divides(quotient.flint(), from.flint(), divisor.flint(), from.flint_context())) {
    std::swap(from, quotient);
    ++times;
  }
  return times;
}

}  // namespace

Poly term_content(const Poly& poly) {
  Poly result(poly.context());
  fmpz_mpoly_term_content(result.flint(), poly.flint(), poly.flint_context());
  return result;
}

/// A generator stands in one term only, to the first power: of two factors one would be free of it, and divide that
/// term and all the others, but there is no term content. Or to the second, in a sum of squares with positive
/// coefficients, as those of a quaternion: the factors would be of first degree in it, with a root of a negative sum.
bool is_plainly_irreducible(const Poly& poly) {
  const std::size_t size = poly.context().size();
  std::vector<long> total(size, 0), exponents(size);
  bool squares = poly.length() > 1;
  for (std::size_t i = 0; i < poly.length(); ++i) {
    fmpz_mpoly_get_term_exp_si(exponents.data(), poly.flint(), static_cast<slong>(i), poly.flint_context());
    squares = squares && fmpz_sgn(poly.flint()->coeffs + i) > 0;
    for (std::size_t j = 0; j < size; ++j) {
      total[j] += exponents[j];
      squares = squares && exponents[j] % 2 == 0;
    }
  }
  return std::ranges::find(total, 1) != total.end() || (squares && std::ranges::find(total, 2) != total.end());
}

bool is_seen_irreducible(const Poly& poly) {
  if (is_plainly_irreducible(poly)) return true;
  const std::vector<long> degrees = poly.degrees();
  Poly slope(poly.context()), coefficient(poly.context()), rest(poly.context());
  slong linear = -1;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    if (degrees[i] != 1) continue;
    const slong generator = static_cast<slong>(i);
    const ulong one = 1;
    fmpz_mpoly_get_coeff_vars_ui(coefficient.flint(), poly.flint(), &generator, &one, 1, poly.flint_context());
    if (linear >= 0 && coefficient.length() >= slope.length()) continue;
    linear = generator;
    std::swap(slope, coefficient);
  }
  if (linear < 0) return false;
  const ulong zero = 0;
  fmpz_mpoly_get_coeff_vars_ui(rest.flint(), poly.flint(), &linear, &zero, 1, poly.flint_context());
  return fmpz_mpoly_gcd(slope.flint(), slope.flint(), rest.flint(), poly.flint_context()) && slope.is_one();
}

std::optional<Poly> Divisors::common_divisor(const Poly& a, const Poly& b) {
  const auto& [shorter, longer] =
      std::minmax(a, b, [](const Poly& x, const Poly& y) { return x.length() < y.length(); });
  constexpr std::size_t most_known = 64, any = 1000;
  Poly common = term_content(shorter), rest = shorter, left = longer;
  if (take_out(common, rest, 1) == 0) return {};
  if (rest.leads_negative()) rest = -rest;
  if (known_.size() < most_known && is_plainly_irreducible(rest) && std::ranges::find(known_, rest) == known_.end())
    known_.push_back(rest);
  std::vector<std::pair<const Poly*, std::size_t>> factors;
  for (const Poly& known : known_)
    if (std::size_t times = take_out(known, rest, any); times > 0) factors.emplace_back(&known, times);
  if (!rest.is_one()) return {};
  fmpz_mpoly_gcd(common.flint(), common.flint(), term_content(longer).flint(), common.flint_context());
  for (const auto& [known, times] : factors)
    for (std::size_t taken = take_out(*known, left, times); taken > 0; --taken)
      fmpz_mpoly_mul(common.flint(), common.flint(), known->flint(), common.flint_context());
  return common;
}

}  // namespace dalembert::canonical
