// The shortest vector under inequalities: against all active sets tried one by one.
#include "simulate/least_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

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

/// Gaussian elimination with full pivots; empty where the matrix is singular.
std::optional<Vector> solve(std::vector<Vector> a, Vector b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> place(n);
  for (std::size_t i = 0; i < n; ++i) place[i] = i;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t row = k, column = k;
    for (std::size_t i = k; i < n; ++i)
      for (std::size_t j = k; j < n; ++j)
        if (std::abs(a[i][j]) > std::abs(a[row][column])) row = i, column = j;
    if (std::abs(a[row][column]) < 1e-10) return std::nullopt;
    std::swap(a[k], a[row]);
    std::swap(b[k], b[row]);
    for (Vector& line : a) std::swap(line[k], line[column]);
    std::swap(place[k], place[column]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  Vector x(n);
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * x[place[j]];
    x[place[k]] = b[k] / a[k][k];
  }
  return x;
}

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
    const std::optional<Vector> m = solve(gram, right);
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

void expect_solved(const Problem& p, const LeastDistance& found, const Vector& z) {
  Vector made(p.size, 0.0);
  // Nearly parallel inequalities have large multipliers, and sums of these lose as many digits.
  double largest = 1;
  for (double m : found.multipliers) largest = std::max(largest, m);
  const double rounding = 1e-13 * largest;
  for (std::size_t i = 0; i < p.count(); ++i) {
    EXPECT_GE(found.multipliers[i], 0);
    EXPECT_GE(found.slack[i], -1e-12 - rounding);
    EXPECT_NEAR(found.slack[i], p.dot(i, found.z) + p.g[i], rounding);
    EXPECT_NEAR(found.multipliers[i] * found.slack[i], 0, rounding * largest);
    for (std::size_t k = 0; k < p.size; ++k) made[k] += found.multipliers[i] * p.columns[i * p.size + k];
  }
  for (std::size_t k = 0; k < p.size; ++k) {
    EXPECT_NEAR(found.z[k], z[k], 1e-9 + rounding * largest);
    EXPECT_NEAR(found.z[k], made[k], rounding);
  }
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
    expect_solved(p, found, found.z);
  }
}

TEST(LeastDistance, independent_columns_keep_those_that_come_first) {
  const Vector columns{1, 0, 0, 1, 1, 0, std::sqrt(0.5), std::sqrt(0.5)};
  EXPECT_EQ(independent_columns(2, columns, {}), (std::vector<std::size_t>{0, 1}));
  const std::vector<std::size_t> first{3};
  EXPECT_EQ(independent_columns(2, columns, first), (std::vector<std::size_t>{3, 0}));
}

}  // namespace
