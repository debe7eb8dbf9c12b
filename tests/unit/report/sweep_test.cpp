#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/report/sweep.hpp>

#include "support/same_bits.hpp"

using namespace dalembert;
using testing::HasSubstr;

namespace {

SweepResult make_result(std::size_t runs) {
  SweepResult result;
  result.axes = 1;
  result.tables = {{"runs", {"run", "A", "peak", "peak.t", "t"}, {"status", "message"}, {}, {}},
                   {"section", {"run", "A", "t", "x", "x'"}, {}, {}, {}}};
  for (std::size_t k = 0; k < runs; ++k) {
    const auto run = static_cast<double>(k);
    const double peak = k == 1 ? NAN : 0.1 * run;
    for (const double number : {run, 1 / (run + 3), peak, -0.0, 1e-300}) result.tables[0].numbers.push_back(number);
    result.tables[0].texts.insert(result.tables[0].texts.end(), {"finished", k == 1 ? "a, \"b\"" : ""});
    for (const double number : {run, 1 / (run + 3), 2.0, std::sin(run), std::cos(run)})
      result.tables[1].numbers.push_back(number);
  }
  return result;
}

SweepResult make_empty() { return make_result(0); }

TEST(SweepReport, a_chunk_reads_back_as_the_same_numbers_and_texts) {
  const SweepResult result = make_result(5);
  SweepResult back = make_empty();
  read_chunk(write_chunk(result, "s 1/2"), "file", "s 1/2", back);
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_EQ(back.tables[k].numbers.size(), result.tables[k].numbers.size());
    for (std::size_t i = 0; i < result.tables[k].numbers.size(); ++i) {
      const double before = result.tables[k].numbers[i], after = back.tables[k].numbers[i];
      EXPECT_TRUE(std::isnan(before) ? std::isnan(after)
                                     : testing_support::bits(before) == testing_support::bits(after));
    }
    EXPECT_EQ(back.tables[k].texts, result.tables[k].texts);
    EXPECT_EQ(write_csv(back.tables[k]), write_csv(result.tables[k]));
  }
}

TEST(SweepReport, a_chunk_that_is_cut_anywhere_or_anothers_is_refused) {
  const std::string text = write_chunk(make_result(3), "s 1/2");
  for (std::size_t size = 0; size < text.size(); ++size) {
    SweepResult back = make_empty();
    EXPECT_THROW(read_chunk(text.substr(0, size), "file", "s 1/2", back), InputError) << size;
  }
  SweepResult back = make_empty();
  EXPECT_THROW(read_chunk(text, "file", "s 2/2", back), InputError);
  EXPECT_TRUE(is_chunk(text, "s 1/2"));
  EXPECT_FALSE(is_chunk(text, "s 1/22"));
}

TEST(SweepReport, a_chunk_of_which_a_byte_has_changed_is_refused) {
  const std::string text = write_chunk(make_result(3), "s 1/2");
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char other : {'7', ',', '\n', 'x', '"', '\0'}) {
      if (text[at] == other) continue;
      std::string changed = text;
      changed[at] = other;
      SweepResult back = make_empty();
      EXPECT_THROW(read_chunk(changed, "file", "s 1/2", back), InputError) << at << other;
    }
}

TEST(SweepReport, csv_has_numbers_then_texts_and_nothing_where_a_value_is_absent) {
  EXPECT_THAT(write_csv(make_result(2)["runs"]),
              testing::StartsWith("run,A,peak,peak.t,t,status,message\n0,0.3333333333333333,0,-0,1e-300,finished,\n"
                                  "1,0.25,,-0,1e-300,finished,\"a, \"\"b\"\"\"\n"));
  EXPECT_THAT(write_json(make_result(2)), HasSubstr("null"));
}

TEST(SweepReport, hdf5_of_the_same_result_is_the_same_bytes) {
  EXPECT_EQ(write_hdf5(make_result(4), "m"), write_hdf5(make_result(4), "m"));
  EXPECT_NE(write_hdf5(make_result(4), "m"), write_hdf5(make_result(3), "m"));
}

TEST(SweepReport, many_runs_draw_a_section_over_what_varies_and_one_run_in_its_first_two_columns) {
  EXPECT_THAT(write_svg(make_result(6), {"title"}), HasSubstr(">A</text>"));
  EXPECT_THAT(write_svg(make_result(6), {"title"}), HasSubstr("<title>x</title>"));
  const std::string section = write_svg(make_result(1), {"title"});
  EXPECT_THAT(section, HasSubstr(">x</text>"));
  EXPECT_THAT(section, HasSubstr("<title>x'</title>"));
  EXPECT_THAT(write_svg(make_result(6), {.title = "", .x = "A", .y = "peak"}), HasSubstr("<title>peak</title>"));
  EXPECT_THROW(write_svg(make_result(6), {.title = "", .x = "B"}), InputError);
}

// Six values over a grid of 2 x 3 are six cells; the largest is yellow, the smallest dark blue, one that is absent
// grey.
TEST(SweepReport, two_numbers_that_vary_draw_a_heat_map) {
  SweepResult result;
  result.axes = 2;
  result.tables = {{"runs", {"run", "a", "b", "v", "t"}, {}, {}, {}}};
  for (int k = 0; k < 6; ++k)
    for (const double number : {1.0 * k, 1.0 * (k / 3), 1.0 * (k % 3), k == 3 ? NAN : 1.0 * k, 1.0})
      result.tables[0].numbers.push_back(number);
  const std::string svg = write_svg(result, {"title"});
  std::size_t cells = 0;
  for (std::size_t at = svg.find("crispEdges"); at != std::string::npos; at = svg.find("crispEdges", at + 1)) ++cells;
  EXPECT_EQ(cells, 6);
  for (const char* colour : {"fill=\"#440154\" shape", "fill=\"#fde725\" shape", "fill=\"#ccc\" shape"})
    EXPECT_THAT(svg, HasSubstr(colour));
}

TEST(SweepReport, the_summary_counts_endings) {
  SweepResult result = make_result(3);
  result.tables[0].texts = {"finished", "", "singular", "at t = 1", "singular", "at t = 2"};
  EXPECT_EQ(write_summary(result), "3 runs\n  finished  1\n  singular  2  first: at t = 1\n");
}

}  // namespace
