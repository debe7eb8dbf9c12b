#include <gmock/gmock.h>

#include "support/folder.hpp"
#include "support/run_command.hpp"

// Memory may end at any allocation: the command then says so and ends with status 3, or goes on without, and never
// crashes. tests/support/fail_allocation.c is preloaded and fails the n-th allocation after the start of main.

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_line;
using testing::AnyOf;
using testing::HasSubstr;

namespace {

struct Line {
  std::string command;
  int stride;  // of the allocations that are tried; all would take an hour
  friend std::ostream& operator<<(std::ostream& out, const Line& line) { return out << line.command; }
};

class Memory : public dalembert::testing_support::FolderTest, public testing::WithParamInterface<Line> {};

TEST_P(Memory, ThatEndsAtAnyAllocationIsNoCrash) {
#if defined(DALEMBERT_SMALL_TESTS)
  GTEST_SKIP() << "the sanitizers have allocators of their own";
#endif
  int failed = 0;
  for (const std::string after : {"", "FAIL_ALLOCATIONS_AFTER=1 "})
    for (int n = 1; n < 10000; n += GetParam().stride) {
      const CommandResult result =
          run_line(after + "FAIL_ALLOCATION=" + std::to_string(n) +
                       " LD_PRELOAD=" DALEMBERT_FAIL_ALLOCATION " \"$dalembert\" " + GetParam().command,
                   {.seconds = 60, .folder = folder.string()});
      ASSERT_THAT(result.status, AnyOf(0, 2, 3)) << after << n << ": " << result.err;
      if (result.status != 3) continue;  // 2: toml++ takes a stream without memory for a number that is none
      ++failed;
      ASSERT_THAT(result.err, HasSubstr("not enough memory")) << after << n;
    }
  EXPECT_GT(failed, 20) << "hardly any allocation was met";
}

INSTANTIATE_TEST_SUITE_P(Commands, Memory,
                         testing::Values(Line{"check models:pendulum", 97}, Line{"derive models:skate --by hamel", 239},
                                         Line{"simulate models:rolling_disk_tilted --until 0.1", 239},
                                         Line{"simulate models:bouncing_ball --until 1 -o m.json", 239},
                                         Line{"reactions models:pendulum_with_rod --json", 239},
                                         Line{"frame models:skate --json", 239}),
                         [](const auto& tested) { return "n" + std::to_string(tested.index); });

}  // namespace
