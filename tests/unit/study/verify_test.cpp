#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/study/verify.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

/// A bead on a rod in the plane, driven by a force and slowed by a dash pot, with an angle for a reduction.
Model pendulum(const std::string& x = "l*sin(s)") {
  return make_model(parse_description(R"toml(
name = "pendulum"
gravity = [0, "-g", 0]
[parameters]
m = 2
g = 9.81
l = 1.5
[coordinates]
x = { value = "l*sin(0.4)", rate = "l*cos(0.4)*0.7" }
y = { value = "-l*cos(0.4)", rate = "l*sin(0.4)*0.7" }
[points.P]
position = ["x", "y", 0]
mass = "m"
force = ["0.3*cos(t)", "0.1*x", 0]
[energy]
dissipation = "0.05*(x'^2 + y'^2)"
[constraints]
rod = "x^2 + y^2 = l^2"
[reduction]
coordinates = { s = { value = 0.4, rate = 0.7 } }
x = ")toml" + x + R"toml("
y = "-l*cos(s)"
[simulate]
until = 3
)toml"));
}

/// A rolling hoop by a rigid body, with a differential and a moving constraint.
Model wheel() {
  return make_model(parse_description(R"toml(
name = "wheel"
[parameters]
r = 0.4
[coordinates]
x = { value = 0, rate = 0.8 }
phi = { value = 0.1, rate = 2 }
z = { value = 0, rate = 0.3 }
[frames.hub]
origin = ["x", "r", "z"]
rotate = [["z", "-phi"]]
[points.contact]
position = ["x", 0, "z"]
[bodies.wheel]
frame = "hub"
mass = 3
inertia = [0.1, 0.2, 0.3]
torque = [0, 0, "-0.2*phi'"]
[constraints]
roll = "velocity(wheel, contact).x = 0"
lift = "z = 0.3*t"
[simulate]
until = 2
)toml"));
}

const Agreement* find(const Verification& result, const std::string& quantity, const std::string& route = {}) {
  for (const Agreement& agreement : result.agreements)
    if (agreement.quantity == quantity && (route.empty() || agreement.between[1] == route)) return &agreement;
  return nullptr;
}

std::string describe(const Verification& result) {
  std::string text;
  for (const Agreement& a : result.agreements)
    text += a.quantity + " | " + a.between[0] + " | " + a.between[1] + " | " + std::to_string(a.largest * 1e12) +
            "e-12 of " + std::to_string(a.bound * 1e12) + "e-12 " + (a.ok ? "" : "DISAGREE ") + a.where + "\n";
  return text;
}

VerifyOptions at_states(std::size_t count) {
  VerifyOptions options;
  options.states = count;
  options.along_motion = false;
  return options;
}

/// What disagrees when the equations are changed by `alter`.
template <class Alter>
Verification with_error(const Model& model, Alter&& alter) {
  Equations equations = derive_multipliers(support::own_graph(model));
  alter(equations);
  return verify(Derivations{equations, {}}, at_states(3));
}

}  // namespace

TEST(Verify, ADrivenPendulumAgreesWithItsReductionInEveryRoute) {
  Verification result = verify(pendulum());
  EXPECT_TRUE(result.ok) << describe(result);
  EXPECT_GE(result.states, 14u);
  for (const char* quantity : {"accelerations", "reactions", "constraints", "degrees of freedom", "start",
                               "M (multipliers)", "h (multipliers)", "A (multipliers)", "drift (multipliers)",
                               "F (multipliers)", "L (reduced)", "energy balance (multipliers)"})
    EXPECT_TRUE(find(result, quantity)) << quantity;
}

TEST(Verify, BoundsAreOfTheSizeOfRounding) {
  Verification result = verify(pendulum(), at_states(8));
  EXPECT_GE(result.states, 8u);
  ASSERT_GE(result.agreements.size(), 10u);
  for (const Agreement& agreement : result.agreements)
    if (agreement.quantity != "start") {
      EXPECT_LT(agreement.bound, 1e-9) << agreement.quantity;
    }
}

TEST(Verify, ARollingBodyWithAMovingConstraintAgrees) {
  Verification result = verify(wheel());
  EXPECT_TRUE(result.ok) << describe(result);
}

TEST(Verify, TheSameSeedGivesTheSameNumbers) {
  VerifyOptions options = at_states(3);
  EXPECT_EQ(describe(verify(pendulum(), options)), describe(verify(pendulum(), options)));
}

TEST(Verify, AnErrorInMIsCaught) {
  Verification result = with_error(pendulum(), [](Equations& e) { e.mass[1][0].value *= e.graph->constant(2); });
  EXPECT_FALSE(result.ok);
  EXPECT_FALSE(find(result, "M (multipliers)")->ok);
}

TEST(Verify, AnErrorInTheBiasOfOnePartInTenToTheTwelveIsCaught) {
  Verification result = with_error(pendulum(), [](Equations& e) {
    e.bias[0] += e.graph->symbol("x") * e.graph->constant(mpq_class("1/1000000000000"));
  });
  EXPECT_FALSE(result.ok);
  EXPECT_FALSE(find(result, "h (multipliers)")->ok);
}

TEST(Verify, AnErrorInAIsCaught) {
  Verification result = with_error(pendulum(), [](Equations& e) {
    for (Entry& entry : e.rows[0].jacobian) entry.value *= e.graph->constant(2);  // still zero where the start is
  });
  EXPECT_FALSE(find(result, "A (multipliers)")->ok);
}

TEST(Verify, AnErrorInTheDriftIsCaught) {
  Verification result = with_error(pendulum(), [](Equations& e) { e.rows[0].drift += e.graph->symbol("x'"); });
  EXPECT_FALSE(find(result, "drift (multipliers)")->ok);
}

TEST(Verify, AnErrorInTheForceIsCaught) {
  Verification result = with_error(pendulum(), [](Equations& e) {
    e.force[1] += e.graph->symbol("x");
    e.bias[1] -= e.graph->symbol("x");
  });
  EXPECT_FALSE(find(result, "F (multipliers)")->ok);
}

TEST(Verify, AnErrorInTheLagrangianIsCaught) {
  Verification result = with_error(pendulum(), [](Equations& e) { e.lagrangian += e.graph->symbol("y"); });
  EXPECT_FALSE(find(result, "L (multipliers)")->ok);
}

TEST(Verify, AWrongReductionIsCaught) {
  Verification off = verify(pendulum("l*sin(s)*(1 + 1e-9*s)"), at_states(3));
  EXPECT_FALSE(off.ok);
  EXPECT_FALSE(find(off, "constraints")->ok) << describe(off);
  // On the circle, but not where [coordinates] starts.
  Verification mirrored = verify(pendulum("-l*sin(s)"), at_states(3));
  EXPECT_FALSE(mirrored.ok);
  EXPECT_FALSE(find(mirrored, "start")->ok);
}

TEST(Verify, AReductionToTooFewCoordinatesIsCaught) {
  Model model = make_model(parse_description(R"toml(
name = "free point"
[coordinates]
x = { value = 0, rate = 1 }
y = { value = 0, rate = 1 }
[points.P]
position = ["x", "y", 0]
mass = 1
[reduction]
coordinates = { s = { value = 0, rate = 1 } }
x = "s"
y = "s"
)toml"));
  Verification result = verify(model, at_states(3));
  EXPECT_FALSE(find(result, "degrees of freedom")->ok);
}

TEST(Verify, AnErrorInTheEmbeddingIsCaught) {
  Model model = pendulum();
  Equations full = derive_multipliers(support::own_graph(model)), reduced = derive_reduced(support::own_graph(model));
  reduced.model_accelerations[0] += reduced.graph->symbol("s") / 1000;
  Verification result = verify(Derivations{full, reduced}, at_states(3));
  EXPECT_FALSE(find(result, "accelerations", "reduced")->ok);
}
