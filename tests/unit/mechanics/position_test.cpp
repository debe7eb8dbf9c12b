// Reactions as functions of position (Paulus 1910, part II), against closed forms.

#include <gtest/gtest.h>

#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/position.hpp>
#include <dalembert/model/description.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

struct Case {
  Model model;
  Equations equations;
  Solution solution;
  RateElimination elimination;

  explicit Case(const std::string& text)
      : model(make_model(parse_description(text, "test.toml"))),
        equations(derive_multipliers(support::own_graph(model))),
        solution(solve_symbolically_in(equations)),
        elimination(model, equations, 5e8) {}

  /// Accelerations put in.
  OfPosition of_position(const std::string& formula) {
    std::vector<Replacement> motion;
    for (std::size_t i = 0; i < equations.accelerations.size(); ++i)
      motion.push_back({equations.accelerations[i], solution.accelerations[i]});
    return elimination.eliminate(substitute(parse_expression(*model.graph, formula), motion));
  }
  bool is(Expr found, const std::string& expected) {
    return found && are_equal(found, parse_expression(*model.graph, expected));
  }
};

const char* const compound_pendulum = R"toml(
gravity = [0, 0, "g"]
[parameters]
M = 3
K = 1.7
s = 0.6
g = 9.81
[coordinates]
x = 0
z = 0
phi = 1.1
[frames.lamina]
origin = ["x", 0, "z"]
rotate = [["y", "phi"]]
[bodies.lamina]
frame = "lamina"
centre = [0, 0, "s"]
mass = "M"
inertia = [0, "K - M*s^2", 0]
[constraints]
pivot_x = "x = 0"
pivot_z = "z = 0"
)toml";

const char* const spherical = R"toml(
gravity = [0, 0, "-g"]
[parameters]
m = 1.3
l = 0.9
g = 9.81
[coordinates]
theta = { value = 0.7, rate = 0.4 }
phi = { value = 0.2, rate = 2.5 }
[points.P]
position = ["l*sin(theta)*cos(phi)", "l*sin(theta)*sin(phi)", "-l*cos(theta)"]
mass = "m"
)toml";

}  // namespace

TEST(OfPosition, PivotForceOfCompoundPendulumIsPaulusFunctionOfTheAngle) {
  Case c(compound_pendulum);
  OfPosition x = c.elimination.eliminate(c.solution.multipliers[0]);
  OfPosition z = c.elimination.eliminate(c.solution.multipliers[1]);
  ASSERT_TRUE(x.is_complete() && z.is_complete());
  // Paulus 1910, part III, example 2: phi'^2 = 2 M g s (cos(phi) - cos(phi0))/K from rest at phi0
  const std::string square = "(2*M*g*s*(cos(phi) - cos(1.1))/K)";
  EXPECT_TRUE(c.is(x.at_start, "-s*sin(phi)*M*(" + square + " + g*s*cos(phi)*M/K)"));
  EXPECT_TRUE(c.is(z.at_start, "g*(s*sin(phi)*M)^2/K - " + square + "*s*cos(phi)*M - g*M"));
  ASSERT_EQ(x.constants.size(), 1u);
  EXPECT_EQ(x.constants[0].symbol.name(), "E");
  EXPECT_EQ(x.constants[0].integral, "energy");
}

TEST(OfPosition, SquareOfTheLastRateIsAFunctionOfPosition) {
  Case c(compound_pendulum);
  std::optional<RateSquared> square = c.elimination.rate_squared();
  ASSERT_TRUE(square);
  EXPECT_EQ(square->coordinate, 2u);
  EXPECT_TRUE(c.is(square->at_start, "2*M*g*s*(cos(phi) - cos(1.1))/K"));
}

TEST(OfPosition, TensionOfSphericalPendulumNeedsTheEnergyOnly) {
  Case c(spherical);
  OfPosition tension = c.of_position("m*(g*cos(theta) + l*(theta'^2 + sin(theta)^2*phi'^2))");
  ASSERT_TRUE(tension.is_complete());
  EXPECT_TRUE(c.is(tension.formula, "3*m*g*cos(theta) + 2*E/l"));
}

TEST(OfPosition, MomentumTakesTheSecondRateAway) {
  Case c(spherical);
  OfPosition rate = c.of_position("theta'^2");
  ASSERT_TRUE(rate.is_complete());
  EXPECT_TRUE(c.is(rate.formula, "2*(E + m*g*l*cos(theta))/(m*l^2) - (p_phi/(m*l^2*sin(theta)))^2"));
  EXPECT_EQ(rate.constants.size(), 2u);
}

TEST(OfPosition, AccelerationIsAFunctionOfPositionTooBySubstitution) {
  Case c(spherical);
  OfPosition pull = c.of_position("theta''");
  ASSERT_TRUE(pull.is_complete());
  EXPECT_TRUE(c.is(pull.formula, "cos(theta)*p_phi^2/(m^2*l^4*sin(theta)^3) - g*sin(theta)/l"));
}

TEST(OfPosition, WhatRemainsIsSaid) {
  Case c(spherical);
  OfPosition product = c.of_position("theta'*phi'");  // no integral gives the sign of theta'
  EXPECT_FALSE(product.is_complete());
  EXPECT_FALSE(product.remark.empty());
}

TEST(OfPosition, ANameThatTheModelHasIsNotTakenForAConstant) {
  Case c(R"toml(
[parameters]
E = 2
k = 3
[coordinates]
x = 1
[points.P]
position = ["x", 0, 0]
mass = "E"
[energy]
potential = "k*x^2/2"
)toml");
  OfPosition square = c.of_position("x'^2");
  ASSERT_EQ(square.constants.size(), 1u);
  EXPECT_EQ(square.constants[0].symbol.name(), "E_");
  EXPECT_TRUE(c.is(square.at_start, "k*(1 - x^2)/E"));
}

TEST(OfPosition, WithoutAnEnergyIntegralTheRateStaysAndItIsSaid) {
  Case c(R"toml(
[coordinates]
x = 1
[points.P]
position = ["x", 0, 0]
mass = 2
force = ["-x'", 0, 0]
)toml");
  OfPosition square = c.of_position("x'^2");
  EXPECT_FALSE(square.formula);
  EXPECT_EQ(square.remark, "no energy integral");
}
