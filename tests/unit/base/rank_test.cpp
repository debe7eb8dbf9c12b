#include "base/rank.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/basis.hpp"
#include "base/cholesky.hpp"
#include "unit/base/matrices.hpp"

using namespace dalembert;
using namespace dalembert::testing_support;

namespace {

constexpr double threshold = 1e-8;

/// `count` rows of `size` numbers in a space of `rank` dimensions.
Numbers random_rows(std::size_t count, std::size_t size, std::size_t rank, std::uint64_t seed) {
  RandomNumbers random(seed);
  const Numbers basis = random.numbers(rank * size);
  Numbers rows(count * size, 0.0);
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t k = 0; k < rank; ++k)
      add_scaled(random.number(), std::span(basis).subspan(k * size, size), std::span(rows).subspan(r * size, size));
  return rows;
}

struct Shape {
  std::size_t count, size, rank;
};
const std::vector<Shape> shapes{{1, 1, 1}, {3, 5, 3}, {5, 3, 3}, {6, 6, 4}, {8, 5, 2}, {4, 7, 1}, {3, 3, 0}};

TEST(Rank, IsThatOfGramAndSchmidtAndTheKeptRowsSpanAll) {
  for (const auto& [count, size, rank] : shapes) {
    const Numbers rows = random_rows(count, size, rank, 10 * count + size);
    const MatrixView view(count, size, rows);
    const RowRank found = find_rank(view, threshold);
    ASSERT_EQ(found.kept.size(), rank) << count << " x " << size;
    EXPECT_EQ(found.dropped.size(), count - rank);
    EXPECT_LT(found.largest_dropped, 1e-12);
    EXPECT_GT(found.smallest, 1e-3);
    OrthonormalBasis basis(size);
    for (std::size_t r : found.kept) EXPECT_TRUE(basis.add(view.row(r), threshold));
    for (std::size_t r : found.dropped) EXPECT_FALSE(basis.add(view.row(r), threshold));
  }
}

TEST(Rank, KeepsTheLongerOfTwoParallelRows) {
  const Numbers rows{1, 0, 0, 1, 2, 0};
  const RowRank found = find_rank({3, 2, rows}, threshold);
  EXPECT_EQ(found.kept, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(found.dropped, (std::vector<std::size_t>{0}));
  EXPECT_NEAR(found.smallest, 1, 4 * epsilon);
}

TEST(RowSplit, DependencesMakeZeroAndTheKernelIsOrthonormalAndFree) {
  for (const auto& [count, size, rank] : shapes) {
    const Numbers rows = random_rows(count, size, rank, 20 * count + size);
    const MatrixView view(count, size, rows);
    const RowSplit split = split_rows(view, threshold);
    ASSERT_EQ(split.rank, rank);
    ASSERT_EQ(split.dependences.size(), (count - rank) * count);
    ASSERT_EQ(split.kernel.size(), (size - rank) * size);
    const MatrixView dependences(count - rank, count, split.dependences), kernel(size - rank, size, split.kernel);
    for (std::size_t d = 0; d < dependences.rows; ++d) {
      Numbers sum(size, 0.0);
      for (std::size_t r = 0; r < count; ++r) add_scaled(dependences(d, r), view.row(r), sum);
      EXPECT_LT(largest(sum), 1e-12 * (1 + largest(split.dependences)));
      EXPECT_GE(length_of(dependences.row(d)), 1);
    }
    for (std::size_t k = 0; k < kernel.rows; ++k) {
      for (std::size_t r = 0; r < count; ++r) EXPECT_NEAR(dot(view.row(r), kernel.row(k)), 0, 1e-12);
      for (std::size_t j = 0; j <= k; ++j) EXPECT_NEAR(dot(kernel.row(k), kernel.row(j)), k == j ? 1 : 0, 1e-14);
    }
  }
}

TEST(LeastNorm, SatisfiesTheNormalEquationsAndHasNoPartInTheKernel) {
  for (const auto& [count, size, rank] : shapes) {
    const Numbers a = random_rows(count, size, rank, 30 * count + size), b = RandomNumbers(count).numbers(count);
    const MatrixView view(count, size, a);
    const LeastNorm found = solve_least_norm(view, b, 1e-10);
    ASSERT_EQ(found.rank, rank);
    Numbers miss = product(a, size, found.x), normal(size, 0.0);
    for (std::size_t r = 0; r < count; ++r) {
      miss[r] -= b[r];
      add_scaled(miss[r], view.row(r), normal);
    }
    EXPECT_LT(largest(normal), 1e-11);
    const RowSplit split = split_rows(view, threshold);
    const MatrixView kernel(size - rank, size, split.kernel);
    for (std::size_t k = 0; k < kernel.rows; ++k) EXPECT_NEAR(dot(kernel.row(k), found.x), 0, 1e-12);
  }
}

TEST(LeastNorm, OfIndependentRowsIsThatOfTheirGramMatrix) {
  const std::size_t rows = 4, size = 9;
  RandomNumbers random(5);
  const Numbers a = random.numbers(rows * size), b = random.numbers(rows);
  Numbers gram(rows * rows), lambda = b, expected(size, 0.0);
  const MatrixView view(rows, size, a);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j) gram[i * rows + j] = dot(view.row(i), view.row(j));
  ASSERT_EQ(factor_cholesky(gram, rows, 0).failed, rows);
  solve_cholesky(gram, lambda);
  for (std::size_t i = 0; i < rows; ++i) add_scaled(lambda[i], view.row(i), expected);
  const LeastNorm found = solve_least_norm(view, b, 1e-10);
  for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(found.x[i], expected[i], 1e-13);
}

TEST(Rank, OfNothingIsZeroAndAllIsFree) {
  const RowRank none = find_rank({0, 4, {}}, threshold), flat = find_rank({3, 0, {}}, threshold);
  EXPECT_TRUE(none.finite && none.kept.empty() && none.dropped.empty());
  EXPECT_EQ(none.smallest, 1);
  EXPECT_TRUE(flat.finite && flat.kept.empty());
  EXPECT_EQ(flat.dropped, (std::vector<std::size_t>{0, 1, 2}));
  const RowSplit free = split_rows({0, 2, {}}, threshold);
  EXPECT_EQ(free.kernel, (Numbers{1, 0, 0, 1}));
  EXPECT_TRUE(free.dependences.empty());
  const RowSplit bound = split_rows({2, 0, {}}, threshold);
  EXPECT_EQ(bound.dependences, (Numbers{1, 0, 0, 1}));
  EXPECT_TRUE(bound.kernel.empty());
  EXPECT_EQ(solve_least_norm({0, 2, {}}, {}, threshold).x, (Numbers{0, 0}));
  EXPECT_TRUE(solve_least_norm({2, 0, {}}, Numbers{1, 2}, threshold).x.empty());
  const RowSplit empty = split_rows({0, 0, {}}, threshold);
  EXPECT_TRUE(empty.finite && empty.rank == 0 && empty.kernel.empty() && empty.dependences.empty());
}

TEST(Rank, WhatIsNotFiniteIsSaidToBeSo) {
  for (double bad : {infinite, -infinite, not_a_number}) {
    const Numbers rows{1, 0, bad, 1};
    EXPECT_FALSE(find_rank({2, 2, rows}, threshold).finite) << bad;
    EXPECT_EQ(find_rank({2, 2, rows}, threshold).dropped.size(), 2U);
    EXPECT_FALSE(split_rows({2, 2, rows}, threshold).finite) << bad;
    EXPECT_FALSE(solve_least_norm({2, 2, rows}, Numbers{1, 1}, threshold).finite) << bad;
    const LeastNorm found = solve_least_norm({1, 2, Numbers{1, 1}}, Numbers{bad}, threshold);
    EXPECT_FALSE(found.finite) << bad;
    EXPECT_EQ(found.x, (Numbers{0, 0}));
  }
}

}  // namespace
