// The shortest vector under inequalities: against all active sets tried one by one.
#include "simulate/system/least_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "support/larger.hpp"
#include "support/solve.hpp"

namespace {

using namespace dalembert;
using Vector = std::vector<double>;

struct Problem {
  std::size_t size;
  Vector columns, g;
  std::size_t count() const { return g.size(); }
  double dot(std::size_t i, const Vector& z) const {
    double sum = 0;
    for (std::size_t k = 0; k < size; ++k) sum += columns[i * size + k] * z[k];
    return sum;
  }
};

/// The z of the one active set that satisfies all conditions; empty where none does.
std::optional<Vector> try_all(const Problem& p) {
  for (std::size_t set = 0; set < (std::size_t{1} << p.count()); ++set) {
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < p.count(); ++i)
      if ((set >> i & 1) != 0) active.push_back(i);
    if (active.size() > p.size) continue;
    std::vector<Vector> gram(active.size(), Vector(active.size()));
    Vector right(active.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
      right[i] = -p.g[active[i]];
      for (std::size_t j = 0; j < active.size(); ++j)
        for (std::size_t k = 0; k < p.size; ++k)
          gram[i][j] += p.columns[active[i] * p.size + k] * p.columns[active[j] * p.size + k];
    }
    const std::optional<Vector> m = testing_support::solve(gram, right, 1e-10);
    if (!m) continue;
    Vector z(p.size, 0.0);
    bool good = true;
    for (std::size_t i = 0; i < active.size(); ++i) {
      good = good && (*m)[i] >= -1e-9;
      for (std::size_t k = 0; k < p.size; ++k) z[k] += (*m)[i] * p.columns[active[i] * p.size + k];
    }
    for (std::size_t i = 0; i < p.count(); ++i) good = good && p.dot(i, z) + p.g[i] >= -1e-9;
    if (good) return z;
  }
  return std::nullopt;
}

class Source {
 public:
  double number() { return normal_(random_); }
  std::size_t below(std::size_t n) { return random_() % n; }
  /// Columns of unit length. Degenerate: some are combinations of others or equal to them, some are zero, and small
  /// whole numbers make inequalities meet in one point.
  Problem problem(bool degenerate) {
    Problem p{1 + below(5), {}, {}};
    const std::size_t count = 1 + below(8);
    for (std::size_t i = 0; i < count; ++i) {
      Vector x(p.size);
      for (double& value : x) value = degenerate ? static_cast<double>(below(3)) - 1 : number();
      if (degenerate && i > 0 && below(3) == 0)
        for (std::size_t k = 0; k < p.size; ++k) x[k] = (below(2) == 0 ? 1 : -1) * p.columns[below(i) * p.size + k];
      double length = 0;
      for (double value : x) length += value * value;
      length = std::sqrt(length);
      for (double value : x) p.columns.push_back(length > 0 ? value / length : 0);
      p.g.push_back(degenerate ? static_cast<double>(below(4)) - 2 : number());
      if (length == 0) p.g.back() = static_cast<double>(below(2));
    }
    return p;
  }

 private:
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;
};

/// Nearly parallel inequalities have large multipliers, and sums of these lose as many digits.
double size_of(const LeastDistance& found) {
  double largest = 1;
  for (double m : found.multipliers) largest = testing_support::larger(largest, m);
  return largest;
}

/// Karush's, Kuhn's and Tucker's conditions, which the shortest vector alone satisfies.
void expect_conditions(const Problem& p, const LeastDistance& found) {
  Vector made(p.size, 0.0);
  const double largest = size_of(found), rounding = 1e-13 * largest;
  ASSERT_EQ(found.multipliers.size(), p.count());
  ASSERT_EQ(found.slack.size(), p.count());
  for (std::size_t i = 0; i < p.count(); ++i) {
    EXPECT_GE(found.multipliers[i], 0);
    EXPECT_GE(found.slack[i], -1e-12 - rounding);
    EXPECT_NEAR(found.slack[i], p.dot(i, found.z) + p.g[i], rounding);
    EXPECT_NEAR(found.multipliers[i] * found.slack[i], 0, rounding * largest);
    for (std::size_t k = 0; k < p.size; ++k) made[k] += found.multipliers[i] * p.columns[i * p.size + k];
  }
  for (std::size_t k = 0; k < p.size; ++k) EXPECT_NEAR(found.z[k], made[k], rounding);
}

void expect_solved(const Problem& p, const LeastDistance& found, const Vector& z) {
  expect_conditions(p, found);
  const double largest = size_of(found);
  for (std::size_t k = 0; k < p.size; ++k) EXPECT_NEAR(found.z[k], z[k], 1e-9 + 1e-13 * largest * largest);
}

/// Hildreth's method: one multiplier after the other is set to meet its inequality, until nothing changes.
Vector approach(const Problem& p) {
  Vector z(p.size, 0.0), m(p.count(), 0.0);
  for (int sweep = 0; sweep < 100000; ++sweep) {
    double moved = 0;
    for (std::size_t i = 0; i < p.count(); ++i) {
      const double step = std::max(-m[i], -(p.dot(i, z) + p.g[i]));
      m[i] += step;
      for (std::size_t k = 0; k < p.size; ++k) z[k] += step * p.columns[i * p.size + k];
      moved = testing_support::larger(moved, step);
    }
    if (moved < 1e-14) return z;
  }
  ADD_FAILURE() << "the second route did not converge";
  return z;
}

void compare_with_all_sets(bool degenerate) {
  Source source;
  int solved = 0, contradictions = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const Problem p = source.problem(degenerate);
    const Vector noise(p.count(), 1e-12);
    const LeastDistance found = solve_least_distance(p.size, p.columns, p.g, noise);
    const std::optional<Vector> z = try_all(p);
    ASSERT_EQ(found.outcome, z ? LeastDistanceOutcome::solved : LeastDistanceOutcome::contradiction) << trial;
    if (z) expect_solved(p, found, *z);
    ++(z ? solved : contradictions);
  }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(contradictions, 100);
}

TEST(LeastDistance, is_the_one_active_set_that_satisfies_every_condition) { compare_with_all_sets(false); }

TEST(LeastDistance, is_so_for_dependent_equal_and_contradicting_inequalities) { compare_with_all_sets(true); }

TEST(LeastDistance, a_hundred_inequalities_in_fifty_dimensions_are_solved_to_rounding) {
  Source source;
  for (int trial = 0; trial < 20; ++trial) {
    Problem p{50, {}, {}};
    Vector inside(p.size);
    for (double& value : inside) value = source.number();
    for (std::size_t i = 0; i < 100; ++i) {
      Vector x(p.size);
      double length = 0;
      for (double& value : x) {
        value = source.number();
        length += value * value;
      }
      for (double value : x) p.columns.push_back(value / std::sqrt(length));
      p.g.push_back(0);
      p.g.back() = std::abs(source.number()) - p.dot(i, inside);  // `inside` satisfies all of them
    }
    const LeastDistance found = solve_least_distance(p.size, p.columns, p.g, Vector(100, 1e-12));
    ASSERT_EQ(found.outcome, LeastDistanceOutcome::solved);
    expect_solved(p, found, approach(p));
  }
}

TEST(LeastDistance, independent_columns_keep_those_that_come_first) {
  const Vector columns{1, 0, 0, 1, 1, 0, std::sqrt(0.5), std::sqrt(0.5)};
  EXPECT_EQ(independent_columns(2, columns, {}), (std::vector<std::size_t>{0, 1}));
  const std::vector<std::size_t> first{3};
  EXPECT_EQ(independent_columns(2, columns, first), (std::vector<std::size_t>{3, 0}));
}

}  // namespace
