#include <gmock/gmock.h>

#include <chrono>

#include "support/folder.hpp"
#include "support/run_command.hpp"

// docs/reference/limits.md: what is too large is refused with a sentence, and soon.

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using dalembert::testing_support::run_line;
using dalembert::testing_support::RunOptions;
using testing::HasSubstr;

namespace {

class Limits : public dalembert::testing_support::FolderTest {
 protected:
  CommandResult run(std::vector<std::string> arguments, const std::string& model) {
    write("m.toml", model);
    arguments.insert(arguments.begin() + 1, "m.toml");
    return run_command(arguments, {.seconds = 10, .folder = folder.string()});
  }
};

TEST_F(Limits, DefinitionsInSumsInDefinitions) {
  // 150 definitions, each of 90 sums inside each other around the next.
  std::string model = "[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"d0\"\n[definitions]\n";
  for (int i = 0; i < 150; ++i) {
    std::string sums, ends(90, ')');
    for (int k = 0; k < 90; ++k) sums += "sum(k" + std::to_string(k) + ",1,1,";
    model += "d" + std::to_string(i) + " = \"" + sums + "d" + std::to_string(i + 1) + ends + "\"\n";
  }
  CommandResult result = run({"check"}, model + "d150 = \"x\"\n");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("(limit `interpretation_depth`)"));
}

TEST_F(Limits, AStackThatIsTooSmallIsMadeLargerOrToldOf) {
  std::string model = "[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"d0\"\n[definitions]\n";
  for (int i = 0; i < 160; ++i)
    model += "d" + std::to_string(i) + " = \"sum(j,1,1,sum(k,1,1," + std::string(180, '(') + "d" +
             std::to_string(i + 1) + std::string(180, ')') + "))\"\n";
  write("m.toml", model + "d160 = \"x^2/2\"\n");
  const RunOptions here{.seconds = 30, .folder = folder.string()};
#if !defined(DALEMBERT_SMALL_TESTS)  // sanitized code takes eight times the stack
  EXPECT_EQ(run_line("ulimit -S -s 256; \"$dalembert\" check m.toml", here).status, 0);
#endif
  const CommandResult small = run_line("ulimit -s 256; \"$dalembert\" check m.toml", here);
  EXPECT_EQ(small.status, 3);
  EXPECT_EQ(small.err, "dalembert: error: the stack is too small; allow at least 4 MB, as ulimit -s 4096 does\n");
}

TEST_F(Limits, ManyCoordinatesAreCountedFirst) {
  const std::string points =
      "[repeat]\nk = \"1..100000\"\n[coordinates]\n\"x{k}\" = 0\n\"y{k}\" = 0\n\"z{k}\" = 0\n"
      "[points.\"P{k}\"]\nposition = [\"x{k}\", \"y{k}\", \"z{k}\"]\nmass = 1\n";
  CommandResult result = run({"check"}, points);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("300000 coordinates, more than 200000 (limit `coordinates`)"));
}

TEST_F(Limits, ManyPointsThatDoNotMoveEachOtherTakeWorkInProportion) {
  const auto points = [](int count) {
    return "[repeat]\nk = \"1.." + std::to_string(count) +
           "\"\n[coordinates]\n\"x{k}\" = 0\n\"y{k}\" = 0\n\"z{k}\" = 0\n"
           "[points.\"P{k}\"]\nposition = [\"x{k}\", \"y{k}\", \"z{k}\"]\nmass = 1\n";
  };
  EXPECT_EQ(run({"check", "--limit-work", "0.5"}, points(500)).status, 0);
  const CommandResult limited = run({"check", "--limit-work", "0.5"}, points(4000));
  EXPECT_EQ(limited.status, 3);
  EXPECT_THAT(limited.err, HasSubstr("--limit-work: the work allowed is used up"));
#if !defined(DALEMBERT_SMALL_TESTS)
  write("m.toml", points(4000));  // a minute and a half where each formula looks through all coordinates
  const CommandResult result = run_command({"check", "m.toml"}, {.seconds = 30, .folder = folder.string()});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("... and 11904 more"));
#endif
}

TEST_F(Limits, OfManyIntegralsCheckTellsTheFirstHundredAndHowManyMoreThereAre) {
  const CommandResult result = run({"check"},
                                   "[repeat]\nk = \"1..5000\"\n[coordinates]\n\"x{k}\" = 0\n[points.\"P{k}\"]\n"
                                   "position = [\"x{k}\", 0, 0]\nmass = 2\n");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("= sum(k = 1..5000, x{k}'^2)"));
  EXPECT_THAT(result.out, HasSubstr("momentum of x99"));
  EXPECT_THAT(result.out, HasSubstr("... and 4901 more\n"));  // of the energy and 5000 momenta
  EXPECT_LE(result.out.size(), 20'000u);
}

TEST_F(Limits, CoordinatesThatAllMoveEachOtherAreCountedBeforeTheWork) {
  CommandResult result = run({"check"},
                             "[repeat]\nk = \"1..5000\"\n[coordinates]\n\"a{k}\" = 0\n[energy]\n"
                             "kinetic = \"sum(k, 1, 5000, a{k}')^2/2 + sum(k, 1, 5000, a{k}'^2)\"\n");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("(limit `couplings`)"));
}

TEST_F(Limits, ByHamelThousandsOfCoordinatesMoveInTheirRates) {
#if !defined(DALEMBERT_SMALL_TESTS)
  const auto simulate = [](const std::string& by) {
    return run_command({"simulate", "models:chain_1000", "--until", "0.02", "--by", by}, {.seconds = 20});
  };
  const CommandResult result = simulate("hamel");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("2000 velocities are too many to complete the constraints by numbers"));
  EXPECT_EQ(result.out, simulate("multipliers").out);
#endif
  EXPECT_EQ(run_command({"frame", "models:chain_1000", "--limit-work", "0.001"}).status, 3);
}

TEST_F(Limits, GaussEndsWhereManyConstraintsSayNothing) {
  const CommandResult result = run({"gauss"}, R"toml(
[repeat]
k = "1..300"
[coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
[constraints]
"c{k}" = "x + {k} = {k} + x"
)toml");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("reaction(c1)"));
}

TEST_F(Limits, TimesThatCannotBeFollowed) {
  auto refused = [](std::vector<std::string> more, const std::string& message) {
    more.insert(more.begin(), {"simulate", "models:pendulum"});
    CommandResult result = run_command(more, {.seconds = 10});
    EXPECT_EQ(result.status, 2) << testing::PrintToString(more);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  refused({"--until", "4.9e-324"}, "--until: a time of 5e-324 cannot be followed; give one between 1e-150 and 1e+150");
  refused({"--until", "1e300"}, "--until: a time of 1e+300 cannot be followed");
  refused({"--until", "1", "--every", "1e-200"}, "--every: a time of 1e-200 cannot be followed");
  refused({"--until", "1", "--every", "1e-12"}, "more than 1e+07 rows would be written; give a larger interval");
  CommandResult model =
      run({"simulate"}, "[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[simulate]\nuntil = 1e-320\n");
  EXPECT_EQ(model.status, 2) << model.err;
  EXPECT_EQ(run_command({"hodograph", "models:projectile_polar", "--until", "1e-320"}, {.seconds = 10}).status, 2);
  EXPECT_EQ(run_command({"reactions", "models:pendulum", "--time", "1e-320"}, {.seconds = 10}).status, 2);
  EXPECT_EQ(run_command({"action", "models:oscillator", "--until", "1e-320"}, {.seconds = 10}).status, 2);
}

TEST_F(Limits, AMotionThatWouldTakeForeverEndsWithASentence) {
  for (const char* value : {"g=1e300", "g=1e200"}) {
    const CommandResult run =
        run_command({"simulate", "models:pendulum", "--set", value, "--until", "1"}, {.seconds = 10});
    EXPECT_EQ(run.status, 3) << value << run.err;
    EXPECT_THAT(run.err, HasSubstr("the motion is too fast to be followed until t = 1")) << value;
    const CommandResult along =
        run_command({"reactions", "models:pendulum", "--set", value, "--along"}, {.seconds = 10});
    EXPECT_EQ(along.status, 3) << value;
    EXPECT_THAT(along.err, HasSubstr("note: the motion ends at t = ")) << value;
  }
  EXPECT_EQ(run_command({"simulate", "models:pendulum", "--set", "m=1e-320"}, {.seconds = 10}).status, 3);
}

TEST_F(Limits, RowsOfARestartAreCountedFromTheStart) {
  CommandResult first = run_command({"simulate", "models:pendulum", "--until", "1", "--every", "1"});
  ASSERT_EQ(first.status, 0);
  const std::size_t row = first.out.find("\n1,");
  ASSERT_NE(row, std::string::npos);
  write("late.csv", first.out.substr(0, row + 1) + "1e30" + first.out.substr(row + 2));
  CommandResult result =
      run_command({"simulate", "models:pendulum", "--from", "late.csv", "--until", "1.0001e30", "--every", "1e27"},
                  {.seconds = 10, .folder = folder.string()});
  EXPECT_NE(result.status, 128 + SIGSEGV);
  EXPECT_FALSE(result.timed_out);
  CommandResult fine =
      run_command({"simulate", "models:pendulum", "--from", "late.csv", "--until", "1.0001e30", "--every", "1"},
                  {.seconds = 10, .folder = folder.string()});
  EXPECT_EQ(fine.status, 2);
  EXPECT_THAT(fine.err, HasSubstr("give a larger --every"));
}

TEST_F(Limits, ACoordinateWithoutInertiaHasTermsInC) {
  const std::string model = "[coordinates]\nx = 0\ny = 0\n[energy]\npotential = \"y^2\"\nkinetic = ";
  for (const std::string kinetic : {"\"x'^2/2\"", "\"y'^2/2\"", "\"(x' + y')^2/2\"", "\"0\""}) {
    CommandResult result = run({"derive", "--as", "c"}, model + kinetic + "\n");
    EXPECT_EQ(result.status, 0) << kinetic << result.err;
    EXPECT_THAT(result.out, HasSubstr("void terms(")) << kinetic;
    EXPECT_THAT(result.out, testing::Not(HasSubstr("void motion("))) << kinetic;
  }
}

TEST_F(Limits, MemoryThatIsMissingIsStatus3) {
#if defined(DALEMBERT_SMALL_TESTS)
  GTEST_SKIP() << "the sanitizers need address space of their own";
#endif
  write("m.toml",
        "[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n"
        "potential = \"sum(k, 1, 900000, sin({k}*x))\"\n");
  CommandResult result = run_line("ulimit -v 200000; \"$dalembert\" check m.toml", {.folder = folder.string()});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("not enough memory"));
  CommandResult limited = run_command({"check", "m.toml", "--limit-memory", "100MB"}, {.folder = folder.string()});
  EXPECT_EQ(limited.status, 3);
  EXPECT_THAT(limited.err, HasSubstr("--limit-memory"));
}

TEST_F(Limits, WorkThatIsNotAllowedIsStatus3) {
  for (const std::string command : {"check", "derive", "reactions", "frame", "verify"}) {
    CommandResult result = run_command({command, "models:whipple_bicycle", "--limit-work", "0.05"});
    EXPECT_EQ(result.status, 3) << command;
    EXPECT_THAT(result.err, HasSubstr("--limit-work: the work allowed is used up")) << command;
    EXPECT_EQ(result.out, "") << command;
  }
}

/// Each went on for minutes: gradients that need ever shorter pieces, and hundreds of masses of zero.
TEST_F(Limits, WorkOfGradientsAndOfWhatIsMendedIsCounted) {
  const std::string held =
      "[parameters]\nm = 0.4\n[coordinates]\nx = { guess = 1.2, rate_guess = 1.9 }\ny = { value = 0.055, rate = -0.27 "
      "}\n"
      "[energy]\nkinetic = \"m*x'^2/2\"\npotential = \"x - y^3\"\n[constraints]\nc = \"x - y + 0.0834 = 0\"\n"
      "[periodic]\nsection = \"x' = 0\"\nfree = [\"x\", \"T\"]\nperiod = 2\n[simulate]\nuntil = 1\n";
  write("data.csv", "t,x\n0,0.1\n0.5,0.2\n1,0\n");
  const std::string chain =
      "[repeat]\nk = \"1..300\"\n[definitions]\nx0 = \"0\"\ny0 = \"0\"\n[coordinates]\n\"x{k}\" = \"{k}/1000\"\n"
      "\"y{k}\" = 0\n[points.\"P{k}\"]\nposition = [\"x{k}\", \"y{k}\", 0]\nmass = 0\n[constraints]\n"
      "\"link{k}\" = \"(x{k} - x{k-1})^2 + (y{k} - y{k-1})^2 = 1e-6\"\n";
  for (const CommandResult& result :
       {run({"periodic", "--limit-work", "0.1"}, held),
        run({"simulate", "--gradient", "m", "--until", "1e6", "--limit-work", "0.1"}, held),
        run({"fit", "data.csv", "--parameters", "m", "--limit-work", "0.01"}, held),
        run({"simulate", "--limit-work", "0.1"}, chain)}) {
    EXPECT_EQ(result.status, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr("the work allowed is used up"));
  }
}

/// Wherever the work ends, rows and events of the motion have their derivatives, or none of them a number.
TEST_F(Limits, AGradientWhoseWorkIsUsedUpInARowEndsWithWhatThereIs) {
  for (const char* work : {"0.0005", "0.001", "0.0013", "0.0017", "0.002", "0.0025", "0.003", "0.004", "0.006"}) {
    const CommandResult result = run_command({"simulate", "models:double_pendulum", "--gradient", "a,b", "--json",
                                              "--until", "5", "--every", "0.01", "--limit-work", work});
    EXPECT_TRUE(result.status == 0 || result.status == 3) << work << ": " << result.status << "\n" << result.err;
  }
}

/// The sine swings through more halves of a step than can be looked at one by one.
TEST_F(Limits, WorkOfLookingForJumpsIsCounted) {
  const CommandResult result = run({"simulate", "--limit-work", "0.1"}, R"toml(
[coordinates]
x = { value = 0.5, rate = 0.7 }
y = { value = 0.5, rate = 1e300 }
[energy]
kinetic = "x'^2/2 + y'^2/2"
potential = "abs(sin(y))*(t + 1e12*x)"
)toml");
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the work allowed is used up at t = "));
}

#if !defined(DALEMBERT_SMALL_TESTS)
/// The constraint loses rank at t = 1: every step beside it looks ahead for where.
TEST_F(Limits, WorkOfLookingAheadAtSingularConfigurationsIsCounted) {
  const CommandResult result = run({"action", "--limit-work", "2"}, R"toml(
[parameters]
m = 1e12
[coordinates]
x = { value = 1.445828, rate = -1.103422 }
y = { value = 1.231431, rate = -0.723124 }
z = { value = 1e300, rate = 1e-320 }
a = { guess = -0.803589, rate_guess = 0.018014 }
[energy]
kinetic = "x'^2/2 + m*y'^2/2 + (y - y')*z'^2/2 + m*a'^2/2"
potential = "-1/z^4"
[constraints]
c = "a' - t*a' = 0.511805"
[simulate]
until = 1
every = 0.25
)toml");
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the work allowed is used up"));
}
#endif

TEST_F(Limits, ARunThatFailsSaysWhyAlsoWithoutItsSummary) {
  const CommandResult result = run({"simulate", "--quiet", "--limit-work", "0.02", "--until", "1e6"},
                                   "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("the work allowed is used up"));
}

TEST_F(Limits, ARunWhoseWorkIsUsedUpKeepsWhatItHas) {
  const std::vector<std::string> run{"simulate", "models:pendulum", "--until", "1e6", "--every", "1"};
  std::vector<std::string> limited = run, more = run;
  limited.insert(limited.end(), {"--limit-work", "0.02"});
  more.insert(more.end(), {"--limit-work", "0.04"});
  const CommandResult few = run_command(limited), many = run_command(more), again = run_command(limited);
  EXPECT_EQ(few.status, 3);
  EXPECT_THAT(few.err, HasSubstr("the work allowed is used up at t = "));
  EXPECT_GT(few.out.size(), 1000U);
  EXPECT_EQ(few.out, again.out);
  EXPECT_GT(many.out.size(), few.out.size());
  EXPECT_TRUE(many.out.starts_with(few.out)) << "a limit ends a run and changes nothing in it";
}

TEST_F(Limits, AmountsAreRefusedWithAnExample) {
  for (const std::string amount : {"0", "-1", "x", "nan", "1e999", "5s"})
    EXPECT_EQ(run_command({"check", "models:pendulum", "--limit-work", amount}).status, 2) << amount;
  for (const std::string amount : {"0MB", "-1GB", "x", "100", "1TBx", "infGB"}) {
    CommandResult result = run_command({"check", "models:pendulum", "--limit-memory", amount});
    EXPECT_EQ(result.status, 2) << amount;
    EXPECT_THAT(result.err, HasSubstr("500MB")) << amount;
  }
}

TEST_F(Limits, CheckOfAModelWithoutANameBeginsWithWhatItIs) {
  const CommandResult result = run({"check"}, "[coordinates]\nx = 0\n[points.P]\nposition = [\"x\", 0, 0]\nmass = 1\n");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("coordinates         1: x\n")) << result.out;
}

}  // namespace
