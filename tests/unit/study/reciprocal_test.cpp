// The reciprocal frame (Hamel 1904, section 4; theory 3.9) by its own differential equation, against the frame that is
// known to be reciprocal: rates about axes in space and in the body.
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/study/frame.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

using Matrix = std::vector<std::vector<double>>;

Description read_space() { return read_description(find_model("models:free_body_space_frame")); }

Description read_body() {
  Description d = read_space();
  d.quasi_velocities.clear();
  d.quasi_velocity("b1", "psi'*sin(theta)*sin(phi) + theta'*cos(phi)");
  d.quasi_velocity("b2", "psi'*sin(theta)*cos(phi) - theta'*sin(phi)");
  d.quasi_velocity("b3", "psi'*cos(theta) + phi'");
  return d;
}

TEST(ReciprocalFrame, FieldsOfSpaceAndBodyCommute) {
  Model model = make_model(read_space());
  QuasiFrame space = make_frame(model);
  Description d = read_body();
  Model other = make_model(d);
  QuasiFrame body = make_frame(other);
  std::vector<Expr> q;
  for (const Coordinate& c : model.coordinates) q.push_back(c.q);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t s = 0; s < 3; ++s) {
      std::vector<Expr> x = space.xi[r], y = copy_to(*model.graph, body.xi[s]);
      std::vector<Replacement> along_x, along_y;
      for (std::size_t l = 0; l < 3; ++l) along_x.push_back({q[l], x[l]}), along_y.push_back({q[l], y[l]});
      std::vector<Expr> a = directional_derivative(y, along_x), b = directional_derivative(x, along_y);
      for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(test_zero(a[l] - b[l]).verdict, Verdict::zero);
    }
}

/// E of the known reciprocal fields, Y = G X, at a configuration.
Matrix known(const Model& model, const QuasiFrame& space, const Model& other, const QuasiFrame& body,
             const std::vector<double>& q) {
  auto at = [&](const Model& m) {
    std::vector<Binding> bindings{{m.time, 0.0}};
    for (std::size_t i = 0; i < q.size(); ++i) bindings.push_back({m.coordinates[i].q, q[i]});
    return bindings;
  };
  Matrix g(3, std::vector<double>(3, 0.0));
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t t = 0; t < 3; ++t) {
      std::vector<double> xi = evaluate(body.xi[s], at(other)), pi = evaluate(space.pi[t], at(model));
      for (std::size_t l = 0; l < 3; ++l) g[s][t] += pi[l] * xi[l];
    }
  return g;
}

TEST(ReciprocalFrame, ByItsDifferentialEquationIsTheBodysUpToAConstantTurn) {
  Model model = make_model(read_space()), other = make_model(read_body());
  QuasiFrame space = make_frame(model), body = make_frame(other);
  SimulateOptions options;
  options.every = 1;
  options.tolerance = 1e-12;
  ReciprocalFrame reciprocal = integrate_reciprocal_frame(model, options);
  EXPECT_LT(reciprocal.defect, 1e-10);  // a hundred tolerances
  model.outputs.clear();
  Trajectory motion = System(derive_multipliers(support::own_graph(model))).simulate(options);
  ASSERT_EQ(motion.rows.size(), reciprocal.t.size());
  const Matrix start = known(model, space, other, body, initial_state(model).q);
  for (std::size_t row = 0; row < motion.rows.size(); ++row) {
    const std::vector<double> q{motion.rows[row][1], motion.rows[row][2], motion.rows[row][3]};
    const Matrix g = known(model, space, other, body, q);
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t t = 0; t < 3; ++t) {
        double expected = 0;  // G(q0)^-1 G(q): G is a rotation, its inverse the transpose
        for (std::size_t k = 0; k < 3; ++k) expected += start[k][s] * g[k][t];
        EXPECT_NEAR(reciprocal.e[row][3 * s + t], expected, 1e-9);
      }
  }
}

TEST(ReciprocalFrame, DoesNotExistWithoutConstantCoefficients) {
  Model disk = load_model(find_model("models:rolling_disk_tilted"));
  EXPECT_THROW(integrate_reciprocal_frame(disk, SimulateOptions{}), ModelError);
}

}  // namespace
