// What there is to see of a model: rods, solids, the plane, the forces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>
#include <dalembert/study/reactions.hpp>
#include <dalembert/study/scene.hpp>

using namespace dalembert;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

namespace {

struct Seen {
  Model model;
  Trajectory motion;
  Scene scene;
};

Seen see(Model model, double until = 0.3) {
  Trajectory motion = System(derive_multipliers(model)).simulate({.until = until, .every = until / 10});
  Scene scene = make_scene(model, motion);
  return {std::move(model), std::move(motion), std::move(scene)};
}
Seen see(const std::string& name) { return see(load_model(find_model("models:" + name))); }
Seen see_text(const std::string& text) { return see(make_model(parse_description(text, "test.toml"))); }

/// "A-B" of every rod.
std::vector<std::string> rods(const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneShape& shape : scene.shapes)
    if (shape.kind == ShapeKind::rod) names.push_back(scene.places[shape.at].name + "-" + scene.places[*shape.to].name);
  return names;
}
const SceneShape& shape_of(const Scene& scene, const std::string& name) {
  return *std::ranges::find_if(scene.shapes, [&](const SceneShape& shape) {
    return shape.name == name && shape.kind != ShapeKind::rod && shape.kind != ShapeKind::axes;
  });
}
double number(const Scene& scene, Expr formula) {
  return evaluate(formula, bind_symbols(*scene.model, initial_state(*scene.model), parameter_values(*scene.model)));
}

TEST(Scene, APlanePendulumIsARodInItsPlane) {
  const Scene scene = see("pendulum").scene;
  EXPECT_THAT(rods(scene), ElementsAre("world-P"));
  EXPECT_EQ(scene.plane_normal, 2u);
  EXPECT_THAT(scene.up, ElementsAre(0, 1, 0));
  EXPECT_EQ(shape_of(scene, "P").kind, ShapeKind::point);
}

TEST(Scene, RodsJoinWhatTheGeometryKeepsAtItsDistanceAndNothingElse) {
  EXPECT_THAT(rods(see("double_pendulum").scene), UnorderedElementsAre("world-P1", "P1-P2"));
  EXPECT_THAT(rods(see("projectile").scene), ElementsAre());
  EXPECT_EQ(rods(see("chain_10").scene).size(), 10u);  // distances that constraints in coordinates keep
  // A mass that circles by itself is on no rod: its path has that distance, not the geometry.
  EXPECT_THAT(rods(see_text(R"(
[coordinates]
x = { value = 1, rate = 0 }
y = { value = 0, rate = 1 }
[points.P]
position = ["x", "y", 0]
mass = 1
[energy]
potential = "(x^2 + y^2)/2"
)")
                       .scene),
              ElementsAre());
}

TEST(Scene, PositionsWithoutANameThatAConstraintKeepsADistanceToHaveRods) {
  const Scene scene = see("redundant_parallelogram").scene;
  EXPECT_THAT(rods(scene), testing::IsSupersetOf({"anchor of left-left", "world-middle", "anchor of right-right"}));
  const SceneShape& rod = scene.shapes.back();
  EXPECT_NEAR(number(scene, scene.places[rod.at].position[0]), 0.5, 1e-12);  // b, the distance of the anchors
  EXPECT_NEAR(number(scene, scene.places[rod.at].position[1]), 0, 1e-12);
}

/// A point in a plane, held by one constraint.
Scene see_held(const std::string& constraint, const std::string& y) {
  return see_text("[parameters]\na = 3\n[coordinates]\nx = 1\ny = " + y +
                  "\n[points.P]\nposition = [\"x\", \"y\", 0]\nmass = 1\n[constraints]\nheld = \"" + constraint +
                  "\"\n")
      .scene;
}

TEST(Scene, AnAnchorIsFoundHoweverItsDistanceIsWritten) {
  for (const char* constraint : {"(x - a)^2 + (y - 1)^2 = 8", "sqrt((x - a)^2 + (y - 1)^2) = sqrt(8)",
                                 "norm(position(P) - [a, 1, 0]) = sqrt(8)", "1/((x - a)^2 + (y - 1)^2) = 1/8"}) {
    const Scene scene = see_held(constraint, "3");
    ASSERT_THAT(rods(scene), ElementsAre("anchor of held-P")) << constraint;
    EXPECT_NEAR(number(scene, scene.places.back().position[0]), 3, 1e-9) << constraint;
    EXPECT_NEAR(number(scene, scene.places.back().position[1]), 1, 1e-9) << constraint;
    EXPECT_NEAR(number(scene, scene.places.back().position[2]), 0, 1e-9) << constraint;
  }
  for (const char* constraint : {"(x - a)^2 + 2*(y - 1)^2 = 12", "y = 3*x", "x*y = 3"})  // no circles
    EXPECT_THAT(rods(see_held(constraint, "3")), ElementsAre()) << constraint;
}

TEST(Scene, PathsAreThoseOfWhatMoves) {
  const Scene scene = see("heavy_top_quaternion").scene;  // its body's centre is put at the fixed point
  ASSERT_EQ(scene.traced.size(), 1u);
  EXPECT_EQ(scene.places[scene.traced[0]].name, "G");
}

TEST(Scene, PlacesThatTheConstraintsBringTogetherAreOne) {
  // Two four-bars on three cranks: a crank is its pin, its centre and its end; a coupler begins where a crank ends.
  const Scene scene = see("iftomm_A02_fourbar").scene;
  EXPECT_EQ(rods(scene).size(), 3 * 2 + 2 * 2u);
  EXPECT_EQ(scene.plane_normal, 2u);
}

TEST(Scene, ADiskThatRollsIsAWheelWithTheRadiusToItsContact) {
  const Seen seen = see("rolling_disk_body");
  const SceneShape& wheel = shape_of(seen.scene, "disk");
  EXPECT_EQ(wheel.kind, ShapeKind::wheel);
  EXPECT_EQ(wheel.axis, 1u);
  EXPECT_NEAR(number(seen.scene, wheel.size[0]), 0.3, 1e-15);
  EXPECT_FALSE(seen.scene.plane_normal);
  EXPECT_THAT(seen.scene.up, ElementsAre(0, 0, 1));
}

TEST(Scene, SolidsHaveTheMomentsOfTheBodiesThatTheyShow) {
  const auto body = [](const std::string& inertia) {
    return see_text(
               "[coordinates]\na = 0\nx = 0\n[frames.f]\norigin = [\"x\", 0, 0]\nrotate = [[\"z\", \"a\"]]\n"
               "[bodies.b]\nframe = \"f\"\nmass = 3\ninertia = " +
               inertia + "\n")
        .scene;
  };
  // A box of 1 x 2 x 3: m (b^2 + c^2)/12.
  const Scene box = body("[\"3*13/12\", \"3*10/12\", \"3*5/12\"]");
  ASSERT_EQ(shape_of(box, "b").kind, ShapeKind::box);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(number(box, shape_of(box, "b").size[k]), 1.0 + k, 1e-14);
  // A ball of radius 2: 2 m r^2/5.
  const Scene ball = body("[\"24/5\", \"24/5\", \"24/5\"]");
  ASSERT_EQ(shape_of(ball, "b").kind, ShapeKind::sphere);
  EXPECT_NEAR(number(ball, shape_of(ball, "b").size[0]), 2, 1e-14);
  // A cylinder of radius 1 and length 4 along x: m r^2/2, m (3 r^2 + l^2)/12.
  const Scene cylinder = body("[\"3/2\", \"3*19/12\", \"3*19/12\"]");
  ASSERT_EQ(shape_of(cylinder, "b").kind, ShapeKind::cylinder);
  EXPECT_EQ(shape_of(cylinder, "b").axis, 0u);
  EXPECT_NEAR(number(cylinder, shape_of(cylinder, "b").size[0]), 1, 1e-14);
  EXPECT_NEAR(number(cylinder, shape_of(cylinder, "b").size[1]), 4, 1e-14);
  // Moments that no solid has, as a plane model gives them, are shown by a ball at the centre.
  EXPECT_EQ(shape_of(body("[0, 0, 1]"), "b").kind, ShapeKind::point);
}

TEST(Scene, ArrowsAreTheForcesThatReactionsShows) {
  for (const std::string name : {"rolling_disk_body", "double_pendulum"}) {
    const Seen seen = see(name);
    const Equations equations = derive_multipliers(seen.model);
    const System system(equations);
    const State state = system.make_initial_start().state;
    const std::vector<double> row = system.evaluate_row(state);
    const std::vector<Reaction> reactions = find_reactions(equations, state, {.formulas = false});
    std::size_t compared = 0;
    for (const SceneArrow& arrow : seen.scene.arrows) {
      std::array<double, 3> drawn{}, expected{};
      for (const SceneArrow::Part& part : arrow.parts) {
        const auto column = std::ranges::find(system.columns(), part.column) - system.columns().begin();
        ASSERT_LT(column, std::ssize(row)) << part.column;
        for (std::size_t k = 0; k < 3; ++k)
          drawn[k] += row[static_cast<std::size_t>(column)] * number(seen.scene, part.factor[k]);
      }
      for (const Reaction& reaction : reactions)
        for (const ForceOn& force : reaction.on)
          if ((reaction.name == arrow.name || reaction.name.starts_with(arrow.name + ".")) &&
              force.on == seen.scene.places[arrow.at].name && force.is_couple == arrow.is_couple)
            for (std::size_t k = 0; k < 3; ++k) expected[k] += force.value[k];
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(drawn[k], expected[k], 1e-9) << name << " " << arrow.name;
      compared += std::hypot(expected[0], expected[1], expected[2]) > 1e-6 ? 1 : 0;
    }
    EXPECT_GE(compared, name == "double_pendulum" ? 3u : 1u) << name;
  }
}

TEST(Scene, AConstraintOnCoordinatesThatAreComponentsOfPointsHasArrowsToo) {
  // The first link of the chain holds the first mass at the origin's side.
  const Scene scene = see("chain_10").scene;
  EXPECT_EQ(scene.arrows.size(), 1 + 9 * 2u);
  EXPECT_EQ(scene.places[scene.arrows.front().at].name, "P1");
}

TEST(Scene, AModelWithoutPlacesSaysWhatToDo) { EXPECT_THAT(see("oscillator").scene.remark, HasSubstr("[points]")); }

TEST(Scene, AMotionWithoutTheModelsCoordinatesIsRefused) {
  Seen seen = see("pendulum");
  seen.motion.columns[1] = "other";
  try {
    make_scene(seen.model, seen.motion);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no column theta"));
  }
}

}  // namespace
