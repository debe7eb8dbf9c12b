#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/study/hodograph.hpp>
#include <dalembert/study/verify.hpp>
#include <functional>
#include <numbers>

#include "support/own_graph.hpp"

using namespace dalembert;
using Kind = ExceptionalCase::Kind;

namespace {

Model model_of(const std::string& text) { return make_model(parse_description(text)); }

State start_of(const Model& model) {
  const System system(derive_multipliers(support::own_graph(model)));
  return system.make_consistent_start(system.initial_state(), false).state;
}

GeometryReport geometry_of(const Model& model, const State& state) {
  return evaluate_geometry(derive_projection(support::own_graph(model)), state);
}

ExceptionalCase exceptional_of(const Model& model) {
  return decide_exceptional(derive_projection(support::own_graph(model)), start_of(model));
}

/// A sled of mass 2 and inertia 0.6 about its blade.
Model sleigh() {
  return model_of(R"toml(
name = "sleigh"
[coordinates]
x = { value = 0, rate = "1.5*cos(0.3)" }
y = { value = 0, rate = "1.5*sin(0.3)" }
theta = { value = 0.3, rate = 0.8 }
[frames.sled]
origin = ["x", "y", 0]
rotate = [["z", "theta"]]
[bodies.sled]
frame = "sled"
mass = 2
inertia = [0, 0, 0.6]
[constraints]
blade = "-sin(theta)*x' + cos(theta)*y' = 0"
)toml");
}

Verification with_error(const Model& model, const std::function<void(Derivations&)>& alter) {
  Derivations derivations = derive_all(model);
  alter(derivations);
  VerifyOptions options;
  options.states = 3;
  options.along_motion = false;
  return verify(derivations, options);
}

bool disagrees(const Verification& result, const std::string& route) {
  for (const Agreement& agreement : result.agreements)
    if (!agreement.ok && (agreement.between[0] == route || agreement.between[1] == route)) return true;
  return false;
}

}  // namespace

/// Spain's connection for the knife edge without offset, in closed form: the kinetic metric is flat there.
TEST(Connection, OfAKnifeEdgeIsTheClosedForm) {
  Model model = sleigh();
  State state = start_of(model);
  GeometryReport at = geometry_of(model, state);
  const double theta = state.q[2], s = std::sin(theta), c = std::cos(theta);
  std::vector<double> expected(27, 0.0);
  auto set = [&](std::size_t i, std::size_t j, std::size_t k, double value) {
    expected[(i * 3 + j) * 3 + k] = expected[(i * 3 + k) * 3 + j] = value;
  };
  set(0, 0, 2, std::sin(2 * theta) / 4);
  set(0, 1, 2, s * s / 2);
  set(1, 0, 2, -c * c / 2);
  set(1, 1, 2, -std::sin(2 * theta) / 4);
  for (std::size_t i = 0; i < 27; ++i) {
    EXPECT_NEAR(at.affine[i], expected[i], 1e-15) << i;
    EXPECT_EQ(at.christoffel[i], 0) << i;
  }
}

/// Affine and time-dependent constraints, a metric that varies: the projector and the connection move alike.
TEST(Connection, CarriesAffineAndMovingConstraintsToo) {
  Model model = model_of(R"toml(
name = "driven"
gravity = [0, -9.81, 0]
[coordinates]
r = { value = 1, rate = "0.5*cos(0.2)" }
phi = { value = 0.2, rate = 0.5 }
s = { value = 0.3, rate = "0.7 + 0.5*(1 + 0.2)" }
[points.P]
position = ["r*cos(phi)", "r*sin(phi)", "s*r"]
mass = 2
[points.Q]
position = ["s", "s^2", "phi"]
mass = 0.5
[constraints]
drive = "r' = cos(phi)*phi' + t*s'"
turn = "s' = 0.7*cos(2*t) + r*phi' + phi*phi'"
)toml");
  KineticGeometry geometry = derive_projection(support::own_graph(model));
  GeometryReport at = evaluate_geometry(geometry, start_of(model));
  const System system(derive_multipliers(support::own_graph(model)));
  Response motion = system.evaluate_motion(start_of(model));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(at.accelerations[i], motion.acceleration[i], 1e-12);
    EXPECT_NEAR(at.geodesic[i], motion.acceleration[i], 1e-12);
  }
  for (std::size_t r = 0; r < 2; ++r) EXPECT_NEAR(at.lambda[r], motion.multipliers[r], 1e-12);
  EXPECT_NEAR(at.relation_f, at.relation_X, 1e-12 * at.relation_X);
}

TEST(Projection, DependentConstraintsGiveNoVectorAndTheLeastMultipliers) {
  Model model = load_model(find_model("models:redundant_parallelogram"));
  State state = start_of(model);
  GeometryReport at = geometry_of(model, state);
  const System system(derive_multipliers(support::own_graph(model)));
  Response motion = system.evaluate_motion(state);
  EXPECT_LT(at.Phi.size(), at.constraints.size());
  for (std::size_t r = 0; r < at.lambda.size(); ++r) EXPECT_NEAR(at.lambda[r], motion.multipliers[r], 1e-9);
}

TEST(Exceptional, SuslovsProblemWithASphericalInertiaIsKillings) {
  ExceptionalCase found = exceptional_of(load_model(find_model("models:spain_killing_suslov")));
  EXPECT_EQ(found.kind, Kind::killing) << found.evidence;
  EXPECT_EQ(found.kA, (std::vector<std::string>{"0", "0", "0"}));
}

TEST(Exceptional, AKnifeEdgeIsNotExceptional) { EXPECT_EQ(exceptional_of(sleigh()).kind, Kind::no); }

/// y'= 0 in a metric whose coefficient of y'^2 varies along x: the constraint vector is (11) with k A not zero.
TEST(Exceptional, AConstraintThatIsExceptionalWithoutBeingKillings) {
  ExceptionalCase found = exceptional_of(model_of(R"toml(
name = "warped"
[coordinates]
x = { value = 1, rate = 0.3 }
y = { value = 0, rate = 0 }
[energy]
kinetic = "x'^2/2 + y'^2*(1 + y^2)/2"
[constraints]
hold = "y' = 0"
)toml"));
  EXPECT_EQ(found.kind, Kind::killing) << found.evidence;  // d/dy length is absorbed: the unit vector is parallel
  ExceptionalCase general = exceptional_of(model_of(R"toml(
name = "warped"
[coordinates]
x = { value = 1, rate = 0.3 }
y = { value = 0, rate = 0 }
[energy]
kinetic = "x'^2/2 + x^4*y'^2/2"
[constraints]
hold = "y' = 0"
)toml"));
  EXPECT_EQ(general.kind, Kind::general) << general.evidence;
  ASSERT_EQ(general.kA.size(), 2u);
  EXPECT_EQ(general.kA[0], "-2/x");  // Phi = x^2 dy: Phi^i Phi_x,i = -Gamma^y_yx = -2/x
  EXPECT_EQ(general.kA[1], "0");
}

TEST(Exceptional, AMovingConstraintNeedsItsOwnTermsToVanish) {
  const std::string head = R"toml(
name = "moving"
[coordinates]
x = { value = 0, rate = 0.3 }
y = { value = 0, rate = )toml";
  const std::string points = R"toml( }
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
)toml";
  EXPECT_EQ(exceptional_of(model_of(head + "0.5" + points + "c = \"y' = 0.5\"\n")).kind, Kind::killing);
  EXPECT_EQ(exceptional_of(model_of(head + "0" + points + "c = \"y' = sin(t)\"\n")).kind, Kind::no);
}

/// Parallel transport once around the circle of latitude theta turns vectors by 2 pi (1 - cos theta).
TEST(Transport, AroundALatitudeTurnsByTheEnclosedSolidAngle) {
  // A force holds the point on the latitude, and another keeps phi' = 1.
  Model held = model_of(R"toml(
name = "latitude"
[coordinates]
theta = { value = 0.8, rate = 0 }
phi = { value = 0, rate = 1 }
[points.P]
position = ["sin(theta)*cos(phi)", "sin(theta)*sin(phi)", "cos(theta)"]
mass = 1
[forces]
theta = "-sin(theta)*cos(theta)*phi'^2"
phi = "2*sin(theta)*cos(theta)*theta'*phi'"
)toml");
  SimulateOptions options;
  options.until = 2 * std::numbers::pi;
  options.every = *options.until / 16;
  options.tolerance = 1e-13;
  Hodograph hodograph = find_hodograph(derive_projection(support::own_graph(held)), options);
  ASSERT_EQ(hodograph.status, Status::finished) << hodograph.message;
  const SquareMatrix& p = hodograph.transport.back();  // in coordinates: (theta, phi); unit vectors scale phi by sin
  const double turn = std::acos(std::clamp(p[0][0], -1.0, 1.0));
  const double expected = 2 * std::numbers::pi * (1 - std::cos(0.8));
  EXPECT_NEAR(std::cos(turn), std::cos(expected), 1e-11);
  EXPECT_NEAR(std::abs(p[1][0] * std::sin(0.8)), std::abs(std::sin(expected)), 1e-11);
  EXPECT_LT(hodograph.invariant, 1e-11);
}

TEST(Hodograph, IsRefusedWhereTheKineticEnergyDependsOnTime) {
  Model model = load_model(find_model("models:rotating_hoop"));
  SimulateOptions options;
  try {
    find_hodograph(derive_projection(support::own_graph(model)), options);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("time"), std::string::npos) << error.what();
  }
}

TEST(VerifyGeometry, AnErrorInZIsCaught) {
  Verification result =
      with_error(sleigh(), [](Derivations& d) { d.gauss->Z += d.gauss->equations.accelerations[0] / 1000000; });
  EXPECT_TRUE(disagrees(result, "mass elements"));
}

TEST(VerifyGeometry, AnErrorInTheStationarityConditionsIsCaught) {
  Verification result = with_error(sleigh(), [](Derivations& d) {
    d.gauss->equations.bias[0] += d.gauss->equations.graph->constant(mpq_class("1/1000000000"));
  });
  EXPECT_TRUE(disagrees(result, "least constraint"));
}

TEST(VerifyGeometry, AnErrorInTheProjectorIsCaught) {
  Verification result = with_error(sleigh(), [](Derivations& d) {
    for (Entry& entry : d.projection->equations.rows[0].jacobian)
      entry.value += d.projection->equations.coordinates[2] / 1000000;
  });
  EXPECT_TRUE(disagrees(result, "projector"));
}

TEST(VerifyGeometry, AnErrorInTheConnectionIsCaught) {
  // Of the metric, where it varies ...
  Verification metric = with_error(load_model(find_model("models:projectile_polar")), [](Derivations& d) {
    for (auto& slopes : d.projection->mass_slopes)
      for (Entry& entry : slopes) entry.value *= d.projection->equations.graph->constant(mpq_class("1000001/1000000"));
  });
  EXPECT_TRUE(disagrees(metric, "connection"));
  // ... and of the constraints.
  Verification rows = with_error(sleigh(), [](Derivations& d) {
    for (auto& slopes : d.projection->jacobian_slopes)
      for (Entry& entry : slopes) entry.value *= d.projection->equations.graph->constant(mpq_class("1000001/1000000"));
  });
  EXPECT_TRUE(disagrees(rows, "connection"));
}
