#pragma once
// Motions compared to the last bit.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <dalembert/simulate/trajectory.hpp>
#include <map>

namespace dalembert::testing_support {

inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// Every number of two tables of the same columns, row by row.
inline void expect_same_bits(const Trajectory& a, const Trajectory& b) {
  ASSERT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.rows.size(), b.rows.size()) << a.brief() << " and " << b.brief();
  EXPECT_EQ(a.brief(), b.brief());
  for (std::size_t k = 0; k < a.columns.size(); ++k) {
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
      ASSERT_EQ(bits(a.rows[i][k]), bits(b.rows[i][k]))
          << a.columns[k] << " in row " << i << ": " << a.rows[i][k] << " and " << b.rows[i][k];
    }
  }
}

/// Rows at times that both tables have; how many these are. The tables' time is their first column.
inline std::size_t expect_same_bits_at_common_times(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.columns, b.columns);
  std::map<std::uint64_t, std::size_t> row_of;
  for (std::size_t i = 0; i < b.rows.size(); ++i) row_of.emplace(bits(b.rows[i][0]), i);
  std::size_t common = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const auto same = row_of.find(bits(a.rows[i][0]));
    if (same == row_of.end()) continue;
    ++common;
    for (std::size_t k = 0; k < a.columns.size(); ++k) {
      const double one = a.rows[i][k], other = b.rows[same->second][k];
      if (bits(one) == bits(other)) continue;
      ADD_FAILURE() << a.columns[k] << " at t = " << a.rows[i][0] << ": " << one << " and " << other;
      return common;
    }
  }
  return common;
}

}  // namespace dalembert::testing_support
