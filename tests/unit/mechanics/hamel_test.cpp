#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/mechanics/state.hpp>
#include <dalembert/model/description.hpp>
#include <random>

#include "support/larger.hpp"
#include "support/own_graph.hpp"
#include "support/solve.hpp"

using namespace dalembert;
using testing_support::larger;
using testing_support::solve;

namespace {

using Matrix = std::vector<std::vector<double>>;

/// Numbers of everything that the equations need at one state.
class At {
 public:
  explicit At(const Model& model) {
    std::vector<double> values = parameter_values(model);
    for (std::size_t i = 0; i < values.size(); ++i) bindings_.push_back({model.parameters[i].symbol, values[i]});
  }
  void bind(Expr symbol, double value) { bindings_.push_back({symbol, value}); }
  double operator()(Expr expression) const { return evaluate(expression, bindings_); }
  std::vector<double> operator()(const std::vector<Expr>& list) const { return evaluate(list, bindings_); }

 private:
  std::vector<Binding> bindings_;
};

/// The motion by Hamel's equations put into Lagrange's with multipliers: what is left over, and the accelerations'
/// size.
std::pair<double, double> left_over(const Model& model, const Equations& hamel, const Equations& lagrange,
                                    unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> spread(-0.3, 0.3);
  At at(model);
  at.bind(model.time, 0.4);
  const State start = initial_state(hamel, parameter_values(model));
  for (std::size_t i = 0; i < hamel.coordinates.size(); ++i) at.bind(hamel.coordinates[i], start.q[i] + spread(random));
  for (std::size_t i = 0; i < hamel.velocities.size(); ++i) at.bind(hamel.velocities[i], start.u[i] + spread(random));
  Matrix mass(hamel.mass.size(), std::vector<double>(hamel.mass.size(), 0.0));
  for (std::size_t i = 0; i < mass.size(); ++i)
    for (const Entry& entry : hamel.mass[i]) mass[i][entry.column] = mass[entry.column][i] = at(entry.value);
  std::vector<double> right = at(hamel.bias);
  for (double& value : right) value = -value;
  std::vector<double> acceleration = solve(mass, right).value();
  for (std::size_t i = 0; i < acceleration.size(); ++i) at.bind(hamel.accelerations[i], acceleration[i]);

  std::vector<double> rates = at(hamel.model_rates), second = at(hamel.model_accelerations), multipliers;
  for (const ReactionFormula& reaction : hamel.quasi->reactions) multipliers.push_back(at(reaction.value));
  for (std::size_t i = 0; i < rates.size(); ++i) at.bind(lagrange.velocities[i], rates[i]);
  std::vector<double> rest = at(lagrange.bias);
  double size = 1;
  for (std::size_t i = 0; i < lagrange.mass.size(); ++i)
    for (const Entry& entry : lagrange.mass[i]) {
      double value = at(entry.value);
      size = std::max(size, std::fabs(value * second[entry.column]));
      rest[i] += value * second[entry.column];
      if (entry.column != i) rest[entry.column] += value * second[i];
    }
  double worst = 0;
  for (const ConstraintRow& row : lagrange.rows) {
    auto found = std::ranges::find(hamel.quasi->reactions, row.name, &ReactionFormula::name);
    double multiplier = multipliers[static_cast<std::size_t>(found - hamel.quasi->reactions.begin())];
    double velocity = at(row.offset), drift = at(row.drift);
    for (const Entry& entry : row.jacobian) {
      double value = at(entry.value);
      rest[entry.column] -= value * multiplier;
      velocity += value * rates[entry.column];
      drift += value * second[entry.column];
    }
    worst = larger(larger(worst, velocity), drift);
  }
  for (double value : rest) worst = larger(worst, value);
  return {worst, size};
}

class HamelEquations : public testing::TestWithParam<std::string> {};

TEST_P(HamelEquations, SatisfyLagrangesEquationsWithTheSurplusReactionsAsMultipliers) {
  Model model = load_model(find_model("models:" + GetParam()));
  const auto own = support::own_graph(model);
  const QuasiFrame frame = make_frame(model);
  Equations hamel = derive_hamel(own, frame, derive_transition_coefficients(model, frame)),
            lagrange = derive_multipliers(own);
  EXPECT_EQ(hamel.velocities.size() + hamel.quasi->reactions.size(), model.coordinates.size());
  for (unsigned seed = 1; seed <= 20; ++seed) {
    auto [worst, size] = left_over(model, hamel, lagrange, seed);
    // Some hundreds of operations on numbers of that size.
    EXPECT_LT(worst, 1e3 * 2.3e-16 * size) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Bundled, HamelEquations,
                         testing::Values("rolling_disk_tilted", "chaplygin_sleigh_offset",
                                         "chaplygin_sleigh_zero_offset", "rolling_disk_vertical", "snakeboard",
                                         "turntable_ball_const", "skate"));

class ChosenVelocities : public testing::TestWithParam<std::string> {};

TEST_P(ChosenVelocities, MakeTheKineticEnergyASumOfSquaresWhereTheyAreChosen) {
  Model model = load_model(find_model("models:" + GetParam()));
  Equations hamel = derive_hamel_motion(support::own_graph(model)).equations;
  ASSERT_FALSE(hamel.quasi->completion->symbols.empty());
  At at(model);
  at.bind(model.time, 0);
  const State start = initial_state(hamel, parameter_values(model));
  for (const Binding& binding : bind_symbols(hamel, start, parameter_values(model)))
    at.bind(binding.symbol, binding.value);
  ASSERT_FALSE(hamel.mass.empty());
  for (std::size_t i = 0; i < hamel.mass.size(); ++i)
    for (const Entry& entry : hamel.mass[i]) EXPECT_NEAR(at(entry.value), entry.column == i ? 1 : 0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Bundled, ChosenVelocities,
                         testing::Values("turntable_ball_const", "spherical_pendulum", "whipple_bicycle", "chain_10"));

TEST(QuasiFrame, HasBodyRatesInPlaceOfAQuaternion) {
  Model model = load_model(find_model("models:heavy_top_quaternion"));
  QuasiFrame frame = make_frame(model);
  ASSERT_EQ(frame.size(), 4u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_FALSE(frame.velocities[k].row) << frame.velocities[k].name;
  EXPECT_TRUE(frame.velocities[3].row);
  // omega = 2 conj(e) e' for a unit quaternion: structure constants of the rotations in the body (Hamel 1904, section
  // 4).
  for (const TransitionCoefficient& b : derive_transition_coefficients(model, frame))
    if (b.mu < 3 && b.nu < 3 && b.rho < 3) {
      EXPECT_TRUE(are_equal(b.value, model.graph->constant(b.mu == 0 && b.nu == 2 ? -1 : 1)));
    }
}

/// Coordinates x1 ... xn, a, b and velocities w_k = cos(a) x_k' + sin(b) x_(k+1)', the last one with x1': each entry
/// vanishes somewhere, the determinant cos(a)^n - (-sin(b))^n elsewhere.
Model make_ring(int size) {
  Description d("ring");
  std::string kinetic = "(a'^2 + b'^2)/2";
  d.coordinate("a", {.value = "0.4"}).coordinate("b", {.value = "0.3"});
  const auto rate = [](int k) { return "x" + std::to_string(k) + "'"; };
  for (int k = 1; k <= size; ++k) {
    d.coordinate("x" + std::to_string(k), {.value = "0"});
    kinetic += " + " + rate(k) + "^2/2";
    d.quasi_velocity("w" + std::to_string(k), "cos(a)*" + rate(k) + " + sin(b)*" + rate(k % size + 1));
  }
  d.quasi_velocity("va", "a'").quasi_velocity("vb", "b'");
  d.energy.kinetic = kinetic;
  return make_model(d);
}

class Frames : public testing::TestWithParam<int> {};

TEST_P(Frames, AreInvertedWhereverTheyAreInvertible) {
  const Model model = make_ring(GetParam());
  const QuasiFrame frame = make_frame(model);
  Graph& graph = *model.graph;
  for (const char* a : {"0", "pi/2", "pi", "pi/6"})
    for (const char* b : {"0", "pi/2", "pi", "-pi/2", "pi/3"}) {
      const std::vector<Replacement> at{{model.coordinates[0].q, parse_expression(graph, a)},
                                        {model.coordinates[1].q, parse_expression(graph, b)}};
      const Expr cosine = substitute(cos(model.coordinates[0].q), at),
                 sine = substitute(sin(model.coordinates[1].q), at);
      if (are_equal(pow(cosine, GetParam()), pow(-sine, GetParam()))) continue;
      for (std::size_t r = 0; r < frame.size(); ++r)
        for (std::size_t s = 0; s < frame.size(); ++s) {
          std::vector<Expr> terms;  // exact numbers: a division by zero would not be overlooked
          for (std::size_t l = 0; l < frame.size(); ++l)
            terms.push_back(substitute(frame.pi[r][l], at) * substitute(frame.xi[s][l], at));
          EXPECT_TRUE(are_equal(graph.sum(terms), graph.constant(r == s ? 1 : 0))) << a << " " << b;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(OfRings, Frames, testing::Values(2, 3, 5, 7));

using Table = std::vector<std::pair<std::array<std::size_t, 3>, const char*>>;

/// beta_mnr as formulas, indices from 1 (Hamel 1904, section 1).
void expect_coefficients(const std::string& name, const Table& expected) {
  Model model = load_model(find_model("models:" + name));
  QuasiFrame frame = make_frame(model);
  auto beta = derive_transition_coefficients(model, frame);
  EXPECT_EQ(beta.size(), expected.size()) << name;
  for (const auto& [indices, text] : expected) {
    auto found = std::ranges::find_if(beta, [&](const TransitionCoefficient& b) {
      return b.mu + 1 == indices[0] && b.nu + 1 == indices[1] && b.rho + 1 == indices[2];
    });
    ASSERT_NE(found, beta.end()) << name << " " << text;
    EXPECT_TRUE(are_equal(found->value, parse_expression(*model.graph, text))) << name << " " << text;
  }
}

TEST(TransitionCoefficients, OfTheRollingDisk) {
  expect_coefficients("rolling_disk_tilted", {{{1, 3, 2}, "-1"},
                                              {{1, 3, 3}, "tan(theta)"},
                                              {{2, 3, 5}, "-r/cos(theta)"},
                                              {{3, 4, 5}, "1/cos(theta)"},
                                              {{3, 5, 4}, "-1/cos(theta)"}});
}

TEST(TransitionCoefficients, OfTheSleigh) {
  expect_coefficients("chaplygin_sleigh_offset", {{{1, 3, 2}, "-1"}, {{2, 3, 1}, "1"}});
}

TEST(TransitionCoefficients, OfTheSnakeboard) {
  expect_coefficients("snakeboard", {{{2, 3, 4}, "1/cos(phi)"},
                                     {{2, 3, 5}, "-1/cos(phi)"},
                                     {{2, 4, 4}, "tan(phi)"},
                                     {{2, 5, 5}, "tan(phi)"},
                                     {{3, 4, 3}, "sin(phi)/(2*l*cos(phi)^2)"},
                                     {{3, 4, 4}, "(1 - tan(phi)^2)/(2*l)"},
                                     {{3, 4, 5}, "1/(2*l*cos(phi)^2)"},
                                     {{3, 5, 3}, "sin(phi)/(2*l*cos(phi)^2)"},
                                     {{3, 5, 4}, "-1/(2*l*cos(phi)^2)"},
                                     {{3, 5, 5}, "(tan(phi)^2 - 1)/(2*l)"},
                                     {{4, 5, 3}, "1/(2*l*cos(phi)^2)"},
                                     {{4, 5, 4}, "-sin(phi)/(2*l*cos(phi)^2)"},
                                     {{4, 5, 5}, "sin(phi)/(2*l*cos(phi)^2)"}});
}

/// Three particles' worth of coordinates x, y, z, w with unit masses and the given constraints.
Model make_constrained(std::vector<std::pair<const char*, const char*>> constraints) {
  Description d("constrained");
  for (const char* name : {"x", "y", "z", "w"}) d.coordinate(name, {.value = "0.3"});
  d.energy.kinetic = "(x'^2 + y'^2 + z'^2 + w'^2)/2";
  for (const auto& [name, relation] : constraints) d.constraint(name, relation);
  return make_model(d);
}

std::vector<std::optional<bool>> integrable(std::vector<std::pair<const char*, const char*>> constraints) {
  Integrability result = decide_integrability(make_constrained(std::move(constraints)));
  std::vector<std::optional<bool>> verdicts;
  for (const auto& entry : result.constraints) verdicts.push_back(entry.in_system);
  return verdicts;
}

using Verdicts = std::vector<std::optional<bool>>;

TEST(Integrability, TimeCountsAsACoordinate) {
  EXPECT_EQ(integrable({{"a", "y' = x"}}), Verdicts({false}));
  EXPECT_EQ(integrable({{"a", "y' = t*x'"}}), Verdicts({false}));
  EXPECT_EQ(integrable({{"a", "y' = t"}}), Verdicts({true}));
}

TEST(Integrability, DependsOnTheOtherConstraints) {
  EXPECT_EQ(integrable({{"a", "z' = x*y'"}}), Verdicts({false}));
  EXPECT_EQ(integrable({{"a", "z' = x*y'"}, {"b", "x' = 0"}}), Verdicts({true, true}));
  EXPECT_EQ(integrable({{"a", "z' = x*y' - y*x'"}}), Verdicts({false}));
  EXPECT_EQ(integrable({{"a", "z' = x*y' - y*x'"}, {"b", "x^2 + y^2 = 0.18"}}), Verdicts({true, true}));
}

TEST(Integrability, ExactFormsAndIntegratingFactors) {
  EXPECT_EQ(integrable({{"a", "y*x' + x*y' = 0"}}), Verdicts({true}));
  EXPECT_EQ(integrable({{"a", "y*x' - x*y' = 0"}}), Verdicts({true}));
}

TEST(Integrability, OfEngelsSystemNothingIsLeft) {
  EXPECT_EQ(integrable({{"a", "y' = z*x'"}, {"b", "z' = w*x'"}}), Verdicts({false, false}));
}

TEST(Integrability, OfADiskAsABodyTheHeightIsFoundAmongWhatRolls) {
  Integrability result = decide_integrability(load_model(find_model("models:rolling_disk_body")));
  for (const auto& entry : result.constraints) EXPECT_EQ(entry.in_system, std::optional(entry.name == "roll.z"));
  EXPECT_EQ(result.integrals, std::optional<std::size_t>(1));
}

TEST(Integrability, OfTheBicyclesRollingNothingIntegrates) {
  Integrability result = decide_integrability(load_model(find_model("models:whipple_bicycle")));
  for (const auto& entry : result.constraints) {
    EXPECT_EQ(entry.in_system, std::optional(entry.name == "touch")) << entry.name;
    EXPECT_EQ(entry.by_itself, std::optional(entry.name == "touch")) << entry.name;
  }
  EXPECT_EQ(result.integrals, std::optional<std::size_t>(1));
}

/// Goursat's normal form of so many forms: of each step of the flag one form is left over, and none of the last.
std::string chained(int k) { return "a" + std::to_string(k); }

TEST(Integrability, OfALongChainOfFormsNothingIsLeft) {
  Description d("goursat");
  std::string kinetic = "x'^2/2";
  d.coordinate("x", {.value = "0.1"});
  for (int k = 0; k < 7; ++k) {
    d.coordinate(chained(k), {.value = "0.2"});
    kinetic += " + " + chained(k) + "'^2/2";
  }
  d.energy.kinetic = kinetic;
  for (int k = 0; k + 1 < 7; ++k) d.constraint("c" + std::to_string(k), chained(k) + "' = " + chained(k + 1) + "*x'");
  Integrability result = decide_integrability(make_model(d));
  for (const auto& entry : result.constraints) EXPECT_EQ(entry.in_system, std::optional(false)) << entry.name;
  EXPECT_EQ(result.integrals, std::optional<std::size_t>(0));
}

TEST(Integrability, IsAskedOnTheGeometricConstraintsNotBesideThem) {
  // Beside w = 0 the form dz - w x dy has no integral; on it z is one.
  EXPECT_NE(integrable({{"a", "z' = w*x*y'"}, {"b", "w = 0"}})[0], std::optional(false));
  EXPECT_EQ(integrable({{"a", "z' = (w + 1)*x*y'"}, {"b", "w = 0"}})[0], std::optional(false));
}

TEST(Integrability, OfTheCarWithTrailerTheRearWheelPassesOneStepOnly) {
  Integrability result = decide_integrability(load_model(find_model("models:car_with_trailer")));
  EXPECT_FALSE(result.constraints.empty());
  for (const auto& entry : result.constraints) EXPECT_EQ(entry.in_system, std::optional(false)) << entry.name;
  EXPECT_EQ(result.integrals, std::optional<std::size_t>(0));
}

}  // namespace
