#include <gtest/gtest.h>

#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/pfaff.hpp>
#include <dalembert/model/description.hpp>

using namespace dalembert;

namespace {

using Constraints = std::vector<std::pair<const char*, const char*>>;

/// Unit masses at x = 0.3, y = 0.5, z = -0.2, w = 0.4, with these constraints; k is a parameter.
Model make_constrained(const Constraints& constraints) {
  Description d("constrained");
  d.parameter("k", "2");
  d.coordinate("x", {.value = "0.3"}).coordinate("y", {.value = "0.5"});
  d.coordinate("z", {.value = "-0.2"}).coordinate("w", {.value = "0.4"});
  d.energy.kinetic = "(x'^2 + y'^2 + z'^2 + w'^2)/2";
  for (const auto& [name, relation] : constraints) d.constraint(name, relation);
  return make_model(d);
}

struct Case {
  Constraints constraints;
  std::vector<std::optional<bool>> in_system, by_itself;
  std::size_t integrals;
};

class IntegrabilityOf : public testing::TestWithParam<Case> {};

TEST_P(IntegrabilityOf, IsDecidedInTheSystemAndByItself) {
  Integrability result = decide_integrability(make_constrained(GetParam().constraints));
  std::vector<std::optional<bool>> in_system, by_itself;
  for (const Integrability::Entry& entry : result.constraints) {
    in_system.push_back(entry.in_system);
    by_itself.push_back(entry.by_itself);
  }
  EXPECT_EQ(in_system, GetParam().in_system) << GetParam().constraints[0].second;
  EXPECT_EQ(by_itself, GetParam().by_itself) << GetParam().constraints[0].second;
  EXPECT_EQ(result.integrals, std::optional(GetParam().integrals)) << GetParam().constraints[0].second;
}

INSTANTIATE_TEST_SUITE_P(
    Known, IntegrabilityOf,
    testing::Values(Case{{{"a", "y' = x"}}, {false}, {false}, 0},     // time counts
                    Case{{{"a", "y' = t*x'"}}, {false}, {false}, 0},  // likewise
                    Case{{{"a", "y' = t"}}, {true}, {true}, 1},       // and here it integrates
                    Case{{{"a", "z' = x*y'"}}, {false}, {false}, 0},  // contact form
                    Case{{{"a", "z' = x*y'"}, {"b", "x' = 0"}}, {true, true}, {false, true}, 2},
                    Case{{{"a", "z' = x*y' - y*x'"}}, {false}, {false}, 0},
                    Case{{{"a", "z' = x*y' - y*x'"}, {"b", "x^2 + y^2 = 0.34"}}, {true, true}, {false, true}, 2},
                    Case{{{"a", "y' = z*x'"}, {"b", "z' = w*x'"}}, {false, false}, {false, false}, 0},  // Engel
                    Case{{{"a", "y*x' + x*y' = 0"}}, {true}, {true}, 1},                                // exact
                    Case{{{"a", "y*x' - x*y' = 0"}}, {true}, {true}, 1},                                // factor 1/x^2
                    // A combination integrates, neither constraint does: a - b is x' = y'.
                    Case{{{"a", "x' + z*w' = 0"}, {"b", "y' + z*w' = 0"}}, {false, false}, {false, false}, 1},
                    Case{{{"a", "-x'*sin(z) + y'*cos(z) = 0"}}, {false}, {false}, 0}));  // knife edge

TEST(Integrability, OfTheRollingBallNothingIntegrates) {
  Integrability result = decide_integrability(load_model(find_model("models:turntable_ball_const")));
  for (const Integrability::Entry& entry : result.constraints) EXPECT_EQ(entry.in_system, std::optional(false));
  EXPECT_EQ(result.integrals, std::optional<std::size_t>(0));
}

TEST(Integrability, IsDecidedOnTheManifoldAwayFromASpecialStart) {
  // At the start the ball's axes are the world's, and what decides vanishes there.
  Model model = load_model(find_model("models:rolling_ball_quaternion"));
  Integrability result = decide_integrability(model);
  std::vector<std::pair<std::string, std::optional<bool>>> found,
      expected{{"height", true}, {"roll.x", false}, {"roll.y", false}, {"roll.z", true}, {"unit(ball)", true}};
  for (const Integrability::Entry& entry : result.constraints) found.emplace_back(entry.name, entry.in_system);
  EXPECT_EQ(found, expected);
}

TEST(Integrability, IsDecidedBesideARedundantConstraint) {
  // The knife edge with the height held twice, by place and by rate.
  Integrability result = decide_integrability(
      make_constrained({{"edge", "-x'*sin(z) + y'*cos(z) = 0"}, {"height", "w = 0"}, {"again", "2*w' = 0"}}));
  ASSERT_EQ(result.constraints.size(), 3u);
  EXPECT_EQ(result.constraints[0].in_system, std::optional(false));
  EXPECT_EQ(result.constraints[1].in_system, std::optional(true));
  EXPECT_EQ(result.constraints[2].in_system, std::optional(true));
  EXPECT_EQ(result.integrals, std::optional<std::size_t>(1));
}

std::vector<ConstraintIntegral> integrals_of(const Model& model) {
  return find_constraint_integrals(model, decide_integrability(model));
}

struct Found {
  Constraints constraints;
  const char* formula;  ///< of the first constraint's integral, up to a function of it
};

void PrintTo(const Found& found, std::ostream* out) { *out << found.constraints[0].second; }

class ConstraintIntegrals : public testing::TestWithParam<Found> {};

TEST_P(ConstraintIntegrals, AreFoundWhereElementary) {
  Model model = make_constrained(GetParam().constraints);
  std::vector<ConstraintIntegral> found = integrals_of(model);
  ASSERT_FALSE(found.empty()) << GetParam().constraints[0].second;
  // A function of the expected one: all 2x2 minors of their gradients vanish (apart from what the others fix).
  std::vector<Expr> variables;
  for (const Coordinate& c : model.coordinates) variables.push_back(c.q);
  variables.push_back(model.time);
  if (GetParam().constraints.size() > 1) std::erase(variables, model.coordinates[0].q);
  std::vector<Expr> a = gradient(found[0].formula, variables);
  std::vector<Expr> b = gradient(parse_expression(*model.graph, GetParam().formula), variables);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_EQ(test_zero(a[i] * b[j] - a[j] * b[i]).verdict, Verdict::zero) << GetParam().formula;
}

INSTANTIATE_TEST_SUITE_P(Elementary, ConstraintIntegrals,
                         testing::Values(Found{{{"a", "x' = k*y'"}}, "x - k*y"},    // rolling along a line
                                         Found{{{"a", "y' = t"}}, "y - t^2/2"},     // time
                                         Found{{{"a", "y*x' + x*y' = 0"}}, "x*y"},  // exact
                                         Found{{{"a", "y*x' - x*y' = 0"}}, "y/x"},  // a factor of one variable
                                         Found{{{"a", "sin(y)*x' = cos(x)*y'"}},
                                               "log((1 + sin(x))/cos(x)) - log(tan(y/2))"},
                                         Found{{{"a", "y' = -k*y + t"}}, "exp(k*t)*(y - t/k + 1/k^2)"},  // linear
                                         Found{{{"a", "x' + y' + t*z' + z = 0"}}, "x + y + t*z"},
                                         Found{{{"a", "z' = x*y'"}, {"b", "x' = 0"}}, "z - x*y"},
                                         Found{{{"a", "exp(x)*(x' + k*y') = 0"}}, "x + k*y"}));

TEST(ConstraintIntegrals, AreShownAsTheUserMayWriteThem) {
  Model model = make_constrained({{"roll", "x' = k*y'"}});
  std::vector<ConstraintIntegral> found = integrals_of(model);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].is_by_itself);
  std::string line = write_as_geometric(found[0]);  // the constants are those of the initial state
  Model written = make_constrained({{"roll", line.substr(8, line.size() - 9).c_str()}});
  EXPECT_EQ(written.constraints[0].kind, ConstraintKind::geometric) << line;
  std::vector<Binding> at{{written.parameters[0].symbol, 2.0}};
  ModelState start = initial_state(written);
  for (std::size_t i = 0; i < start.q.size(); ++i) at.push_back({written.coordinates[i].q, start.q[i]});
  EXPECT_NEAR(evaluate(written.constraints[0].f, at), 0, 1e-15) << line;
}

TEST(ConstraintIntegrals, OfNonHolonomicConstraintsThereAreNone) {
  EXPECT_TRUE(integrals_of(make_constrained({{"a", "z' = x*y'"}})).empty());
  EXPECT_TRUE(integrals_of(make_constrained({{"a", "y' = x"}})).empty());
}

}  // namespace
