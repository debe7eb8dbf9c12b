// Vakonomic motion (Hamel 1904, section 3; theory 3.7) by two routes: the equations with multipliers mu as state, and
// Lagrange's equations without constraints of L + nu' psi, whose further coordinates nu have the rates mu.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>
#include <random>

#include "support/own_graph.hpp"
#include "support/solve.hpp"

using namespace dalembert;
using testing::HasSubstr;

namespace {

struct System4 {
  const char* lagrangian;
  const char* psi;  ///< left side of psi = 0
};

Description coordinates(const char* lagrangian) {
  Description d("varied");
  d.parameter("m", "2").parameter("J", "3/5").parameter("k", "7/10");
  d.coordinate("x", {.value = "0.1"}).coordinate("y", {.value = "0.2"}).coordinate("theta", {.value = "0.3"});
  d.energy.lagrangian = lagrangian;
  return d;
}

void PrintTo(const System4& system, std::ostream* out) { *out << system.psi; }

class Vakonomic : public testing::TestWithParam<System4> {};

TEST_P(Vakonomic, MovesAsLagrangesEquationsOfTheExtendedLagrangianSay) {
  Description plain = coordinates(GetParam().lagrangian);
  plain.constraint("c", std::string(GetParam().psi) + " = 0");
  Model model = make_model(plain);
  Equations vakonomic = derive_vakonomic(model);
  const System system(vakonomic);

  std::string extended = std::string(GetParam().lagrangian) + " + nu'*(" + GetParam().psi + ")";
  Description longer = coordinates(extended.c_str());
  longer.coordinate("nu", {.value = "0"});
  Model free = make_model(longer);
  Equations lagrange = derive_multipliers(support::own_graph(free));

  std::mt19937 random(5);
  std::uniform_real_distribution<double> spread(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    // A state on the constraint: y' is found from it (its coefficient is not small there).
    State state{0.4, {spread(random), spread(random), 0.5 * spread(random), spread(random)}, {}};
    state.u = {spread(random), 0, spread(random)};
    Residuals at_zero = system.evaluate_residuals(state);
    state.u[1] = 1;
    const double slope = system.evaluate_residuals(state).velocity[0] - at_zero.velocity[0];
    state.u[1] = -at_zero.velocity[0] / slope;
    Response motion = system.evaluate_motion(state);

    std::vector<Binding> at{{lagrange.time, state.t}};
    std::vector<double> parameters = parameter_values(free);
    for (std::size_t i = 0; i < parameters.size(); ++i) at.push_back({free.parameters[i].symbol, parameters[i]});
    for (std::size_t i = 0; i < 4; ++i) at.push_back({lagrange.coordinates[i], i < 3 ? state.q[i] : 0.0});
    for (std::size_t i = 0; i < 4; ++i) at.push_back({lagrange.velocities[i], i < 3 ? state.u[i] : state.q[3]});
    std::vector<std::vector<double>> mass(4, std::vector<double>(4, 0.0));
    for (std::size_t i = 0; i < 4; ++i)
      for (const Entry& entry : lagrange.mass[i])
        mass[i][entry.column] = mass[entry.column][i] = evaluate(entry.value, at);
    std::vector<double> right = evaluate(lagrange.bias, at);
    for (double& value : right) value = -value;
    std::vector<double> expected = testing_support::solve(mass, right).value();
    // Numbers of order ten, conditions of order ten, some hundred operations.
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(motion.acceleration[i], expected[i], 1e-11) << GetParam().psi;
    EXPECT_NEAR(-motion.multipliers[0], expected[3], 1e-11) << GetParam().psi;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Constraints, Vakonomic,
    testing::Values(System4{"m*(x'^2 + y'^2)/2 + J*theta'^2/2 + m*x", "-x'*sin(theta) + y'*cos(theta)"},
                    System4{"m*(x'^2 + y'^2)/2 + J*theta'^2/2 - k*x^2*y", "y' - t*x' - x*cos(theta)"},
                    System4{"m*(x'^2 + y'^2)/2 + J*theta'^2*(2 + sin(x)) + y*x'", "y'*(2 + x^2) - k*theta'*y + t^2"}));

/// For a geometric constraint the principles are the same: mu' = -lambda, and the motion is d'Alembert's.
TEST(VakonomicMotion, OfAPendulumIsTheOrdinaryOne) {
  Model model = load_model(find_model("models:spherical_pendulum"));
  model.outputs.clear();  // one reads the reaction
  SimulateOptions options;
  options.until = 1;
  options.every = 0.25;
  Trajectory a = System(derive_multipliers(support::own_graph(model))).simulate(options);
  Trajectory b = System(derive_vakonomic(model)).simulate(options);
  ASSERT_EQ(b.status, Status::finished) << b.message;
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t row = 0; row < a.rows.size(); ++row)
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(a.rows[row][k], b.rows[row][k], 1e-8);  // t, q, q'
}

/// L of the skate without weight does not depend on time: the energy is constant though mu works in the equations.
TEST(VakonomicMotion, KeepsTheEnergyBalance) {
  Model model = load_model(find_model("models:skate_vakonomic"));
  SimulateOptions options;
  Trajectory motion = System(derive_vakonomic(model)).simulate(options);
  EXPECT_LT(motion.summary.balance.largest, 1e-8);
  EXPECT_LT(motion.summary.largest_residual, 1e-13);
  Description d = coordinates("m*(x'^2 + y'^2)/2 + J*theta'^2/2");
  d.constraint("c", "y' - t*x' = 1/10");
  d.coordinates[1].what.rate = "1/10";
  Model driven = make_model(d);
  options.until = 2;
  options.every = 0.1;
  EXPECT_LT(System(derive_vakonomic(driven)).simulate(options).summary.balance.largest, 1e-8);
}

TEST(VakonomicMotion, RefusesForcesWithoutPotential) {
  for (const char* force : {"-theta'", "x*y"}) {
    Description d = coordinates("m*(x'^2 + y'^2)/2 + J*theta'^2/2");
    d.constraint("c", "-x'*sin(theta) + y'*cos(theta) = 0");
    d.force("theta", force);
    try {
      derive_vakonomic(make_model(d));
      FAIL() << force;
    } catch (const ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr("potential"));
    }
  }
  Description open = coordinates("m*(x'^2 + y'^2)/2 + J*theta'^2/2");  // one of which it is not known
  open.constraint("c", "-x'*sin(theta) + y'*cos(theta) = 0");
  open.force("theta", "x*(atan(y) - asin(y/sqrt(y^2 + 1)))");
  try {
    derive_vakonomic(make_model(open));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("whether the force on theta has a potential was not decided"));
  }
  Description d = coordinates("m*(x'^2 + y'^2)/2 + J*theta'^2/2");  // one that has: fine
  d.constraint("c", "-x'*sin(theta) + y'*cos(theta) = 0");
  d.force("theta", "-k*theta");
  EXPECT_NO_THROW(derive_vakonomic(make_model(d)));
}

}  // namespace
