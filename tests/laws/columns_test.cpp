// Columns that are asked for are the numbers that they are among all others.

#include <gtest/gtest.h>

#include "support/motion_table.hpp"

namespace dalembert::testing_support {
namespace {

TEST(ColumnsAskedFor, HaveTheSameDigitsAsAmongAllOthers) {
  for (const std::string model :
       {"models:rolling_disk_tilted", "models:bouncing_ball", "models:redundant_parallelogram"}) {
    const Table all = simulate(model, {"--until", "1", "--every", "0.125"});
    for (const std::string& column : {all.columns[1], all.columns.back()}) {
      const Table one = simulate(model, {"--until", "1", "--every", "0.125", "--columns", column});
      EXPECT_EQ(one.columns, (std::vector<std::string>{"t", column}));
      ASSERT_EQ(all.rows.size(), one.rows.size());
      for (std::size_t i = 0; i < all.rows.size(); ++i)
        EXPECT_EQ(all.rows[i][all.index(column)], one.rows[i][1]) << model << " " << column;
    }
  }
}

}  // namespace
}  // namespace dalembert::testing_support
