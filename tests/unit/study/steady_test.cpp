#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/study/linearize.hpp>

using namespace dalembert;
using testing::HasSubstr;

namespace {

const std::vector<std::string> constant{"psi'", "theta", "phi'"};

/// a x^2 + b x + c = 0, the root of the smaller or of the larger size.
double root(double a, double b, double c, bool larger) {
  const double q = -(b + std::copysign(std::sqrt(b * b - 4 * a * c), b)) / 2;
  return larger ? q / a : c / q;
}

/// The motion itself from a state: how far each of its coordinates and rates goes from where it began.
double wander(const Model& model, const Linearization& found, const std::string& column) {
  NamedNumbers initial;
  for (std::size_t i = 0; i < found.coordinates.size(); ++i) {
    initial.emplace_back(found.coordinates[i], found.about.q[i]);
    initial.emplace_back(found.coordinates[i] + "'", found.about.rates[i]);
  }
  const Trajectory motion = System(derive_multipliers(model)).simulate({.until = 1, .initial = initial});
  EXPECT_TRUE(motion) << motion.message;
  double most = 0;
  for (const double value : motion[column]) most = std::max(most, std::abs(value - motion[column].front()));
  return most;
}

// (Ia + m r^2) w2 psi' cos(theta) - Id psi'^2 sin(theta) cos(theta) + m g r sin(theta) = 0 with w2 = phi' + psi'
// sin(theta), the rate about the axle: a quadratic equation for psi'.
TEST(Steady, circles_of_a_leaning_disk_are_the_roots_of_their_quadratic) {
  const double m = 2, r = 0.3, g = 9.81, theta = 0.3, phi = 8, rim = 1.5 * m * r * r, sine = std::sin(theta),
               cosine = std::cos(theta);
  for (const bool fast : {false, true}) {
    const double expected = root(sine * cosine * (rim - m * r * r / 4), rim * phi * cosine, m * g * r * sine, fast);
    const Model model =
        with_guesses(load_model("models:rolling_disk_tilted",
                                {{"theta'", "0"}, {"X'", "2"}, {"Y'", "0"}, {"psi'", fast ? "-20" : "-1"}}),
                     std::vector<std::string>{"psi'", "X'", "Y'"});
    const Linearization found = linearize(model, {.constant = constant});
    EXPECT_NEAR(found.about.rates[2], expected, 1e-11 * std::abs(expected));
    EXPECT_EQ(found.about.rates[4], phi);  // given
    EXPECT_EQ(found.about.q[3], theta);
  }
}

TEST(Steady, a_disk_that_is_set_going_so_keeps_its_lean) {
  const Model model = with_guesses(load_model("models:rolling_disk_tilted", {{"theta'", "0"}}),
                                   std::vector<std::string>{"psi'", "X'", "Y'"});
  const Linearization found = linearize(model, {.constant = constant});
  EXPECT_LT(wander(model, found, "theta"), 1e-9);
  EXPECT_LT(wander(model, found, "psi'"), 1e-9);
  EXPECT_GT(wander(model, found, "X'"), 0.1);  // it goes round
}

// (I1 - I3) cos(theta) psi'^2 - I3 phi' psi' + m g c = 0 (Goldstein 1980, section 5-7).
TEST(Steady, a_heavy_top_precesses_slowly_or_fast) {
  for (const bool fast : {false, true}) {
    const double expected = root((0.05 - 0.02) * std::cos(0.5), -0.02 * 60, 9.81 * 0.3, fast);
    const Model model =
        with_guesses(load_model("models:heavy_top_symmetric", {{"theta'", "0"}, {"psi'", fast ? "50" : "1"}}),
                     std::vector<std::string>{"psi'"});
    const Linearization found = linearize(model, {.constant = constant});
    EXPECT_NEAR(found.about.rates[0], expected, 1e-11 * expected);
    EXPECT_LT(wander(model, found, "theta"), 1e-9);
  }
}

// The same question by its other name, where what is constant is found from the equations.
TEST(Steady, naming_what_is_constant_and_naming_what_to_solve_for_are_one) {
  const Model model = load_model("models:heavy_top_symmetric", {{"theta'", "0"}});
  const Linearization by_constant =
      linearize(with_guesses(model, std::vector<std::string>{"psi'"}), {.constant = constant});
  const Linearization by_unknown = linearize(model, {.steady = {"psi'"}});
  EXPECT_EQ(by_constant.about.rates, by_unknown.about.rates);
}

// What is cyclic is found from the equations, and what is a guess is solved for.
TEST(Steady, guesses_are_solved_for_where_nothing_is_named) {
  const Model model = with_guesses(load_model("models:heavy_top_symmetric", {{"theta'", "0"}, {"psi'", "1"}}),
                                   std::vector<std::string>{"psi'"});
  const double expected = root((0.05 - 0.02) * std::cos(0.5), -0.02 * 60, 9.81 * 0.3, false);
  EXPECT_NEAR(linearize(model).about.rates[0], expected, 1e-11 * expected);
}

// The lean follows from the rates here: cos(theta) of the same equation.
TEST(Steady, a_value_can_be_solved_for_as_well_as_a_rate) {
  const Model model = with_guesses(
      load_model("models:heavy_top_symmetric", {{"theta'", "0"}, {"theta", "1"}, {"psi'", "2.5"}, {"phi'", "60"}}),
      std::vector<std::string>{"theta"});
  const Linearization found = linearize(model, {.constant = constant});
  EXPECT_NEAR(std::cos(found.about.q[1]), (0.02 * 60 * 2.5 - 9.81 * 0.3) / (0.03 * 2.5 * 2.5), 1e-11);
}

// Bends begin where the capsize root is zero: 6.02426201538 m/s (Meijaard and others 2007, table 2); the speed is an
// even function of the lean, and 1e-3 is 3e-6 off by 2.6 phi^2.
TEST(Steady, a_bicycle_left_alone_goes_round_wide_bends_at_its_capsize_speed) {
  const Model model = with_guesses(load_model("models:whipple_bicycle", {{"phi", "0.001"}, {"phi'", "0"}}),
                                   std::vector<std::string>{"delta", "theta", "psi'", "x'", "y'", "rotF'", "rotR'"});
  const Linearization found = linearize(model, {.constant = {"phi", "delta", "psi'", "rotR'"}});
  EXPECT_NEAR(-0.3 * found.about.rates[6], 6.02426201538, 5e-6);
}

std::string complaint_of(const Model& model, const LinearizeOptions& options) {
  try {
    linearize(model, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Steady, what_cannot_be_is_said) {
  const Model top = load_model("models:heavy_top_symmetric", {{"theta'", "0"}});
  EXPECT_THAT(complaint_of(top, {.constant = constant}), HasSubstr("nothing is left to solve for, and theta'' ="));
  const std::vector<std::string> slow{"psi'"};
  const Model falling = with_guesses(load_model("models:heavy_top_symmetric", {{"theta'", "0"}, {"phi'", "5"}}), slow);
  EXPECT_THAT(complaint_of(falling, {.constant = constant}), HasSubstr("by changing psi': theta'' ="));
  EXPECT_THAT(complaint_of(top, {.constant = {"chi"}}), HasSubstr("steady.constant: chi is not part of the state"));
}

TEST(Steady, sections_are_written_as_they_were_read) {
  const std::string text =
      "[steady]\nconstant = [\"psi'\", \"theta\"]\n\n[inverse]\nfollow = { \"position(hand).x\" = \"0.1*sin(t)\", "
      "\"a'\" = 2 }\nby = [\"tau\"]\n\n[periodic]\nsection = \"theta' = 0\"\nperiod = \"2*pi\"\nfree = [\"theta\", "
      "\"T\"]\n";
  EXPECT_EQ(write_toml(parse_description(text)), text);
}

}  // namespace
