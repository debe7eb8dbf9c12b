// One system in two descriptions is one motion with one set of reactions: random trees of bodies in the joints' own
// coordinates, against the same bodies free in space with the joints as constraints.
#include "laws/random_tree.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "support/larger.hpp"
#include "support/motion_table.hpp"

namespace {

namespace support = dalembert::testing_support;
using support::Table;

Table run(const std::string& text, const std::string& name, double tolerance) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(file) << text;
  return support::simulate(file.string(), {"--until=0.4", "--every=0.05", fmt::format("--tolerance={}", tolerance)});
}

double largest_difference(const Table& a, const Table& b, const std::string& column) {
  const std::size_t i = a.index(column), j = b.index(column);
  double largest = 0;
  for (std::size_t row = 0; row < a.rows.size(); ++row)
    largest = support::larger(largest, a.rows[row][i] - b.rows[row][j]);
  return largest;
}

double largest_value(const Table& table, const std::string& column) {
  double largest = 0;
  for (const std::vector<double>& row : table.rows) largest = support::larger(largest, row[table.index(column)]);
  return largest;
}

/// Each description's own error is what a hundred times looser tolerance changes (at least a hundred times the error of
/// the tight run, of eighth order); rounding is allowed for by 1e-11 of the column's size.
void expect_one_motion(const laws::TreeModels& models, std::uint64_t seed) {
  const std::string name = fmt::format("tree{}", seed);
  const Table relative = run(models.relative, name + "_relative.toml", 1e-11);
  const Table cartesian = run(models.cartesian, name + "_cartesian.toml", 1e-11);
  const Table loose_relative = run(models.relative, name + "_relative.toml", 1e-9);
  const Table loose_cartesian = run(models.cartesian, name + "_cartesian.toml", 1e-9);
  for (const Table* table : {&relative, &cartesian, &loose_relative, &loose_cartesian})
    ASSERT_EQ(table->rows.size(), 9U);
  ASSERT_FALSE(models.centres.empty());

  std::vector<std::string> columns{"energy"};
  for (const std::string& centre : models.centres)
    for (const char* component : {".x", ".y", ".z"}) columns.push_back(centre + component);
  for (const std::string& constraint : models.kept) columns.push_back(fmt::format("reaction({})", constraint));
  for (const std::string& column : columns) {
    const double bound = largest_difference(relative, loose_relative, column) +
                         largest_difference(cartesian, loose_cartesian, column) +
                         1e-11 * (1 + largest_value(relative, column));
    EXPECT_LE(largest_difference(relative, cartesian, column), bound) << column;
  }
}

class RandomTree : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomTree, moves_alike_with_equal_reactions_in_both_descriptions) {
  const std::uint64_t seed = GetParam();
  const laws::TreeModels models = laws::make_random_tree(seed);
  expect_one_motion(models, seed);
  if (HasFailure()) fmt::print("seed {}, the tree in its own coordinates:\n{}\n", seed, models.relative);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTree, testing::Range<std::uint64_t>(1, 25));

TEST(RandomTrees, have_loops_rolling_belts_and_drives_among_them) {
  int loops = 0, rolling = 0, belts = 0, drives = 0;
  for (std::uint64_t seed = 1; seed < 25; ++seed) {
    const std::string text = laws::make_random_tree(seed).relative;
    loops += text.find("dot(position(P0) - ") != std::string::npos;
    rolling += text.find("[0.8, 0.6, 0]) = 0\"") != std::string::npos;
    belts += text.find("sin(3*t)") != std::string::npos;
    drives += text.find("cos(2*t)") != std::string::npos;
  }
  EXPECT_GE(loops, 3);
  EXPECT_GE(rolling, 3);
  EXPECT_GE(belts, 3);
  EXPECT_GE(drives, 3);
}

}  // namespace
