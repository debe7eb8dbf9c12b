#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using namespace dalembert;
using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

namespace {

Json frame_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"frame"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.push_back("--json");
  CommandResult result = run_command(all);
  EXPECT_EQ(result.status, 0) << result.err;
  return Json::parse(result.out);
}

class TemporaryModel {
 public:
  explicit TemporaryModel(const std::string& text)
      : path_(testing::TempDir() + "frame_" + std::to_string(::getpid()) + ".toml") {
    std::ofstream(path_) << text;
  }
  ~TemporaryModel() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Known {
  const char* model;
  std::vector<std::array<std::string, 4>> beta;  ///< mu, nu, rho from 1 (0: time), formula
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.model; }

/// Hamel 1904, sections 1 and 4: transition coefficients computed independently by computer algebra from his
/// definition.
class TransitionCoefficients : public testing::TestWithParam<Known> {};

TEST_P(TransitionCoefficients, AreAsKnown) {
  Json document = frame_of({std::string("models:") + GetParam().model});
  std::vector<std::string> names = document["velocities"];
  ASSERT_EQ(document["beta"].size(), GetParam().beta.size()) << document["beta"].dump();
  Graph graph;
  auto name = [&](const std::string& index) {
    return index == "0" ? std::string("t") : names[static_cast<std::size_t>(std::stoi(index) - 1)];
  };
  for (std::size_t k = 0; k < GetParam().beta.size(); ++k) {
    const auto& [mu, nu, rho, formula] = GetParam().beta[k];
    const Json& entry = document["beta"][k];  // in the order of mu, nu, rho
    EXPECT_EQ(entry[0], name(mu));
    EXPECT_EQ(entry[1], name(nu));
    EXPECT_EQ(entry[2], name(rho));
    Expr found = parse_expression(graph, entry[3].get<std::string>()), expected = parse_expression(graph, formula);
    EXPECT_EQ(make_canonical(found).expression, make_canonical(expected).expression) << entry.dump();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Frames, TransitionCoefficients,
    testing::Values(Known{"heavy_top_symmetric", {{"1", "2", "3", "1"}, {"1", "3", "2", "-1"}, {"2", "3", "1", "1"}}},
                    Known{"free_body_space_frame",
                          {{"1", "2", "3", "-1"}, {"1", "3", "2", "1"}, {"2", "3", "1", "-1"}}},
                    Known{"chaplygin_sleigh_offset", {{"1", "3", "2", "-1"}, {"2", "3", "1", "1"}}},
                    Known{"rolling_disk_tilted",
                          {{"1", "3", "2", "-1"},
                           {"1", "3", "3", "tan(theta)"},
                           {"2", "3", "5", "-r/cos(theta)"},
                           {"3", "4", "5", "1/cos(theta)"},
                           {"3", "5", "4", "-1/cos(theta)"}}},
                    Known{"rheonomic_frame",
                          {{"1", "0", "2", "-3/5*t"}, {"2", "0", "1", "3/5*t"}}},  // alpha' with alpha = 3/10 t^2
                    Known{"snakeboard",
                          {{"2", "3", "4", "1/cos(phi)"},
                           {"2", "3", "5", "-1/cos(phi)"},
                           {"2", "4", "4", "tan(phi)"},
                           {"2", "5", "5", "tan(phi)"},
                           {"3", "4", "3", "sin(phi)/(2*l*cos(phi)^2)"},
                           {"3", "4", "4", "(1 - tan(phi)^2)/(2*l)"},
                           {"3", "4", "5", "1/(2*l*cos(phi)^2)"},
                           {"3", "5", "3", "sin(phi)/(2*l*cos(phi)^2)"},
                           {"3", "5", "4", "-1/(2*l*cos(phi)^2)"},
                           {"3", "5", "5", "(tan(phi)^2 - 1)/(2*l)"},
                           {"4", "5", "3", "1/(2*l*cos(phi)^2)"},
                           {"4", "5", "4", "-sin(phi)/(2*l*cos(phi)^2)"},
                           {"4", "5", "5", "sin(phi)/(2*l*cos(phi)^2)"}}}),
    [](const auto& known) { return std::string(known.param.model); });

/// The same by numbers of the reference case.
TEST(FrameCommand, CoefficientsOfDiskAndSnakeboardHaveTheReferencesValues) {
  Graph graph;
  auto value = [&](const Json& entry, std::vector<std::pair<const char*, double>> at) {
    std::vector<Binding> bindings;
    for (const auto& [name, number] : at) bindings.push_back({graph.symbol(name), number});
    return evaluate(parse_expression(graph, entry[3].get<std::string>()), bindings);
  };
  Json disk = frame_of({"models:rolling_disk_tilted"})["beta"];
  const std::vector<double> of_disk{-1.0, -0.4227932187381618, -0.5428522141916193, 1.0857044283832387,
                                    -1.0857044283832387};
  for (std::size_t k = 0; k < of_disk.size(); ++k)
    EXPECT_NEAR(value(disk[k], {{"theta", -0.4}, {"r", 0.5}}), of_disk[k], 1e-13);
  Json board = frame_of({"models:snakeboard"})["beta"];
  const std::vector<double> of_board{
      1.0320850239843857, -1.0320850239843857,  0.25534192122103627, 0.25534192122103627, 0.43922428814605385,
      1.5580008387785835, 1.7753324945547497,   0.43922428814605385, -1.7753324945547497, -1.5580008387785835,
      1.7753324945547497, -0.43922428814605385, 0.43922428814605385};
  for (std::size_t k = 0; k < of_board.size(); ++k)
    EXPECT_NEAR(value(board[k], {{"phi", 0.25}, {"l", 0.3}}), of_board[k], 1e-13);
}

TEST(FrameCommand, TheGroupOfTheSleighIsThatOfThePlane) {
  Json document = frame_of({"models:chaplygin_sleigh_offset"});
  EXPECT_EQ(document["constant"], true);
  EXPECT_EQ(document["group"]["dimension"], 3);
  EXPECT_EQ(document["group"]["kind"], "solvable");
  EXPECT_EQ(document["group"]["name"], "se(2)");
  EXPECT_EQ(document["integrable"], Json({{"blade", false}}));
  EXPECT_EQ(document["euler"], "restricted");
}

TEST(FrameCommand, OfTheDiskThereIsNoGroup) {
  Json document = frame_of({"models:rolling_disk_tilted"});
  EXPECT_EQ(document["constant"], false);
  EXPECT_TRUE(document["group"].is_null());
  EXPECT_TRUE(document["euler"].is_null());
}

TEST(FrameCommand, SpaceRatesOfAFreeBodyHaveThreeConservedMomenta) {
  Json document = frame_of({"models:free_body_space_frame"});
  EXPECT_EQ(document["group"]["name"], "so(3)");
  EXPECT_EQ(document["group"]["kind"], "semisimple");
  EXPECT_EQ(document["group"]["compact"], true);
  ASSERT_EQ(document["momenta"].size(), 3u);
  for (const Json& momentum : document["momenta"]) EXPECT_EQ(momentum["conserved"], true);
}

TEST(FrameCommand, BodyRatesOfAQuaternionAreTheRotationsToo) {
  // Written without dividing by the quaternion's length: the same on unit quaternions.
  TemporaryModel model(R"toml(
name = "free body"
[coordinates]
e0 = 1
e1 = { value = 0, rate = 0.3 }
e2 = 0
e3 = 0
[frames.body]
rotate = [["quaternion", "e0", "e1", "e2", "e3"]]
[bodies.body]
frame = "body"
mass = 1
inertia = [1, 2, 3]
[frame]
w1 = "2*(e0*e1' - e1*e0' + e3*e2' - e2*e3')"
w2 = "2*(e0*e2' - e2*e0' + e1*e3' - e3*e1')"
w3 = "2*(e0*e3' - e3*e0' + e2*e1' - e1*e2')"
)toml");
  Json document = frame_of({model.path()});
  EXPECT_EQ(document["velocities"], Json({"w1", "w2", "w3"}));
  EXPECT_EQ(document["constant"], true);
  EXPECT_EQ(document["group"]["name"], "so(3)");
  EXPECT_EQ(document["integrable"], Json::object());
}

TEST(FrameCommand, AFrameWithoutTheConstraintIsShownAsWritten) {
  TemporaryModel model(R"toml(
name = "edge"
[coordinates]
x = { value = 0, rate = 1 }
y = 0
theta = 0
[energy]
kinetic = "(x'^2 + y'^2 + theta'^2)/2"
[constraints]
blade = "-x'*sin(theta) + y'*cos(theta) = 0"
[frame]
a = "x'"
b = "y'"
c = "theta'"
)toml");
  Json document = frame_of({model.path()});
  EXPECT_EQ(document["velocities"], Json({"a", "b", "c"}));
  EXPECT_EQ(document["beta"], Json::array());
  EXPECT_EQ(document["group"]["name"], "R^3");
  // d/dx violates the blade; d/dtheta does not, and the energy does not depend on theta.
  EXPECT_EQ(document["momenta"][0]["conserved"], false);
  EXPECT_EQ(document["momenta"][2]["conserved"], true);
}

TEST(FrameCommand, AnIntegrableConstraintComesWithItsIntegralAndAdvice) {
  TemporaryModel model(R"toml(
name = "wheel on a rail"
[parameters]
r = 0.3
[coordinates]
x = { value = 1, rate = 0.3 }
phi = { value = 0.5, rate = 1 }
[energy]
kinetic = "(x'^2 + phi'^2)/2"
[constraints]
roll = "x' = r*phi'"
)toml");
  Json document = frame_of({model.path()});
  EXPECT_EQ(document["integrable"]["roll"], true);
  ASSERT_EQ(document["found"].size(), 1u);
  EXPECT_THAT(document["found"][0]["geometric"].get<std::string>(), HasSubstr("roll = \""));
  CommandResult check = run_command({"check", model.path()});
  EXPECT_THAT(check.out, HasSubstr("geometric constraint: roll = \""));
}

TEST(FrameCommand, TextIsThereToRead) {
  CommandResult result = run_command({"frame", "models:chaplygin_sleigh_offset"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("se(2)"));
  EXPECT_THAT(result.out, HasSubstr("non-holonomic"));
}

TEST(FrameCommand, TheReciprocalFrameOfSpaceRatesIsTheBodys) {
  // E takes the space fields to fields that commute with them: the body's, turned so that both agree at the start.
  Json document = frame_of({"models:free_body_space_frame", "--reciprocal"})["reciprocal"];
  EXPECT_LT(document["defect"].get<double>(), 1e-8);  // a hundred tolerances of 1e-10
  for (const Json& row : document["E"]) {
    std::vector<double> e = row;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double product = 0;
        for (int k = 0; k < 3; ++k)
          product += e[static_cast<std::size_t>(3 * i + k)] * e[static_cast<std::size_t>(3 * j + k)];
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-8);  // a rotation
      }
  }
}

TEST(FrameCommand, WithoutConstantCoefficientsThereIsNoReciprocalFrame) {
  CommandResult result = run_command({"frame", "models:rolling_disk_tilted", "--reciprocal"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("not constant"));
}

TEST(FrameCommand, AReciprocalFrameOfThousandsOfVelocitiesIsRefusedAtOnce) {
  const CommandResult result = run_command({"frame", "models:chain_1000", "--reciprocal", "--limit-work", "2"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("leave --reciprocal out"));
}

}  // namespace
