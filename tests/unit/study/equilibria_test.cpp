#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/study/equilibria.hpp>
#include <numbers>

using namespace dalembert;
using std::numbers::pi;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Model model_of(const std::string& text) { return make_model(parse_description(text)); }

/// Newton's last step is below 4096 epsilon of the box; what is left behind is its square and rounding.
constexpr double exact = 1e-11;

TEST(Equilibria, a_double_pendulum_has_four) {
  const Equilibria result = find_equilibria(load_model("models:double_pendulum"));
  ASSERT_EQ(result.found.size(), 4);
  const double places[4][2] = {{0, 0}, {0, pi}, {pi, 0}, {pi, pi}};
  const std::size_t unstable[4] = {0, 1, 1, 2};
  for (const auto& [a, b] : places) {
    const auto at = std::ranges::find_if(result.found, [&](const Equilibrium& each) {
      return std::abs(each.q[0] - a) < exact && std::abs(each.q[1] - b) < exact;
    });
    ASSERT_NE(at, result.found.end()) << a << ", " << b;
    EXPECT_EQ(at->unstable, unstable[(a > 1 ? 2 : 0) + (b > 1 ? 1 : 0)]);
    EXPECT_EQ(at->stable, a < 1 && b < 1);
  }
}

// cos(theta) = g/(R W^2) where that is below one (the pitchfork), and top and bottom.
TEST(Equilibria, a_fast_hoop_has_two_more_than_a_slow_one) {
  const Equilibria slow = find_equilibria(load_model("models:rotating_hoop", {{"W", "4"}}));
  EXPECT_EQ(slow.found.size(), 2);
  const Equilibria fast = find_equilibria(load_model("models:rotating_hoop"));
  ASSERT_EQ(fast.found.size(), 4);
  const double theta = std::acos(9.81 / (0.4 * 49));
  const double places[4] = {-theta, 0, theta, pi};
  const bool stable[4] = {true, false, true, false};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(fast.found[k].q[0], places[k], exact);
    EXPECT_EQ(fast.found[k].stable, stable[k]) << k;
  }
}

// Hanging and standing.
TEST(Equilibria, constraints_carry_their_reactions) {
  const Equilibria result = find_equilibria(model_of(R"toml(
gravity = [0, 0, "-g"]
[parameters]
l = 0.7
m = 2
g = 9.81
[coordinates]
x = 0
z = "-l"
[points.P]
position = ["x", 0, "z"]
mass = "m"
[constraints]
rod = "x^2 + z^2 = l^2"
)toml"),
                                            {.boxes = {{"x", -1, 1}}});
  ASSERT_EQ(result.found.size(), 2);
  std::size_t stable = 0;
  for (const Equilibrium& each : result.found) {
    EXPECT_NEAR(each.q[0], 0, exact);
    EXPECT_NEAR(each.q[1], each.stable.value() ? -0.7 : 0.7, exact);
    EXPECT_NEAR(each.reactions[0], 2 * 9.81 / (2 * each.q[1]), 1e-9);  // m g = 2 z reaction
    stable += each.stable.value() ? 1 : 0;
  }
  EXPECT_EQ(stable, 1);
}

/// Two springs over a low arch, pushed down by P: y is the apex. The closed form of its balance is tested against.
Model truss(double load) {
  return model_of(R"toml(
[parameters]
b  = 1
k  = 100
h  = 0.3
P  = )toml" + std::to_string(load) +
                  R"toml(
l0 = "sqrt(b^2 + h^2)"
[coordinates]
y = 0.3
[points.apex]
position = [0, "y", 0]
mass = 1
[energy]
potential = "k*(sqrt(b^2 + y^2) - l0)^2 + P*y"
)toml");
}

TEST(Equilibria, an_arch_has_three_until_it_snaps_through) {
  const EquilibriaOptions box{.boxes = {{"y", -1, 1}}};
  const Equilibria loaded = find_equilibria(truss(0.5), box);
  ASSERT_EQ(loaded.found.size(), 3);
  const double l0 = std::sqrt(1.09);
  for (const Equilibrium& each : loaded.found) {
    const double y = each.q[0], l = std::sqrt(1 + y * y);
    EXPECT_NEAR(2 * 100 * (l - l0) * y / l + 0.5, 0, 1e-9);
  }
  EXPECT_EQ(loaded.found[0].stable, true);
  EXPECT_EQ(loaded.found[1].stable, false);
  EXPECT_EQ(loaded.found[2].stable, true);
  // The largest load is where the slope vanishes: l^3 = l0 b^2, y = sqrt(l^2 - b^2).
  const double l = std::cbrt(l0), y = std::sqrt(l * l - 1), most = 200 * (l0 - l) * y / l;
  EXPECT_EQ(find_equilibria(truss(0.99 * most), box).found.size(), 3);
  EXPECT_EQ(find_equilibria(truss(1.01 * most), box).found.size(), 1);
}

// A ball in a valley with a floor that cuts off its bottom: it rests on the floor, pressed by m g.
TEST(Equilibria, contacts_push_or_are_open) {
  const std::string text = R"toml(
gravity = [0, 0, "-9.81"]
[coordinates]
z = 1
[points.P]
position = [0, 0, "z"]
mass = 2
[energy]
potential = "k*z^2/2"
[parameters]
k = 0
[constraints]
floor = "z >= 0"
)toml";
  const Equilibria resting = find_equilibria(model_of(text), {.boxes = {{"z", -3, 3}}});
  ASSERT_EQ(resting.found.size(), 1);
  EXPECT_NEAR(resting.found[0].q[0], 0, exact);
  EXPECT_NEAR(resting.found[0].reactions[0], 2 * 9.81, 1e-9);
  EXPECT_THAT(resting.found[0].closed, ElementsAre("floor"));
}

// The hilltop is at the origin, where every length of the state is rounding and only the box has a size.
TEST(Equilibria, a_hilltop_at_the_origin_is_unstable) {
  const Equilibria result = find_equilibria(model_of(R"toml(
gravity = [0, 0, "-g"]
[parameters]
g = 9.81
[coordinates]
x = 0.2
z = 1
[points.p]
position = ["x", 0, "z"]
mass = 1
[constraints]
floor = "z >= x^4 - x^2"
)toml"),
                                            {.boxes = {{"x", -2, 2}, {"z", -2, 2}}});
  ASSERT_EQ(result.found.size(), 3);
  EXPECT_EQ(result.found[1].q, (std::vector<double>{0, 0}));
  EXPECT_THAT(result.found[1].verdict, testing::StartsWith("unstable"));
  EXPECT_EQ(result.found[1].unstable, 1);
  for (const std::size_t k : {0, 2}) EXPECT_THAT(result.found[k].verdict, testing::StartsWith("stable"));
}

// The fold of the arch in closed form, as above; its slope vanishes, so that the load is good to the square of the
// step.
TEST(Diagram, an_arch_folds_where_its_stiffness_vanishes) {
  const Diagram diagram = follow_equilibria(truss(0), {"P", -3, 3, 0.1}, {.boxes = {{"y", -1, 1}}});
  const double l0 = std::sqrt(1.09), l = std::cbrt(l0), y = std::sqrt(l * l - 1), most = 200 * (l0 - l) * y / l;
  ASSERT_EQ(diagram.branches.size(), 1);  // one curve through both folds
  ASSERT_EQ(diagram.special.size(), 2);
  for (const SpecialPoint& point : diagram.special) EXPECT_EQ(point.kind, "fold");
  EXPECT_NEAR(diagram.special[0].value, -most, 1e-10);
  EXPECT_NEAR(diagram.special[1].value, most, 1e-10);
  EXPECT_NEAR(std::abs(diagram.special[1].q[0]), y, 1e-6);
}

// The pitchfork of the hoop: bottom and side branches meet where R W^2 = g.
TEST(Diagram, the_hoops_branches_meet_where_R_W2_is_g) {
  const Diagram diagram =
      follow_equilibria(load_model("models:rotating_hoop"), {"W", 3, 9, 0.1}, {.boxes = {{"theta", -1.5, 1.5}}});
  EXPECT_EQ(diagram.branches.size(), 2);
  ASSERT_EQ(diagram.special.size(), 1);
  EXPECT_EQ(diagram.special[0].kind, "branch");
  EXPECT_NEAR(diagram.special[0].value, std::sqrt(9.81 / 0.4), 1e-9);
  EXPECT_NEAR(diagram.special[0].q[0], 0, exact);
  for (const Branch& branch : diagram.branches)
    for (const BranchPoint& point : branch.points)
      EXPECT_NEAR(std::sin(point.q[0]) * (0.4 * point.value * point.value * std::cos(point.q[0]) - 9.81), 0, 1e-9);
}

TEST(Equilibria, what_nothing_balances_has_none_and_wrong_boxes_are_refused) {
  EXPECT_EQ(find_equilibria(load_model("models:projectile")).found.size(), 0);
  const auto complaint = [](const SearchBox& box) -> std::string {
    try {
      find_equilibria(load_model("models:pendulum"), {.boxes = {box}});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint({"theta", 1, 0}), HasSubstr("LOW < HIGH"));
  EXPECT_THAT(complaint({"thet", 0, 1}), HasSubstr("did you mean theta?"));
}

}  // namespace
