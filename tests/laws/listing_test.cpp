// What derive writes is what is computed with: every page of equations, in text and in JSON, read back and evaluated
// at random states, has the values of M u' + bias - A^T lambda and of the constraints. (In C: listing_c_test.cpp.)

#include "laws/listing.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "laws/random_tree.hpp"

namespace dalembert {
namespace {

using namespace listings;

void expect_same(const Equations& equations, const Page& page, const std::string& what) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 3; ++trial) {
    const std::vector<Binding> at = random_state(equations, random);
    const std::vector<Residual> motion = motion_residuals(equations, at),
                                constraints = constraint_residuals(equations, at);
    for (std::size_t i = 0; i < motion.size(); ++i) {
      const std::string name = equations.velocities[i].name();
      ASSERT_TRUE(page.motion.contains(name)) << what << " " << name;
      EXPECT_NEAR(evaluate(page.motion.at(name), at), motion[i].value, allowed(motion[i])) << what << " " << name;
    }
    for (std::size_t a = 0; a < constraints.size(); ++a) {
      const std::string& name = equations.rows[a].name;
      ASSERT_TRUE(page.constraints.contains(name)) << what << " " << name;
      EXPECT_NEAR(evaluate(page.constraints.at(name), at), constraints[a].value, allowed(constraints[a]))
          << what << " " << name;
    }
  }
}

void expect_listings_say_what_is_computed(const Model& model, const std::string& by) {
  const std::string what = model.name + " by " + by;
  const Equations equations = fork(derive_equations(model, by));
  expect_same(equations, read_text(equations, write_text(equations)), what + ", text");
  if (equations.coordinates.size() > 100) return;  // the same formulas, thousands of times

  const nlohmann::json document = nlohmann::json::parse(write_json(equations));
  Reader reader(equations);
  expect_same(equations, read_json(equations, document, reader), what + ", JSON");

  std::mt19937_64 random(8);
  const std::vector<Binding> at = random_state(equations, random);
  for (std::size_t i = 0; i < equations.mass.size(); ++i) {
    for (const Entry& entry : equations.mass[i]) {
      const double value = evaluate(entry.value, at);
      EXPECT_NEAR(evaluate(reader.read_formula(document["mass_matrix"][i][entry.column]), at), value,
                  rounding * (1 + std::fabs(value)))
          << what;
    }
    const double value = evaluate(equations.bias[i], at);
    EXPECT_NEAR(evaluate(reader.read_formula(document["bias"][i]), at), value, rounding * (1 + std::fabs(value)))
        << what;
  }
}

class BundledModel : public testing::TestWithParam<std::string> {};

TEST_P(BundledModel, IsListedAsItIsComputed) {
  const Model model = load_model("models:" + GetParam());
  expect_listings_say_what_is_computed(model, "multipliers");
  EXPECT_LE(write_text(derive_multipliers(model)).size(), 20'000u);
}

TEST_P(BundledModel, IsListedAsItIsComputedByEveryPrinciple) {
  const Model model = load_model("models:" + GetParam());
  if (model.coordinates.size() > 60 || model.simulate.vakonomic) return;  // no frame is written for so many
#if defined(DALEMBERT_SMALL_TESTS)
  if (model.coordinates.size() > 3) return;
#endif
  for (const char* by : {"hamel", "gauss", "projection"}) expect_listings_say_what_is_computed(model, by);
  if (model.reduction) expect_listings_say_what_is_computed(model, "reduced");
}

std::vector<std::string> bundled_models() {
  std::vector<std::string> names;
  for (const ModelFile& model : list_models()) names.push_back(model.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, BundledModel, testing::ValuesIn(bundled_models()),
                         [](const auto& tested) { return tested.param; });

TEST(Listing, InOtherVelocitiesFitsAPage) {
  for (const char* name : {"models:rolling_disk_tilted", "models:three_link_arm", "models:rolling_disk_body",
                           "models:whipple_bicycle", "models:iftomm_A02_fourbar", "models:redundant_parallelogram"})
    EXPECT_LE(write_text(derive_hamel(load_model(name))).size(), 20'000u) << name;
}

/// Revolute axes z, y, y, x, y, x, z, ... one after the other or, with `branches`, as a tree of two children a body;
/// every inertia tensor full. Before each joint stand `turns`, by given angles.
std::string revolute_bodies(int count, bool branches, const std::string& turns = "") {
  std::string text = "gravity = [0, 0, \"-g\"]\n[parameters]\ng = 9.81\n", coordinates = "[coordinates]\n", bodies;
  for (int i = 1; i <= count; ++i) {
    text += fmt::format(
        "m{0} = 1\nl{0} = 0.3\nA{0} = 0.3\nB{0} = 0.4\nC{0} = 0.5\nD{0} = 0.02\nE{0} = 0.01\nF{0} = 0.03\n", i);
    coordinates += fmt::format("q{} = {}\n", i, 0.01 * i);
    const int parent = branches ? i / 2 : i - 1;
    bodies += fmt::format("[frames.b{0}]\n", i);
    if (parent > 0) bodies += fmt::format("parent = \"b{0}\"\norigin = [\"l{0}/4\", 0, \"l{0}\"]\n", parent);
    bodies += fmt::format(
        "rotate = [{2}[\"{1}\", \"q{0}\"]]\n[bodies.b{0}]\nframe = \"b{0}\"\nmass = \"m{0}\"\n"
        "centre = [\"l{0}/8\", 0, \"l{0}/2\"]\ninertia = [\"A{0}\", \"B{0}\", \"C{0}\", "
        "\"D{0}\", \"E{0}\", \"F{0}\"]\n",
        i, "zyyxyx"[(i - 1) % 6], turns);
  }
  return text + coordinates + bodies;
}

TEST(Listing, ReactionsOfDependentConstraintsAreSaidToBeOneChoice) {
  // The ball's `height` says what the vertical part of `roll` says: m g belongs to both, in whatever shares.
  const std::string ball = write_text(derive_hamel(load_model("models:rolling_ball_quaternion")));
  EXPECT_THAT(ball, testing::HasSubstr("reaction(height) = m*g"));
  EXPECT_THAT(ball, testing::HasSubstr("these are the reactions where roll.z has none"));
  const std::string disk = write_text(derive_hamel(load_model("models:rolling_disk_tilted")));
  EXPECT_THAT(disk, testing::Not(testing::HasSubstr("depend on each other")));
}

/// A planar five-bar robot: two cranks, whose forearms meet at the hand.
constexpr const char* five_bar = R"toml(
[parameters]
l1 = 0.5
l2 = 0.8
c = 0.3
[coordinates]
q_1 = "pi - 0.9"
q_2 = 0.9
p_1 = "acos((c + l1*cos(0.9))/l2)"
p_2 = "pi - acos((c + l1*cos(0.9))/l2)"
[frames.fore1]
origin = ["l1*cos(q_1) - c", "l1*sin(q_1)", 0]
rotate = [["z", "p_1"]]
[frames.fore2]
origin = ["l1*cos(q_2) + c", "l1*sin(q_2)", 0]
rotate = [["z", "p_2"]]
[bodies.fore1]
frame = "fore1"
mass = 1.2
centre = ["l2/2", 0, 0]
inertia = [0, 0, 0.05]
[bodies.fore2]
frame = "fore2"
mass = 1.1
centre = ["l2/2", 0, 0]
inertia = [0, 0, 0.04]
[points.hand]
frame = "fore1"
position = ["l2", 0, 0]
[points.meeting]
frame = "fore2"
position = ["l2", 0, 0]
[constraints]
close_x = "position(hand).x = position(meeting).x"
close_y = "position(hand).y = position(meeting).y"
[forces]
q_1 = "1 - q_1'/5"
)toml";

TEST(Listing, InQuasiVelocitiesHoldsAtSymmetricPlaces) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "five_bar.toml";
  std::ofstream(file) << five_bar;
  const Model model = load_model(file.string());
  const Equations hamel = fork(derive_hamel(model)), multipliers = derive_multipliers(model);
  const std::vector<double> parameters = parameter_values(model);
  State at{0, initial_state(hamel, parameters).q, {0.3, -0.2}};
  const State other = to_state(multipliers, to_model_state(hamel, at, parameters), parameters);
  const std::vector<double> accelerations = System(multipliers).evaluate_motion(other).acceleration;
  std::vector<Binding> bindings = bind_symbols(hamel, at, parameters);
  for (std::size_t i = 0; i < 2; ++i) bindings.push_back({hamel.accelerations[i], accelerations[i]});
  const Page page = read_text(hamel, write_text(hamel));
  ASSERT_EQ(page.motion.size(), 2u);
  for (const auto& [name, residual] : page.motion) EXPECT_NEAR(evaluate(residual, bindings), 0, rounding) << name;
}

TEST(Listing, GrowsWithTheNumberOfBodies) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "revolute.toml";
  const auto size = [&](int count, bool branches) {
    std::ofstream(file) << revolute_bodies(count, branches);
    return write_text(derive_multipliers(load_model(file.string()))).size();
  };
  EXPECT_LE(size(7, false), 12'000u);
  const std::size_t few = size(15, true), many = size(30, true);
  EXPECT_LE(many, 5 * few / 2);  // twice the bodies, names a little longer
}

TEST(Listing, OfJointsThatAreMountedAslantNamesTheirAxes) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "aslant.toml";
  std::ofstream(file) << revolute_bodies(7, false, R"(["x", "0.3"], ["y", "-1.1"], ["z", "0.7"], )");
  const Model model = load_model(file.string());
  const std::string text = write_text(derive_multipliers(model));
  EXPECT_LE(text.size(), 12'000u);
  EXPECT_THAT(text, testing::HasSubstr("a_b3 = [dot(i_b3, b_b3), dot(j_b3, b_b3), dot(k_b3, b_b3)]"));
  EXPECT_THAT(text, testing::HasSubstr("i_B, j_B, k_B: B's axes, in the axes of B's parent"));
  expect_listings_say_what_is_computed(model, "multipliers");
}

TEST_P(BundledModel, HasTheEnergyThatIsListed) {
  const Model model = load_model("models:" + GetParam());
  if (model.coordinates.size() > 100) return;
  const Equations equations = fork(derive_multipliers(model));
  const EnergyListing listing = list_energy(*equations.model);
  std::mt19937_64 random(9);
  std::vector<Binding> at = random_state(equations, random);
  const double expected = evaluate(equations.energy, at);
  for (const NamedPart& part : listing.parts) {
    const std::vector<double> values = evaluate(part.value, at);
    for (std::size_t c = 0; c < values.size(); ++c)
      at.push_back({equations.graph->symbol(values.size() == 1 ? part.name : part.name + "." + "xyz"[c]), values[c]});
  }
  Residual sum;
  for (double term : evaluate(listing.terms, at)) sum.add(term);
  EXPECT_NEAR(sum.value, expected, rounding * (1 + sum.size));
}

TEST_P(BundledModel, HasGausssConstraintAsItIsWritten) {
  const Model model = load_model("models:" + GetParam());
  if (model.coordinates.size() > 30) return;
  const LeastConstraint gauss = derive_gauss(model);
  const nlohmann::json written = nlohmann::json::parse(write_json(gauss))["Z"];
  if (written.is_null() || written.get<std::string>().find("{k") != std::string::npos) return;  // no plain formula
  Reader reader(gauss.equations);
  const Expr read = reader.read_formula(written);
  std::mt19937_64 random(10);
  const std::vector<Binding> at = random_state(gauss.equations, random);
  const double value = evaluate(gauss.Z, at);  // a sum of squares, but for what acts on no mass
  EXPECT_NEAR(evaluate(read, at), value, rounding * (1 + std::fabs(value)));
}

TEST(Listing, OfRandomTreesIsWhatIsComputed) {
#if defined(DALEMBERT_SMALL_TESTS)
  constexpr std::uint64_t seeds = 2;
#else
  constexpr std::uint64_t seeds = 6;
#endif
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / fmt::format("listed{}.toml", seed);
    const laws::TreeModels models = laws::make_random_tree(seed);
    for (const std::string& text : {models.relative, models.cartesian}) {
      std::ofstream(file) << text;
      expect_listings_say_what_is_computed(load_model(file.string()), "multipliers");
    }
  }
}

}  // namespace
}  // namespace dalembert
