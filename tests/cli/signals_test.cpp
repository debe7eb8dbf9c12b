#include <gmock/gmock.h>

#include "support/folder.hpp"
#include "support/run_command.hpp"

// Ctrl-C, SIGTERM and SIGHUP.

using namespace dalembert::testing_support;
using testing::HasSubstr;

namespace {

class Signals : public FolderTest {};

#if defined(DALEMBERT_SMALL_TESTS)
constexpr double soon = 3;  // the sanitizers take longer to begin
#else
constexpr double soon = 0.5;  // seconds after the start: what each command is given to do takes several times as long
#endif

/// A chain beside a trolley: what it takes to derive is long for every command.
const std::string long_chain = R"toml(
gravity = [0, -9.81, 0]
[repeat]
k = "1..10000"
[definitions]
x0 = "0"
y0 = "0"
[inputs]
push = 0
[coordinates]
"x{k}" = "{k}/10000"
"y{k}" = 0
s = { guess = 0, rate_guess = 0 }
[points."P{k}"]
position = ["x{k}", "y{k}", 0]
mass = 1
[points.trolley]
position = ["s", 0, 0]
mass = 1
force = ["push", 0, 0]
[constraints]
"link{k}" = "(x{k} - x{k-1})^2 + (y{k} - y{k-1})^2 = 1e-8"
[inverse]
follow = { "s" = "sin(t)" }
by = ["push"]
[periodic]
section = "s' = 0"
free = ["s", "T"]
period = 1
)toml";

/// Signals are noticed whatever a command is at: reading, deriving, compiling, following.
TEST_F(Signals, EveryCommandEndsSoonWhenAskedTo) {
  write("study.toml", "model = \"models:chain_1000\"\n[vary]\nL = [1, 2]\n[keep]\nx = \"x1\"\n[run]\nuntil = 50\n");
  write("data.csv", "t,x1\n0,0.001\n0.1,0.001\n");
  write("chain.toml", long_chain);
  const std::vector<int> signals = {SIGINT, SIGTERM, SIGHUP};
  std::size_t k = 0;
  for (const std::string command :
       {"check models:chain_1000 --set N=40000", "derive models:chain_1000 --set N=40000",
        "derive models:chain_1000 --time 50", "verify models:chain_1000 --set N=40000",
        "linearize models:chain_1000 --set N=40000", "equilibria models:chain_1000 --set N=40000",
        "gauss models:chain_1000 --time 50", "hodograph models:chain_1000 --set N=40000",
        "reactions models:chain_1000 --set N=4000 --release L", "reactions models:chain_1000 --set N=40000 --along",
        "action models:chain_1000 --set N=40000", "compare chain.toml --with chain.toml", "inverse chain.toml",
        "periodic chain.toml", "fit models:chain_1000 data.csv --parameters L", "sweep study.toml",
        "simulate models:chain_1000 --until 50", "gallery chain.toml -o pages"}) {
    const CommandResult result = run_line(
        "exec \"$dalembert\" " + command,
        {.seconds = 20, .folder = folder.string(), .interrupt_after = soon, .signal = signals[k++ % signals.size()]});
    EXPECT_FALSE(result.timed_out) << command;
    EXPECT_EQ(result.status, 3) << command << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr("stopped")) << command;
  }
}

/// A free mass goes to the end in a step or two: all rows are inside of them.
TEST_F(Signals, AreLookedAtBetweenTheRowsOfAStep) {
  write("m.toml", "[coordinates]\nx = { value = 0, rate = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n");
  const std::string line = "exec \"$dalembert\" simulate m.toml --until 1e6 --every 0.1 -o run.csv";
  const CommandResult result =
      run_line(line, {.seconds = 60, .folder = folder.string(), .interrupt_after = soon, .signal = SIGTERM});
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("stopped at t = "));
  const CommandResult limited = run_line(line + " --limit-work 0.05", {.folder = folder.string()});
  EXPECT_EQ(limited.status, 3) << limited.err;
  EXPECT_THAT(limited.err, HasSubstr("the work allowed is used up at t = "));
  const auto size = std::filesystem::file_size(folder / "run.csv");
  EXPECT_GT(size, 1000u) << "the rows until then are kept";
  EXPECT_LT(size, 100'000'000u) << "ten million rows would be more";
}

TEST_F(Signals, ThatComeBeforeThereIsAnythingToKeepLeaveNoFile) {
  const CommandResult result =
      run_line("exec \"$dalembert\" simulate models:chain_1000 --set N=40000 -o run.csv",
               {.seconds = 20, .folder = folder.string(), .interrupt_after = soon, .signal = SIGTERM});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.err, "dalembert: error: stopped on request, before there was anything to keep\n");
  EXPECT_EQ(count_files(), 0u);
}

TEST_F(Signals, ThatAreIgnoredFromOutsideStayIgnored) {
  const CommandResult result =
      run_line("trap '' HUP; exec \"$dalembert\" check models:chain_1000", {.interrupt_after = 0.3, .signal = SIGHUP});
  EXPECT_EQ(result.status, 0) << result.err;
}

}  // namespace
