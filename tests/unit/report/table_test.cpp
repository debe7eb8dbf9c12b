#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/report/report.hpp>
#include <random>

using namespace dalembert;

TEST(Table, WidthCountsWhatATerminalShows) {
  EXPECT_EQ(display_width("theta"), 5u);
  EXPECT_EQ(display_width("θ′"), 2u);
  EXPECT_EQ(display_width("e\u0301"), 1u);   // e with a combining accent
  EXPECT_EQ(display_width("角度"), 4u);      // wide characters
  EXPECT_EQ(display_width("\xFF\xCE"), 2u);  // not UTF-8: a byte each, and no reading past the end
}

TEST(Table, ColumnsAlignAlsoWithGreekNames) {
  TextTable table({"name", "value"});
  table.align({TextTable::Align::left, TextTable::Align::right});
  table.add({"θ", "1"});
  table.add({"phi", "-12"});
  EXPECT_EQ(table.text(2),
            "  name  value\n"
            "  ────  ─────\n"
            "  θ         1\n"
            "  phi     -12\n");
}

TEST(Table, RowsMayBeOfDifferentLengthAndLinesDoNotEndInSpaces) {
  TextTable table;
  table.add({"a", "", ""});
  table.add({"bb"});
  table.add({"", "c"});
  EXPECT_EQ(table.text(), "a\nbb\n   c\n");  // bb is a line by itself
}

TEST(Numbers, ShortestTextReadsBackAsTheSameDouble) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10000; ++i) {
    std::uint64_t bits = random();
    double value;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(std::strtod(write_number(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(write_number(0.1), "0.1");
  EXPECT_EQ(write_number(-0.0), "-0");
  EXPECT_EQ(write_number(INFINITY), "");
  EXPECT_EQ(write_number(NAN), "");
}
