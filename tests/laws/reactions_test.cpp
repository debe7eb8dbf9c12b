// Formulas of reactions say what is computed: read back and evaluated at random states on the constraints, they have
// the values that the compiled system gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/study/reactions.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace dalembert {
namespace {

/// A state on the constraints near another one; that one itself where none is found.
State state_near(const System& system, const State& start, std::mt19937_64& random) {
  std::uniform_real_distribution<double> spread(-0.2, 0.2);
  State state = start;
  for (auto* list : {&state.q, &state.u})
    for (double& value : *list) value += spread(random);
  try {
    return system.make_consistent_start(state, true).state;
  } catch (const InputError&) {
    return start;
  }
}

/// Names of reactions are no names of formulas.
std::string plain_names(std::string text, const std::vector<Reaction>& reactions) {
  for (std::size_t i = 0; i < reactions.size(); ++i) {
    const std::string name = reaction_symbol(reactions[i].name);
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
      text.replace(at, name.size(), "reaction_" + std::to_string(i));
  }
  return text;
}

struct Evaluated {
  const Equations& equations;
  const std::vector<Reaction>& named;
  std::vector<Binding> at;

  Evaluated(const Equations& of, const State& state, const std::vector<Reaction>& values)
      : equations(of), named(values), at(bind_symbols(of, state, parameter_values(*of.model))) {
    const Response motion = System(of).evaluate_motion(state);
    for (std::size_t i = 0; i < motion.acceleration.size(); ++i)
      at.push_back({of.accelerations[i], motion.acceleration[i]});
    for (std::size_t i = 0; i < values.size(); ++i)
      at.push_back({of.graph->symbol("reaction_" + std::to_string(i)), values[i].value});
  }
  double operator()(const std::string& formula) const {
    return evaluate(parse_expression(*equations.graph, plain_names(formula, named)), at);
  }
};

/// Solving for the multipliers by formulas and by factors, at states whose matrices are far from singular; the loads
/// of a system are all about as large as the largest.
constexpr double rounding = 1e-9;

class BundledReactions : public testing::TestWithParam<std::string> {};

TEST_P(BundledReactions, HaveTheValuesOfTheirFormulas) {
  const Equations equations = fork(derive_multipliers(load_model("models:" + GetParam())));
  if (equations.coordinates.size() > 100) GTEST_SKIP() << "nothing of this size has formulas";
  const System system(equations);
  const State start = system.make_initial_start().state;
  std::mt19937_64 random(13);
  const std::vector<Reaction> shown = find_reactions(equations, state_near(system, start, random));
  const bool contacts = !equations.contacts.empty();  // elsewhere others may be closed
  for (int trial = 0; trial < 3 && !contacts; ++trial) {
    const State state = state_near(system, start, random);
    const std::vector<Reaction> values = find_reactions(equations, state, {.formulas = false});
    const Evaluated value_of(equations, state, values);
    double size = 0;
    for (const Reaction& each : values) size = std::max(size, std::fabs(each.value));
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (shown[i].formula.empty()) continue;
      EXPECT_NEAR(value_of(shown[i].formula), values[i].value, rounding * (1 + size)) << shown[i].formula;
      for (std::size_t p = 0; p < shown[i].on.size(); ++p)
        for (std::size_t k = 0; k < 3 && !shown[i].on[p].formula[k].empty(); ++k)
          EXPECT_NEAR(value_of(shown[i].on[p].formula[k]), values[i].on[p].value[k], rounding * (1 + size))
              << shown[i].on[p].formula[k];
    }
  }
}

TEST_P(BundledReactions, FitOnAPage) {
  const Equations equations = derive_multipliers(load_model("models:" + GetParam()));
  ReactionsReport report;
  report.state = System(equations).make_initial_start().state;
  report.reactions = find_reactions(equations, report.state);
  const std::string text = write_text(report);
  EXPECT_LE(text.size(), 20'000u);
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) EXPECT_LE(line.size(), 160u) << line;
}

Equations derive_text(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / (name + ".toml");
  std::ofstream(file) << text;
  return fork(derive_multipliers(load_model(file.string())));
}

/// A chain of pendulums whose first angle is driven: solved for all accelerations the motor's moment fills pages, but
/// it is M q'' + h of that coordinate, with the drive's acceleration known.
TEST(Reactions, OfADriveIsMassTimesAcceleration) {
  const Equations equations = derive_text("driven_chain", R"toml(gravity = [0, 0, "-g"]
[parameters]
g = 9.81
m = 1
l = 0.5
[coordinates]
a = { value = 0, rate = 0.6 }
b = 0.2
c = 0.4
[points.A]
position = ["l*sin(a)", 0, "-l*cos(a)"]
mass = "m"
[points.B]
position = ["l*sin(a) + l*sin(b)", 0, "-l*cos(a) - l*cos(b)"]
mass = "m"
[points.C]
position = ["l*sin(a) + l*sin(b) + l*sin(c)", 0, "-l*cos(a) - l*cos(b) - l*cos(c)"]
mass = "m"
[constraints]
motor = "a = 0.3*sin(2*t)"
)toml");
  const State state = System(equations).make_initial_start().state;
  const std::vector<Reaction> reactions = find_reactions(equations, state);
  ASSERT_EQ(reactions.size(), 1u);
  EXPECT_EQ(reactions[0].formula_by, "balance");
  EXPECT_EQ(reactions[0].formula.find("a''"), std::string::npos) << reactions[0].formula;
  EXPECT_NE(reactions[0].formula.find("b''"), std::string::npos) << reactions[0].formula;
  const Evaluated value_of(equations, state, reactions);
  EXPECT_NEAR(value_of(reactions[0].formula), reactions[0].value, rounding * (1 + std::fabs(reactions[0].value)));
}

/// Two forces of a closed loop, and equations that each have both: both are had from two of these, so the formula of
/// one may read the other, but not the other way round as well.
TEST(Reactions, OfALoopAllHaveFormulasThatReadNoneWithout) {
  const Equations equations = derive_text("five_bar", R"toml(gravity = [0, "-g", 0]
[parameters]
g = 9.81
l = 0.5
k = 0.8
c = 0.3
m = 1
J = 0.02
[coordinates]
a = { value = 2.2, rate = 0.3 }
b = { value = 0.9, rate = -0.2 }
p = { guess = 0.8, rate_guess = 0 }
q = { guess = 2.3, rate_guess = 0 }
[frames.left]
origin = ["-c", 0, 0]
rotate = [["z", "a"]]
[frames.right]
origin = ["c", 0, 0]
rotate = [["z", "b"]]
[frames.fore_left]
parent = "left"
origin = ["l", 0, 0]
rotate = [["z", "p - a"]]
[frames.fore_right]
parent = "right"
origin = ["l", 0, 0]
rotate = [["z", "q - b"]]
[bodies.left]
frame = "left"
mass = "m"
centre = ["l/2", 0, 0]
inertia = [0, 0, "J"]
[bodies.right]
frame = "right"
mass = "m"
centre = ["l/2", 0, 0]
inertia = [0, 0, "J"]
[bodies.fore_left]
frame = "fore_left"
mass = "m"
centre = ["k/2", 0, 0]
inertia = [0, 0, "J"]
[bodies.fore_right]
frame = "fore_right"
mass = "m"
centre = ["k/2", 0, 0]
inertia = [0, 0, "J"]
[points.hand]
frame = "fore_left"
position = ["k", 0, 0]
mass = "m"
[points.other_hand]
frame = "fore_right"
position = ["k", 0, 0]
[constraints]
close = "position(hand) = position(other_hand)"
)toml");
  const State state = System(equations).make_initial_start().state;
  const std::vector<Reaction> reactions = find_reactions(equations, state);
  ASSERT_EQ(reactions.size(), 3u);
  const Evaluated value_of(equations, state, reactions);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_FALSE(reactions[i].formula.empty()) << reactions[i].name;
    EXPECT_NEAR(value_of(reactions[i].formula), reactions[i].value, rounding * (1 + std::fabs(reactions[i].value)));
  }
  EXPECT_EQ(reactions[0].formula.find("reaction("), std::string::npos) << reactions[0].formula;
}

/// A plane pendulum held by a point: the constraint's component across the plane reads 0 = 0 and has no velocity of its
/// own, the others have the same formulas as without it.
TEST(Reactions, BySurplusOfWhatIsDeterminedHaveFormulasBesideAnEmptyConstraint) {
  const std::string pendulum = R"toml(gravity = [0, "-g", 0]
[parameters]
g = 9.81
m = 1
l = 0.5
[coordinates]
x = 0.3
y = -0.4
[points.P]
position = ["x", "y", 0]
mass = "m"
[constraints]
rod = "x^2 + y^2 = l^2"
)toml";
  const Equations alone = derive_text("pendulum_alone", pendulum),
                  beside = derive_text("pendulum_beside", pendulum + "empty = \"position(P).z = 0\"\n");
  const auto reactions_of = [](const Equations& equations) {
    return find_surplus_reactions(*equations.model, initial_state(*equations.model), {});
  };
  const std::vector<Reaction> one = reactions_of(alone), two = reactions_of(beside);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NE(one[0].formula, "");
  EXPECT_EQ(two[0].formula, one[0].formula);
  EXPECT_EQ(two[0].remark, "");
  EXPECT_NE(two[1].remark, "");
}

std::vector<std::string> bundled_models() {
  std::vector<std::string> names;
  for (const ModelFile& model : list_models()) names.push_back(model.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, BundledReactions, testing::ValuesIn(bundled_models()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace dalembert
