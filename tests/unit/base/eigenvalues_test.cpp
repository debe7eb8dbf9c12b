#include "base/eigenvalues.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/base/matrices.hpp"

using namespace dalembert;
using namespace dalembert::testing_support;

namespace {

TEST(Eigenvalues, OfTheSecondDifferenceAreKnown) {
  // 2 - 2 cos(k pi / (n + 1)) for the matrix with 2 on the diagonal and -1 beside it.
  const std::size_t n = 8;
  Numbers a(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    a[i * n + i] = 2;
    if (i > 0) a[i * n + i - 1] = a[(i - 1) * n + i] = -1;
  }
  const SymmetricEigen found = find_eigenvalues({n, n, a});
  ASSERT_TRUE(found.ok);
  for (std::size_t k = 0; k < n; ++k)
    EXPECT_NEAR(found.values[k], 2 - 2 * std::cos(static_cast<double>(k + 1) * M_PI / static_cast<double>(n + 1)),
                16 * epsilon);
}

TEST(Eigenvalues, VectorsAreMultipliedByTheirValues) {
  const std::size_t n = 6;
  const Numbers a = RandomNumbers(1).definite(n);
  const SymmetricEigen found = find_eigenvalues({n, n, a});
  ASSERT_TRUE(found.ok);
  for (std::size_t k = 0; k < n; ++k) {
    const Numbers vector(found.vectors.begin() + static_cast<std::ptrdiff_t>(k * n),
                         found.vectors.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
    const Numbers image = product(a, n, vector);
    EXPECT_NEAR(length_of(vector), 1, 16 * epsilon);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(image[i], found.values[k] * vector[i], 1e-13 * found.values.back());
  }
}

TEST(Eigenvalues, OnlyTheLowerTriangleIsRead) {
  const Numbers a{2, not_a_number, 1, 2};
  const SymmetricEigen found = find_eigenvalues({2, 2, a});
  ASSERT_TRUE(found.ok);
  EXPECT_NEAR(found.values[0], 1, 4 * epsilon);
  EXPECT_NEAR(found.values[1], 3, 4 * epsilon);
}

TEST(Eigenvalues, TheEmptyMatrixHasNone) {
  const SymmetricEigen found = find_eigenvalues({0, 0, {}});
  EXPECT_TRUE(found.ok);
  EXPECT_TRUE(found.values.empty() && found.vectors.empty());
}

TEST(Eigenvalues, AMatrixThatIsNotFiniteHasNone) {
  for (double bad : {infinite, -infinite, not_a_number}) {
    const Numbers a{1, 0, bad, 1};
    const SymmetricEigen found = find_eigenvalues({2, 2, a});
    EXPECT_FALSE(found.ok) << bad;
    EXPECT_TRUE(found.values.empty());
  }
}

}  // namespace
