#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/simulate/system.hpp>
#include <dalembert/study/sweep.hpp>
#include <numbers>
#include <set>

#include "support/same_bits.hpp"

using namespace dalembert;
using std::numbers::pi;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Description pendulum() { return read_description(find_model("models:pendulum")); }

std::vector<std::uint64_t> bits_of(const SweepResult& result) {
  std::vector<std::uint64_t> all;
  for (const SweepTable& table : result.tables)
    for (const double number : table.numbers) all.push_back(testing_support::bits(number));
  return all;
}

std::string problem_of(const std::string& study) {
  try {
    const Study read = parse_study(study, "study.toml");
    SweepPlan(read_description(find_model(read.model)), read.sweep);
    return "none";
  } catch (const InputError& error) {
    return to_text(error.complaint());
  }
}

// --- which runs

TEST(Sweep, a_grid_has_every_combination_and_its_last_axis_is_fastest) {
  Sweep sweep;
  sweep.axes = {{"a", {1, 2}}, {"b", {3, 4, 5}}};
  ASSERT_EQ(count_runs(sweep), 6);
  EXPECT_THAT(run_values(sweep, 0), ElementsAre(1, 3));
  EXPECT_THAT(run_values(sweep, 2), ElementsAre(1, 5));
  EXPECT_THAT(run_values(sweep, 3), ElementsAre(2, 3));
}

TEST(Sweep, a_list_takes_the_values_side_by_side) {
  Sweep sweep;
  sweep.kind = SweepKind::list;
  sweep.axes = {{"a", {1, 2}}, {"b", {3, 4}}};
  ASSERT_EQ(count_runs(sweep), 2);
  EXPECT_THAT(run_values(sweep, 1), ElementsAre(2, 4));
  sweep.axes[1].values.push_back(5);
  EXPECT_THROW(count_runs(sweep), InputError);
}

// A (0, m, 1)-net in each dimension: of the first 2^m points each interval k/2^m .. (k+1)/2^m has one, shifted or not.
TEST(Sweep, sobol_points_fill_every_interval_of_every_number_once) {
  Sweep sweep;
  sweep.kind = SweepKind::sobol;
  sweep.count = 128;
  for (int k = 0; k < 21; ++k) sweep.axes.push_back({"a", {0, 1}});
  for (const std::uint64_t seed : {1U, 77U}) {
    sweep.seed = seed;
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
      std::set<int> seen;
      for (std::size_t run = 0; run < 128; ++run) seen.insert(static_cast<int>(run_values(sweep, run)[axis] * 128));
      EXPECT_EQ(seen.size(), 128) << axis;
    }
  }
}

// The first two dimensions of Sobol's points are a (0, m, 2)-net: every elementary rectangle of area 2^-m has one
// point.
TEST(Sweep, the_first_two_sobol_numbers_fill_every_elementary_rectangle_once) {
  Sweep sweep;
  sweep.kind = SweepKind::sobol;
  sweep.count = 256;
  sweep.axes = {{"a", {0, 1}}, {"b", {0, 1}}};
  for (int j = 0; j <= 8; ++j) {
    std::set<std::pair<int, int>> seen;
    for (std::size_t run = 0; run < 256; ++run) {
      const std::vector<double> at = run_values(sweep, run);
      seen.insert({static_cast<int>(at[0] * (1 << j)), static_cast<int>(at[1] * (1 << (8 - j)))});
    }
    EXPECT_EQ(seen.size(), 256) << j;
  }
}

// Mean and variance of n uniform numbers: 1/2 and 1/12, within five deviations of the means of n.
TEST(Sweep, random_draws_are_uniform_and_follow_their_seed) {
  Sweep sweep;
  sweep.kind = SweepKind::random;
  sweep.count = 10000;
  sweep.axes = {{"a", {2, 4}}, {"b", {0, 1}}};
  double mean = 0, square = 0, product = 0;
  for (std::size_t run = 0; run < sweep.count; ++run) {
    const std::vector<double> at = run_values(sweep, run);
    ASSERT_TRUE(at[0] >= 2 && at[0] < 4 && at[1] >= 0 && at[1] < 1);
    const double x = at[0] / 2 - 1.5, y = at[1] - 0.5;
    mean += x / 1e4;
    square += x * x / 1e4;
    product += x * y / 1e4;
  }
  EXPECT_LT(std::abs(mean), 5 * std::sqrt(1.0 / 12 / 1e4));
  EXPECT_LT(std::abs(square - 1.0 / 12), 5 * std::sqrt(1.0 / 180 / 1e4));
  EXPECT_LT(std::abs(product), 5 * (1.0 / 12) / 100);
  const std::vector<double> before = run_values(sweep, 5);
  sweep.seed = 2;
  EXPECT_NE(run_values(sweep, 5), before);
}

TEST(Sweep, steps_are_rounded_once_and_reach_the_last_value) {
  const Study study = parse_study("model = \"m\"\n[vary]\na = \"0:0.7:0.1\"\nb = \"0:2*pi:pi/2\"\n[keep]\nx = \"a\"");
  EXPECT_THAT(study.sweep.axes[0].values, ElementsAre(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7));
  EXPECT_EQ(study.sweep.axes[1].values.size(), 5);
  EXPECT_DOUBLE_EQ(study.sweep.axes[1].values[4], 2 * pi);
}

// --- what is kept

TEST(Sweep, a_run_is_the_motion_of_its_own_numbers_to_the_last_bit) {
  Sweep sweep;
  sweep.axes = {{"l", {0.5, 1.5}}, {"theta'", {0, 2}}};
  sweep.keep = {{"angle", "theta"}, {"pull", "tension"}, {"twice", "2*theta'"}};
  sweep.until = 3;
  const SweepResult result = run_sweep(pendulum(), sweep);
  const SweepTable& runs = result["runs"];
  EXPECT_THAT(runs.columns, ElementsAre("run", "l", "theta'(0)", "angle", "pull", "twice", "t"));
  ASSERT_EQ(runs.size(), 4);
  const System system(derive_multipliers(load_model("models:pendulum")));
  for (std::size_t run = 0; run < 4; ++run) {
    const std::vector<double> at = run_values(sweep, run);
    const Trajectory own = system.simulate({.until = 3, .parameters = {{"l", at[0]}}, .initial = {{"theta'", at[1]}}});
    EXPECT_EQ(runs.column("angle")[run], own["theta"].back());
    EXPECT_EQ(runs.column("pull")[run], own["tension"].back());
    EXPECT_EQ(runs.column("twice")[run], 2 * own["theta'"].back());
    EXPECT_EQ(runs.column("t")[run], 3);
    EXPECT_EQ(runs.texts[2 * run], "finished");
  }
}

// A pendulum from rest at 1 swings to -1 after half its period, and is fastest at the bottom: l theta'^2 = 2 g (1 - cos
// 1).
TEST(Sweep, extremes_are_found_between_rows_with_their_times) {
  Sweep sweep;
  sweep.axes = {{"l", {0.9, 2}}};
  sweep.keep = {{"low", "min(theta)"}, {"fast", "max(abs(theta'))"}};
  sweep.until = 2.9;  // longer than half the period of both, shorter than the whole
  const SweepResult result = run_sweep(pendulum(), sweep);
  const SweepTable& runs = result["runs"];
  for (std::size_t run = 0; run < 2; ++run) {
    const double l = runs.column("l")[run];
    const double period = 4 * std::sqrt(l / 9.81) * std::comp_ellint_1(std::sin(0.5));
    EXPECT_NEAR(runs.column("low")[run], -1, 1e-8);
    EXPECT_NEAR(runs.column("low.t")[run], period / 2, 1e-8);
    EXPECT_NEAR(runs.column("fast")[run], std::sqrt(2 * 9.81 / l * (1 - std::cos(1.0))), 1e-8);
    EXPECT_NEAR(std::fmod(runs.column("fast.t")[run], period / 2), period / 4, 1e-8);
  }
}

TEST(Sweep, extremes_of_what_only_rows_know_are_over_the_rows) {
  Sweep sweep;
  sweep.axes = {{"l", {0.9}}};
  sweep.keep = {{"pull", "max(reaction(l))"}};
  sweep.every = 0.01;
  sweep.until = 2;
  const SweepResult result = run_sweep(pendulum(), sweep);
  const System system(derive_multipliers(load_model("models:pendulum")));
  const Trajectory own = system.simulate({.until = 2, .every = 0.01});
  EXPECT_EQ(result["runs"].column("pull")[0], std::ranges::max(own["reaction(l)"]));
}

TEST(Sweep, strobes_are_rows_at_multiples_of_a_formula_of_the_runs_parameters) {
  Sweep sweep;
  sweep.axes = {{"l", {0.5, 1}}};
  sweep.section = SweepSection{.every = "2*l", .skip = 1, .columns = {"theta", "theta'"}};
  sweep.until = "8*l";
  const SweepResult result = run_sweep(pendulum(), sweep);
  const SweepTable& section = result["section"];
  EXPECT_THAT(section.columns, ElementsAre("run", "l", "t", "theta", "theta'"));
  EXPECT_THAT(section.column("t"), ElementsAre(2, 3, 4, 4, 6, 8));
}

TEST(Sweep, a_section_has_the_states_at_an_events_zeros) {
  Sweep sweep;
  sweep.axes = {{"theta", {0.5, 1}}};
  sweep.section = SweepSection{.when = "theta", .direction = "rising", .columns = {"theta", "theta'"}};
  sweep.until = 4;
  const SweepResult result = run_sweep(pendulum(), sweep);
  const SweepTable& section = result["section"];
  ASSERT_GE(section.size(), 4);
  for (std::size_t k = 0; k < section.size(); ++k) {
    EXPECT_NEAR(section.column("theta")[k], 0, 1e-10);
    EXPECT_GT(section.column("theta'")[k], 0);
  }
}

TEST(Sweep, whole_columns_are_the_motions_own) {
  Sweep sweep;
  sweep.axes = {{"l", {0.5, 1}}};
  sweep.motion = {"theta", "tension"};
  sweep.until = 1;
  sweep.every = 0.25;
  const SweepResult result = run_sweep(pendulum(), sweep);
  const SweepTable& motion = result["motion"];
  EXPECT_THAT(motion.columns, ElementsAre("run", "l", "t", "theta", "tension"));
  EXPECT_THAT(motion.column("t"), ElementsAre(0, 0.25, 0.5, 0.75, 1, 0, 0.25, 0.5, 0.75, 1));
}

// --- runs that end early

TEST(Sweep, a_run_that_cannot_start_or_ends_early_is_a_row_with_its_status) {
  const Description model = parse_description(R"toml(
[parameters]
k = 1
[coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
potential = "2/3*k*x^(3/2)"
[events]
half = "x - 0.5"
)toml");
  Sweep sweep;
  sweep.axes = {{"x", {1, -1, 0.4}}, {"k", {1}}};
  sweep.keep = {{"end", "x"}};
  sweep.until = 5;
  const SweepResult result = run_sweep(model, sweep);
  const SweepTable& runs = result["runs"];
  ASSERT_EQ(runs.size(), 3);
  EXPECT_EQ(runs.texts[0], "event");
  EXPECT_NEAR(runs.column("end")[0], 0.5, 1e-12);
  EXPECT_EQ(runs.texts[2], "not-finite");
  EXPECT_NE(runs.texts[3], "");
  EXPECT_TRUE(std::isnan(runs.column("end")[1]));
  EXPECT_NE(runs.texts[4], "finished");  // there is no force beyond x = 0
  EXPECT_LT(runs.column("t")[2], 5);
}

// --- threads and parts

TEST(Sweep, threads_and_parts_change_no_bit) {
  Sweep sweep;
  sweep.kind = SweepKind::sobol;
  sweep.count = 37;
  sweep.axes = {{"theta", {-3, 3}}, {"l", {0.5, 2}}};
  sweep.keep = {{"end", "theta"}, {"peak", "max(theta)"}};
  sweep.section = SweepSection{.when = "theta'", .columns = {"theta"}};
  sweep.until = 3;
  const SweepPlan plan(pendulum(), sweep);
  const SweepResult serial = run_sweep(plan, {.threads = 1}), many = run_sweep(plan, {.threads = 5});
  EXPECT_EQ(bits_of(serial), bits_of(many));
  const std::vector<SweepRange> parts = {{20, 37}, {0, 3}, {3, 20}};
  std::vector<SweepResult> rows(3);
  run_sweep(plan, parts, [&](std::size_t part, SweepResult result) { rows[part] = std::move(result); }, {.threads = 3});
  SweepResult whole = plan.make_empty();
  for (const std::size_t k : {1, 2, 0}) whole.append(rows[k]);
  EXPECT_EQ(bits_of(serial), bits_of(whole));
}

TEST(Sweep, what_is_stopped_is_not_delivered_and_progress_tells_how_many_are_done) {
  Sweep sweep;
  sweep.axes = {{"l", {1, 2, 3, 4, 5, 6, 7, 8}}};
  sweep.keep = {{"end", "theta"}};
  const SweepPlan plan(pendulum(), sweep);
  std::atomic<bool> stop = true;
  EXPECT_EQ(run_sweep(plan, {.stop = &stop})["runs"].size(), 0);
  std::size_t done = 0;
  run_sweep(plan, {.threads = 2, .progress = [&](std::size_t count) { done = count; }});
  EXPECT_EQ(done, 8);
}

// --- errors

TEST(Sweep, wrong_studies_are_refused_with_place_key_and_remedy) {
  const std::string head = "model = \"models:pendulum\"\n";
  EXPECT_THAT(problem_of(head + "[vary]\nm1 = [1, 2]\n[keep]\na = \"theta\""), HasSubstr("study.toml:3:1: vary.m1: "));
  EXPECT_THAT(problem_of(head + "[vary]\nm = [1, 2]\n[keep]\na = \"thta\""),
              testing::AllOf(HasSubstr("study.toml:5:6: keep.a: "), HasSubstr("theta")));
  EXPECT_THAT(problem_of(head + "[vary]\nm = [1, 2]\n[keep]\na = \"max(thta)\""), HasSubstr("study.toml:5:10: keep.a"));
  EXPECT_THAT(problem_of(head + "[vary]\nm = \"1:2:0\"\n[keep]\na = \"theta\""), HasSubstr("study.toml:3:10: vary.m"));
  EXPECT_THAT(problem_of(head + "[vary]\nm = \"1:2\"\n[keep]\na = \"theta\""), HasSubstr("add [draw]"));
  EXPECT_THAT(problem_of(head + "[vary]\nm = [1]\n[keeps]\na = \"theta\""), HasSubstr("did you mean 'keep'?"));
  EXPECT_THAT(problem_of(head + "[vary]\nm = [1]"), HasSubstr("nothing is kept"));
  EXPECT_THAT(problem_of(head + "[keep]\na = \"theta\""), HasSubstr("nothing varies"));
  EXPECT_THAT(problem_of(head + "[vary]\nm = [1]\n[section]\nevent = \"top\""),
              HasSubstr("study.toml:5:10: section.event: the model has no event top"));
  EXPECT_THAT(problem_of(head + "[vary]\nm = [1]\n[keep]\na = \"theta\"\n[run]\nuntil = \"x\""),
              HasSubstr("study.toml:7:10: run.until"));
  EXPECT_THAT(problem_of(head + "[vary]\nm = \"0:1\"\n[draw]\nkind = \"halton\"\n[keep]\na = \"theta\""),
              HasSubstr("draw.kind"));
}

}  // namespace
