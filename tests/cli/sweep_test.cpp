#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "support/folder.hpp"
#include "support/run_command.hpp"

using namespace dalembert::testing_support;
using testing::HasSubstr;

namespace {

class SweepCommand : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    write("study.toml", R"toml(
model = "models:pendulum"
[vary]
theta = "0.1:2:0.1"
l = [0.5, 1, 2]
[keep]
end = "theta"
low = "min(theta)"
[section]
when = "theta"
columns = ["theta'"]
[run]
until = 5
chunks = 12
)toml");
  }

  CommandResult sweep(const std::vector<std::string>& more, const RunOptions& options = {}) const {
    std::vector<std::string> arguments = {"sweep", "study.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    RunOptions here = options;
    here.folder = folder;
    return run_command(arguments, here);
  }
  /// All that a run wrote under this name.
  std::string all(const std::string& name) const {
    return read(name + ".csv") + read(name + ".section.csv") + read(name + ".h5");
  }
};

TEST_F(SweepCommand, writes_a_row_a_run_and_the_rows_of_the_section) {
  const CommandResult result = sweep({"-o", "a.csv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("60 runs\n  finished  60\n"));
  const std::string runs = read("a.csv"), section = read("a.section.csv");
  EXPECT_EQ(std::ranges::count(runs, '\n'), 61);
  EXPECT_THAT(runs, testing::StartsWith("run,theta(0),l,end,low,low.t,t,status,message\n0,0.1,0.5,"));
  EXPECT_THAT(section, testing::StartsWith("run,theta(0),l,t,theta'\n0,0.1,0.5,"));
  EXPECT_TRUE(std::filesystem::exists(folder / "study.chunks"));
}

TEST_F(SweepCommand, standard_output_has_the_runs_and_clean_leaves_nothing_behind) {
  const CommandResult result = sweep({"--quiet", "--clean"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, testing::StartsWith("run,theta(0),l,"));
  EXPECT_EQ(count_files(), 1);
  const CommandResult json = sweep({"--quiet", "--clean", "--json"});
  EXPECT_THAT(json.out, testing::StartsWith("{\"runs\":{\"columns\":[\"run\",\"theta(0)\",\"l\",\"end\""));
}

TEST_F(SweepCommand, threads_change_no_byte) {
  sweep({"-o", "one.csv", "-o", "one.h5", "--threads", "1", "--clean"});
  sweep({"-o", "many.csv", "-o", "many.h5", "--threads", "7", "--clean"});
  EXPECT_FALSE(read("one.h5").empty());
  EXPECT_EQ(all("one"), all("many"));
}

TEST_F(SweepCommand, parts_by_hand_by_mpirun_and_by_a_slurm_array_make_the_same_whole) {
  sweep({"-o", "whole.csv", "-o", "whole.h5", "--clean"});
  for (const char* part : {"3/3", "1/3", "2/3"}) {
    EXPECT_EQ(sweep({"--merge", "-o", "hand.csv"}).status, 2) << part;
    EXPECT_EQ(sweep({"--chunk", part}).status, 0);
  }
  EXPECT_EQ(sweep({"--merge", "-o", "hand.csv", "-o", "hand.h5", "--clean"}).status, 0);
  EXPECT_EQ(all("hand"), all("whole"));
  RunOptions here;
  here.folder = folder;
  const std::string set = "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=";
  const std::string command = " \"$dalembert\" sweep study.toml -o mpi.csv -o mpi.h5 --folder mpi";
  EXPECT_EQ(run_line(set + "1" + command, here).status, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "mpi.csv"));
  EXPECT_EQ(run_line(set + "0" + command, here).status, 0);  // the last one writes the result
  EXPECT_EQ(all("mpi"), all("whole"));
  for (const char* task : {"6", "5"})
    EXPECT_EQ(run_line(std::string("SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_ID=") + task +
                           " \"$dalembert\" sweep study.toml --folder array",
                       here)
                  .status,
              0);
  EXPECT_EQ(sweep({"--merge", "--folder", "array", "-o", "array.csv", "-o", "array.h5"}).status, 0);
  EXPECT_EQ(all("array"), all("whole"));
}

TEST_F(SweepCommand, two_processes_under_mpirun_make_the_same_whole) {
  if (run_line("command -v mpirun").status != 0) GTEST_SKIP() << "there is no mpirun";
  sweep({"-o", "whole.csv", "-o", "whole.h5", "--clean"});
  RunOptions here;
  here.folder = folder;
  const CommandResult result = run_line(
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -np 2 "
      "\"$dalembert\" sweep study.toml --threads 1 -o mpi.csv -o mpi.h5",
      here);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(all("mpi"), all("whole"));
}

/// Ended with -9 at a random moment, again and again until it comes through.
TEST_F(SweepCommand, killed_at_random_moments_it_ends_with_the_same_bytes) {
  const CommandResult whole = sweep({"-o", "whole.csv", "-o", "whole.h5", "--clean"});
  ASSERT_EQ(whole.status, 0);
  std::mt19937 random(7);
  int kills = 0;
  for (int k = 0; k < 8; ++k) {
    // The first one before anything can be done, so that there is one on any machine.
    const double moment = k == 0 ? 0.001 : std::uniform_real_distribution<double>(0.01, 0.15)(random);
    const CommandResult result =
        sweep({"-o", "killed.csv", "-o", "killed.h5"}, {.interrupt_after = moment, .signal = SIGKILL});
    kills += result.status == 128 + SIGKILL ? 1 : 0;
  }
  EXPECT_EQ(sweep({"-o", "killed.csv", "-o", "killed.h5"}).status, 0);
  EXPECT_EQ(all("killed"), all("whole"));
  EXPECT_GT(kills, 0);
}

TEST_F(SweepCommand, complete_chunks_are_not_made_again) {
  sweep({"-o", "a.csv"});
  const std::string chunk = "study.chunks/chunk-000003-of-000012.csv", before = read(chunk);
  const auto time = std::filesystem::last_write_time(folder / chunk);
  std::filesystem::remove(folder / "study.chunks/chunk-000004-of-000012.csv");
  EXPECT_EQ(sweep({"-o", "b.csv"}).status, 0);
  EXPECT_EQ(std::filesystem::last_write_time(folder / chunk), time);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
  write(chunk, before.substr(0, before.size() / 2));  // as no kill leaves it, but a disk may
  const CommandResult cut = sweep({"-o", "b.csv"});
  EXPECT_EQ(cut.status, 2);
  EXPECT_THAT(cut.err, HasSubstr("remove the file"));
}

TEST_F(SweepCommand, a_study_that_was_changed_meanwhile_is_refused) {
  sweep({"-o", "a.csv"});
  std::string text = read("study.toml");
  write("study.toml", text.replace(text.find("until = 5"), 9, "until = 6"));
  const CommandResult result = sweep({"-o", "a.csv"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("made by another study, or by this one before it was changed"));
}

TEST_F(SweepCommand, wrong_input_is_told_with_its_place_before_anything_runs) {
  write("wrong.toml", "model = \"models:pendulum\"\n[vary]\nl = [1]\n[keep]\nx = \"thet\"\n");
  RunOptions here;
  here.folder = folder;
  const CommandResult wrong = run_command({"sweep", "wrong.toml"}, here);
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("wrong.toml:5:6: keep.x: "));
  EXPECT_EQ(sweep({"--chunk", "3/2"}).status, 2);
  EXPECT_EQ(sweep({"--chunk", "1/100"}).status, 2);
  EXPECT_EQ(sweep({"-o", "a.html"}).status, 2);
  EXPECT_EQ(run_command({"sweep", "missing.toml"}, here).status, 2);
  EXPECT_EQ(run_line("PMI_RANK=x PMI_SIZE=2 \"$dalembert\" sweep study.toml", here).status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "study.chunks"));
}

TEST_F(SweepCommand, pictures_are_drawn_of_sections_and_of_two_numbers_as_colour) {
  EXPECT_EQ(sweep({"-o", "section.svg", "-o", "kept.svg"}).status, 0);
  EXPECT_THAT(read("section.svg"), HasSubstr("theta(0)"));
  EXPECT_EQ(sweep({"-o", "heat.svg", "--x", "theta(0)", "--y", "l", "--colour", "low"}).status, 0);
  const std::string heat = read("heat.svg");
  std::size_t cells = 0;
  for (std::size_t at = heat.find("crispEdges"); at != std::string::npos; at = heat.find("crispEdges", at + 1)) ++cells;
  EXPECT_EQ(cells, 60);
  const CommandResult unknown = sweep({"-o", "x.svg", "--y", "lowest"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("lowest"));
}

/// What only the end of the work would show is tried before it.
TEST_F(SweepCommand, files_beside_the_named_ones_are_tried_first_and_none_is_written_twice) {
  std::filesystem::create_directory(folder / "a.section.csv");
  const CommandResult taken = sweep({"-o", "a.csv"});
  EXPECT_EQ(taken.status, 2);
  EXPECT_THAT(taken.err, HasSubstr("a.section.csv: cannot be written (Is a directory)"));
  for (const char* other : {"b.section.csv", "./b.csv"}) {
    const CommandResult twice = sweep({"-o", "b.csv", "-o", other});
    EXPECT_EQ(twice.status, 2) << other;
    EXPECT_THAT(twice.err, HasSubstr("it would be written twice; give each file a name of its own")) << other;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "study.chunks"));
}

TEST_F(SweepCommand, what_a_model_reads_from_a_file_belongs_to_the_study) {
  write("m.toml",
        "[inputs]\nu = { file = \"u.csv\", column = \"u\" }\n[coordinates]\nx = 0\n[points.P]\n"
        "position = [\"x\", 0, 0]\nmass = 1\nforce = [\"u\", 0, 0]\n");
  write("study.toml", "model = \"m.toml\"\n[vary]\nx = [0, 1]\n[keep]\nend = \"x\"\n[run]\nuntil = 1\n");
  write("u.csv", "t,u\n0,2\n1,2\n");
  EXPECT_EQ(sweep({"-o", "a.csv"}).status, 0);
  EXPECT_EQ(sweep({"-o", "b.csv"}).status, 0);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
  write("u.csv", "t,u\n0,4\n1,4\n");
  const CommandResult changed = sweep({"-o", "b.csv"});
  EXPECT_EQ(changed.status, 2);
  EXPECT_THAT(changed.err, HasSubstr("made by another study, or by this one before it was changed"));
}

TEST_F(SweepCommand, what_stands_for_a_chunk_and_is_no_file_is_refused_at_once) {
  sweep({"-o", "a.csv"});
  const std::string chunk = folder / "study.chunks/chunk-000003-of-000012.csv";
  std::filesystem::remove(chunk);
  std::filesystem::create_symlink("/dev/zero", chunk);
  for (const std::string way : {"--quiet", "--merge"}) {
    const CommandResult result = sweep({way, "-o", "a.csv"}, {.seconds = 10});
    EXPECT_EQ(result.status, 2) << way;
    EXPECT_THAT(result.err, HasSubstr("this is no ordinary file")) << way;
  }
}

TEST_F(SweepCommand, columns_have_names_of_their_own_and_errors_the_places_of_the_study) {
  RunOptions here;
  here.folder = folder;
  const std::string begin = "model = \"models:pendulum\"\n[vary]\nl = [1]\n[keep]\n";
  for (const std::string name : {"run", "l", "t", "status", "message"}) {
    write("wrong.toml", begin + name + " = \"theta\"\n");
    const CommandResult result = run_command({"sweep", "wrong.toml"}, here);
    EXPECT_EQ(result.status, 2) << name;
    EXPECT_THAT(result.err, HasSubstr("wrong.toml:5:1: keep." + name + ": there is already a column " + name));
  }
  write("wrong.toml", begin + "a = \"theta\"\n[section]\nevery = \"-1\"\ncolumns = [\"theta\"]\n");
  EXPECT_THAT(run_command({"sweep", "wrong.toml"}, here).err,
              HasSubstr("wrong.toml:7:10: section.every: -1 is not pos"));
  write("late.toml", "model = \"models:pendulum\"\n[vary]\nl = [1, 0]\n[keep]\na = \"t\"\n[run]\nuntil = \"1/l\"\n");
  EXPECT_THAT(run_command({"sweep", "late.toml"}, here).out, HasSubstr("refused,until: inf is not a finite number"));
}

TEST_F(SweepCommand, threads_that_the_system_refuses_are_done_without) {
#if defined(DALEMBERT_SMALL_TESTS)
  GTEST_SKIP() << "the sanitizers need address space of their own";
#endif
  sweep({"-o", "a.csv", "--clean"});
  RunOptions here;
  here.folder = folder;
  const CommandResult few =  // stacks of 8 MB each
      run_line("ulimit -s 8192; ulimit -v 300000; \"$dalembert\" sweep study.toml -o b.csv --threads 1000", here);
  EXPECT_EQ(few.status, 0) << few.err;
  EXPECT_EQ(all("a"), all("b"));
}

#if !defined(DALEMBERT_SMALL_TESTS)
/// The first of 36000 parts of 3.6e9 runs: nothing is kept for those that are not yet made.
TEST_F(SweepCommand, memory_is_for_the_runs_at_hand) {
  write("study.toml",
        "model = \"models:pendulum\"\n[vary]\nl = \"1:60000:1\"\ntheta = \"1:60000:1\"\n[keep]\nend = \"theta\"\n"
        "[run]\nuntil = 1e-9\n");
  const CommandResult part = sweep({"--chunk", "1/36000", "--limit-memory", "500MB"});
  EXPECT_EQ(part.status, 0) << part.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "study.chunks/chunk-000001-of-036000.csv"));
  write("study.toml",
        "model = \"models:pendulum\"\n[vary]\nl = \"1:9e5:1\"\ntheta = \"1:9e5:1\"\n[keep]\nend = \"theta\"\n");
  const CommandResult many = sweep({"--limit-memory", "200MB"}, {.seconds = 20});
  EXPECT_EQ(many.status, 2);
  EXPECT_THAT(many.err, HasSubstr("8.1e+11 runs are more than 4294967296; use fewer values"));
}
#endif

}  // namespace
