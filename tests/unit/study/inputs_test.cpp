#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/study/linearize.hpp>
#include <fstream>

using namespace dalembert;
using testing::HasSubstr;

namespace {

/// A mass of two that the input `push` moves along x, and another that follows the input `place` by a constraint.
Description describe(const InputText& push, const InputText& place) {
  Description d("inputs");
  d.file = testing::TempDir() + "model.toml";
  d.parameter("m", 2).parameter("F", 3).input("push", push).input("place", place);
  d.coordinate("x").coordinate("y", {.value = 0, .rate = 0, .is_guess = true, .is_rate_guess = true});
  d.point("P", {.position = {"x", 0, 0}, .mass = "m", .force = {"push", 0, 0}});
  d.point("Q", {.position = {0, "y", 0}, .mass = 1});
  d.constraint("drive", "y = place");
  return d;
}

Trajectory run(const Description& description, const Overrides& overrides = {}) {
  return System(derive_multipliers(make_model(description, overrides))).simulate({.until = 2, .every = 0.5});
}

/// A table of 1 + t + t^3: what a cubic between rows gives back to the last digits.
InputText write_table() {
  std::ofstream file(testing::TempDir() + "signal.csv");
  file.precision(17);
  file << "t,cube\n";
  for (const double t : {0.0, 0.3, 0.4, 0.9, 1.3, 1.7, 2.0}) file << t << ',' << 1 + t + t * t * t << '\n';
  return {"signal.csv", "cube"};
}

TEST(Inputs, are_numbers_or_formulas_of_time_that_loads_and_drives_read) {
  const Trajectory motion = run(describe(Text("F*cos(t)"), Text("sin(t)/2")));
  EXPECT_NEAR(motion["x"].back(), 1.5 * (1 - std::cos(2)), 1e-9);
  EXPECT_NEAR(motion["y"].back(), std::sin(2) / 2, 1e-12);
  EXPECT_NEAR(motion["y'"].back(), std::cos(2) / 2, 1e-12);
  EXPECT_NEAR(motion["reaction(drive)"].back(), -std::sin(2) / 2, 1e-12);
  EXPECT_NEAR(run(describe(Text(4), Text(0)))["x"].back(), 4, 1e-9);
}

// From rest the motion is as small as its error at first, however short the step: x'' = t^4 / 2.
TEST(Inputs, may_grow_from_nothing_by_a_high_power) {
  const Trajectory motion = run(describe(Text("t^4"), Text(0)));
  ASSERT_TRUE(motion) << motion.message;
  EXPECT_NEAR(motion["x"].back(), 64.0 / 60, 1e-9);
}

TEST(Inputs, may_be_columns_of_a_file_with_cubics_between_its_rows) {
  const InputText column = write_table();
  const Trajectory motion = run(describe(column, column));
  ASSERT_TRUE(motion) << motion.message;
  EXPECT_NEAR(motion["x"].back(), (2 + 8.0 / 6 + 32.0 / 20) / 2, 1e-9);  // x'' = (1 + t + t^3) / 2
  EXPECT_NEAR(motion["x'"].back(), 4, 1e-9);
  EXPECT_NEAR(motion["y"].back(), 11, 1e-12);
  EXPECT_NEAR(motion["y"][1], 1.625, 1e-12);
  EXPECT_NEAR(motion["y'"][1], 1.75, 1e-11);
}

TEST(Inputs, are_overridden_like_parameters) {
  const Description description = describe(Text("F*cos(t)"), Text(0));
  EXPECT_NEAR(run(description, {{"push", "4"}})["x"].back(), 4, 1e-9);
  EXPECT_NEAR(run(description, {{"push", "3*t"}})["x"].back(), 2, 1e-9);  // x'' = 3 t / 2
}

TEST(Inputs, that_are_constant_are_parameters) {
  const Model model = make_model(describe(Text(4), Text(0)));
  EXPECT_EQ(parameter_values(model, {{"push", 7}}), (std::vector<double>{2, 3, 7, 0}));
  const Linearization small = linearize(make_model(describe(Text(0), Text(0))), {.inputs = {"push"}});
  EXPECT_NEAR(small.B(small.B.rows - 1, 0), 0.5, 1e-15);
}

TEST(Inputs, are_written_as_they_were_read) {
  const std::string text = "[inputs]\na = 2\nb = \"sin(t)\"\nc = { file = \"u.csv\", column = \"torque\" }\n";
  EXPECT_EQ(write_toml(parse_description(text)), text);
}

std::string complaint_of(const Description& description) {
  try {
    make_model(description);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Inputs, that_are_wrong_are_named_with_what_to_do) {
  write_table();
  EXPECT_THAT(complaint_of(describe(Text("x"), Text(0))), HasSubstr("inputs.push: it depends on x"));
  EXPECT_THAT(complaint_of(describe(Text("x*t"), Text(0))), HasSubstr("expected a formula of t and parameters"));
  EXPECT_THAT(complaint_of(describe({"none.csv", "cube"}, Text(0))), HasSubstr("cannot be read"));
  EXPECT_THAT(complaint_of(describe({"signal.csv", "cub"}, Text(0))), HasSubstr("did you mean 'cube'?"));
  EXPECT_THAT(complaint_of(describe(Text(0), Text(0)).input("m")), HasSubstr("already that of the parameter"));
}

}  // namespace
