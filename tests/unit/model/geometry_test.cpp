#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/model/description.hpp>
#include <random>

// Positions, velocities and angular velocities against routes of their own: differentiation of the position, R' R^T,
// and rotation matrices multiplied out in numbers.

namespace dalembert {
namespace {

class Numbers {
 public:
  Numbers(const Model& model, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    auto bind = [&](Expr symbol) { bindings_.push_back({symbol, uniform(random)}); };
    bind(model.time);
    for (const Parameter& parameter : model.parameters) bind(parameter.symbol);
    for (const Coordinate& coordinate : model.coordinates) {
      bind(coordinate.q);
      bind(coordinate.rate);
      bind(coordinate.acceleration);
    }
  }
  double operator()(Expr e) const { return evaluate(e, bindings_); }

 private:
  std::vector<Binding> bindings_;
};

Description turning_tree() {
  Description d("tree");
  d.parameter("l", "0.7").parameter("c", 2);
  for (const char* q : {"x", "a", "b", "s", "e0", "e1", "e2", "e3"}) d.coordinate(q, {.value = "0.5"});
  d.frame("base", {.origin = {"x", "x^2", "sin(t)"}, .rotate = {{"z", "a"}, {"x", "b*t"}}});
  d.frame("arm", {.parent = "base", .origin = {"s", "l", 0}, .rotate = {{"x", "a*b"}, {"y", "c"}}});
  d.frame("ball", {.parent = "arm", .origin = {0, "s*l", 1}, .rotate = {{"quaternion", "e0", "e1", "e2", "e3"}}});
  d.frame("last", {.parent = "ball", .rotate = {{"y", "a + t"}}});
  d.point("P", {.frame = "last", .position = {"l*cos(b)", "s", "t"}, .mass = 1});
  d.point("Q", {.position = {"x", "s", 0}});
  d.body("rotor", {.frame = "last", .centre = {"l", 0, "s"}, .mass = 1, .inertia = {2, 3, 4, "0.1", "0.2", "0.3"}});
  d.output("roll", "velocity(rotor, Q)").output("bend", "acceleration(rotor, Q)").output("push", "acceleration(P)");
  d.output("spin", "omega(rotor)").output("ax", "axis(rotor, y)").output("place", "position(rotor)");
  return d;
}

Vector3 output(const Model& model, const std::string& name) {
  Vector3 result;
  for (std::size_t c = 0; c < 3; ++c)
    for (const Output& each : model.outputs)
      if (each.name == name + "." + static_cast<char>('x' + c)) result[c] = each.formula;
  return result;
}

TEST(Geometry, VelocityIsTheTimeDerivativeOfPosition) {
  Model model = make_model(turning_tree());
  ASSERT_FALSE(model.frames.empty() || model.points.empty() || model.bodies.empty());
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Numbers at(model, seed);
    for (std::size_t c = 0; c < 3; ++c) {
      for (const Frame& frame : model.frames)
        EXPECT_NEAR(at(frame.velocity[c]), at(time_derivative(model, frame.origin[c])), 1e-12) << frame.name;
      for (const Point& point : model.points)
        EXPECT_NEAR(at(point.velocity[c]), at(time_derivative(model, point.position[c])), 1e-12) << point.name;
      for (const Body& body : model.bodies)
        EXPECT_NEAR(at(body.centre_velocity[c]), at(time_derivative(model, body.centre[c])), 1e-12) << body.name;
    }
  }
}

TEST(Geometry, AngularVelocityIsTheRateOfTheRotationMatrix) {
  Model model = make_model(turning_tree());
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Numbers at(model, seed);
    for (const Frame& frame : model.frames) {
      double spin[3][3] = {};  // R' R^T, the cross product with omega
      double inside[3] = {};   // R^T omega
      double orthogonal[3][3] = {};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          inside[i] += at(frame.rotation[j][i]) * at(frame.omega[j]);
          for (std::size_t k = 0; k < 3; ++k) {
            spin[i][j] += at(time_derivative(model, frame.rotation[i][k])) * at(frame.rotation[j][k]);
            orthogonal[i][j] += at(frame.rotation[i][k]) * at(frame.rotation[j][k]);
          }
        }
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(spin[(i + 2) % 3][(i + 1) % 3], at(frame.omega[i]), 1e-11) << frame.name;
        EXPECT_NEAR(inside[i], at(frame.omega_inside[i]), 1e-11) << frame.name;
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(orthogonal[i][j], i == j ? 1 : 0, 1e-13);
      }
    }
  }
}

TEST(Geometry, AMaterialPointMovesWithItsBody) {
  // The material point of `rotor` now at Q has constant components r in the rotor's axes: freeze r = R^T (Q - O) and
  // differentiate O + R r once and twice.
  Model model = make_model(turning_tree());
  const Frame& frame = model.frames[model.bodies[0].frame];
  const Point& q = model.points[1];
  Graph& graph = *model.graph;
  Vector3 frozen{graph.symbol("r1"), graph.symbol("r2"), graph.symbol("r3")};
  Vector3 roll = output(model, "roll"), bend = output(model, "bend"), push = output(model, "push");
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Numbers at(model, seed);
    std::vector<Replacement> values;
    for (std::size_t i = 0; i < 3; ++i) {
      double r = 0;
      for (std::size_t j = 0; j < 3; ++j) r += at(frame.rotation[j][i]) * (at(q.position[j]) - at(frame.origin[j]));
      values.push_back({frozen[i], graph.constant_from_double(r)});
    }
    for (std::size_t c = 0; c < 3; ++c) {
      Expr position = frame.origin[c];
      for (std::size_t j = 0; j < 3; ++j) position += frame.rotation[c][j] * frozen[j];
      Expr first = time_derivative(model, position);
      Expr second = time_derivative(model, first);
      EXPECT_NEAR(at(roll[c]), at(substitute(first, values)), 1e-10);
      EXPECT_NEAR(at(bend[c]), at(substitute(second, values)), 1e-8);
      EXPECT_NEAR(at(push[c]), at(time_derivative(model, model.points[0].velocity[c])), 1e-12);
    }
  }
}

TEST(Geometry, ElementaryRotationsAreRightHandedAndAboutTheAxesAsTurned) {
  Description d;
  d.coordinate("a").coordinate("b").coordinate("c");
  d.frame("F", {.rotate = {{"z", "a"}, {"x", "b"}, {"y", "c"}}});
  Model model = make_model(d);
  double a = 0.3, b = -1.1, c = 0.7;
  std::vector<Binding> state{{model.coordinates[0].q, a}, {model.coordinates[1].q, b}, {model.coordinates[2].q, c}};
  using M = std::array<std::array<double, 3>, 3>;
  auto times = [](const M& p, const M& q) {
    M r{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k) r[i][j] += p[i][k] * q[k][j];
    return r;
  };
  M z{{{std::cos(a), -std::sin(a), 0}, {std::sin(a), std::cos(a), 0}, {0, 0, 1}}};
  M x{{{1, 0, 0}, {0, std::cos(b), -std::sin(b)}, {0, std::sin(b), std::cos(b)}}};
  M y{{{std::cos(c), 0, std::sin(c)}, {0, 1, 0}, {-std::sin(c), 0, std::cos(c)}}};
  M expected = times(times(z, x), y);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(evaluate(model.frames[1].rotation[i][j], state), expected[i][j], 1e-15);
}

TEST(Geometry, AQuaternionTurnsLikeItsAxisAndAngleWhateverItsLength) {
  Description d;
  for (const char* q : {"e0", "e1", "e2", "e3"}) d.coordinate(q, {.value = "1/2"});
  d.frame("F", {.rotate = {{"quaternion", "e0", "e1", "e2", "e3"}}});
  Model model = make_model(d);
  // Rodrigues: R v = v cos + (n x v) sin + n (n v)(1 - cos).
  double angle = 1.3, n[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, length = 1.7;
  std::vector<Binding> state{{model.coordinates[0].q, length * std::cos(angle / 2)}};
  for (std::size_t i = 0; i < 3; ++i)
    state.push_back({model.coordinates[i + 1].q, length * n[i] * std::sin(angle / 2)});
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 3; ++i) {
      double cross = i == j ? 0 : ((i + 3 - j) % 3 == 1 ? n[(j + 2) % 3] : -n[(j + 1) % 3]);
      double expected = (i == j) * std::cos(angle) + cross * std::sin(angle) + n[i] * n[j] * (1 - std::cos(angle));
      EXPECT_NEAR(evaluate(model.frames[1].rotation[i][j], state), expected, 1e-15);
    }
  ASSERT_EQ(model.constraints.size(), 1);
  EXPECT_EQ(model.constraints[0].name, "unit(F)");
  EXPECT_TRUE(model.constraints[0].is_unit);
  EXPECT_NEAR(evaluate(model.constraints[0].f, state), length * length - 1, 1e-15);
}

TEST(Geometry, TurnsAboutOneAxisAddUp) {
  Description d;
  d.coordinate("a").coordinate("b");
  d.frame("one", {.rotate = {{"z", "a"}}});
  d.frame("two", {.parent = "one", .origin = {1, 0, 0}, .rotate = {{"z", "b"}}});
  Model model = make_model(d);
  Expr a = model.coordinates[0].q, b = model.coordinates[1].q;
  EXPECT_EQ(model.frames[2].rotation[0][0], cos(a + b));
  EXPECT_EQ(model.frames[2].omega[2], model.coordinates[0].rate + model.coordinates[1].rate);
}

TEST(Geometry, InertiaComponentsStandWhereTheyBelong) {
  Model model = make_model(turning_tree());
  const Matrix3& inertia = model.bodies[0].inertia;
  Numbers at(model, 1);
  double expected[3][3] = {{2, 0.1, 0.3}, {0.1, 3, 0.2}, {0.3, 0.2, 4}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_DOUBLE_EQ(at(inertia[i][j]), expected[i][j]);
}

}  // namespace
}  // namespace dalembert
