#include <gmock/gmock.h>

#include "support/folder.hpp"
#include "support/run_command.hpp"
#include "support/setting.hpp"

// Memory may end at any allocation: the command then says so and ends with status 3, or goes on without, and never
// crashes. tests/support/fail_allocation.c is preloaded and fails the n-th allocation after the start of main. The
// environment variable ALLOCATION_STRIDE=1 tries all of the first 10^4.

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

class Memory : public dalembert::testing_support::FolderTest, public testing::WithParamInterface<Line> {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    write(
        "m.toml",
        "[parameters]\nk = 4\n[inputs]\nu = 0\n[coordinates]\nx = { guess = 1, rate_guess = 0 }\n[forces]\nx = \"u\"\n"
        "[energy]\nkinetic = \"x'^2/2\"\npotential = \"k*x^2/2\"\n[periodic]\nsection = \"x' = 0\"\n"
        "free = [\"x\", \"T\"]\n[inverse]\nfollow = { x = \"cos(t)\" }\nby = [\"u\"]\n[simulate]\nuntil = 1\n");
    write("study.toml", "model = \"m.toml\"\n[vary]\nk = [1, 2]\n[keep]\nend = \"x\"\n[run]\nuntil = 0.1\n");
    write("data.csv", "t,x\n0,1\n0.5,0.54\n1,-0.4\n");
  }
};

TEST_P(Memory, ThatEndsAtAnyAllocationIsNoCrash) {
#if defined(DALEMBERT_SMALL_TESTS)
  GTEST_SKIP() << "the sanitizers have allocators of their own";
#endif
  const auto stride = static_cast<int>(
      dalembert::testing_support::setting("ALLOCATION_STRIDE", static_cast<std::uint64_t>(GetParam().stride)));
  int failed = 0, tried = 0;
  for (const std::string after : {"", "FAIL_ALLOCATIONS_AFTER=1 "})
    for (int n = 1; n < 10000; n += stride) {
      ++tried;
      const CommandResult result =
          run_line(after + "FAIL_ALLOCATION=" + std::to_string(n) +
                       " LD_PRELOAD=" DALEMBERT_FAIL_ALLOCATION " \"$dalembert\" " + GetParam().command,
                   {.seconds = 60, .folder = folder.string()});
      ASSERT_THAT(result.status, AnyOf(0, 2, 3)) << after << n << ": " << result.err;
      if (result.status != 3) continue;  // 2: toml++ takes a stream without memory for a number that is none
      ++failed;
      ASSERT_THAT(result.err, HasSubstr("not enough memory")) << after << n;
    }
  EXPECT_GT(failed, tried / 10) << "hardly any allocation was met";
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Memory,
    testing::Values(Line{"check models:pendulum", 97}, Line{"derive models:skate --by hamel", 239},
                    Line{"simulate models:rolling_disk_tilted --until 0.1", 239},
                    Line{"simulate models:bouncing_ball --until 1 -o m.json", 239},
                    Line{"reactions models:pendulum_with_rod --json", 239}, Line{"frame models:skate --json", 239},
                    Line{"simulate m.toml --gradient k,x", 997}, Line{"simulate m.toml -o m.html", 997},
                    Line{"simulate m.toml -o m.svg", 997}, Line{"linearize m.toml --over k=1:2:0.5 -o m.svg", 997},
                    Line{"equilibria m.toml --over k=1:2:0.5", 997}, Line{"periodic m.toml", 997},
                    Line{"inverse m.toml", 997}, Line{"fit m.toml data.csv --parameters k", 997},
                    Line{"sweep study.toml --clean", 997}, Line{"gallery m.toml -o pages", 997},
                    Line{"compare m.toml --with m.toml", 997}, Line{"verify m.toml", 997},
                    Line{"hodograph m.toml --set u=0", 997}, Line{"action m.toml --unchecked", 997}),
    [](const auto& tested) { return "n" + std::to_string(tested.index); });

}  // namespace
