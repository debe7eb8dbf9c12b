// Systems of more coordinates than frames and connections are built for: what is told instead, and what stays exact.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/base/failure.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/study/action.hpp>
#include <dalembert/study/equilibria.hpp>
#include <dalembert/study/geometry.hpp>
#include <dalembert/study/linearize.hpp>
#include <dalembert/study/reactions.hpp>

#include "base/tolerances.hpp"
#include "study/large_hodograph.hpp"
#include "study/metric_reactions.hpp"

using namespace dalembert;
using testing::Contains;
using testing::HasSubstr;

namespace {

/// Masses on links that hang from the origin, each link at an angle of its own; the masses differ.
Model chain(int count, const std::string& more = "") {
  std::string text = R"toml(
name = "chain"
gravity = [0, -9.81, 0]
[repeat]
k = "1..N"
[parameters]
L = 0.5
N = )toml" + std::to_string(count) +
                     R"toml(
[definitions]
x0 = "0"
y0 = "0"
[coordinates]
"x{k}" = { value = "L*{k}*3/5", rate = "{k}*4/5" }
"y{k}" = { value = "-L*{k}*4/5", rate = "{k}*3/5" }
[points."P{k}"]
position = ["x{k}", "y{k}", 0]
mass = "1 + {k}/10"
[constraints]
"link{k}" = "(x{k} - x{k-1})^2 + (y{k} - y{k-1})^2 = L^2"
)toml" + more;
  return make_model(parse_description(text));
}

ModelState start_of(const Model& model) { return initial_state(model); }

void expect_same(const std::vector<Reaction>& a, const std::vector<Reaction>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].name, b[i].name);
    EXPECT_NEAR(a[i].value, b[i].value, tolerance * std::abs(b[i].value)) << a[i].name;
    for (std::size_t l = 0; l < a[i].generalized.size(); ++l)
      EXPECT_NEAR(a[i].generalized[l], b[i].generalized[l], tolerance * std::abs(b[i].value)) << a[i].name;
  }
}

}  // namespace

TEST(Large, MetricReactionsAreThoseOfTheProjector) {
  const Model model = chain(6);
  const ModelState start = start_of(model);
  const State state{start.t, start.q, start.rates};
  const KineticGeometry geometry = derive_projection(model);
  const GeometryReport dense = evaluate_geometry(geometry, state);
  const MetricReactions sparse = evaluate_metric_reactions(geometry, state);
  ASSERT_EQ(sparse.lambda.size(), 6u);
  for (std::size_t a = 0; a < 6; ++a) {
    EXPECT_GT(std::abs(dense.lambda[a]), 1) << "nothing would be compared";
    EXPECT_NEAR(sparse.lambda[a], dense.lambda[a], tolerance::clear_sign * std::abs(dense.lambda[a]));
    EXPECT_NEAR(sparse.theta[a], dense.theta[a], tolerance::clear_sign * std::abs(dense.theta[a]));
  }
}

TEST(Large, ReactionsByHamelAndProjectionAreThoseByMultipliers) {
  const Model model = chain(40);  // 80 coordinates
  ASSERT_GT(model.coordinates.size(), most_dense);
  const ModelState start = start_of(model);
  const std::vector<Reaction> known = find_reactions(derive_multipliers(model), {start.t, start.q, start.rates});
  expect_same(find_surplus_reactions(model, start), known, tolerance::clear_sign);
  expect_same(find_projected_reactions(model, start), known, tolerance::clear_sign);
}

TEST(Large, DependentConstraintsAreNamedAsTheReason) {
  const Model model = chain(40, "again = \"x1^2 + y1^2 = L^2\"\n");
  EXPECT_THROW(find_projected_reactions(model, start_of(model)), ComputationError);
}

TEST(Large, AFrameIsToldByItsFamilies) {
  const FrameReport report = describe_frame(chain(40));
  EXPECT_TRUE(report.velocities.empty());
  EXPECT_THAT(report.remarks, Contains(HasSubstr("80 quasi-velocities, too many to list")));
  EXPECT_THAT(report.remarks, Contains(HasSubstr("link{k} (k = 2..40)")));
  EXPECT_THAT(report.remarks, Contains(HasSubstr("40 integrable (link1 to link40)")));
  EXPECT_EQ(report.is_constant, std::optional(true));
  for (const Integrability::Entry& entry : report.integrability.constraints)
    EXPECT_EQ(entry.in_system, std::optional(true)) << entry.name;
}

TEST(Large, TheActionIsThatOfTheMotionAndItsMomentaAreThoseOfTheCoordinates) {
  const Model model = chain(40);
  const ModelState start = start_of(model);
  ActionOptions options;
  options.until = 0.01;
  options.from = start.q;
  const ActionReport report = evaluate_action(model, options);
  EXPECT_FALSE(report.is_checked);
  ASSERT_EQ(report.momenta.size(), 80u);
  // The third mass, 1.3: m x'.
  EXPECT_EQ(report.momenta[4].velocity, "x3'");
  EXPECT_NEAR(report.momenta[4].start, 1.3 * 2.4, tolerance::cancelled * 4);
  // In so short a time the integral of L is its value at the start times the time, but for the square of the time.
  double lagrangian = 0;
  for (int k = 1; k <= 40; ++k) lagrangian += (1 + k / 10.0) * (k * k / 2.0 + 9.81 * 0.5 * k * 0.8);
  EXPECT_NEAR(report.action, lagrangian * options.until, 0.05 * lagrangian * options.until);
}

TEST(Large, AnEquilibriumIsFoundFromANearStart) {
  // A hanging chain, started 16 degrees aside: the pull of a link is the weight below it, 2 L lambda.
  std::string text = R"toml(
gravity = [0, -9.81, 0]
[repeat]
k = "1..40"
[definitions]
x0 = "0"
y0 = "0"
[coordinates]
"x{k}" = "{k}*7/25"
"y{k}" = "-{k}*24/25"
[points."P{k}"]
position = ["x{k}", "y{k}", 0]
mass = 1
[constraints]
"link{k}" = "(x{k} - x{k-1})^2 + (y{k} - y{k-1})^2 = 1"
)toml";
  const Equilibria result = find_equilibria(make_model(parse_description(text)));
  ASSERT_EQ(result.found.size(), 1u);
  const Equilibrium& found = result.found[0];
  EXPECT_FALSE(found.stable);
  for (std::size_t k = 1; k <= 40; ++k) {
    EXPECT_NEAR(found.q[2 * k - 2], 0, tolerance::consistent * 40);
    EXPECT_NEAR(found.q[2 * k - 1], -static_cast<double>(k), tolerance::consistent * 40);
    EXPECT_NEAR(found.reactions[k - 1], -9.81 * static_cast<double>(41 - k) / 2, tolerance::consistent * 9.81 * 40);
  }
}

TEST(Large, TheArcOfAHodographIsThatByTransport) {
  const Model model = chain(3);
  const KineticGeometry geometry = derive_projection(model);
  const SimulateOptions options{.until = 0.2, .every = 0.02, .tolerance = 1e-12};
  const Hodograph carried = find_hodograph(geometry, options), large = find_large_hodograph(geometry, options);
  ASSERT_EQ(large.t, carried.t);
  for (std::size_t k = 0; k < large.t.size(); ++k) {
    EXPECT_NEAR(large.arc[k], carried.arc[k], 1e-6 * carried.arc.back());  // Simpson's rule in 2.5 ms
    EXPECT_NEAR(large.f[k], carried.f[k], tolerance::consistent * carried.f[k]);
    EXPECT_NEAR(large.X[k], carried.X[k], tolerance::consistent * carried.X[k]);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(large.curve[k][i], carried.curve[k][i], tolerance::consistent * 10);
  }
}

TEST(Large, AStartThatFallsIsRefusedByLinearizeWithTheFirstOfWhatMoves) {
  std::string text = R"toml(
gravity = [0, -9.81, 0]
[repeat]
k = "1..40"
[definitions]
x0 = "0"
y0 = "0"
[coordinates]
"x{k}" = "{k}"
"y{k}" = 0
[points."P{k}"]
position = ["x{k}", "y{k}", 0]
mass = 1
[constraints]
"link{k}" = "(x{k} - x{k-1})^2 + (y{k} - y{k-1})^2 = 1"
)toml";
  try {
    linearize(make_model(parse_description(text)));
    FAIL() << "a horizontal chain is not at rest";
  } catch (const InputError& error) {
    EXPECT_THAT(error.complaint().problem, HasSubstr("y1'' = -9.81"));
    EXPECT_THAT(error.complaint().problem, HasSubstr("and 28 more"));
  }
}
