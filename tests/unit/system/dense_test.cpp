// The solvers of Gauss's principle and of the projection, small and large: what they give balances, whatever way it was
// eliminated.

#include <gtest/gtest.h>

#include <cmath>

#include "simulate/system/sparse.hpp"

namespace dalembert {
namespace {

/// Masses 1, 2, 1, 2, ... on a line of links that are not parallel, each row of A of unit length.
DenseSystem make_chain(std::size_t links) {
  const std::size_t n = 2 * links;
  DenseSystem system{n, links, std::vector<double>(n * n), std::vector<double>(n), std::vector<double>(links * n), {}};
  for (std::size_t k = 0; k < links; ++k) {
    const double mass = 1.0 + static_cast<double>(k % 2), angle = 0.3 * static_cast<double>(k);
    for (std::size_t c : {2 * k, 2 * k + 1}) system.mass[c * n + c] = mass;
    system.bias[2 * k + 1] = 9.81 * mass;
    for (std::size_t end : {k, k - 1}) {
      if (k == 0 && end != k) continue;
      const double sign = end == k ? 1 : -1;
      system.jacobian[k * n + 2 * end] = sign * std::cos(angle);
      system.jacobian[k * n + 2 * end + 1] = sign * std::sin(angle);
    }
    system.drift.push_back(0.01 * static_cast<double>(k));
  }
  return system;
}

/// The largest of M u' + bias - A^T lambda and A u' + drift.
double worst_residual(const DenseSystem& system, const SolvedMotion& motion) {
  double worst = 0;
  for (std::size_t i = 0; i < system.size; ++i) {
    double sum = system.bias[i];
    for (std::size_t j = 0; j < system.size; ++j) sum += system.mass[i * system.size + j] * motion.acceleration[j];
    for (std::size_t r = 0; r < system.rows; ++r) sum -= system.jacobian[r * system.size + i] * motion.multipliers[r];
    worst = std::fmax(worst, std::fabs(sum));
  }
  for (std::size_t r = 0; r < system.rows; ++r) {
    double sum = system.drift[r];
    for (std::size_t i = 0; i < system.size; ++i) sum += system.jacobian[r * system.size + i] * motion.acceleration[i];
    worst = std::fmax(worst, std::fabs(sum));
  }
  return worst;
}

/// Sums of a few terms near a hundred.
constexpr double rounding = 1e-11;

TEST(LeastConstraint, BalancesSmallAndLargeSystems) {
  for (std::size_t links : {3, 60, 100, 200}) {
    const DenseSystem system = make_chain(links);
    const SolvedMotion motion = minimise_constraint(system);
    ASSERT_TRUE(motion.ok) << links;
    EXPECT_LT(worst_residual(system, motion), rounding) << links;
  }
}

TEST(LeastConstraint, SharesTheReactionOfARowThatIsThereTwice) {
  for (std::size_t links : {3, 100}) {
    const DenseSystem once = make_chain(links);
    DenseSystem twice = once;
    twice.rows += 1;
    twice.jacobian.insert(twice.jacobian.end(), once.jacobian.end() - static_cast<std::ptrdiff_t>(once.size),
                          once.jacobian.end());
    twice.drift.push_back(once.drift.back());
    const SolvedMotion one = minimise_constraint(once), two = minimise_constraint(twice);
    ASSERT_TRUE(one.ok && two.ok) << links;
    EXPECT_LT(worst_residual(twice, two), rounding) << links;
    EXPECT_NEAR(two.multipliers[links - 1], one.multipliers.back() / 2, rounding) << links;
    EXPECT_NEAR(two.multipliers[links], one.multipliers.back() / 2, rounding) << links;
  }
}

TEST(LeastConstraint, OfRowsThatContradictEachOtherDoesNotExist) {
  for (std::size_t links : {3, 100}) {
    DenseSystem system = make_chain(links);
    system.rows += 1;
    const std::vector<double> rows = system.jacobian;
    system.jacobian.insert(system.jacobian.end(), rows.end() - static_cast<std::ptrdiff_t>(system.size), rows.end());
    system.drift.push_back(system.drift.back() + 1);
    EXPECT_FALSE(minimise_constraint(system).ok) << links;
  }
}

SparseSystem by_entries(const DenseSystem& dense) {
  SparseSystem sparse{dense.size, dense.rows, {}, dense.bias, {}, dense.drift};
  for (std::uint32_t i = 0; i < dense.size; ++i) {
    for (std::uint32_t j = 0; j <= i; ++j) sparse.mass.push_back({i, j, dense.mass[i * dense.size + j]});
    for (std::uint32_t r = 0; r < dense.rows; ++r)
      sparse.jacobian.push_back({r, i, dense.jacobian[r * dense.size + i]});
  }
  return sparse;
}

/// Neighbours share a part of their masses.
DenseSystem make_coupled_chain(std::size_t links) {
  DenseSystem system = make_chain(links);
  for (std::size_t i = 0; i + 2 < system.size; ++i)
    system.mass[i * system.size + i + 2] = system.mass[(i + 2) * system.size + i] = 0.2;
  return system;
}

TEST(Projection, ByEntriesIsThatOfTheWholeMatrix) {
  for (std::size_t links : {1, 3, 60, 120}) {
    const DenseSystem system = make_coupled_chain(links);
    const SolvedMotion whole = project_motion(system), entries = project_motion(by_entries(system));
    ASSERT_TRUE(whole.ok && entries.ok) << links;
    EXPECT_LT(worst_residual(system, whole), rounding) << links;
    EXPECT_LT(worst_residual(system, entries), rounding) << links;
    for (std::size_t r = 0; r < links; ++r)
      EXPECT_NEAR(whole.multipliers[r], entries.multipliers[r], rounding) << links << " " << r;
  }
}

TEST(Projection, WithoutRowsIsTheFreeMotion) {
  DenseSystem system = make_coupled_chain(3);
  system.rows = 0, system.jacobian.clear(), system.drift.clear();
  const SolvedMotion motion = project_motion(by_entries(system));
  ASSERT_TRUE(motion.ok);
  EXPECT_TRUE(motion.multipliers.empty());
  EXPECT_LT(worst_residual(system, motion), rounding);
}

TEST(Projection, NeedsRowsThatDoNotDependOnEachOtherAndMassesThatArePositive) {
  for (std::size_t links : {3, 60}) {
    DenseSystem twice = make_chain(links);
    twice.rows += 1;
    const std::vector<double> rows = twice.jacobian;
    twice.jacobian.insert(twice.jacobian.end(), rows.end() - static_cast<std::ptrdiff_t>(twice.size), rows.end());
    twice.drift.push_back(twice.drift.back());
    EXPECT_FALSE(project_motion(by_entries(twice)).ok) << links;
    DenseSystem massless = make_chain(links);
    massless.mass[0] = 0;
    EXPECT_FALSE(project_motion(by_entries(massless)).ok) << links;
  }
}

}  // namespace
}  // namespace dalembert
