#include "base/elimination.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "unit/base/matrices.hpp"

using namespace dalembert;
using namespace dalembert::testing_support;

namespace {

/// By Leibniz's formula: the sum over all permutations.
double determinant(const Numbers& a, std::size_t size) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double sum = 0;
  do {
    double term = 1;
    for (std::size_t i = 0; i < size; ++i) {
      term *= a[i * size + order[i]];
      for (std::size_t j = 0; j < i; ++j)
        if (order[j] > order[i]) term = -term;
    }
    sum += term;
  } while (std::ranges::next_permutation(order).found);
  return sum;
}

TEST(Elimination, TheSignIsThatOfTheDeterminantByPermutations) {
  int positive = 0, negative = 0;
  for (std::size_t size = 1; size <= 6; ++size)
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Numbers a = RandomNumbers(seed * 10 + size).numbers(size * size);
      const double expected = determinant(a, size);
      const int sign = eliminate_rows(a, size).sign;
      EXPECT_EQ(sign, expected > 0 ? 1 : -1) << "size " << size << ", seed " << seed;
      ++(sign > 0 ? positive : negative);
    }
  EXPECT_GT(positive, 50);
  EXPECT_GT(negative, 50);
}

TEST(Elimination, TheWeakestRowIsTheOneMostNearlyDependentOnThoseBefore) {
  const double small = 1e-5;
  Numbers a{1, 0, 0, 0, 1, 0, 1, 1, small};
  const EliminationReport report = eliminate_rows(a, 3);
  EXPECT_EQ(report.weakest, 2U);
  EXPECT_NEAR(report.least, small, 4 * epsilon);
  EXPECT_EQ(report.sign, 1);
  Numbers swapped{0, 1, 1, 0};
  EXPECT_EQ(eliminate_rows(swapped, 2).sign, -1);
}

TEST(Elimination, ARowThatDependsOnThoseBeforeIsNamed) {
  Numbers a{1, 2, 3, 2, 4, 6, 0, 0, 1};
  const EliminationReport report = eliminate_rows(a, 3);
  EXPECT_EQ(report.sign, 0);
  EXPECT_EQ(report.least, 0);
  EXPECT_EQ(report.weakest, 1U);
  EXPECT_FALSE(report);
}

TEST(Elimination, WhatIsNotFiniteIsSingularInItsRow) {
  for (double bad : {infinite, -infinite, not_a_number})
    for (std::size_t column = 0; column < 3; ++column) {
      Numbers a{1, 0, 0, 0, 1, 0, 0, 0, 1};
      a[3 + column] = bad;
      const EliminationReport report = eliminate_rows(a, 3);
      EXPECT_EQ(report.sign, 0) << bad << ", " << column;
      EXPECT_EQ(report.weakest, 1U) << bad << ", " << column;
    }
}

TEST(Elimination, TheEmptyMatrixIsRegular) {
  EXPECT_EQ(eliminate_rows({}, 0).sign, 1);
  EXPECT_EQ(eliminate_rows({}, 0).least, 1);
  EXPECT_TRUE(solve_square({}, 0, {}));
}

TEST(SquareSolve, WhatItGivesSatisfiesEveryEquation) {
  for (std::size_t size : {1U, 2U, 5U, 20U, 60U}) {
    RandomNumbers random(500 + size);
    const Numbers a = random.numbers(size * size);
    Numbers work = a, b = random.numbers(2 * size), x = b;
    const EliminationReport report = solve_square(work, size, x);
    ASSERT_TRUE(report);
    // Backward stable but for growth, which random matrices have less than n^(2/3) of (Higham, section 9.4).
    const double bound = 16 * std::pow(static_cast<double>(size), 2) * epsilon * largest(a) * largest(x);
    for (std::size_t side = 0; side < 2; ++side) {
      Numbers column(size);
      for (std::size_t i = 0; i < size; ++i) column[i] = x[2 * i + side];
      const Numbers again = product(a, size, column);
      for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(again[i], b[2 * i + side], bound) << size;
    }
  }
}

TEST(SquareSolve, ItsSignIsThatOfTheEliminationByRows) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    RandomNumbers random(seed);
    Numbers a = random.numbers(25), same = a, b = random.numbers(5);
    EXPECT_EQ(solve_square(a, 5, b).sign, eliminate_rows(same, 5).sign) << "seed " << seed;
  }
}

TEST(SquareSolve, SingularAndNotFiniteMatricesAreRefused) {
  Numbers a{1, 2, 2, 4}, b{1, 1};
  EXPECT_FALSE(solve_square(a, 2, b));
  for (double bad : {infinite, -infinite, not_a_number}) {
    for (std::size_t at = 0; at < 4; ++at) {
      Numbers matrix{2, 1, 1, 3}, right{1, 1};
      matrix[at] = bad;
      EXPECT_FALSE(solve_square(matrix, 2, right)) << bad << " at " << at;
    }
    Numbers matrix{2, 1, 1, 3}, right{1, bad};
    EXPECT_FALSE(solve_square(matrix, 2, right)) << bad;
  }
}

}  // namespace
