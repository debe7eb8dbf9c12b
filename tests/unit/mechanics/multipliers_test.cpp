#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/mechanics/equations.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

Model make_plane_model() {
  Model model;
  model.graph = std::make_shared<Graph>();
  Graph& g = *model.graph;
  model.time = g.symbol("t");
  Expr zero = g.constant(0);
  model.gravity = {zero, -g.symbol("g"), zero};
  model.parameters = {{"m", g.symbol("m"), g.constant(2), {}},
                      {"g", g.symbol("g"), g.constant(mpq_class(981, 100)), {}},
                      {"l", g.symbol("l"), g.constant(1), {}}};
  for (const char* name : {"x", "y"}) {
    std::string text = name;
    model.coordinates.push_back({text, g.symbol(text), g.symbol(text + "'"), g.symbol(text + "''"), zero, zero, {}});
    model.forces.push_back(zero);
  }
  Expr x = g.symbol("x"), y = g.symbol("y");
  Point point;
  point.name = "P";
  point.position = {x, y, zero};
  point.velocity = {g.symbol("x'"), g.symbol("y'"), zero};
  point.mass = g.symbol("m");
  model.points.push_back(point);
  Constraint rod;
  rod.name = "rod";
  rod.kind = ConstraintKind::geometric;
  rod.f = pow(x, 2) + pow(y, 2) - pow(g.symbol("l"), 2);
  model.constraints.push_back(rod);
  return model;
}

TEST(Multipliers, CartesianPendulumHasDiagonalMassAndTheRodsDrift) {
  Model model = make_plane_model();
  Graph& g = *model.graph;
  Equations equations = derive_multipliers(support::own_graph(model));
  Expr m = g.symbol("m");
  ASSERT_EQ(equations.mass[1].size(), 1u);
  EXPECT_EQ(equations.mass[1][0].value, m);
  EXPECT_EQ(equations.bias[0], g.constant(0));
  EXPECT_EQ(equations.bias[1], m * g.symbol("g"));
  ASSERT_EQ(equations.rows.size(), 1u);
  EXPECT_EQ(equations.rows[0].jacobian[0].value, 2 * g.symbol("x"));
  EXPECT_EQ(equations.rows[0].drift, 2 * pow(g.symbol("x'"), 2) + 2 * pow(g.symbol("y'"), 2));
  EXPECT_TRUE(equations.energy_is_jacobi);
  auto integrals = find_integrals_in(equations, Effort::glance);
  ASSERT_EQ(integrals.size(), 1u);
  EXPECT_EQ(integrals[0].name, "energy");
}

TEST(Multipliers, ReductionToTheAngleGivesThePendulum) {
  Model model = make_plane_model();
  Graph& g = *model.graph;
  Expr phi = g.symbol("phi"), l = g.symbol("l"), m = g.symbol("m"), zero = g.constant(0);
  Reduction reduction;
  reduction.coordinates = {{"phi", phi, g.symbol("phi'"), g.symbol("phi''"), zero, zero, {}}};
  reduction.embedding = {l * sin(phi), -l * cos(phi)};
  model.reduction = reduction;
  Equations equations = derive_reduced(support::own_graph(model));
  EXPECT_TRUE(equations.rows.empty());
  std::vector<Binding> at{{phi, 0.7}, {g.symbol("phi'"), 1.3}, {l, 1.5}, {m, 2.0}, {g.symbol("g"), 9.81}};
  EXPECT_NEAR(evaluate(equations.bias[0], at), 2.0 * 9.81 * 1.5 * std::sin(0.7), 1e-13);
  EXPECT_NEAR(evaluate(equations.mass[0][0].value, at), 2.0 * 1.5 * 1.5, 1e-14);
  EXPECT_EQ(equations.recovery->rows.size(), 1u);
}

}  // namespace
