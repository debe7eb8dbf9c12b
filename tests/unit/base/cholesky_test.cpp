#include "base/cholesky.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/base/matrices.hpp"

using namespace dalembert;
using namespace dalembert::testing_support;

namespace {

/// Plain and blocked sizes, and the first of each number of blocks.
const std::vector<std::size_t> sizes{1, 2, 3, 7, 24, 25, 31, 32, 33, 40, 100, 128, 150};

/// L L^T of a factor with reciprocals on the diagonal.
Numbers square_of(const Numbers& l, std::size_t size) {
  auto entry = [&](std::size_t i, std::size_t j) { return i == j ? 1 / l[i * size + i] : l[i * size + j]; };
  Numbers a(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t k = 0; k <= std::min(i, j); ++k) a[i * size + j] += entry(i, k) * entry(j, k);
  return a;
}

TEST(Cholesky, TheFactorTimesItsTransposeIsTheMatrix) {
  for (std::size_t size : sizes) {
    const Numbers a = RandomNumbers(size).definite(size);
    Numbers l = a;
    const CholeskyReport report = factor_cholesky(l, size, 1e-14);
    ASSERT_EQ(report.failed, size);
    const Numbers again = square_of(l, size);
    // |A - L L^T| <= (n + 1) eps |L| |L^T|, whose diagonal is that of A (Higham, theorem 10.3).
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        EXPECT_NEAR(again[i * size + j], a[i * size + j],
                    static_cast<double>(2 * size + 4) * epsilon * std::sqrt(a[i * size + i] * a[j * size + j]))
            << size << ": " << i << ", " << j;
  }
}

TEST(Cholesky, WhatItSolvesSatisfiesTheEquations) {
  for (std::size_t size : sizes) {
    RandomNumbers random(100 + size);
    const Numbers a = random.definite(size), b = random.numbers(size);
    Numbers l = a, x = b;
    ASSERT_EQ(factor_cholesky(l, size, 0).failed, size);
    solve_cholesky(l, x);
    const Numbers again = product(a, size, x);
    const double bound = 8 * std::pow(static_cast<double>(size), 2) * epsilon * largest(a) * (1 + largest(x));
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(again[i], b[i], bound) << size;
  }
}

TEST(Cholesky, TheLeastPivotAndItsIndexAreThoseOfTheFactor) {
  for (std::size_t size : sizes) {
    const Numbers a = RandomNumbers(200 + size).definite(size);
    Numbers l = a;
    const CholeskyReport report = factor_cholesky(l, size, 0);
    double least = 1;
    std::size_t weakest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double root = 1 / l[i * size + i], part = root * root / a[i * size + i];
      if (part < least * (1 - 16 * epsilon)) least = part, weakest = i;
    }
    EXPECT_EQ(report.weakest, weakest) << size;
    EXPECT_NEAR(report.least, least, 16 * epsilon) << size;
  }
}

TEST(Cholesky, ASingularMatrixFailsAtTheFirstRowThatDependsOnThoseBefore) {
  for (std::size_t size : sizes) {
    if (size < 3) continue;
    for (std::size_t at : {size / 2, size - 1}) {
      // Row `at` equals row 0 in M = B B^T where its vectors are equal.
      RandomNumbers random(300 + size);
      Numbers b = random.numbers(size * size), a(size * size, 0.0);
      for (std::size_t k = 0; k < size; ++k) b[at * size + k] = b[k];
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
          for (std::size_t k = 0; k < size; ++k) a[i * size + j] += b[i * size + k] * b[j * size + k];
      const CholeskyReport report = factor_cholesky(a, size, static_cast<double>(size) * 64 * epsilon);
      EXPECT_EQ(report.failed, at) << size;
      EXPECT_EQ(report.least, 0) << size;
    }
  }
}

// The kinetic energy of a sphere by its quaternion e: |e'|^2 |e|^2 - (e.e')^2 with numbers as they are rounded,
// singular along e. The last pivot is rounding magnified by 1 / e3^2, which its size beside the diagonal does not tell.
TEST(Cholesky, APivotThatIsMagnifiedRoundingFailsHoweverLargeItIs) {
  RandomNumbers random(500);
  double largest_pivot = 0;
  for (double last : {0.5, 1e-2, 1e-3, 1e-4, 1e-5}) {
    for (int trial = 0; trial < 20; ++trial) {
      Numbers e = random.numbers(4);
      e[3] = last;
      double square = 0;
      for (double x : e) square += x * x;
      Numbers a(16);
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) a[i * 4 + j] = (i == j ? square : 0) - e[i] * e[j];
      Numbers careless = a;
      largest_pivot = std::max(largest_pivot, factor_cholesky(careless, 4, 0).least);
      EXPECT_EQ(factor_cholesky(a, 4, 64 * epsilon).failed, 3U) << last;
    }
  }
  EXPECT_GT(largest_pivot, 1e-8) << "the test is of pivots that look sound";
}

TEST(Cholesky, ASmallPivotThatRoundingCannotMakeIsKept) {
  for (std::size_t size : sizes) {
    if (size < 2) continue;
    // Masses from 1 down to 1e-10: small beside each other, each right to its own rounding.
    Numbers a(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        a[i * size + j] = a[j * size + i] =
            (i == j ? 1 + 1e-10 : 1) * std::pow(10.0, -5 * static_cast<double>(i + j) / static_cast<double>(size));
    EXPECT_EQ(factor_cholesky(a, size, 64 * epsilon).failed, size) << size;
  }
}

TEST(Cholesky, IndefiniteMatricesFailWhereTheyAreNotDefinite) {
  Numbers a{1, 0, 2, 1};
  EXPECT_EQ(factor_cholesky(a, 2, 0).failed, 1U);
  Numbers b{-1};
  EXPECT_EQ(factor_cholesky(b, 1, 0).failed, 0U);
  Numbers zero{0};
  EXPECT_EQ(factor_cholesky(zero, 1, 0).failed, 0U);
}

TEST(Cholesky, WhatIsNotFiniteFailsWhereItIsMet) {
  for (std::size_t size : {std::size_t{3}, std::size_t{30}, std::size_t{40}})
    for (double bad : {infinite, -infinite, not_a_number})
      for (double least : {0.0, 1e-12})
        for (std::size_t column : {std::size_t{0}, size / 2, size - 1}) {
          Numbers a = RandomNumbers(size).definite(size);
          a[(size - 1) * size + column] = bad;  // in the last row: met when that is factored
          EXPECT_EQ(factor_cholesky(a, size, least).failed, size - 1) << size << ", " << column << ": " << bad;
        }
}

TEST(Cholesky, TheEmptyMatrixIsDefinite) {
  const CholeskyReport report = factor_cholesky({}, 0, 1e-12);
  EXPECT_EQ(report.failed, 0U);
  EXPECT_EQ(report.least, 1);
  solve_cholesky({}, {});
  EXPECT_TRUE(factor_semidefinite({}, 0, 0).finite);
  EXPECT_EQ(factor_semidefinite({}, 0, 0).rank, 0U);
}

TEST(Semidefinite, DependentRowsArePassedOverAndTheOthersAreSolvedAsAlone) {
  // Rows of unit length; the third equals the first.
  const double c = 0.6;
  Numbers a{1, c, 1, c, 1, c, 1, c, 1}, pair{1, c, c, 1};
  const SemidefiniteReport report = factor_semidefinite(a, 3, 64 * epsilon);
  EXPECT_TRUE(report.finite);
  EXPECT_EQ(report.rank, 2U);
  Numbers x{2, -1, 2}, y{2, -1};
  solve_cholesky(a, x);
  ASSERT_EQ(factor_cholesky(pair, 2, 0).failed, 2U);
  solve_cholesky(pair, y);
  EXPECT_NEAR(x[0], y[0], 8 * epsilon);
  EXPECT_NEAR(x[1], y[1], 8 * epsilon);
  EXPECT_EQ(x[2], 0);
}

TEST(Semidefinite, OfADefiniteMatrixItIsTheSameFactorToTheLastBit) {
  for (std::size_t size : {std::size_t{1}, std::size_t{5}, largest_unblocked}) {
    Numbers a = RandomNumbers(400 + size).definite(size), b = a;
    ASSERT_EQ(factor_cholesky(a, size, 0).failed, size);
    EXPECT_EQ(factor_semidefinite(b, size, 0).rank, size);
    EXPECT_EQ(a, b);
  }
}

TEST(Semidefinite, WhatIsNotFiniteEndsTheFactorisation) {
  for (double bad : {infinite, -infinite, not_a_number}) {
    Numbers a{1, 0, bad, 1}, b{bad, 0, 0, 1};
    EXPECT_FALSE(factor_semidefinite(a, 2, 1e-15).finite) << bad;
    EXPECT_FALSE(factor_semidefinite(b, 2, 1e-15).finite) << bad;
  }
}

}  // namespace
