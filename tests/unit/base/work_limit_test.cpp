#include <gtest/gtest.h>

#include <dalembert/base/work_limit.hpp>
#include <thread>

namespace dalembert {
namespace {

TEST(WorkLimit, ThereIsNoneUnlessOneIsSet) { EXPECT_NO_THROW(spend_work(1e300)); }

TEST(WorkLimit, WhatIsAllowedCanBeSpentAndNoMore) {
  const WorkLimit limit(10);
  EXPECT_NO_THROW(spend_work(6));
  EXPECT_TRUE(try_spend_work(4));
  EXPECT_THROW(spend_work(1), LimitError);
  EXPECT_FALSE(try_spend_work(0)) << "it stays used up";
}

TEST(WorkLimit, EndsWithItsLife) {
  {
    const WorkLimit limit(1);
    EXPECT_FALSE(try_spend_work(2));
  }
  EXPECT_TRUE(try_spend_work(1e300));
}

TEST(WorkLimit, OneWithinAnotherCountsForBoth) {
  const WorkLimit outer(10);
  {
    const WorkLimit inner(5);
    spend_work(4);
    EXPECT_THROW(spend_work(2), LimitError);
  }
  EXPECT_TRUE(try_spend_work(4)) << "6 of 10 are spent";
  EXPECT_FALSE(try_spend_work(1));
  const WorkLimit larger(100);
  EXPECT_FALSE(try_spend_work(1)) << "a larger one within allows no more";
}

TEST(WorkLimit, IsOfItsThread) {
  const WorkLimit limit(1);
  std::jthread([] { EXPECT_TRUE(try_spend_work(1e9)); }).join();
  EXPECT_TRUE(try_spend_work(1));
}

}  // namespace
}  // namespace dalembert
