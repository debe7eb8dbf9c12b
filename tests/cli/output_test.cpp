#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "support/folder.hpp"
#include "support/run_command.hpp"

// Results are there to the last byte, or the command says that they are not.

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using dalembert::testing_support::run_line;
using dalembert::testing_support::run_program;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

namespace fs = std::filesystem;

class Output : public dalembert::testing_support::FolderTest {
 protected:
  CommandResult in_folder(const std::string& line) const { return run_line(line, {.folder = folder.string()}); }
};

const std::string pendulum = "\"$dalembert\" simulate models:pendulum --until 1 --every 0.1 ";

TEST_F(Output, AFullDiskOnStandardOutputIsStatus3WithASentence) {
  for (const std::string command :
       {"simulate models:pendulum", "simulate models:pendulum --json", "check models:pendulum", "models",
        "derive models:pendulum --as c", "verify models:pendulum", "formula x", "hodograph models:projectile_polar",
        "reactions models:spherical_pendulum", "frame models:skate", "gauss models:pendulum",
        "action models:oscillator --unchecked", "--version", "simulate -h"}) {
    CommandResult result = run_line("\"$dalembert\" " + command + " >/dev/full");
    EXPECT_EQ(result.status, 3) << command;
    EXPECT_THAT(result.err, HasSubstr("standard output: cannot be written (No space left on device); make room"))
        << command;
  }
}

TEST_F(Output, AClosedStandardOutputIsSaidBeforeTheWork) {
  CommandResult result = run_line("\"$dalembert\" simulate models:double_pendulum --until 1e9 >&-", {.seconds = 20});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("standard output: cannot be written"));
}

TEST_F(Output, AReaderThatHasReadEnoughEndsTheCommandQuietly) {
  CommandResult result = run_line(
      "{ \"$dalembert\" simulate models:pendulum --until 1000 --every 0.01; "
      "echo \"status $?\" >&2; } | head -n 1");
  EXPECT_THAT(result.out, StartsWith("t,"));
  EXPECT_EQ(result.err.substr(result.err.rfind('s')), "s 141\n") << result.err;  // 128 + SIGPIPE
  EXPECT_THAT(result.err, testing::Not(HasSubstr("error")));
}

TEST_F(Output, AClosedOrFullStandardErrorChangesNothing) {
  const std::string whole = in_folder(pendulum).out;
  ASSERT_THAT(whole, HasSubstr("\n1,"));
  for (const std::string redirection : {"2>/dev/full", "2>&-", "2>/dev/null </dev/null"}) {
    CommandResult result = in_folder(pendulum + redirection);
    EXPECT_EQ(result.status, 0) << redirection;
    EXPECT_EQ(result.out, whole) << redirection;
  }
  // A file that is opened while standard error is closed gets none of the messages.
  EXPECT_EQ(in_folder(pendulum + "-o a.csv 2>&- 1>&- <&-").status, 0);
  EXPECT_EQ(read("a.csv"), whole);
  // A reader of messages that has gone away.
  EXPECT_EQ(in_folder("{ " + pendulum + "; } 2>&1 >b.csv | true").status, 0);
  EXPECT_EQ(read("b.csv"), whole);
}

TEST_F(Output, ErrorsWithAClosedStandardErrorKeepTheirStatus) {
  EXPECT_EQ(run_line("\"$dalembert\" simulate models:nothing 2>/dev/full").status, 2);
  EXPECT_EQ(run_line("\"$dalembert\" simulate models:nothing 2>&-").status, 2);
}

TEST_F(Output, WhatCannotBeWrittenIsSaidBeforeTheWork) {
  fs::create_directories(folder / "closed");
  ::chmod((folder / "closed").c_str(), 0500);
  const std::string endless = "\"$dalembert\" simulate models:double_pendulum --until 1e9 -o ";
  CommandResult missing = run_line(endless + "missing/a.csv", {.seconds = 20, .folder = folder.string()});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("its folder does not exist"));
  if (::geteuid() != 0) {  // root may write anywhere
    CommandResult closed = run_line(endless + "closed/a.csv", {.seconds = 20, .folder = folder.string()});
    EXPECT_EQ(closed.status, 2);
    EXPECT_THAT(closed.err, HasSubstr("no permission"));
  }
  ::chmod((folder / "closed").c_str(), 0700);
  CommandResult hodograph = run_line("\"$dalembert\" hodograph models:projectile_polar --until 1e9 -o missing/a.csv",
                                     {.seconds = 20, .folder = folder.string()});
  EXPECT_EQ(hodograph.status, 2);
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(Output, AFullDiskUnderAFileLeavesTheOldOne) {
  write("old.csv", "old");
  CommandResult result =
      in_folder("ulimit -f 1; \"$dalembert\" simulate models:pendulum --until 1 --every 1e-4 -o old.csv");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("old.csv: could not be written to the end (File too large)"));
  EXPECT_THAT(result.err, HasSubstr("the file is as it was before"));
  EXPECT_EQ(read("old.csv"), "old");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(Output, AStandardOutputThatMayNotGrowIsStatus3WithASentence) {
  CommandResult result =
      in_folder("ulimit -f 1; \"$dalembert\" simulate models:pendulum --until 1 --every 1e-4 >large.csv");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("standard output: cannot be written (File too large)"));
}

/// A pipe that refuses what it has no room for: others made it so, and are slow to read.
TEST_F(Output, AReaderThatTakesItsTimeGetsEverything) {
  write("slow.py", R"(
import os, subprocess, sys, time
end, begin = os.pipe()
os.set_blocking(begin, False)
run = subprocess.Popen([sys.argv[1], 'simulate', 'models:pendulum', '--until', '1', '--every', '1e-4', '--quiet'],
                       stdout=begin)
os.close(begin)
time.sleep(0.5)
count = 0
while part := os.read(end, 65536):
    count += part.count(b'\n')
print(run.wait(), count)
)");
  EXPECT_EQ(in_folder("/usr/bin/python3 slow.py \"$dalembert\"").out, "0 10002\n");
}

/// What a command does not write is refused before the work, never written as something else.
TEST_F(Output, AFileIsOfTheKindThatItsNameSays) {
  write("m.toml",
        "[parameters]\nk = 4\n[inputs]\nu = 0\n[coordinates]\nx = { guess = 1, rate_guess = 0 }\n[forces]\nx = \"u\"\n"
        "[energy]\nkinetic = \"x'^2/2\"\npotential = \"k*x^2/2\"\n[periodic]\nsection = \"x' = 0\"\n"
        "free = [\"T\"]\nperiod = 3\n[inverse]\nfollow = { x = \"cos(t)\" }\nby = [\"u\"]\n[simulate]\n"
        "until = 1\n");
  write("study.toml", "model = \"m.toml\"\n[vary]\nk = [1, 2]\n[keep]\nend = \"x\"\n[run]\nuntil = 0.1\n");
  write("data.csv", "t,x\n0,1\n0.5,0.54\n1,-0.4\n");
  for (const std::string command :
       {"simulate m.toml", "hodograph m.toml", "inverse m.toml", "linearize m.toml",
        "linearize m.toml --over k=1:2:0.5", "equilibria m.toml", "equilibria m.toml --over k=1:2:0.5",
        "periodic m.toml", "periodic m.toml --over k=4:4.5:0.5", "fit m.toml data.csv --parameters k",
        "sweep study.toml"})
    for (const auto& [file, beginning] :
         {std::pair("f.csv", ""), std::pair("f.json", "{"), std::pair("f.h5", "\x89HDF"), std::pair("f.svg", "<svg"),
          std::pair("f.png", "\x89PNG"), std::pair("f.html", "<!doctype html>")}) {
      const CommandResult result = in_folder("\"$dalembert\" " + command + " -o " + file);
      EXPECT_THAT(result.status, testing::AnyOf(0, 2)) << command << file << result.err;
      if (result.status == 0)
        EXPECT_THAT(read(file), StartsWith(beginning)) << command << file;
      else
        EXPECT_THAT(result.err, HasSubstr("written as .")) << command << file;
      fs::remove(folder / file);
    }
}

TEST_F(Output, SignalsThatAskToEndKeepTheRun) {
  for (int signal : {SIGTERM, SIGHUP, SIGINT}) {
    CommandResult result =
        run_command({"simulate", "models:double_pendulum", "--until", "1e6", "--every", "1", "-o", "run.csv"},
                    {.folder = folder.string(), .interrupt_after = 3, .signal = signal});
    EXPECT_EQ(result.status, 3) << signal;
    EXPECT_THAT(result.err, HasSubstr("interrupted")) << signal;
    EXPECT_THAT(read("run.csv"), HasSubstr("\n1,")) << signal;
    EXPECT_TRUE(read("run.csv").ends_with('\n'));
    fs::remove(folder / "run.csv");
  }
}

TEST_F(Output, EveryCommandThatIntegratesEndsOnCtrlC) {
  for (std::vector<std::string> arguments :
       {std::vector<std::string>{"action", "models:double_pendulum", "--until", "1e6"},
        {"reactions", "models:double_pendulum", "--time", "1e6"},
        {"gauss", "models:double_pendulum", "--time", "1e6"},
        {"derive", "models:double_pendulum", "--time", "1e6"}}) {
    CommandResult result = run_command(arguments, {.seconds = 30, .interrupt_after = 3});
    EXPECT_EQ(result.status, 3) << arguments[0];
    EXPECT_FALSE(result.timed_out) << arguments[0];
  }
}

TEST_F(Output, ACsvThatWasCutOffIsRefused) {
  const std::string whole = in_folder(pendulum).out;
  const std::string again = "\"$dalembert\" simulate models:pendulum --until 2 --from cut.csv";
  write("cut.csv", whole);
  EXPECT_EQ(in_folder(again).status, 0);
  for (std::size_t less : {1u, 2u, 5u, 20u}) {
    write("cut.csv", whole.substr(0, whole.size() - less));
    CommandResult result = in_folder(again);
    EXPECT_EQ(result.status, 2) << less;
    EXPECT_THAT(result.err, HasSubstr("cut.csv:12: the file ends within a line")) << less;
    EXPECT_THAT(result.err, HasSubstr("remove this line")) << less;
  }
}

TEST_F(Output, TemporaryFilesTakeNothingThatIsThere) {
  // The name that an earlier version used, laid out as a link to somebody's file.
  write("precious", "precious");
  CommandResult result =
      in_folder("for i in $(seq 1 40000); do :; done; ln -s precious \"a.csv.$$.part\"; exec " + pendulum + "-o a.csv");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(read("precious"), "precious");
  EXPECT_THAT(read("a.csv"), StartsWith("t,"));
}

TEST_F(Output, LinksAreFollowedOnlyToWhatIsThere) {
  write("target.csv", "old");
  fs::create_symlink("target.csv", folder / "link.csv");
  EXPECT_EQ(in_folder(pendulum + "-o link.csv").status, 0);
  EXPECT_TRUE(fs::is_symlink(folder / "link.csv"));
  EXPECT_THAT(read("target.csv"), StartsWith("t,"));
  fs::create_symlink("nowhere.csv", folder / "dangling.csv");
  CommandResult dangling = in_folder(pendulum + "-o dangling.csv");
  EXPECT_EQ(dangling.status, 2);
  EXPECT_THAT(dangling.err, HasSubstr("a link to a file that does not exist"));
  if (::geteuid() == 0) {  // only then can a link be given away
    ASSERT_EQ(::lchown((folder / "link.csv").c_str(), 12345, 12345), 0);
    CommandResult foreign = in_folder(pendulum + "-o link.csv");
    EXPECT_EQ(foreign.status, 2);
    EXPECT_THAT(foreign.err, HasSubstr("a link that another user made"));
  }
}

TEST_F(Output, NamesAsLongAsTheSystemAllowsCanBeWritten) {
  const std::string longest = std::string(251, 'a') + ".csv";
  EXPECT_EQ(in_folder(pendulum + "-o " + longest).status, 0);
  CommandResult longer = in_folder(pendulum + "-o a" + longest);
  EXPECT_EQ(longer.status, 2);
  EXPECT_THAT(longer.err, HasSubstr("choose a shorter name"));
}

}  // namespace
