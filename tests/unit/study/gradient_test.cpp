#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/study/gradient.hpp>

using namespace dalembert;
using testing::HasSubstr;

// Every derivative is compared with differences of motions that were computed without any: central ones of fourth order
// at a tolerance of 1e-13, good to about 1e-9 of a column's size.

namespace {

Model model_of(const std::string& text) { return make_model(parse_description(text)); }

bool is_parameter(const Model& model, const std::string& name) {
  for (const Parameter& parameter : model.parameters)
    if (parameter.name == name) return true;
  return false;
}

/// The value that a name has in the model.
double value_of(const Model& model, const std::string& name) {
  const std::vector<double> parameters = parameter_values(model);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (model.parameters[i].name == name) return parameters[i];
  const ModelState start = initial_state(model);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    if (model.coordinates[i].name == name) return start.q[i];
    if (model.coordinates[i].rate.name() == name) return start.rates[i];
  }
  ADD_FAILURE() << name;
  return 0;
}

struct Neighbours {
  std::vector<Trajectory> motions;
  double h = 0;
  static constexpr double weights[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
};

Neighbours run_beside(const Model& model, SimulateOptions options, const std::string& name) {
  const System system(derive_multipliers(model));
  const double value = value_of(model, name);
  Neighbours found;
  found.h = 5e-4 * std::max(0.1, std::abs(value));
  options.tolerance = 1e-13;
  for (const int k : {-2, -1, 1, 2}) {
    SimulateOptions there = options;
    (is_parameter(model, name) ? there.parameters : there.initial).emplace_back(name, value + k * found.h);
    found.motions.push_back(system.simulate(there));
  }
  return found;
}

/// The gradient of every column is that of differences, to 1e-7 of its largest value.
void expect_differences(const Model& model, const SimulateOptions& options, const std::vector<std::string>& by) {
  GradientSystem system(model, by);
  SimulateOptions tight = options;
  tight.tolerance = 1e-12;
  const Trajectory motion = system.simulate(tight).motion;
  EXPECT_TRUE(motion) << motion.message;
  for (const std::string& name : by) {
    const Neighbours beside = run_beside(model, options, name);
    for (const std::string& column : system.columns()) {
      if (column == "t" || column == "residual") continue;
      const std::span<const double> slope = motion[gradient_column(column, name)];
      double size = 0, error = 0, largest = 0;
      for (std::size_t i = 0; i < slope.size(); ++i) {
        double difference = 0;
        for (std::size_t k = 0; k < 4; ++k)
          difference += Neighbours::weights[k] * beside.motions[k][column][i] / beside.h;
        size = std::max(size, std::abs(difference));
        largest = std::max(largest, std::abs(motion[column][i]));
        error = std::max(error, std::abs(slope[i] - difference));
      }
      // The motions themselves are good to some 1e-12 of a column, which differences divide by h.
      const double noise = 3e-12 * std::max(largest, 1e-3) / beside.h;
      EXPECT_LT(error, 1e-7 * size + noise) << gradient_column(column, name) << " of size " << size;
    }
  }
}

const std::string pendulum = R"toml(
gravity = [0, 0, "-g"]
[parameters]
l = 0.7
m = 2
g = 9.81
b = 0.3
half = "l/2"
[coordinates]
a = { value = 1, rate = 0.5 }
[points.P]
position = ["l*sin(a)", 0, "-l*cos(a)"]
mass = "m"
[points.Q]
position = ["half*sin(a)", 0, "-half*cos(a)"]
mass = "m"
[energy]
dissipation = "b*a'^2/2"
[outputs]
height = "-l*cos(a)"
push   = "a''"
[events]
down = { when = "a", action = "record" }
[simulate]
until = 3
every = 0.25
)toml";

TEST(Gradient, of_a_pendulum_is_that_of_differences_by_parameters_and_initial_values) {
  expect_differences(model_of(pendulum), {}, {"l", "m", "b", "a", "a'"});
}

TEST(Gradient, leaves_the_motion_as_it_is) {
  const Model model = model_of(pendulum);
  const Trajectory alone = System(derive_multipliers(model)).simulate();
  GradientSystem system(model, {"l"});
  const Trajectory both = system.simulate().motion;
  ASSERT_EQ(alone.rows.size(), both.rows.size());
  for (const std::string& column : alone.columns)
    for (std::size_t i = 0; i < alone.rows.size(); ++i) EXPECT_EQ(alone[column][i], both[column][i]) << column;
}

TEST(Gradient, of_the_time_of_an_event_is_that_of_differences) {
  const Model model = model_of(pendulum);
  GradientSystem system(model, {"l", "a'"});
  const GradientMotion found = system.simulate({.tolerance = 1e-12});
  ASSERT_GT(found.event_times.size(), 2u);
  for (std::size_t p = 0; p < 2; ++p) {
    const Neighbours beside = run_beside(model, {}, system.by()[p]);
    for (std::size_t i = 0; i < found.event_times.size(); ++i) {
      double difference = 0;
      for (std::size_t k = 0; k < 4; ++k)
        difference += Neighbours::weights[k] * beside.motions[k].events[i].t / beside.h;
      EXPECT_NEAR(found.event_times[i][p].second, difference, 1e-8 * std::max(1.0, std::abs(difference)));
    }
  }
}

/// A rod as a constraint: positions and multipliers change with its length; the start follows by its formulas.
TEST(Gradient, goes_along_the_constraints) {
  const Model model = model_of(R"toml(
gravity = [0, 0, "-g"]
[parameters]
l = 0.7
m = 2
g = 9.81
[coordinates]
x = { value = "l*sin(1)", rate = "l*cos(1)/2" }
z = { value = "-l*cos(1)", rate = "l*sin(1)/2" }
[points.P]
position = ["x", 0, "z"]
mass = "m"
[constraints]
rod = "x^2 + z^2 = l^2"
[simulate]
until = 3
every = 0.25
)toml");
  expect_differences(model, {}, {"l", "m", "g"});
}

TEST(Gradient, of_a_rolling_disk_goes_along_non_holonomic_constraints) {
  const Model model = load_model("models:rolling_disk_tilted");
  expect_differences(model, {.until = 2, .every = 0.5}, {"m", "r"});
}

const std::string ball = R"toml(
gravity = [0, 0, "-g"]
[parameters]
g = 9.81
m = 1
e = 0.8
k = 0.1
h = 1
slope = 0.2
[coordinates]
x = { value = 0, rate = 1 }
z = "h"
[points.B]
position = ["x", 0, "z"]
mass = "m"
force = ["-k*x'", 0, "-k*z'"]
[constraints]
floor = { relation = "z - slope*x + 0.05*sin(3*x) >= 0", restitution = "e" }
[simulate]
until = 1.9
every = 0.19
)toml";

TEST(Gradient, goes_through_impacts) {
  expect_differences(model_of(ball), {}, {"e", "g", "h", "k", "slope", "x'", "m"});
}

TEST(Gradient, of_the_time_of_an_impact_is_that_of_a_fall) {
  const Model model = model_of(R"toml(
gravity = [0, 0, "-g"]
[parameters]
g = 9.81
e = 0.5
h = 1
[coordinates]
z = "h"
[points.B]
position = [0, 0, "z"]
mass = 1
[constraints]
floor = { relation = "z >= 0", restitution = "e" }
[simulate]
until = 1
)toml");
  GradientSystem system(model, {"h", "e"});
  const GradientMotion found = system.simulate();
  ASSERT_EQ(found.event_times.size(), 2u);
  // t1 = sqrt(2 h / g); the second impact comes 2 e t1 later.
  const double fall = std::sqrt(2 / 9.81);
  EXPECT_NEAR(found.event_times[0][0].second, fall / 2, 1e-9);
  EXPECT_NEAR(found.event_times[0][1].second, 0, 1e-9);
  EXPECT_NEAR(found.event_times[1][0].second, fall, 1e-9);
  EXPECT_NEAR(found.event_times[1][1].second, 2 * fall, 1e-9);
}

/// A contact that holds after it was struck, and one that lets go.
TEST(Gradient, goes_through_touch_down_and_lift_off) {
  const Model model = load_model("models:unilateral_sphere_liftoff");
  GradientSystem system(model, {model.parameters[0].name});
  EXPECT_TRUE(system.simulate().motion);
  expect_differences(model_of(R"toml(
gravity = [0, 0, "-g"]
[parameters]
g = 9.81
c = 0.3
[coordinates]
x = { value = 0, rate = 2 }
z = { value = 0.3, rate = 0 }
[points.B]
position = ["x", 0, "z"]
mass = 1
[constraints]
hill = "z + c*x^2 >= 0"
[simulate]
until = 1
every = 0.1
)toml"),
                     {}, {"g", "c", "x'"});
}

/// A parallelogram flattens: its constraints lose rank for an instant, and the motion goes through.
TEST(Gradient, goes_through_a_singular_configuration) {
  const Model model = model_of(R"toml(
[parameters]
r = 1
d = 1.7
m = 1.3
w = 1.1
[coordinates]
a = { value = 1, rate = "w" }
b = { value = 1, rate = "w" }
[points.A]
position = ["r*cos(a)", "r*sin(a)", 0]
mass = "m"
[points.B]
position = ["d + r*cos(b)", "r*sin(b)", 0]
mass = 1
force = [0, "-0.2*sin(b)", 0]
[constraints]
coupler = "(d + r*cos(b) - r*cos(a))^2 + (r*sin(b) - r*sin(a))^2 = d^2"
[simulate]
until = 4
every = 0.5
)toml");
  GradientSystem system(model, {"w", "m"});
  const Trajectory motion = system.simulate({.tolerance = 1e-12}).motion;
  EXPECT_GT(motion.statistics.crossings, 0u);
  for (const std::string name : {"w", "m"}) {
    const Neighbours beside = run_beside(model, {}, name);
    for (const std::string column : {"a", "b", "a'", "b'"}) {
      const std::span<const double> slope = motion[gradient_column(column, name)];
      for (std::size_t i = 0; i < slope.size(); ++i) {
        double difference = 0;
        for (std::size_t k = 0; k < 4; ++k)
          difference += Neighbours::weights[k] * beside.motions[k][column][i] / beside.h;
        EXPECT_NEAR(slope[i], difference, 1e-7 * std::max(1.0, std::abs(difference)))
            << column << " " << name << " " << i;
      }
    }
  }
}

// A parallelogram that is flat at about t = 0.3; where in a step that is depends on the tolerance.
const std::string flat = R"toml(
[parameters]
l = 1
d = 1
rod = 1
m = 1
w = 1
[coordinates]
a = { value = 0.3, rate = "-w" }
b = { guess = 0.3 }
[points.A]
position = ["l*cos(a)", "l*sin(a)", 0]
mass = "m"
[points.B]
position = ["d + l*cos(b)", "l*sin(b)", 0]
mass = "2*m"
[constraints]
coupler = "dot(position(B) - position(A), position(B) - position(A)) = rod^2"
[forces]
a = "-0.3*a"
[simulate]
until = 1
every = 0.25
)toml";

TEST(Gradient, goes_through_a_singular_configuration_wherever_in_a_step_it_is) {
  const Model model = model_of(flat);
  GradientSystem system(model, {"w", "m"});
  for (const std::string name : {"w", "m"}) {
    const Neighbours beside = run_beside(model, {}, name);
    for (const double tolerance : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
      const Trajectory motion = system.simulate({.tolerance = tolerance}).motion;
      for (const std::string column : {"a", "b", "a'", "b'"}) {
        const std::span<const double> slope = motion[gradient_column(column, name)];
        ASSERT_EQ(slope.size(), 5u);
        for (std::size_t i = 0; i < slope.size(); ++i) {
          double difference = 0;
          for (std::size_t k = 0; k < 4; ++k)
            difference += Neighbours::weights[k] * beside.motions[k][column][i] / beside.h;
          EXPECT_NEAR(slope[i], difference, 1e-7 * std::max(1.0, std::abs(difference)))
              << column << " " << name << " " << i << " " << tolerance;
        }
      }
    }
  }
}

// With a rod that is longer by however little the linkage does not become flat: there is no derivative beyond.
TEST(Gradient, ends_with_a_note_where_neighbours_do_not_pass_a_singular_configuration) {
  GradientSystem system(model_of(flat), {"rod"});
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const Trajectory motion = system.simulate({.tolerance = tolerance}).motion;
    EXPECT_TRUE(motion) << motion.message;
    const std::span<const double> slope = motion["d(a)/d(rod)"];
    EXPECT_TRUE(std::isfinite(slope[1]));
    for (std::size_t i = 2; i < slope.size(); ++i) EXPECT_TRUE(std::isnan(slope[i])) << i << " " << tolerance;
    EXPECT_THAT(motion.notes, testing::Contains(HasSubstr("singular, and they cannot be carried over it")));
  }
}

std::string complaint_of(const Model& model, const std::vector<std::string>& by) {
  try {
    GradientSystem system(model, by);
    system.simulate();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Gradient, says_what_is_wrong_with_a_name_or_a_start) {
  EXPECT_THAT(complaint_of(model_of(pendulum), {"mm"}), HasSubstr("did you mean m?"));
  EXPECT_THAT(complaint_of(model_of(pendulum), {"m", "m"}), HasSubstr("named twice"));
  EXPECT_THAT(complaint_of(model_of(R"toml(
[parameters]
l = 1
[coordinates]
x = 1
y = 0
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
rod = "x^2 + y^2 = l^2"
)toml"),
                           {"l"}),
              HasSubstr("with another l there is no start"));
}

TEST(Gradient, ends_with_a_note_where_impacts_accumulate) {
  const Model model = load_model("models:bouncing_ball");
  GradientSystem system(model, {model.parameters[0].name});
  const Trajectory motion = system.simulate({.until = 10}).motion;
  ASSERT_TRUE(motion);
  ASSERT_FALSE(motion.notes.empty());
  EXPECT_THAT(motion.notes.back(), HasSubstr("infinitely many impacts"));
}

}  // namespace
