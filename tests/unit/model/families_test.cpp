#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>

#include "support/paths.hpp"

namespace dalembert {
namespace {

std::vector<std::string> coordinate_names(const Model& model) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : model.coordinates) names.push_back(coordinate.name);
  return names;
}

TEST(Families, KeysGoIndexByIndexInTheOrderWritten) {
  Model model = make_model(parse_description(
      "[parameters]\nN = 3\n[repeat]\nk = \"1..N\"\n[coordinates]\nz = 0\n\"y{k}\" = 0\n\"x{k}\" = 0\nb = 0\na = 0\n"));
  EXPECT_EQ(coordinate_names(model), (std::vector<std::string>{"z", "y1", "x1", "y2", "x2", "y3", "x3", "b", "a"}));
}

TEST(Families, SeveralIndicesGiveAllCombinations) {
  Model model = make_model(
      parse_description("[repeat]\ni = \"1..2\"\nj = \"0..1\"\n[coordinates]\n\"q{j}_{i}\" = \"10*{j} + {i}\"\n"));
  EXPECT_EQ(coordinate_names(model), (std::vector<std::string>{"q0_1", "q0_2", "q1_1", "q1_2"}));
  EXPECT_EQ(initial_state(model).q, (std::vector<double>{1, 2, 11, 12}));
}

TEST(Families, BracesTakeIntegerArithmetic) {
  Model model = make_model(parse_description(
      "[parameters]\nN = 4\n[repeat]\nk = \"1..N\"\n[coordinates]\n\"x{N+1-k}\" = \"{2*k^2 - (k-1)} + {N/2}\"\n"));
  EXPECT_EQ(coordinate_names(model), (std::vector<std::string>{"x4", "x3", "x2", "x1"}));
  EXPECT_EQ(initial_state(model).q, (std::vector<double>{4, 9, 18, 31}));
}

TEST(Families, SumsAddUpAndNest) {
  Model model = make_model(
      parse_description("[parameters]\nN = 3\n[repeat]\nk = \"1..N\"\n[coordinates]\n\"x{k}\" = 0\n"
                        "[energy]\npotential = \"sum(i, 1, N, sum(j, {i}, N, {i}*x{j}))\"\n"
                        "[outputs]\nv = \"sum(i, 1, N, [x{i}, {i}, 0])\"\nnothing = \"sum(i, 1, 0, x{i})\"\n"));
  auto x = [&](std::size_t k) { return model.coordinates[k - 1].q; };
  EXPECT_EQ(model.potential, x(1) + 3 * x(2) + 6 * x(3));
  EXPECT_EQ(model.outputs[0].formula, x(1) + x(2) + x(3));
  EXPECT_EQ(model.outputs[1].formula, model.graph->constant(6));
  EXPECT_TRUE(model.outputs[3].formula.is_zero());
}

TEST(Families, SettingAParameterChangesTheFamilys) {
  std::string path = std::string(testing_support::source_folder) + "/models/chain_10.toml";
  EXPECT_EQ(load_model(path, {{"N", "4"}}).coordinates.size(), 8);
  EXPECT_EQ(load_model(path, {{"N", "2*2 + 1"}}).constraints.size(), 5);
  Model model = load_model(path, {{"x3", "7"}, {"y2'", "1/4"}});
  EXPECT_EQ(initial_state(model).q[4], 7);
  EXPECT_EQ(initial_state(model).rates[3], 0.25);
}

TEST(Families, AChainOfAThousandMassesLoads) {
  Model model = load_model(std::string(testing_support::source_folder) + "/models/chain_1000.toml");
  EXPECT_EQ(model.coordinates.size(), 2000);
  EXPECT_EQ(model.points.size(), 1000);
  EXPECT_EQ(model.constraints.size(), 1000);
}

TEST(Families, FramesMayNestAThousandDeep) {
  Model model = make_model(
      parse_description("[repeat]\nk = \"1..1000\"\n[coordinates]\n\"a{k}\" = 0\n[frames.F0]\n"
                        "[frames.\"F{k}\"]\nparent = \"F{k-1}\"\norigin = [1, 0, 0]\nrotate = [[\"y\", \"a{k}\"]]\n"
                        "[points.\"P{k}\"]\nframe = \"F{k}\"\nposition = [1, 0, 0]\nmass = 1\n"));
  EXPECT_EQ(model.frames.size(), 1002);
  EXPECT_LT(model.graph->size(), 200'000);  // positions and velocities share what they have in common
}

}  // namespace
}  // namespace dalembert
