#include "simulate/system/sharing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace dalembert {
namespace {

/// The least sum of squares by trying every choice of those that push: for two kept rows each is two linear equations.
double least_square(const std::vector<std::vector<double>>& combinations, const std::vector<double>& lambda) {
  const std::size_t count = lambda.size(), dropped = combinations.size(), kept = count - dropped;
  double best = std::numeric_limits<double>::infinity();
  for (unsigned pushing = 1; pushing < 1u << count; ++pushing) {
    double a = 0, b = 0, c = 0, f = 0, g = 0;
    const auto row = [&](std::size_t r, std::size_t k) {
      return r < kept ? (r == k ? 1.0 : 0.0) : combinations[r - kept][k];
    };
    for (std::size_t r = 0; r < count; ++r) {
      f += row(r, 0) * lambda[r];
      g += row(r, 1) * lambda[r];
      if ((pushing >> r & 1u) == 0) continue;
      a += row(r, 0) * row(r, 0);
      b += row(r, 0) * row(r, 1);
      c += row(r, 1) * row(r, 1);
    }
    const double determinant = a * c - b * b;
    if (determinant < 1e-9) continue;
    const double y0 = (c * f - b * g) / determinant, y1 = (a * g - b * f) / determinant;
    double square = 0, least = 0;
    for (std::size_t r = 0; r < count; ++r) {
      if ((pushing >> r & 1u) == 0) continue;
      const double value = row(r, 0) * y0 + row(r, 1) * y1;
      square += value * value;
      least = std::min(least, value);
    }
    if (least >= 0) best = std::min(best, square);
  }
  return best;
}

TEST(Sharing, is_the_shortest_of_all_choices_of_those_that_push) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  int shared_at_all = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::vector<double>> combinations(5, std::vector<double>(2));
    for (auto& row : combinations)
      for (double& entry : row) entry = number(random);
    std::vector<double> lambda(7);
    for (double& value : lambda) value = std::abs(number(random));
    const auto shared = share_least(combinations, lambda, std::vector<double>(7, 1.0));
    if (!shared) continue;
    ++shared_at_all;
    double square = 0;
    for (double value : *shared) {
      EXPECT_GE(value, -1e-12) << i;
      square += value * value;
    }
    EXPECT_NEAR(square, least_square(combinations, lambda), 1e-9) << i;
    for (std::size_t k = 0; k < 2; ++k) {
      double before = lambda[k], after = (*shared)[k];
      for (std::size_t d = 0; d < 5; ++d) {
        before += combinations[d][k] * lambda[2 + d];
        after += combinations[d][k] * (*shared)[2 + d];
      }
      EXPECT_NEAR(before, after, 1e-12) << i;
    }
  }
  EXPECT_GT(shared_at_all, 270);
}

TEST(Sharing, leaves_rows_without_a_sign_free) {
  // lambda_0 - lambda_1 = -1: a row that may pull takes half of it.
  const auto shared = share_least({{-1.0}}, std::vector<double>{-1, 0}, std::vector<double>{0, 1});
  ASSERT_TRUE(shared);
  EXPECT_NEAR((*shared)[0], -0.5, 1e-15);
  EXPECT_NEAR((*shared)[1], 0.5, 1e-15);
}

TEST(Sharing, is_given_up_where_nothing_pushes_that_way) {
  EXPECT_FALSE(share_least({{1.0}}, std::vector<double>{-1, 0}, std::vector<double>{1, 1}));
}

TEST(Sharing, of_columns_is_even_among_equal_ones) {
  const std::vector<double> columns{1, 0, 1, 0, 0, 2, 0, 0};
  const std::vector<double> shared = share_least(2, columns, {3, 0, 1, 0});
  EXPECT_NEAR(shared[0], 1.5, 1e-15);
  EXPECT_NEAR(shared[1], 1.5, 1e-15);
  EXPECT_NEAR(shared[2], 1, 1e-15);
  EXPECT_EQ(shared[3], 0);
}

}  // namespace
}  // namespace dalembert
