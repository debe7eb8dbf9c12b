#include <gtest/gtest.h>

#include <dalembert/base/failure.hpp>
#include <dalembert/base/printable.hpp>

namespace dalembert {
namespace {

TEST(Printable, LettersOfAllKindsStay) {
  for (const char* text : {"", "theta'", "θ̈ = −½", "運動", "e\u0301", "a\\b"}) EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatATerminalActsOnIsShown) {
  EXPECT_EQ(printable("\x1b[2J\a\r"), "\\x1b[2J\\x07\\x0d");
  EXPECT_EQ(printable(std::string_view("a\0b\x7f", 4)), "a\\x00b\\x7f");
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");
  EXPECT_EQ(printable("\u202egnp.exe\u2066"), "\\u202egnp.exe\\u2066");
  EXPECT_EQ(printable("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(printable_lines("a\nb\tc\x1b\n"), "a\nb\\tc\\x1b\n");
}

TEST(Printable, BytesThatAreNoUtf8AreShown) {
  EXPECT_EQ(printable("\xff\xc3("), "\\xff\\xc3(");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\x8a"), "\\xc0\\x8a");  // an overlong line end
}

TEST(Complaint, IsOneLineThatIsOnlyShown) {
  EXPECT_EQ(to_text({"a\nb.toml", {3, 4}, "x\x1b", "it is wrong", "mend it"}),
            "a\\nb.toml:3:4: x\\x1b: it is wrong; mend it");
  EXPECT_STREQ(OutputError({"a.csv", {}, "", "is full", ""}).what(), "a.csv: is full");
}

}  // namespace
}  // namespace dalembert
