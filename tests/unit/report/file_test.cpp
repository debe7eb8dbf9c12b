#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dalembert/report/report.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace dalembert;
using testing::HasSubstr;

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string complaint_of(const std::string& path) {
  try {
    write_file(path, "text");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "written";
}

std::string kind_complaint(const std::string& path) {
  try {
    file_kind(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "known";
}

class File : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder = fs::path(testing::TempDir()) / ("report_files_" + std::to_string(::getpid()));
};

}  // namespace

TEST_F(File, IsReplacedWholeAndNothingElseIsLeft) {
  fs::path path = folder / "a.csv";
  write_file(path, "first, longer");
  ::chmod(path.c_str(), 0640);
  write_file(path, std::string("second\0", 7));
  EXPECT_EQ(read(path), std::string("second\0", 7));
  struct stat status {};
  ::stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_EQ(count(), 1u);
}

TEST_F(File, ALinkStaysALink) {
  write_file(folder / "target", "old");
  fs::create_symlink("target", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read(folder / "target"), "new");
}

TEST_F(File, DevicesAreWrittenToDirectly) { EXPECT_NO_THROW(write_file("/dev/null", "text")); }

TEST_F(File, WhatCannotBeWrittenSaysWhyAndLeavesNothing) {
  EXPECT_THAT(complaint_of(folder / "missing" / "a.csv"), HasSubstr("its folder does not exist"));
  EXPECT_THAT(complaint_of(folder), HasSubstr("it is a folder: add a file's name"));
  EXPECT_THAT(complaint_of(""), HasSubstr("empty"));
  EXPECT_THAT(complaint_of("/dev/full"), HasSubstr("make room"));
  write_file(folder / "file", "x");
  EXPECT_THAT(complaint_of(folder / "file" / "a.csv"), HasSubstr("cannot be written"));
  EXPECT_EQ(count(), 1u);
}

TEST_F(File, KindsAreToldByExtension) {
  EXPECT_EQ(file_kind("a/b.csv"), FileKind::csv);
  EXPECT_EQ(file_kind("b.json"), FileKind::json);
  EXPECT_EQ(file_kind("b.h5"), FileKind::hdf5);
  EXPECT_EQ(file_kind("b.svg"), FileKind::svg);
  EXPECT_EQ(file_kind("b.html"), FileKind::html);
  EXPECT_EQ(file_kind("b.png"), FileKind::png);
  EXPECT_THAT(kind_complaint("b.gif"),
              HasSubstr("the extension .gif is not known; expected .csv, .json, .h5, .svg, .png or .html"));
  EXPECT_THAT(kind_complaint("a.b/motion"), HasSubstr("without an extension"));
}
