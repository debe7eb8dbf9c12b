#include "expr/canonical/divisors.hpp"

#include <flint/fmpz_mpoly_factor.h>
#include <gtest/gtest.h>

#include <random>

using namespace dalembert::canonical;

namespace {

/// Differences, a sum of squares, sums that are no product, and such that no quick look tells it of.
std::vector<Poly> make_factors(const Context& context) {
  const auto x = [&](std::size_t i) { return Poly::generator(context, i); };
  const Poly one(context, 1);
  return {x(0) - x(1),
          x(2) - x(1),
          x(0).power(2) + x(1).power(2) + x(2).power(2) + x(3).power(2),
          x(4) * x(0).power(2) + x(1).power(2),
          x(0) * x(1) + x(2) * x(3) + one,
          x(0).power(2) - x(1).power(3) + x(0) * x(1) + one,
          x(0) * x(1) * (x(2) + x(3)) + x(2) - x(3),
          x(5),
          Poly(context, -6)};
}

Poly make_product(const std::vector<Poly>& factors, std::mt19937& random) {
  Poly product(factors[0].context(), 1);
  for (int i = 0; i < 4; ++i) product = product * factors[random() % factors.size()];
  return product;
}

}  // namespace

TEST(Divisors, CommonDivisorsAreThoseThatFlintFinds) {
  const unsigned seed = 20241118;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  dalembert::CanonicalLimits limits;
  limits.work = 1e12;
  Budget budget(limits);
  const Context context(budget, 8);
  const std::vector<Poly> factors = make_factors(context);
  for (int i = 0; i < 500; ++i) {
    const Poly a = make_product(factors, random), b = make_product(factors, random);
    Poly expected(context);
    ASSERT_TRUE(fmpz_mpoly_gcd(expected.flint(), a.flint(), b.flint(), context.flint()));
    EXPECT_TRUE(common_divisor(a, b) == expected) << i;
  }
}

TEST(Divisors, FactorsAreAsManyAsFlintFindsAndTheirProductIsThePolynomial) {
  const unsigned seed = 20241119;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  dalembert::CanonicalLimits limits;
  limits.work = 1e12;
  Budget budget(limits);
  const Context context(budget, 8);
  const std::vector<Poly> factors = make_factors(context);
  for (int i = 0; i < 200; ++i) {
    const Poly product = make_product(factors, random);
    const Factors found = factor(product);
    Poly again(context, found.content);
    for (const auto& [base, exponent] : found.factors) again = again * base.power(static_cast<unsigned long>(exponent));
    EXPECT_TRUE(again == product) << i;
    fmpz_mpoly_factor_t expected;
    fmpz_mpoly_factor_init(expected, context.flint());
    ASSERT_TRUE(fmpz_mpoly_factor(expected, product.flint(), context.flint()));
    EXPECT_EQ(found.factors.size(), static_cast<std::size_t>(fmpz_mpoly_factor_length(expected, context.flint()))) << i;
    fmpz_mpoly_factor_clear(expected, context.flint());
  }
}
