// Factor, Gram matrix and mending against dense solves of the whole Karush-Kuhn-Tucker system.

#include "simulate/system/factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <memory>
#include <random>

namespace dalembert {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// M by blocks, full inside each; A with these columns in each row.
struct Sample {
  Sample(std::vector<Index> blocks, const std::vector<std::vector<Index>>& columns, unsigned seed) : random(seed) {
    Index first = 0;
    for (Index size : blocks) {
      for (Index i = 0; i < size; ++i)
        for (Index j = 0; j <= i; ++j) pattern.mass.emplace_back(first + i, first + j);
      first += size;
    }
    pattern.size = first;
    const auto n = static_cast<Eigen::Index>(first);
    m = Eigen::MatrixXd::Zero(n, n);
    first = 0;
    for (Index size : blocks) {
      const Eigen::MatrixXd root = draw(size, size);
      m.block(first, first, size, size) = root * root.transpose() + Eigen::MatrixXd::Identity(size, size);
      first += size;
    }
    a = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(columns.size()), n);
    for (std::size_t r = 0; r < columns.size(); ++r) {
      for (Index c : columns[r]) {
        pattern.rows.column.push_back(c);
        a(static_cast<Eigen::Index>(r), c) = draw(1, 1)(0);
      }
      pattern.rows.begin.push_back(static_cast<Index>(pattern.rows.column.size()));
    }
    pattern.unit.assign(columns.size(), false);
    bias = draw(n, 1);
    drift = draw(a.rows(), 1);
  }

  Eigen::MatrixXd draw(Eigen::Index rows, Eigen::Index columns) {
    std::uniform_real_distribution<double> value(-1, 1);
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return value(random); });
  }
  std::vector<double> mass() const {
    std::vector<double> values;
    for (const auto& [i, j] : pattern.mass) values.push_back(m(i, j));
    return values;
  }
  std::vector<double> jacobian() const {
    std::vector<double> values;
    for (std::size_t r = 0; r < pattern.rows.rows(); ++r)
      for (Index e = pattern.rows.begin[r]; e < pattern.rows.begin[r + 1]; ++e)
        values.push_back(a(static_cast<Eigen::Index>(r), pattern.rows.column[e]));
    return values;
  }
  std::shared_ptr<const Pattern> shared() const { return std::make_shared<const Pattern>(pattern); }

  std::mt19937 random;
  Pattern pattern;
  Eigen::MatrixXd m, a;
  Eigen::VectorXd bias, drift;
};

/// [M -A^T; A 0] (u', lambda) = (-bias, -drift) with these rows; the bound is what its condition makes of rounding.
struct WholeSolve {
  WholeSolve(const Sample& s, const std::vector<Index>& rows) {
    const Eigen::Index n = s.m.rows(), k = static_cast<Eigen::Index>(rows.size());
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + k, n + k);
    Eigen::VectorXd right(n + k);
    whole.topLeftCorner(n, n) = s.m;
    right.head(n) = -s.bias;
    for (Eigen::Index r = 0; r < k; ++r) {
      const auto row = s.a.row(rows[static_cast<std::size_t>(r)]);
      whole.block(n + r, 0, 1, n) = row;
      whole.block(0, n + r, n, 1) = -row.transpose();
      right[n + r] = -s.drift[rows[static_cast<std::size_t>(r)]];
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(whole, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::VectorXd x = svd.solve(right);
    const double condition = svd.singularValues()(0) / svd.singularValues()(n + k - 1);
    acceleration = x.head(n);
    multipliers = x.tail(k);
    // Two factorisations in a row, of M and of the Gram matrix, square the condition's root each.
    bound = 10 * epsilon * static_cast<double>(n + k) * condition * x.norm();
  }
  Eigen::VectorXd acceleration, multipliers;
  double bound;
};

void expect_solves(const Sample& s, const std::shared_ptr<const Selection>& selection) {
  Factor factor(selection);
  const std::vector<double> mass = s.mass(), jacobian = s.jacobian();
  ASSERT_TRUE(factor.factor(mass.data(), jacobian.data()));
  Eigen::VectorXd acceleration(s.m.rows()), multipliers(s.a.rows());
  factor.solve(s.bias.data(), s.drift.data(), acceleration.data(), multipliers.data());
  const WholeSolve whole(s, selection->kept());
  EXPECT_LE((acceleration - whole.acceleration).norm(), whole.bound);
  for (std::size_t k = 0; k < selection->kept().size(); ++k)
    EXPECT_NEAR(multipliers[selection->kept()[k]], whole.multipliers[static_cast<Eigen::Index>(k)], whole.bound);
  for (Index dropped : selection->dropped()) EXPECT_EQ(multipliers[dropped], 0);
}

TEST(Factor, OneBlockAndFullRowsSolveLikeTheWholeSystem) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Sample s({4}, {{0, 1, 2, 3}, {0, 1, 2, 3}}, seed);
    expect_solves(s, std::make_shared<const Selection>(s.shared(), std::vector<Mending>{}));
  }
}

TEST(Factor, RowsAcrossBlocksSolveLikeTheWholeSystem) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Sample s({2, 1, 3}, {{0, 2}, {1, 4, 5}, {2, 3}}, seed);
    const auto selection = std::make_shared<const Selection>(s.shared(), std::vector<Mending>{});
    EXPECT_EQ(selection->block_count(), 3u);
    expect_solves(s, selection);
  }
}

TEST(Factor, WithoutRowsOrWithoutFreedomIsNoSpecialCase) {
  const Sample free({3}, {}, 1), held({2}, {{0, 1}, {0, 1}}, 2);
  expect_solves(free, std::make_shared<const Selection>(free.shared(), std::vector<Mending>{}));
  expect_solves(held, std::make_shared<const Selection>(held.shared(), std::vector<Mending>{}));
}

TEST(Factor, KeepsASubsetOfTheRows) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Sample s({3, 2}, {{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}}, seed);
    s.a.row(1) = 2 * s.a.row(0) - 3 * s.a.row(2);  // it depends on the two others
    const Selection all(s.shared(), {});
    const auto kept = std::make_shared<const Selection>(all.keep({2, 0}));
    EXPECT_EQ(kept->kept(), (std::vector<Index>{0, 2}));
    EXPECT_EQ(kept->dropped(), (std::vector<Index>{1}));
    expect_solves(s, kept);
    Factor factor(kept);
    const std::vector<double> mass = s.mass(), jacobian = s.jacobian();
    ASSERT_TRUE(factor.factor(mass.data(), jacobian.data()));
    std::vector<double> coefficients(2);
    factor.combine(jacobian.data(), 1, coefficients.data());
    const WholeSolve whole(s, {0, 2});
    EXPECT_NEAR(coefficients[0], 2, std::max(whole.bound, 1e-13));
    EXPECT_NEAR(coefficients[1], -3, std::max(whole.bound, 1e-13));
  }
}

TEST(Factor, CorrectsResidualsByTheLeastChangeInTheKineticMetric) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Sample s({3, 2}, {{0, 1, 3}, {1, 2, 4}}, seed);
    Factor factor(std::make_shared<const Selection>(s.shared(), std::vector<Mending>{}));
    const std::vector<double> mass = s.mass(), jacobian = s.jacobian();
    ASSERT_TRUE(factor.factor(mass.data(), jacobian.data()));
    Eigen::VectorXd change(5);
    factor.correct(s.drift.data(), change.data());
    // The minimum of x.M x / 2 under A x + residual = 0 is the same system without bias.
    s.bias.setZero();
    const WholeSolve whole(s, {0, 1});
    EXPECT_LE((change - whole.acceleration).norm(), whole.bound);
  }
}

TEST(Factor, TheSmallestPivotIsTheDistanceFromTheOtherRow) {
  Sample s({1, 1}, {{0, 1}, {0, 1}}, 1);
  s.m.setIdentity();
  s.a << 1, 0, 1, 1e-3;  // unit rows at the angle atan(1e-3)
  Factor factor(std::make_shared<const Selection>(s.shared(), std::vector<Mending>{}));
  const std::vector<double> mass = s.mass();
  std::vector<double> jacobian = s.jacobian();
  ASSERT_TRUE(factor.factor(mass.data(), jacobian.data()));
  EXPECT_NEAR(factor.smallest_pivot(), std::sin(std::atan(1e-3)), 1e-9);  // its square comes out of 1 - 1: eps/1e-3
  for (double& value : jacobian) value *= 1e5;                            // as it is in other units
  ASSERT_TRUE(factor.factor(mass.data(), jacobian.data()));
  EXPECT_NEAR(factor.smallest_pivot(), std::sin(std::atan(1e-3)), 1e-9);
}

TEST(Factor, AMatrixThatIsNotDefiniteIsNamed) {
  Sample s({1, 2}, {}, 1);
  s.m(1, 1) = s.m(2, 2) = s.m(1, 2) = s.m(2, 1) = 1;
  Factor factor(std::make_shared<const Selection>(s.shared(), std::vector<Mending>{}));
  EXPECT_FALSE(factor.factor(s.mass().data(), s.jacobian().data()));
  EXPECT_GE(factor.failed(), 1u);
}

TEST(Mending, ARegularMassMatrixNeedsNone) {
  const Sample s({2}, {{0, 1}}, 3);
  const MendingResult found = find_mending(s.shared(), s.mass().data(), s.jacobian().data());
  EXPECT_TRUE(found.ok);
  EXPECT_TRUE(found.mending.empty());
}

TEST(Mending, ACoordinateWithoutInertiaIsMendedByTheRowThatHoldsIt) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Sample s({2, 1}, {{0, 1}, {0, 2}}, seed);
    s.m(2, 2) = 0;
    const MendingResult found = find_mending(s.shared(), s.mass().data(), s.jacobian().data());
    ASSERT_TRUE(found.ok);
    ASSERT_EQ(found.mending.size(), 1u);
    EXPECT_EQ(found.mending[0].row, 1u);
    EXPECT_GT(found.mending[0].sigma, 0);
    // The same motion and the same multipliers as of the matrix that is singular.
    expect_solves(s, std::make_shared<const Selection>(s.shared(), found.mending));
  }
}

TEST(Mending, ACoordinateThatNothingHoldsIsNamed) {
  Sample s({2, 1}, {{0, 1}}, 4);
  s.m(2, 2) = 0;
  const MendingResult found = find_mending(s.shared(), s.mass().data(), s.jacobian().data());
  EXPECT_FALSE(found.ok);
  EXPECT_EQ(found.failed, 2u);
}

/// The same matrix, kept as its pattern is: as all entries of the lower triangle, or as those that are not zero.
TEST(GramMatrix, DenseAndSparseSolveTheSame) {
  constexpr std::uint32_t size = 60;
  Eigen::MatrixXd g = Eigen::MatrixXd::Zero(size, size);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> full, band;
  std::vector<double> length(size), weight(size, 1.0);
  for (std::uint32_t i = 0; i < size; ++i) {
    length[i] = std::pow(10.0, i % 7) / 1e3;
    for (std::uint32_t j = 0; j <= i; ++j) full.emplace_back(i, j);
    if (i > 0) band.emplace_back(i, i - 1);
    band.emplace_back(i, i);
    g(i, i) = 1;
    if (i > 0) g(i, i - 1) = g(i - 1, i) = -0.4;
  }
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(size, -1, 2);
  const Eigen::VectorXd exact = g.fullPivLu().solve(right);
  std::vector<double> pivots;
  for (const auto& entries : {full, band}) {
    GramMatrix gram(size, entries);
    EXPECT_EQ(gram.value_count(), entries.size() == band.size() ? band.size() : size * size);
    for (const auto& [i, j] : band) gram.values()[gram.place(i, j)] = g(i, j) * length[i] * length[j];
    EXPECT_EQ(gram.diagonal(5), length[5] * length[5]);
    pivots.push_back(gram.factor(length.data(), weight.data()).first);
    Eigen::VectorXd x = right;
    gram.solve(x.data());
    // Its condition is (1 + 0.8)/(1 - 0.8) = 9.
    EXPECT_LE((x - exact).norm(), 9 * size * epsilon * exact.norm());
  }
  // Pivots of different orders of elimination lie between the least eigenvalue and 1.
  for (double pivot : pivots) EXPECT_TRUE(pivot > 0.2 && pivot <= 1) << pivot;
}

TEST(GramMatrix, ADependentRowHasNoPivot) {
  GramMatrix gram(2, {{0, 0}, {1, 0}, {1, 1}});
  const std::vector<double> length{1, 2}, weight{1, 1};
  gram.values()[gram.place(0, 0)] = 1;
  gram.values()[gram.place(1, 0)] = 2;
  gram.values()[gram.place(1, 1)] = 4;
  EXPECT_EQ(gram.factor(length.data(), weight.data()), (std::pair<double, std::size_t>{0.0, 1}));
}

}  // namespace
}  // namespace dalembert
