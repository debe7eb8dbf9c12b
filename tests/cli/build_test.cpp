#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder.hpp"
#include "support/run_command.hpp"

// What the built command is: how it was hardened, and what it loads.

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_line;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string output_of(const std::string& line) {
  CommandResult result = run_line(line);
  EXPECT_EQ(result.status, 0) << line << "\n" << result.err;
  return result.out;
}

/// The command, and what it loads of its own.
const std::vector<std::string> installed = {"\"$dalembert\"",
                                            "\"$(dirname \"$dalembert\")/lib/dalembert/dalembert_server.so\""};

TEST(Build, LibrariesOfTheCurrentFolderAreNotLoaded) {
  // An empty element of the path is the current folder.
  for (const std::string& file : installed) {
    const std::string dynamic = output_of("readelf -dW " + file);
    EXPECT_THAT(dynamic, HasSubstr("NEEDED")) << file;
    EXPECT_THAT(dynamic, Not(testing::ContainsRegex("\\((RPATH|RUNPATH)\\)"))) << file;
  }
}

TEST(Build, ThePlaceOfTheCodeVariesAndItsTablesAreReadOnly) {
  for (const std::string& file : installed) {
    EXPECT_THAT(output_of("readelf -hW " + file), HasSubstr("DYN")) << file;
    EXPECT_THAT(output_of("readelf -dW " + file), testing::ContainsRegex("FLAGS_1.*NOW")) << file;
    const std::string segments = output_of("readelf -lW " + file);
    EXPECT_THAT(segments, HasSubstr("GNU_RELRO")) << file;
    EXPECT_THAT(segments, testing::ContainsRegex("GNU_STACK .* RW ")) << file;
  }
  EXPECT_THAT(output_of("readelf -dW " + installed[0]), testing::ContainsRegex("FLAGS_1.*PIE"));
}

TEST(Build, BuffersAreGuarded) {
#if defined(DALEMBERT_RELEASE)
  for (const std::string& file : installed)
    EXPECT_THAT(output_of("readelf -sW --dyn-syms " + file), HasSubstr("__stack_chk_fail")) << file;
  EXPECT_THAT(output_of("readelf -sW --dyn-syms " + installed[0]), testing::ContainsRegex("__[a-z]+_chk@"));
#else
  GTEST_SKIP() << "in release only";
#endif
}

class Loads : public dalembert::testing_support::FolderTest {};

TEST_F(Loads, Hdf5OnlyWhereItIsAskedFor) {
  EXPECT_THAT(output_of("ldd \"$dalembert\""), Not(HasSubstr("hdf5")));
  // The loader's own record of what it opened.
  const std::string begin = "cd " + folder.string() + " && LD_DEBUG=files LD_DEBUG_OUTPUT=log \"$dalembert\" ";
  const std::string run = "simulate models:pendulum --until 1 --quiet -o ";
  for (const std::string& command : {std::string("--version"), run + "a.csv", run + "a.json", run + "a.svg"})
    EXPECT_THAT(output_of(begin + command + " >out; cat log.*; rm log.*"), Not(HasSubstr("hdf5"))) << command;
  EXPECT_THAT(output_of(begin + run + "a.h5; cat log.*; rm log.*"), HasSubstr("hdf5"));
  EXPECT_THAT(read("a.h5"), testing::StartsWith("\x89HDF"));
}

TEST_F(Loads, Hdf5ThatIsMissingIsSaidBeforeTheWork) {
  // A file of that name that is no library is found first.
  write("libhdf5_serial.so.103", "no library");
  CommandResult result = run_line("cd " + folder.string() +
                                      " && LD_LIBRARY_PATH=. \"$dalembert\" simulate "
                                      "models:double_pendulum --until 1e9 -o a.h5",
                                  {.seconds = 20});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("need the library HDF5"));
  EXPECT_THAT(result.err, HasSubstr("or write .csv"));
}

TEST(Build, OneStartLoadsNothingThatOnlyOneCommandNeeds) {
  const std::string loaded = output_of("LD_DEBUG=files \"$dalembert\" --version 2>&1");
  for (const std::string library : {"hdf5", "httplib", "libssl", "libcrypto", "brotli", "libcurl"})
    EXPECT_THAT(loaded, Not(HasSubstr(library)));
}

TEST_F(Loads, ServerThatIsMissingIsSaid) {
  write("libcpp-httplib.so.0.11", "no library");
  CommandResult result = run_line(
      "cd " + folder.string() + " && LD_LIBRARY_PATH=. \"$dalembert\" view models:double_pendulum", {.seconds = 20});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("which cannot be loaded"));
  EXPECT_THAT(result.err, HasSubstr("simulate -o FILE.html"));
}

}  // namespace
