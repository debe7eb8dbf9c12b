// What a frame's group has to do with the Lagrangian: Euler's and impulse equations, momenta; and the transition
// equation itself, by numbers.

#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/mechanics/groups.hpp>
#include <dalembert/model/description.hpp>
#include <random>

using namespace dalembert;

namespace {

struct Studied {
  Model model;
  QuasiFrame frame;
  std::vector<TransitionCoefficient> beta;
  FrameDynamics dynamics;

  explicit Studied(Model given)
      : model(std::move(given)),
        frame(make_frame(model)),
        beta(derive_transition_coefficients(model, frame)),
        dynamics(derive_frame_dynamics(model, frame, beta)) {}
};

Description free_body() {
  Description d("body");
  d.parameter("I1", "1/2");
  d.parameter("I2", "4/5");
  d.parameter("I3", "11/10");
  d.coordinate("psi", {.value = "0.3", .rate = "0.4"});
  d.coordinate("theta", {.value = "1.1", .rate = "-0.2"});
  d.coordinate("phi", {.value = "-0.4", .rate = "0.9"});
  d.energy.kinetic =
      "(I1*(psi'*sin(theta)*sin(phi) + theta'*cos(phi))^2 + I2*(psi'*sin(theta)*cos(phi) - theta'*sin(phi))^2 + "
      "I3*(psi'*cos(theta) + phi')^2)/2";
  return d;
}

/// Rates about the body's axes.
Description body_rates(Description d) {
  d.quasi_velocity("w1", "psi'*sin(theta)*sin(phi) + theta'*cos(phi)");
  d.quasi_velocity("w2", "psi'*sin(theta)*cos(phi) - theta'*sin(phi)");
  d.quasi_velocity("w3", "psi'*cos(theta) + phi'");
  return d;
}

/// Rates about axes fixed in space.
Description space_rates(Description d) {
  d.quasi_velocity("w1", "theta'*cos(psi) + phi'*sin(theta)*sin(psi)");
  d.quasi_velocity("w2", "theta'*sin(psi) - phi'*sin(theta)*cos(psi)");
  d.quasi_velocity("w3", "psi' + phi'*cos(theta)");
  return d;
}

TEST(FrameDynamics, BodyRatesHaveEulersEquationsAndSpaceRatesImpulseEquations) {
  Studied body(make_model(body_rates(free_body()))), space(make_model(space_rates(free_body())));
  // Theory 3.9: constant coefficients in the body's rates, so restricted Euler equations there ...
  ASSERT_EQ(body.dynamics.momenta.size(), 3u);
  ASSERT_EQ(space.dynamics.momenta.size(), 3u);
  EXPECT_EQ(body.dynamics.euler, EulerKind::restricted);
  for (const Momentum& momentum : body.dynamics.momenta) EXPECT_EQ(momentum.is_conserved, std::optional(false));
  // ... and impulse equations in the reciprocal frame, the space rates: three conserved momenta.
  EXPECT_EQ(space.dynamics.euler, EulerKind::none);
  for (const Momentum& momentum : space.dynamics.momenta) {
    EXPECT_EQ(momentum.is_admitted, std::optional(true));
    EXPECT_EQ(momentum.is_conserved, std::optional(true));
  }
}

/// Theory 3.9, the other way: T with constant coefficients in the space rates (a sphere has them in both frames; here a
/// body whose inertia does not turn with it, which is no body but a Lagrangian) makes the body fields' momenta
/// constant.
TEST(FrameDynamics, ConstantCoefficientsInSpaceRatesMakeTheBodyFieldsMomentaConstant) {
  Description d = free_body();
  d.energy.kinetic =
      "(I1*(theta'*cos(psi) + phi'*sin(theta)*sin(psi))^2 + I2*(theta'*sin(psi) - phi'*sin(theta)*cos(psi))^2 + "
      "I3*(psi' + phi'*cos(theta))^2)/2";
  Studied body(make_model(body_rates(d))), space(make_model(space_rates(d)));
  EXPECT_EQ(space.dynamics.euler, EulerKind::restricted);
  EXPECT_EQ(body.dynamics.euler, EulerKind::none);
  ASSERT_EQ(body.dynamics.momenta.size(), 3u);
  for (const Momentum& momentum : body.dynamics.momenta) EXPECT_EQ(momentum.is_conserved, std::optional(true));
}

/// Taken literally, "Euler and impulse equations exist together only for constant beta" fails: a point on a sphere,
/// with the fields of two rotations. Their momenta are conserved, an orthonormal frame has Euler's equations in the
/// broad sense, and neither has constant coefficients.
TEST(FrameDynamics, TheSphereIsACounterexampleToTheLiteralTheorem) {
  Description d("sphere");
  d.coordinate("theta", {.value = "1.1", .rate = "0.3"});
  d.coordinate("phi", {.value = "0.4", .rate = "0.7"});
  d.energy.kinetic = "(theta'^2 + sin(theta)^2*phi'^2)/2";
  Description rotations = d, orthonormal = d;
  // X_a = -sin(phi) d/dtheta - cot(theta) cos(phi) d/dphi (about x), X_b = d/dphi (about z); omega is the dual frame.
  rotations.quasi_velocity("a", "-theta'/sin(phi)");
  rotations.quasi_velocity("b", "phi' - theta'*cos(theta)*cos(phi)/(sin(theta)*sin(phi))");
  orthonormal.quasi_velocity("u", "theta'");
  orthonormal.quasi_velocity("v", "sin(theta)*phi'");
  Studied impulse(make_model(rotations)), euler(make_model(orthonormal));
  ASSERT_EQ(impulse.dynamics.momenta.size(), 2u);
  for (const Momentum& momentum : impulse.dynamics.momenta) {
    EXPECT_EQ(momentum.is_admitted, std::optional(true));
    EXPECT_EQ(momentum.is_conserved, std::optional(true));
  }
  EXPECT_EQ(euler.dynamics.euler, EulerKind::broad);
  EXPECT_EQ(are_constant(impulse.model, impulse.beta), std::optional(false));
  EXPECT_EQ(are_constant(euler.model, euler.beta), std::optional(false));
}

TEST(FrameDynamics, AForceSpoilsAMomentumAndGravityAdmitsTheTurnAboutTheVertical) {
  Description d = space_rates(free_body());
  d.energy.potential = "cos(theta)";
  Studied heavy(make_model(d));
  EXPECT_EQ(heavy.dynamics.momenta[0].is_conserved, std::optional(false));
  EXPECT_EQ(heavy.dynamics.momenta[2].is_conserved, std::optional(true));
  d.force("psi", "1/10");
  Studied driven(make_model(d));
  EXPECT_EQ(driven.dynamics.momenta[2].is_admitted, std::optional(true));
  EXPECT_EQ(driven.dynamics.momenta[2].is_conserved, std::optional(false));
}

TEST(FrameDynamics, AMomentumWhoseFieldViolatesAConstraintIsNotCalledConserved) {
  Studied disk(load_model(find_model("models:rolling_disk_vertical")));
  for (std::size_t l = 0; l < disk.frame.size(); ++l) {
    if (disk.frame.velocities[l].row) {
      EXPECT_EQ(disk.dynamics.momenta[l].is_conserved, std::optional(false));
    }
  }
}

TEST(Frames, ParametersEnterTheStructureConstantsByTheirValues) {
  for (auto [value, name] : {std::pair("3", "se(2)"), std::pair("0", "R^3")}) {
    Description d("turned");
    d.parameter("k", value);
    for (const char* coordinate : {"x", "y", "theta"}) d.coordinate(coordinate, {.value = "0.2"});
    d.energy.kinetic = "(x'^2 + y'^2 + theta'^2)/2";
    d.quasi_velocity("u", "cos(k*theta)*x' + sin(k*theta)*y'");
    d.quasi_velocity("v", "-sin(k*theta)*x' + cos(k*theta)*y'");
    d.quasi_velocity("w", "theta'");
    Studied turned(make_model(d));
    EXPECT_EQ(are_constant(turned.model, turned.beta), std::optional(true));
    EXPECT_EQ(classify_group(make_structure_constants(turned.model, turned.beta, 3))->name, name);
  }
}

// --- the transition equations

/// pi, its slopes and beta of a frame at a place.
class Numbers {
 public:
  Numbers(const Studied& studied, const std::vector<double>& q, double t) : count_(studied.frame.size()) {
    std::vector<Binding> at{{studied.model.time, t}};
    std::vector<double> parameters = parameter_values(studied.model);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      at.push_back({studied.model.parameters[i].symbol, parameters[i]});
    std::vector<Expr> variables;
    for (std::size_t i = 0; i < q.size(); ++i) {
      at.push_back({studied.model.coordinates[i].q, q[i]});
      variables.push_back(studied.model.coordinates[i].q);
    }
    variables.push_back(studied.model.time);
    for (std::size_t r = 0; r < count_; ++r) {
      pi.push_back(evaluate(studied.frame.pi[r], at));
      slope.emplace_back();
      for (const auto& row : jacobian(studied.frame.pi[r], variables)) slope.back().push_back(evaluate(row, at));
    }
    for (const TransitionCoefficient& b : studied.beta) beta.push_back({b.mu, b.nu, b.rho, evaluate(b.value, at)});
  }
  struct Beta {
    std::size_t mu, nu, rho;
    double value;
  };
  std::vector<std::vector<double>> pi;                  // [r][l], time last
  std::vector<std::vector<std::vector<double>>> slope;  // [r][l][s]
  std::vector<Beta> beta;

 private:
  std::size_t count_;
};

/// Hamel 1904, (I): d delta theta - delta d theta = pi (d delta q - delta d q) + beta delta theta d theta, on random q,
/// dq, delta q, d delta q and delta d q: nothing about the order of d and delta is assumed.
class TransitionEquation : public testing::TestWithParam<std::string> {};

TEST_P(TransitionEquation, HoldsForRandomVariations) {
  Studied studied(load_model(find_model("models:" + GetParam())));
  const std::size_t n = studied.frame.size();
  std::mt19937 random(11);
  std::uniform_real_distribution<double> spread(-1, 1);
  std::vector<double> q = initial_state(studied.model).q;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> place = q, dq(n + 1), delta(n + 1), d_delta(n + 1), delta_d(n + 1);
    for (std::size_t l = 0; l < n; ++l) {
      place[l] += 0.3 * spread(random);
      dq[l] = spread(random), delta[l] = spread(random), d_delta[l] = spread(random), delta_d[l] = spread(random);
    }
    dq[n] = 1;  // time; delta t = 0, and both its second differentials vanish
    const Numbers at(studied, place, 0.7);
    std::vector<double> omega(n + 1, 1.0), theta(n + 1, 0.0);
    for (std::size_t r = 0; r < n; ++r) {
      omega[r] = 0;
      for (std::size_t l = 0; l <= n; ++l) omega[r] += at.pi[r][l] * dq[l], theta[r] += at.pi[r][l] * delta[l];
    }
    for (std::size_t r = 0; r < n; ++r) {
      double left = 0, right = 0, size = 0;
      for (std::size_t l = 0; l <= n; ++l) {
        for (std::size_t s = 0; s <= n; ++s) {
          left += at.slope[r][l][s] * (dq[s] * delta[l] - delta[s] * dq[l]);
          size += std::fabs(at.slope[r][l][s]);
        }
        left += at.pi[r][l] * (d_delta[l] - delta_d[l]);
        right += at.pi[r][l] * (d_delta[l] - delta_d[l]);
        size += std::fabs(at.pi[r][l]);
      }
      for (const Numbers::Beta& b : at.beta) {
        if (b.rho != r) continue;
        right += b.value * (theta[b.mu] * omega[b.nu] - theta[b.nu] * omega[b.mu]);
        size += std::fabs(b.value * theta[b.mu] * omega[b.nu]) + std::fabs(b.value * theta[b.nu] * omega[b.mu]);
      }
      // A hundred or so operations on numbers that add up to `size`.
      EXPECT_NEAR(left, right, 1e3 * 2.3e-16 * (1 + size)) << GetParam() << " velocity " << r;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bundled, TransitionEquation,
                         testing::Values("rolling_disk_tilted", "snakeboard", "heavy_top_symmetric",
                                         "free_body_space_frame", "rheonomic_frame", "chaplygin_sleigh_offset"));

/// Hamel 1904, (I'), with the sign of theory 7: for the position x of a mass point, with x taken as a function of
/// place, d delta x - delta d x = dx/dtheta_r [(d delta theta_r - delta d theta_r) - beta_mnr delta theta_m d theta_n].
TEST(TransitionEquationOfPoints, HoldsForTheCentreOfTheSleigh) {
  Studied sleigh(load_model(find_model("models:chaplygin_sleigh_offset")));
  const Vector3& x = sleigh.model.bodies[0].centre;
  std::vector<Expr> coordinates;
  for (const Coordinate& c : sleigh.model.coordinates) coordinates.push_back(c.q);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> spread(-1, 1);
  std::vector<double> q(3), dq(4), delta(4), d_delta(3), delta_d(3);
  for (std::size_t l = 0; l < 3; ++l) {
    q[l] = spread(random), dq[l] = spread(random), delta[l] = spread(random);
    d_delta[l] = spread(random), delta_d[l] = spread(random);
  }
  const Numbers at(sleigh, q, 0);
  std::vector<Binding> place{{sleigh.model.time, 0.0}};
  std::vector<double> parameters = parameter_values(sleigh.model);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    place.push_back({sleigh.model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < 3; ++i) place.push_back({coordinates[i], q[i]});
  std::vector<double> omega(3), theta(3), bracket(3);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t l = 0; l < 3; ++l) omega[r] += at.pi[r][l] * dq[l], theta[r] += at.pi[r][l] * delta[l];
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t l = 0; l < 3; ++l) {  // d delta theta - delta d theta, from their definitions
      bracket[r] += at.pi[r][l] * (d_delta[l] - delta_d[l]);
      for (std::size_t s = 0; s < 3; ++s) bracket[r] += at.slope[r][l][s] * (dq[s] * delta[l] - delta[s] * dq[l]);
    }
    for (const Numbers::Beta& b : at.beta)
      if (b.rho == r) bracket[r] -= b.value * (theta[b.mu] * omega[b.nu] - theta[b.nu] * omega[b.mu]);
  }
  for (const Expr& component : x) {
    std::vector<double> slope = evaluate(gradient(component, coordinates), place);
    double left = 0, right = 0;  // second derivatives of x cancel: they are symmetric
    for (std::size_t l = 0; l < 3; ++l) left += slope[l] * (d_delta[l] - delta_d[l]);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t l = 0; l < 3; ++l) right += slope[l] * evaluate(sleigh.frame.xi[r][l], place) * bracket[r];
    EXPECT_NEAR(left, right, 1e-14);
  }
}

}  // namespace
