#include <gtest/gtest.h>

#include <cmath>

#include "support/folder.hpp"
#include "support/hostile_command.hpp"
#include "support/motion_table.hpp"

// A seeded part of tests/long/commands.cpp.

using namespace dalembert::testing_support;

namespace {

class Hostile : public FolderTest {};

TEST_F(Hostile, RandomAndMutatedModelsEndEveryCommandInGoodOrder) {
#if defined(DALEMBERT_SMALL_TESTS)
  constexpr std::uint64_t count = 60;
#else
  constexpr std::uint64_t count = 400;
#endif
  // Time of its own, however busy the machine is.
  const auto run = [&](const std::vector<std::string>& arguments, int seconds) {
    return HostileResult{
        run_line(fmt::format("ulimit -t {}; exec \"$dalembert\" \"{}\"", seconds, fmt::join(arguments, "\" \"")),
                 {.seconds = 600, .folder = folder.string()})};
  };
  const HostileOptions options{bundled_texts(), folder.string(), run};
  for (std::uint64_t seed = 1'000'000'000; seed < 1'000'000'000 + count; ++seed) {
    const auto wrong = try_hostile_command(seed, options);
    EXPECT_FALSE(wrong) << "seed " << seed << ": " << *wrong << "\n" << read("m.toml");
  }
}

/// Matrices without rows: every routine that takes one has to do with none.
TEST_F(Hostile, NothingFreeIsAMotionLikeAnyOther) {
  write("m.toml",
        "[coordinates]\nx = 0\n[points.P]\nposition = [\"x\", 0, 0]\nmass = 1\n[constraints]\nc = \"x = 0\"\n"
        "[simulate]\nuntil = 1\nevery = 0.5\n");
  for (const std::string command :
       {"check", "derive", "derive --by hamel", "derive --as c", "simulate", "verify", "frame", "simulate --by hamel",
        "simulate --by gauss", "simulate --by projection", "reactions", "linearize", "equilibria", "hodograph",
        "action --unchecked", "gauss"}) {
    std::string line = command;
    line.insert(std::min(line.find(' '), line.size()), " m.toml");
    const CommandResult result = run_line("\"$dalembert\" " + line, {.folder = folder.string()});
    EXPECT_EQ(result.status, 0) << command << "\n" << result.err;
  }
}

// What counts is the inertia along virtual displacements.
TEST_F(Hostile, AnInertiaBelowZeroThatAConstraintHoldsDoesNoHarm) {
  for (const std::string free : {"", "y = { value = 0, rate = 1 }\n"}) {
    write("m.toml", "[coordinates]\nx = 0\n" + free + "[energy]\nkinetic = \"(-3*x'^2" +
                        (free.empty() ? "" : " + y'^2 - y^2") + ")/2\"\n[constraints]\nc = \"x = 0\"\n" +
                        "[simulate]\nuntil = 1\nevery = 1\n");
    for (const std::string command : {"check", "verify", "reactions", "simulate", "simulate --by projection",
                                      "simulate --by gauss", "simulate --by hamel"}) {
      std::string line = command;
      line.insert(std::min(line.find(' '), line.size()), " m.toml");
      const CommandResult result = run_line("\"$dalembert\" " + line, {.folder = folder.string()});
      EXPECT_EQ(result.status, 0) << command << result.err;
      if (command.starts_with("simulate") && !free.empty()) {
        EXPECT_NEAR(read_csv(result.out).rows.back()[2], std::sin(1.0), 1e-9) << command;
      }
    }
  }
}

TEST_F(Hostile, AnInertiaBelowZeroAlongAVirtualDisplacementIsRefused) {
  write("m.toml",
        "[coordinates]\nx = 0\ny = 0\n[energy]\nkinetic = \"(x'^2 - 3*y'^2)/2\"\n[constraints]\nc = \"x = y\"\n");
  for (const std::string command : {"check", "simulate", "verify", "reactions"}) {
    const CommandResult result = run_command({command, "m.toml"}, {.folder = folder.string()});
    EXPECT_EQ(result.status, 2) << command;
    EXPECT_NE(result.err.find("mass matrix is not positive definite"), std::string::npos) << command << result.err;
  }
}

}  // namespace
