// The reasons that the tolerances give, as numbers.
#include "base/tolerances.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/cholesky.hpp"
#include "unit/base/matrices.hpp"

using namespace dalembert;
using namespace dalembert::testing_support;

namespace {

/// The pivot that the Gram matrix of (1, 0) and (cos d, sin d) leaves of the second row, which is sin^2 d.
double gram_pivot(double d) {
  const double c = std::cos(d);
  return (c * c + std::sin(d) * std::sin(d)) - c * c;
}

TEST(Tolerances, ADependentRowIsOneThatTheGramMatrixDoesNotSee) {
  EXPECT_EQ(gram_pivot(tolerance::dependent / 4), 0);
  auto error = [](double d) { return std::abs(gram_pivot(d) / (std::sin(d) * std::sin(d)) - 1); };
  EXPECT_LT(error(tolerance::doubtful), 1.0 / 16) << "here a multiplier has no more than a digit";
  EXPECT_LT(error(tolerance::independent), 1e-9);
}

TEST(Tolerances, CancelledIsAboveTheRoundingOfAFactorisation) {
  for (std::size_t size : {2U, 10U, 24U, 60U, 200U}) {
    // B B^T with one vector fewer than rows: the last pivot is rounding.
    const Numbers b = RandomNumbers(size).numbers(size * (size - 1));
    Numbers a(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        for (std::size_t k = 0; k + 1 < size; ++k) a[i * size + j] += b[i * (size - 1) + k] * b[j * (size - 1) + k];
    EXPECT_EQ(factor_cholesky(a, size, tolerance::cancelled).failed, size - 1) << size;
  }
}

TEST(Tolerances, ASettledStepOfNewtonsMethodLeavesRounding) {
  const double from = std::sqrt(2) * (1 + tolerance::settled), next = (from + 2 / from) / 2;
  EXPECT_LE(std::abs(next - std::sqrt(2)), tolerance::unchanged);
}

TEST(Tolerances, EachIsAboveWhatItMustNotTakeForItsOwn) {
  EXPECT_LT(tolerance::unchanged, tolerance::smallest_step);
  EXPECT_LT(tolerance::smallest_step, tolerance::cancelled);
  EXPECT_LT(tolerance::cancelled, tolerance::vanishing_pivot);
  EXPECT_LT(tolerance::vanishing_pivot, tolerance::clear_sign);
  EXPECT_LT(tolerance::stalled, tolerance::consistent);
  EXPECT_LT(tolerance::consistent, tolerance::dependent);
  EXPECT_LT(tolerance::dependent, tolerance::doubtful);
  EXPECT_LT(tolerance::doubtful, tolerance::clearly_nonzero);
  EXPECT_LT(tolerance::clearly_nonzero, tolerance::independent);
}

}  // namespace
