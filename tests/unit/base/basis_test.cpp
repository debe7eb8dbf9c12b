#include "base/basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/matrix_view.hpp"
#include "unit/base/matrices.hpp"

using namespace dalembert;
using namespace dalembert::testing_support;

namespace {

constexpr double dependent = 1e-8;

void expect_orthonormal(const OrthonormalBasis& basis) {
  for (std::size_t i = 0; i < basis.count(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      EXPECT_NEAR(dot(basis.direction(i), basis.direction(j)), i == j ? 1 : 0,
                  4 * static_cast<double>(basis.size()) * epsilon);
}

TEST(Basis, StaysOrthonormalForVectorsThatAreNearlyDependent) {
  // Hilbert's matrix: distances fall to 1e-7 of the lengths.
  const std::size_t size = 6;
  OrthonormalBasis basis(size);
  for (std::size_t i = 0; i < size; ++i) {
    Numbers row(size);
    for (std::size_t j = 0; j < size; ++j) row[j] = 1 / static_cast<double>(i + j + 1);
    EXPECT_TRUE(basis.add(row, 1e-12));
  }
  expect_orthonormal(basis);
}

TEST(Basis, AVectorIsItsPartsAlongTheDirectionsAndWhatIsLeft) {
  RandomNumbers random(1);
  OrthonormalBasis basis(7, 4);
  for (int k = 0; k < 4; ++k) ASSERT_TRUE(basis.add(random.numbers(7), dependent));
  const Numbers x = random.numbers(7);
  Numbers rest = x, inside(4);
  const double left = basis.split(rest, inside);
  EXPECT_NEAR(left, length_of(rest), 0);
  Numbers again = rest;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(dot(basis.direction(k), rest), 0, 16 * epsilon);
    add_scaled(inside[k], basis.direction(k), again);
  }
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(again[i], x[i], 16 * epsilon);
}

TEST(Basis, ItsTriangleGivesTheCoefficientsOverTheVectorsThatMadeIt) {
  RandomNumbers random(2);
  const std::size_t size = 6, count = 4;
  std::vector<Numbers> vectors;
  OrthonormalBasis basis(size);
  for (std::size_t k = 0; k < count; ++k) {
    vectors.push_back(random.numbers(size));
    ASSERT_TRUE(basis.add(vectors.back(), dependent));
  }
  // x = sum of c_k v_k has parts R c along the directions.
  const Numbers c = random.numbers(count);
  Numbers x(size, 0.0), found(count);
  for (std::size_t k = 0; k < count; ++k) add_scaled(c[k], vectors[k], x);
  EXPECT_NEAR(basis.split(x, found), 0, 64 * epsilon);
  basis.solve(found);
  for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(found[k], c[k], 1e-13) << k;
  // And (R^-T b)_k are the parts of the shortest z with v_k . z = b_k.
  const Numbers b = random.numbers(count);
  Numbers parts = b, z(size, 0.0);
  basis.solve_transposed(parts);
  for (std::size_t k = 0; k < count; ++k) add_scaled(parts[k], basis.direction(k), z);
  for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(dot(vectors[k], z), b[k], 1e-13) << k;
}

TEST(Basis, DependentVanishingAndNonFiniteVectorsChangeNothing) {
  OrthonormalBasis basis(3);
  ASSERT_TRUE(basis.add(Numbers{1, 1, 0}, dependent));
  ASSERT_TRUE(basis.add(Numbers{0, 1, 0}, dependent));
  EXPECT_FALSE(basis.add(Numbers{5, -3, 0}, dependent));
  EXPECT_FALSE(basis.add(Numbers{1, 1, 1e-9}, dependent));
  EXPECT_FALSE(basis.add(Numbers{0, 0, 0}, dependent));
  for (double bad : {infinite, -infinite, not_a_number})
    for (double least : {0.0, dependent}) EXPECT_FALSE(basis.add(Numbers{0, bad, 1}, least)) << bad;
  EXPECT_EQ(basis.count(), 2U);
  EXPECT_TRUE(basis.add(Numbers{1, 1, 1e-7}, dependent));
  EXPECT_FALSE(basis.add(Numbers{1, 2, 3}, dependent)) << "three directions are all that there are";
  expect_orthonormal(basis);
}

TEST(Basis, LengthsWhoseSquaresOverflowOrVanishAreLengthsAllTheSame) {
  EXPECT_NEAR(length_of(Numbers{3e200, 4e200}), 5e200, 2e185);
  EXPECT_NEAR(length_of(Numbers{3e-200, 4e-200}), 5e-200, 2e-215);
  EXPECT_EQ(length_of(Numbers{}), 0);
  EXPECT_EQ(length_of(Numbers{0, -0.0}), 0);
  EXPECT_EQ(length_of(Numbers{1, -infinite}), infinite);
  EXPECT_TRUE(std::isnan(length_of(Numbers{1, not_a_number})));
  OrthonormalBasis basis(2);
  EXPECT_TRUE(basis.add(Numbers{3e200, 4e200}, dependent));
  EXPECT_TRUE(basis.add(Numbers{1e-200, 0}, dependent));
  expect_orthonormal(basis);
}

TEST(Basis, AfterTruncationItIsAsIfTheRestHadNeverBeenAdded) {
  RandomNumbers random(3);
  const Numbers a = random.numbers(5), b = random.numbers(5), c = random.numbers(5);
  OrthonormalBasis all(5), fewer(5);
  for (const Numbers* x : {&a, &b, &c}) ASSERT_TRUE(all.add(*x, dependent));
  all.truncate(1);
  ASSERT_TRUE(all.add(c, dependent));
  for (const Numbers* x : {&a, &c}) ASSERT_TRUE(fewer.add(*x, dependent));
  ASSERT_EQ(all.count(), fewer.count());
  Numbers one{1, 2}, other{1, 2};
  all.solve(one);
  fewer.solve(other);
  EXPECT_EQ(one, other);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_TRUE(std::ranges::equal(all.direction(k), fewer.direction(k))) << "direction " << k;
}

TEST(Basis, OfVectorsWithoutComponentsIsEmpty) {
  OrthonormalBasis basis(0);
  EXPECT_FALSE(basis.add({}, dependent));
  EXPECT_EQ(basis.count(), 0U);
  EXPECT_EQ(basis.split({}, {}), 0);
  basis.solve({});
  basis.solve_transposed({});
}

}  // namespace
