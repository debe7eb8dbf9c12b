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

TEST(WorkWatch, IsAskedEachTimeItsWorkIsSpentAndChangesNothing) {
  int asked = 0;
  {
    const WorkWatch watch(10, [&] { return ++asked > 0; });
    for (int i = 0; i < 35; ++i) EXPECT_NO_THROW(spend_work(1));
    EXPECT_EQ(asked, 3);
    EXPECT_TRUE(try_spend_work(1e300));
  }
  const int before = asked;
  EXPECT_TRUE(try_spend_work(1e300));
  EXPECT_EQ(asked, before) << "it has ended with its life";
}

TEST(WorkWatch, WhatItStopsStaysStopped) {
  bool goes_on = true;
  {
    const WorkWatch watch(10, [&] { return goes_on; });
    spend_work(25);
    goes_on = false;
    EXPECT_THROW(spend_work(11), StopError);
    goes_on = true;
    EXPECT_FALSE(try_spend_work(1)) << "also where the error was caught on the way";
  }
  EXPECT_TRUE(try_spend_work(1));
}

TEST(WorkWatch, LimitsCountAsWithoutIt) {
  int asked = 0;
  const WorkLimit outer(100);
  const WorkWatch watch(10, [&] { return ++asked > 0; });
  {
    const WorkLimit inner(35);
    EXPECT_TRUE(try_spend_work(30));
    EXPECT_THROW(spend_work(6), LimitError);
  }
  EXPECT_TRUE(try_spend_work(64)) << "36 of 100 are spent";
  EXPECT_FALSE(try_spend_work(1));
  EXPECT_GE(asked, 2);
}

}  // namespace
}  // namespace dalembert
