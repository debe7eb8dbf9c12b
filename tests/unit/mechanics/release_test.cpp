// Released reactions (Paulus 1910) as formulas, against closed forms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/release.hpp>
#include <dalembert/model/description.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

struct Case {
  Model model;
  Equations equations;
  Solution solution;
  std::vector<ReleasedReaction> releases;

  explicit Case(Description description)
      : model(make_model(description)),
        equations(derive_multipliers(support::own_graph(model))),
        solution(solve_symbolically_in(equations)),
        releases(derive_releases(equations.model)) {}
  explicit Case(const std::string& text) : Case(parse_description(text, "test.toml")) {}

  /// With accelerations and multipliers put in, is this the formula?
  bool is(Expr found, const std::string& expected) const {
    return are_equal(eliminate_accelerations(equations, solution, found), parse_expression(*model.graph, expected));
  }
  const ReleasedReaction& release(const std::string& name) const {
    for (const ReleasedReaction& each : releases)
      if (each.name == name) return each;
    throw std::runtime_error("no release " + name);
  }
  const Vector3& direction(const std::string& name, const std::string& point) const {
    for (const PointLoad& load : release(name).on)
      if (load.on == point) return load.direction.value();
    throw std::runtime_error("no point " + point);
  }
};

Case bundled(const std::string& name) { return Case(read_description(find_model("models:" + name))); }

/// The bundled model without the constraints of its releases.
Case without_constraints(const std::string& name) {
  Description description = read_description(find_model("models:" + name));
  for (auto& entry : description.releases) entry.what.constraint = {};
  return Case(description);
}

std::string complaint(const std::string& text) {
  try {
    derive_releases(make_model(parse_description(text, "m.toml")));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

const std::string pendulum = R"toml(
gravity = [0, 0, "-g"]
[parameters]
m = 1
l = 2
g = 10
[coordinates]
a = { value = 0.3, rate = 1 }
[points.P]
position = ["l*sin(a)", 0, "-l*cos(a)"]
mass = "m"
)toml";

}  // namespace

TEST(Release, the_string_and_both_planes_of_Paulus_first_example) {
  Case c = bundled("paulus1_released");
  EXPECT_TRUE(c.is(c.release("l").rho, "-m1*m2*g*(sin(al) + sin(be))/(m1 + m2)"));
  EXPECT_TRUE(c.is(c.release("l").lambda, "-m1*m2*g*(sin(al) + sin(be))/(m1 + m2)"));
  EXPECT_TRUE(c.is(c.release("al").rho, "-m1*g*q*cos(al)"));
  EXPECT_TRUE(c.is(c.release("al").lambda, "-m1*g*cos(al)^2"));
  EXPECT_TRUE(c.is(c.release("be").rho, "-m2*g*(l - q)*cos(be)"));
  EXPECT_TRUE(c.is(c.release("be").lambda, "-m2*g*cos(be)^2"));
  EXPECT_EQ(c.release("al").orthogonal, Verdict::zero);
  EXPECT_EQ(c.release("be").orthogonal, Verdict::zero);
  EXPECT_EQ(c.release("l").orthogonal, Verdict::nonzero) << "the string ties two points";
}

TEST(Release, the_orthogonal_shortcut_gives_the_planes_force_without_a_constraint) {
  Case c = without_constraints("paulus1_released");
  EXPECT_EQ(c.release("al").orthogonal, Verdict::zero);
  // The normal force m g cos(al), up and away from the plane (z points down).
  EXPECT_TRUE(c.is(c.release("al").rho * c.direction("al", "A")[0], "m1*g*cos(al)*sin(al)"));
  EXPECT_TRUE(c.is(c.release("al").rho * c.direction("al", "A")[2], "-m1*g*cos(al)^2"));
  EXPECT_EQ(c.release("l").orthogonal, Verdict::nonzero);
  ASSERT_FALSE(c.release("l").on.empty());
  for (const PointLoad& load : c.release("l").on) EXPECT_FALSE(load.direction) << load.on;
}

TEST(Release, the_shortcut_is_refused_where_only_cross_terms_are_absent) {
  Case given = bundled("paulus1b_released"), bare = without_constraints("paulus1b_released");
  EXPECT_EQ(given.release("p").orthogonal, Verdict::nonzero);
  EXPECT_EQ(bare.release("p").orthogonal, Verdict::nonzero);
  EXPECT_FALSE(bare.release("p").on.at(0).direction);
  EXPECT_TRUE(given.is(given.release("p").rho, "-(1.3*cos(pi/3) + 9.81*sin(pi/3))"));
  EXPECT_TRUE(given.is(given.release("p").lambda, "(1.3*cos(pi/3) + 9.81*sin(pi/3))/sin(pi/3)"));
}

TEST(Release, a_double_pendulums_upper_length_is_orthogonal_although_a_cross_term_is_there) {
  Case c = bundled("double_pendulum"), bare = without_constraints("double_pendulum");
  EXPECT_EQ(c.release("l1").orthogonal, Verdict::zero);
  EXPECT_EQ(bare.release("l1").orthogonal, Verdict::zero);
  EXPECT_EQ(bare.release("l2").orthogonal, Verdict::nonzero);
  for (const Case* each : {&c, &bare}) {
    EXPECT_TRUE(each->is(each->direction("l1", "P1")[0], "sin(a)"));
    EXPECT_TRUE(each->is(each->direction("l1", "P1")[1], "-cos(a)"));
  }
}

TEST(Release, the_pivots_force_of_Paulus_second_example) {
  Case c = bundled("paulus2_released");
  EXPECT_TRUE(c.is(c.release("x0").lambda, "-phi'^2*s*sin(phi)*M - g*s^2*sin(phi)*cos(phi)*M^2/K"));
  EXPECT_TRUE(c.is(c.release("z0").lambda, "g*s^2*sin(phi)^2*M^2/K - phi'^2*s*cos(phi)*M - g*M"));
}

TEST(Release, a_pendulums_tension_from_its_angles) {
  Case c = bundled("spherical_pendulum_angles");
  EXPECT_TRUE(c.is(c.release("l").lambda, "-m*(g*cos(theta) + l*(theta'^2 + sin(theta)^2*phi'^2))"));
}

TEST(Release, a_general_lagrangian_says_itself_what_the_radius_does) {
  Case c = bundled("relativistic_circle_angle");
  EXPECT_TRUE(c.is(c.release("R").lambda, "-(m*phi'^2/sqrt(1 - R^2*phi'^2/c^2) + e*B*phi')"));
}

TEST(Release, the_normal_force_on_a_rolling_disk) {
  Case c = bundled("rolling_disk_released");
  EXPECT_TRUE(are_equal(c.release("h").lambda,
                        parse_expression(*c.model.graph, "m*(g - r*(sin(theta)*theta'' + cos(theta)*theta'^2))")));
  EXPECT_THAT(c.release("h").carried, ElementsAre()) << "rolling is horizontal";
}

TEST(Release, a_drives_couple_and_its_rate) {
  Case c = bundled("rotating_hoop");
  EXPECT_TRUE(c.is(c.release("W*t").rho, "2*m*R^2*W*theta'*sin(theta)*cos(theta)"));
  EXPECT_TRUE(are_equal(c.release("W*t").rate, parse_expression(*c.model.graph, "W")));
}

TEST(Release, terms_of_constraints_that_are_carried) {
  Case c = bundled("pendulum_with_rod");
  EXPECT_THAT(c.release("l").carried, ElementsAre("rod"));
  // The rod's own length is in nothing but the rod: rho = -lambda df/dd = lambda.
  EXPECT_TRUE(are_equal(c.release("d").rho, c.model.graph->symbol("reaction(rod)")));
  Case boom = bundled("boom_with_skate");
  EXPECT_THAT(boom.release("b").carried, ElementsAre("blade"));
}

TEST(Release, masses_and_inertias_keep_their_values) {
  Case c(R"toml(
[parameters]
l = 2
half = "l/2"
[coordinates]
a = { value = 0.3, rate = 1 }
[points.P]
position = ["l*cos(a)", "l*sin(a)", 0]
mass = "l^2"
[points.Q]
position = ["half*cos(a)", "half*sin(a)", 0]
mass = 1
[release.l]
)toml");
  EXPECT_TRUE(c.is(c.release("l").rho, "-l^3*a'^2")) << "a mass that grew, or Q, would add terms";
}

TEST(Release, a_constant_formula_is_released_where_it_is_written) {
  Case c(R"toml(
[parameters]
L = 3
[coordinates]
a = { value = 0.3, rate = 1 }
[points.P]
position = ["L/2*cos(a)", "L/2*sin(a)", 0]
mass = 1
[points.Q]
position = ["L*cos(a)", "L*sin(a)", 0]
mass = 1
[release."L/2"]
)toml");
  EXPECT_TRUE(c.is(c.release("L/2").rho, "-L/2*a'^2"));
}

TEST(Release, several_releases_do_not_disturb_each_other) {
  Description description = read_description(find_model("models:double_pendulum"));
  Case both(description);
  description.releases.pop_back();
  Case one(description);
  std::vector<Expr> moved = copy_to(*both.model.graph, {&one.release("l1").lambda, 1});
  EXPECT_TRUE(are_equal(moved[0], both.release("l1").lambda));
}

TEST(Release, forces_and_dissipation_act_on_the_released_constant) {
  Case c(R"toml(
[parameters]
l = 2
[coordinates]
a = { value = 0.3, rate = 1 }
[points.P]
position = ["l*cos(a)", "l*sin(a)", 0]
mass = 1
force = [5, "a", 0]
[energy]
dissipation = "dot(velocity(P), velocity(P))/2 + l'*a'"
[release.l]
)toml");
  EXPECT_TRUE(c.is(c.release("l").rho, "-l*a'^2 - 5*cos(a) - a*sin(a) + a'"));
}

TEST(Release, what_cannot_be_released_is_refused_with_a_list_of_what_can) {
  EXPECT_THAT(complaint(pendulum + "[release.k]\n"), HasSubstr("release.k: unknown name 'k'; can be released: l"));
  EXPECT_THAT(complaint(pendulum + "[release.a]\n"),
              HasSubstr("'a' is no constant: it depends on a; can be released: l"));
  EXPECT_THAT(complaint(pendulum + "[release.\"l + t\"]\n"), HasSubstr("does not enter the geometry"));
  EXPECT_THAT(complaint(pendulum + "[release.m]\n"), HasSubstr("'m' does not enter the geometry"));
  EXPECT_THAT(complaint(pendulum + "[release.g]\n"), HasSubstr("'g' does not enter the geometry"));
  EXPECT_THAT(complaint(pendulum + "[release.t]\n"), HasSubstr("time itself"));
  EXPECT_THAT(complaint(pendulum + "[release.\"2\"]\n"), HasSubstr("is a number"));
  EXPECT_THAT(complaint(pendulum + "[release.l]\nconstraint = \"position(P).y - l\"\n"),
              HasSubstr("release.l.constraint: its gradient vanishes"));
}

TEST(Release, a_row_written_in_rates_hides_what_the_constants_rate_does) {
  const std::string cart = R"toml(
[parameters]
r = 0.5
[coordinates]
x = { value = 0, rate = 0.5 }
phi = { value = 0, rate = 1 }
[points.P]
position = ["x", "r", 0]
mass = 1
[energy]
kinetic = "phi'^2/2"
[constraints]
)toml";
  EXPECT_THAT(complaint(cart + "roll = \"x' = r*phi'\"\n[release.r]\n"),
              HasSubstr("the constraint roll is written in rates, depends on r and says nothing of its rate"));
  EXPECT_EQ(complaint(cart + "roll = \"x' = r*phi' + r'*sin(phi)\"\n[release.r]\n"), "none");
  EXPECT_THAT(
      complaint("[parameters]\nl = 1\n[coordinates]\na = 0.1\n[energy]\nkinetic = \"l^2*a'^2/2\"\n[release.l]\n"),
      HasSubstr("energy.kinetic depends on l and on rates"));
}

TEST(Release, drives_are_offered_with_the_constants) {
  Model model = make_model(parse_description(R"toml(
[parameters]
a = 0.1
w = 3
l = 1
[coordinates]
phi = 0.2
[points.P]
position = ["a*cos(w*t) + l*sin(phi)", 0, "-l*cos(phi)"]
mass = 1
)toml"));
  EXPECT_THAT(find_releasable(model), ElementsAre("a", "w", "l", "a*cos(t*w)"));
}
