#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "sample.hpp"

using namespace dalembert;
using testing::HasSubstr;

namespace {

/// A file of its own for each test.
std::string scratch(const std::string& contents) {
  std::string path = testing::TempDir() + "report_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

std::string complaint_of(const std::string& contents, const std::string& column = "x") {
  try {
    read_csv_last_row(scratch(contents)).value(column);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST(Csv, AbsentValuesAreEmptyAndNamesWithCommasQuoted) {
  EXPECT_EQ(write_csv(sample_trajectory()),
            "t,θ,θ',reaction(rod),\"a,\"\"b\"\"\"\n"
            "0,0.1,-0.3333333333333333,,1e+300\n"
            "0.1,5e-324,2,7,-0\n");
}

TEST(Csv, LastRowReadsBackBitForBit) {
  Trajectory trajectory = sample_trajectory();
  CsvRow row = read_csv_last_row(scratch(write_csv(trajectory)));
  EXPECT_EQ(row.columns, trajectory.columns);
  EXPECT_EQ(row.line, 3u);
  for (std::size_t i = 0; i < row.columns.size(); ++i)
    EXPECT_EQ(row.value(row.columns[i]), trajectory.rows.back()[i]) << row.columns[i];
  EXPECT_TRUE(std::signbit(row.value("a,\"b\"")));
}

TEST(Csv, WindowsLineEndsAMarkAndEmptyLinesAreUnderstood) {
  CsvRow row = read_csv_last_row(scratch("\xEF\xBB\xBFt,x\r\n0,1\r\n2,3\r\n\r\n"));
  EXPECT_EQ(row.value("t"), 2);
  EXPECT_EQ(row.value("x"), 3);
}

TEST(Csv, EveryWrongFileIsRefusedWithItsPlace) {
  EXPECT_THAT(complaint_of(""), HasSubstr("the file is empty"));
  EXPECT_THAT(complaint_of("t,x\n"), HasSubstr("no row under the column names"));
  EXPECT_THAT(complaint_of("t,x\n0,1\n2\n"), HasSubstr(".csv:3: the row has 1 values, but the first line names 2"));
  EXPECT_THAT(complaint_of("t,x\n0,1\n2,3"), HasSubstr(".csv:3: the file ends within a line"));
  EXPECT_THAT(complaint_of("t,x\n0,nan\n"), HasSubstr("\"nan\", which is no number"));
  EXPECT_THAT(complaint_of("t,x\n0,1e999\n"), HasSubstr("which is no number"));
  EXPECT_THAT(complaint_of("t,x\n0,1 \n"), HasSubstr("which is no number"));
  EXPECT_THAT(complaint_of("t,x\n0,\"1\n"), HasSubstr("quotation mark is not closed"));
  EXPECT_THAT(complaint_of("t,x\n0,\n"), HasSubstr("column x is empty in the last row"));
  EXPECT_THAT(complaint_of("t,theta\n0,1\n", "thetaa"), HasSubstr("the nearest is theta"));
  try {
    read_csv_last_row("/nowhere/at/all.csv");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot be read"));
  }
}

TEST(Columns, AreChosenByNameWithTimeFirst) {
  Trajectory chosen = select_columns(sample_trajectory(), {"reaction(rod)", "t", "θ"});
  EXPECT_EQ(chosen.columns, (std::vector<std::string>{"t", "reaction(rod)", "θ"}));
  EXPECT_EQ(std::vector<double>(chosen.rows[1]), (std::vector<double>{0.1, 7, 5e-324}));
  EXPECT_EQ(chosen.events[0].state.size(), 3u);
  try {
    select_columns(sample_trajectory(), {"reaction(rot)"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no column reaction(rot); did you mean reaction(rod)?"));
  }
}
