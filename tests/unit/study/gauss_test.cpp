#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/program/program.hpp>
#include <dalembert/study/geometry.hpp>
#include <dalembert/study/verify.hpp>
#include <random>

#include "base/basis.hpp"
#include "base/tolerances.hpp"
#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Model model_of(const std::string& text) { return make_model(parse_description(text)); }

State start_of(const Equations& equations) {
  const System system(equations);
  return system.make_consistent_start(system.initial_state(), false).state;
}

GaussReport at_rest_of(const Model& model) {
  LeastConstraint gauss = derive_gauss(support::own_graph(model));
  return evaluate_gauss(gauss, start_of(gauss.equations), {});
}

/// Random vectors that the rows take to zero.
class Admissible {
 public:
  Admissible(std::size_t size, const std::vector<std::vector<double>>& rows) : basis_(size) {
    for (const std::vector<double>& row : rows) basis_.add(row, tolerance::dependent);
  }
  std::vector<double> draw(std::mt19937_64& random, double scale) const {
    std::normal_distribution<double> normal;
    std::vector<double> v(basis_.size()), inside(basis_.count());
    for (double& x : v) x = scale * normal(random);
    basis_.split(v, inside);
    return v;
  }

 private:
  OrthonormalBasis basis_;
};

class BundledModels : public testing::TestWithParam<std::string> {};

std::vector<std::string> small_models() {
  std::vector<std::string> names;
  for (const ModelFile& entry : list_models())
    if (load_model(find_model("models:" + entry.name)).coordinates.size() <= 50) names.push_back(entry.name);
  return names;
}

}  // namespace

TEST_P(BundledModels, NoAdmissibleAccelerationHasASmallerZAndTheDecompositionHolds) {
  Model model = load_model(find_model("models:" + GetParam()));
  Equations multipliers = derive_multipliers(support::own_graph(model));
  LeastConstraint gauss = derive_gauss(support::own_graph(model));
  State state = start_of(multipliers);
  GaussReport actual = evaluate_gauss(gauss, state, {});
  const std::size_t n = model.coordinates.size();

  std::vector<Binding> at{{model.time, state.t}};
  std::vector<double> parameters = parameter_values(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) at.push_back({model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < n; ++i) {
    at.push_back({multipliers.coordinates[i], state.q[i]});
    at.push_back({multipliers.velocities[i], state.u[i]});
  }
  std::vector<std::vector<double>> mass(n, std::vector<double>(n)), rows;
  for (std::size_t i = 0; i < n; ++i)
    for (const Entry& entry : multipliers.mass[i])
      mass[i][entry.column] = mass[entry.column][i] = evaluate(entry.value, at);
  auto add_row = [&](const ConstraintRow& row) {
    rows.emplace_back(n, 0.0);
    for (const Entry& entry : row.jacobian) rows.back()[entry.column] = evaluate(entry.value, at);
  };
  std::ranges::for_each(multipliers.rows, add_row);
  for (const ConstraintRow& contact : multipliers.contacts)  // one that touches is kept, as it may be
    if (std::ranges::find(actual.constraints, contact.name) != actual.constraints.end()) add_row(contact);
  std::vector<double> bias = evaluate(multipliers.bias, at);
  std::vector<Expr> symbols;
  std::vector<double> held;
  for (const Binding& binding : at) {
    symbols.push_back(binding.symbol);
    held.push_back(binding.value);
  }
  Function z = compile(make_program(multipliers.accelerations, symbols, {&gauss.Z, 1}));
  Scratch space = z.make_scratch();
  z.set_parameters(space, held);
  double phi = 0;
  z.evaluate(space, actual.actual, {&phi, 1});

  Admissible admissible(n, rows);
  std::mt19937_64 random(1896);
  double largest = 1;
  for (double a : actual.actual) largest = std::max(largest, std::abs(a));
  for (int trial = 0; trial < 10000; ++trial) {
    std::vector<double> added = admissible.draw(random, largest * std::pow(10, -3.0 * (trial % 4)));
    std::vector<double> imagined(n);
    double excess = 0, size = 0, value = 0;
    for (std::size_t i = 0; i < n; ++i) imagined[i] = actual.actual[i] + added[i];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        excess += added[i] * mass[i][j] * added[j];
        size += (std::abs(imagined[i]) + std::abs(actual.actual[i])) * std::abs(mass[i][j]) *
                (std::abs(imagined[j]) + std::abs(actual.actual[j]));
      }
      size += 2 * (std::abs(imagined[i]) + std::abs(actual.actual[i])) * std::abs(bias[i]);
    }
    z.evaluate(space, imagined, {&value, 1});
    // The sums of Z have a few products for each pair of coordinates; size bounds what cancels in them.
    const double bound = 100 * static_cast<double>(n) * epsilon * (size + std::abs(value) + std::abs(phi));
    ASSERT_GE(value, phi - bound) << trial;
    ASSERT_NEAR(value - phi, excess, bound) << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(Gauss, BundledModels, testing::ValuesIn(small_models()),
                         [](const testing::TestParamInfo<std::string>& parameter) { return parameter.param; });

TEST(Gauss, FreeMassPointsHaveNoConstraint) {
  GaussReport report = at_rest_of(model_of(R"toml(
name = "two free masses"
gravity = [0, 0, -9.81]
[coordinates]
r = { value = 2, rate = 0.3 }
phi = { value = 0.4, rate = 1.5 }
z = { value = 1, rate = -2 }
[points.P]
position = ["r*cos(phi)", "r*sin(phi)", "z"]
mass = 1.5
force = ["sin(t) + 1", "-z", 0.3]
)toml"));
  ASSERT_TRUE(report.phi);
  EXPECT_NEAR(*report.phi, 0, 1e-25);
}

/// theory 5.2: |omega|^2 omega.I omega - g.I^-1 g with g = omega x I omega.
TEST(Gauss, AFreeRigidBodyHasTheConstraintOfItsOwnRotation) {
  GaussReport report = at_rest_of(load_model(find_model("models:free_body_euler_vs_impulse")));
  Model model = load_model(find_model("models:free_body_euler_vs_impulse"));
  ASSERT_TRUE(report.phi);
  State state = report.state;
  std::vector<Binding> at{{model.time, 0.0}};
  std::vector<double> parameters = parameter_values(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) at.push_back({model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    at.push_back({model.coordinates[i].q, state.q[i]});
    at.push_back({model.coordinates[i].rate, state.u[i]});
  }
  const Body& body = model.bodies[0];
  std::array<double, 3> w{}, inertia{};
  for (std::size_t k = 0; k < 3; ++k) {
    w[k] = evaluate(model.frames[body.frame].omega_inside[k], at);
    inertia[k] = evaluate(body.inertia[k][k], at);
  }
  double energy = 0, square = 0, swing = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
    energy += inertia[k] * w[k] * w[k];
    square += w[k] * w[k];
    swing += std::pow(w[a] * inertia[b] * w[b] - w[b] * inertia[a] * w[a], 2) / inertia[k];
  }
  EXPECT_NEAR(*report.phi, square * energy - swing, 1e-12 * square * energy);
}

/// Six mass points at plus and minus s_k along three axes are a rigid body: the sum over them is the closed form.
TEST(Gauss, ABodyIsTheSumOfItsMassElements) {
  const std::string common = R"toml(
gravity = [0, 0, -9.81]
[coordinates]
x = { value = 0.1, rate = 0.7 }
a = { value = 0.3, rate = 1.1 }
b = { value = -0.5, rate = -0.8 }
c = { value = 0.2, rate = 2.3 }
[frames.f]
origin = ["x", "x^2", 0]
rotate = [["z", "a"], ["x", "b"], ["y", "c"]]
)toml";
  Model body = model_of("name = \"body\"" + common + R"toml([bodies.B]
frame = "f"
mass = 6
inertia = [26, 20, 10]
)toml");
  std::string points;
  for (const auto& [name, place] : std::vector<std::pair<std::string, std::string>>{{"A", "1, 0, 0"},
                                                                                    {"B", "-1, 0, 0"},
                                                                                    {"C", "0, 2, 0"},
                                                                                    {"D", "0, -2, 0"},
                                                                                    {"E", "0, 0, 3"},
                                                                                    {"F", "0, 0, -3"}})
    points += "[points." + name + "]\nframe = \"f\"\nposition = [" + place + "]\nmass = 1\n";
  Model elements = model_of("name = \"elements\"" + common + points);
  LeastConstraint one = derive_gauss(support::own_graph(body)), six = derive_gauss(support::own_graph(elements));
  std::vector<ImaginedAcceleration> imagined{{0, 1.5}, {1, -2.0}, {2, 0.7}, {3, 4.0}};
  GaussReport a = evaluate_gauss(one, start_of(one.equations), imagined);
  GaussReport b = evaluate_gauss(six, start_of(six.equations), imagined);
  EXPECT_NEAR(*a.Z, *b.Z, 1e-12 * *b.Z);
  EXPECT_NEAR(*a.phi, *b.phi, 1e-12 * *b.Z);
}

TEST(Gauss, WhatActsOnNoMassElementsLeavesPhiUndefined) {
  Model model = load_model(find_model("models:spain_killing_suslov"));
  GaussReport report = at_rest_of(model);
  EXPECT_FALSE(report.phi);
  EXPECT_FALSE(report.Z);
  EXPECT_EQ(report.loose, std::vector<std::string>{"[energy] potential"});
}

TEST(Gauss, AccelerationsThatViolateAConstraintAreRefusedByItsName) {
  Model model = load_model(find_model("models:spherical_pendulum"));
  LeastConstraint gauss = derive_gauss(support::own_graph(model));
  State state = start_of(gauss.equations);
  std::vector<ImaginedAcceleration> imagined{{0, 100.0}};
  try {
    evaluate_gauss(gauss, state, imagined);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("rod"), std::string::npos) << error.what();
  }
}

/// theory 5.4: a contact that touches holds the mass while it is pressed and lets go where it would pull.
TEST(Gauss, AContactThatTouchesHoldsOnlyWhatIsPressedAgainstIt) {
  auto on_table = [](const std::string& force) {
    return at_rest_of(model_of(R"toml(
name = "on a table"
gravity = [0, 0, -9.81]
[coordinates]
z = 0
[points.P]
position = [0, 0, "z"]
mass = 2
force = [0, 0, )toml" + force + R"toml(]
[constraints]
table = "z >= 0"
)toml"));
  };
  GaussReport pressed = on_table("0");
  EXPECT_NEAR(pressed.actual[0], 0, 1e-14);
  EXPECT_NEAR(pressed.multipliers[0], 2 * 9.81, 1e-13);
  EXPECT_NEAR(*pressed.phi, 2 * 9.81 * 9.81, 1e-12);
  GaussReport pulled = on_table("25.62");
  EXPECT_NEAR(pulled.actual[0], 3, 1e-13);
  EXPECT_EQ(pulled.multipliers[0], 0);
}
