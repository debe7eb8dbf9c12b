// Events, contacts, their summaries and what verify and check say of runs, through the command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/folder.hpp"
#include "support/motion_table.hpp"
#include "support/paths.hpp"
#include "support/run_command.hpp"

namespace dalembert::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class EventsCommand : public FolderTest {
 protected:
  CommandResult run(const std::string& command, const std::string& text, std::vector<std::string> options) const {
    write("model.toml", text);
    options.insert(options.begin(), {command, (folder / "model.toml").string()});
    return run_command(options, {.seconds = 200, .folder = {}});
  }
  Json json(const std::string& command, const std::string& text, std::vector<std::string> options = {}) const {
    options.emplace_back("--json");
    const CommandResult result = run(command, text, std::move(options));
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  }
  static double at(const Json& motion, const Json& row, const std::string& column) {
    const auto columns = motion["columns"].get<std::vector<std::string>>();
    return row[static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin())].get<double>();
  }
};

const char* const flywheel =
    "[coordinates]\ntheta = { value = 0.5, rate = 50 }\n[energy]\nkinetic = \"theta'^2/2\"\n"
    "[events]\nturn = { when = \"sin(theta)\", action = \"record\" }\n[simulate]\nuntil = 10\nevery = 10\n";

TEST_F(EventsCommand, AFreeFlywheelHasAnEventAtEachHalfTurn) {
  for (const char* tolerance : {"1e-4", "1e-12"}) {
    const Json motion = json("simulate", flywheel, {"--tolerance", tolerance});
    ASSERT_EQ(motion["events"].size(), 159u);  // k pi between 0.5 and 500.5
    for (int k = 1; k <= 159; ++k)
      EXPECT_NEAR(motion["events"][static_cast<std::size_t>(k - 1)]["t"].get<double>(), (k * M_PI - 0.5) / 50, 1e-13);
  }
}

std::string pushed(const std::string& force) {
  return "[coordinates]\nx = { value = 0, rate = 1 }\n[points.P]\nposition = [\"x\", 0, 0]\nmass = 1\n[forces]\nx = "
         "\"" +
         force + "\"\n[simulate]\nuntil = 10\nevery = 10\n";
}

TEST_F(EventsCommand, AForceThatIsOnForAMomentBetweenStagesIsNotPassedOver) {
  // A triangle of area one in time: the speed is 2 from then on.
  const Json motion = json("simulate", pushed("1000*max(0, 1 - abs(t - 5.0123)/0.001)"));
  EXPECT_NEAR(at(motion, motion["rows"].back(), "x'"), 2, 1e-8);
  EXPECT_NEAR(at(motion, motion["rows"].back(), "x"), 5.0123 + 2 * (10 - 5.0123), 1e-8);
  // A step of height 1000 over two thousandths of the way: v^2 grows by 4.
  const Json step = json("simulate", pushed("500*(sign(x - 5.0123) - sign(x - 5.0143))"));
  EXPECT_NEAR(at(step, step["rows"].back(), "x'"), std::sqrt(5), 1e-8);
}

TEST_F(EventsCommand, AnEventWhoseFunctionIsRoundingSaysSo) {
  const Json motion =
      json("simulate",
           "[coordinates]\nx = { value = 1, rate = 0.3 }\n[points.P]\nposition = [\"x\", 0, 0]\nmass = 1\n"
           "force = [\"-x\", 0, 0]\n[energy]\npotential = \"0\"\n"
           "[events]\nflat = { when = \"x'^2 + x^2 - 1.09\", action = \"record\" }\n");
  ASSERT_FALSE(motion["notes"].empty());
  EXPECT_THAT(motion["notes"].dump(), HasSubstr("flat"));
}

TEST_F(EventsCommand, AFunctionThatAConstraintKeepsAtZeroHasNoEvents) {
  const std::string text =
      "gravity = [0, -9.81, 0]\n[coordinates]\nx = 1\ny = 0\n[points.P]\nposition = [\"x\", \"y\", 0]\nmass = 1\n"
      "[constraints]\nrod = \"x^2 + y^2 = 1\"\n[events]\n"
      "none = { when = \"x^2 + y^2 - 1\", action = \"record\" }\n"
      "below = { when = \"x\", action = \"record\" }\n[simulate]\nuntil = 3\nevery = 3\n";
  const Json motion = json("simulate", text);
  EXPECT_THAT(motion["notes"].dump(), HasSubstr("none: its function is zero all along"));
  // From rest beside the pivot it falls through half a circle in each half of a period, 4 K(sin(pi/4))/sqrt(g/l).
  const double quarter = 1.854074677301372 / std::sqrt(9.81);
  ASSERT_EQ(motion["events"].size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(motion["events"][k]["name"], "below");
    EXPECT_NEAR(motion["events"][k]["t"].get<double>(), quarter * static_cast<double>(2 * k + 1), 1e-8);
  }
}

TEST_F(EventsCommand, AFunctionThatStaysAtZeroHasOneEventWhereItComesThere) {
  // x = cos t: it falls to 0.5 at pi/3, stays below until 5 pi/3, and again from 7 pi/3 on.
  const Json motion = json("simulate",
                           "[coordinates]\nx = 1\n[points.P]\nposition = [\"x\", 0, 0]\nmass = 1\n[energy]\n"
                           "potential = \"x^2/2\"\n[events]\n"
                           "out = { when = \"max(x - 0.5, 0)\", direction = \"falling\", action = \"record\" }\n"
                           "[simulate]\nuntil = 8\nevery = 8\n");
  ASSERT_EQ(motion["events"].size(), 2u);
  EXPECT_NEAR(motion["events"][0]["t"].get<double>(), M_PI / 3, 1e-9);
  EXPECT_NEAR(motion["events"][1]["t"].get<double>(), 7 * M_PI / 3, 1e-8);
}

TEST_F(EventsCommand, RowsAreAtMultiplesOfEveryAsWritten) {
  const CommandResult result =
      run("simulate", flywheel, {"--until", "1", "--every", "0.1", "--columns", "t", "--quiet"});
  EXPECT_EQ(result.out, "t\n0\n0.1\n0.2\n0.3\n0.4\n0.5\n0.6\n0.7\n0.8\n0.9\n1\n");
}

// --- contacts

std::string read_ladder() {
  std::stringstream text;
  text << std::ifstream(std::string(source_folder) + "/docs/examples/ladder.toml").rdbuf();
  return text.str();
}

TEST_F(EventsCommand, ImpactsTellTheirImpulseAndTheEnergyLost) {
  // Dropped from 1.3 with e = 0.8: it arrives with v = sqrt(2 g h) and leaves with 0.8 v.
  const Json motion = Json::parse(run_command({"simulate", "models:bouncing_ball", "--json", "--until", "1"}).out);
  const Json& impact = motion["events"][0];
  const double v2 = 2 * 9.81 * 1.3;
  EXPECT_NEAR(impact["impulse"].get<double>(), 1.8 * std::sqrt(v2), 1e-9);
  EXPECT_NEAR(impact["energy_lost"].get<double>(), (1 - 0.64) * v2 / 2, 1e-9);
  EXPECT_FALSE(impact["several_outcomes"].get<bool>());
  EXPECT_THAT(run_command({"simulate", "models:bouncing_ball", "--until", "1"}).err, HasSubstr("energy lost"));
}

// Weight and loads cancel to rounding until the push tips it: F t over 2 h about the front edge, against m g (a - cx).
TEST(Contacts, ABlockAtRestStandsAndTipsByEveryPrinciple) {
  const double tips = 2 * 9.81 * (0.3 + 0.1) / (8 * 0.8);
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const CommandResult result = run_command({"simulate", "models:block_on_table", "--by", by, "--json"});
    ASSERT_EQ(result.status, 0) << by << result.err;
    const Json motion = Json::parse(result.out);
    ASSERT_EQ(motion["events"].size(), 2U) << by;
    for (const Json& event : motion["events"]) EXPECT_NEAR(event["t"].get<double>(), tips, 1e-9) << by;
  }
}

// Housner 1963: each time it lands on the other corner a block that does not rebound keeps (I - 2 m b^2)/I of its
// rate, with I about a corner; near the end the times between are 2 w/(m g b/I), a geometric series.
TEST_F(EventsCommand, ABlockThatRocksFromCornerToCornerComesToRest) {
  const Json motion = json("simulate", R"toml(
gravity = [0, 0, -9.81]
[coordinates]
x = 0
z = "0.2*sin(0.1)"
th = 0.1
[frames.f]
origin = ["x", 0, "z"]
rotate = [["y", "th"]]
[bodies.block]
frame = "f"
centre = [0, 0, 0.5]
mass = 1
inertia = [0, 0.1, 0]
[points.L]
frame = "f"
position = [-0.2, 0, 0]
[points.R]
frame = "f"
position = [0.2, 0, 0]
[constraints]
left = "position(L).z >= 0"
right = "position(R).z >= 0"
held = "x = 0"
[simulate]
until = 10
every = 10
)toml");
  const double inertia = 0.1 + 0.25 + 0.04, kept = (inertia - 2 * 0.04) / inertia, pull = 9.81 * 0.2 / inertia;
  std::vector<double> rates, times;
  std::vector<double> ends;
  for (const Json& event : motion["events"]) {
    if (event["kind"] == "touch-down") {
      rates.push_back(std::abs(at(motion, event["state"], "th'")));
      times.push_back(event["t"].get<double>());
    }
    if (event["kind"] == "chattering ends") ends.push_back(event["t"].get<double>());
  }
  ASSERT_GE(rates.size(), 30u);
  EXPECT_LE(rates.size(), 60u);
  for (std::size_t k = 20; k < 30; ++k) EXPECT_NEAR(rates[k + 1] / rates[k], kept, 1e-3 * kept);
  ASSERT_EQ(ends.size(), 2u);
  // A gap counts as closed within 1e-13 of its size, near one; a corner lands on the table with 0.4 of the rate.
  const double late = 1e-13 / (0.4 * rates.back());
  for (double end : ends) EXPECT_NEAR(end, times.back() + 2 * rates.back() / pull / (1 - kept), late);
  const Json& last = motion["rows"].back();
  EXPECT_NEAR(at(motion, last, "th'"), 0, 1e-12);
  EXPECT_NEAR(at(motion, last, "reaction(left)"), 9.81 / 2, 1e-9);
  EXPECT_NEAR(at(motion, last, "reaction(right)"), 9.81 / 2, 1e-9);
}

TEST_F(EventsCommand, ThreeBallsInARowHaveSeveralOutcomes) {
  // Together -1/3, 2/3, 2/3 of the speed; one after the other 0, 0, 1.
  const std::string text =
      "[coordinates]\nx1 = { value = -1, rate = 1 }\nx2 = 0\nx3 = 1\n"
      "[points.A]\nposition = [\"x1\", 0, 0]\nmass = 1\n[points.B]\nposition = [\"x2\", 0, 0]\nmass = 1\n"
      "[points.C]\nposition = [\"x3\", 0, 0]\nmass = 1\n[constraints]\n"
      "ab = { relation = \"x2 - x1 >= 0.5\", restitution = 1 }\nbc = { relation = \"x3 - x2 >= 1\", restitution = 1 }\n"
      "[simulate]\nuntil = 1\n";
  const Json motion = json("simulate", text);
  EXPECT_TRUE(motion["events"][0]["several_outcomes"].get<bool>());
  EXPECT_THAT(motion["notes"].dump(), HasSubstr("ab, bc are struck together"));
  EXPECT_NEAR(at(motion, motion["rows"].back(), "x1'"), -1.0 / 3, 1e-12);
}

TEST_F(EventsCommand, DeriveShowsContactsInEveryForm) {
  const std::string model = "models:bouncing_ball";
  const auto derive = [&](const char* as) { return run_command({"derive", model, "--as", as}).out; };
  EXPECT_THAT(derive("text"), HasSubstr("= reaction(floor)"));
  EXPECT_THAT(derive("text"), HasSubstr("z >= 0, reaction(floor) >= 0, reaction(floor)*z = 0"));
  EXPECT_THAT(derive("latex"), HasSubstr("\\lambda_{\\mathit{floor}}"));
  EXPECT_THAT(derive("latex"), HasSubstr("\\ge 0"));
  EXPECT_THAT(derive("c"), HasSubstr("contacts_outputs = 3"));
  const Json document = Json::parse(derive("json"));
  EXPECT_EQ(document["contacts"][0]["complementarity"], "reaction(floor)*z = 0");
  EXPECT_EQ(document["contacts"][0]["reaction"], "reaction(floor) >= 0");
}

TEST_F(EventsCommand, AReactionByPositionIsThatOfTheStateAlsoAfterALiftOff) {
  // The ladder leaves the wall at 0.97: from then on its horizontal momentum is another constant.
  const Json document = json("reactions", read_ladder(), {"--time", "1.2"});
  bool seen = false;
  for (const Json& reaction : document["reactions"]) {
    if (reaction["name"] != "floor") continue;
    seen = true;
    const double value = reaction["multiplier"]["value"].get<double>();
    ASSERT_TRUE(reaction["of_position"].is_string());
    const Json motion = json("simulate", read_ladder(), {"--until", "1.2", "--every", "1.2"});
    const Json& last = motion["rows"].back();
    EXPECT_NEAR(at(motion, last, "reaction(floor)"), value, 1e-6 * value);
    // The formula at the position reached, by the command that evaluates formulas along a run.
    std::string text = read_ladder();
    const std::string outputs = "[outputs]\n";
    text.insert(text.find(outputs) + outputs.size(),
                "by_position = \"" + reaction["of_position"].get<std::string>() + "\"\n");
    const Json shown = json("simulate", text, {"--until", "1.2", "--every", "1.2"});
    EXPECT_NEAR(at(shown, shown["rows"].back(), "by_position"), value, 1e-6 * value);
  }
  EXPECT_TRUE(seen);
}

TEST_F(EventsCommand, ThreeHundredContactsInOneCornerRun) {
  std::string text =
      "gravity = [0, 0, -9.81]\n[coordinates]\nx = { value = 0.3, rate = 0.1 }\ny = { value = 0.2, rate = -0.2 }\n"
      "z = 1\n[points.P]\nposition = [\"x\", \"y\", \"z\"]\nmass = 1\n[constraints]\n";
  for (int k = 0; k < 300; ++k)
    text += "c" + std::to_string(k) + " = \"z + " + std::to_string(0.8 * std::cos(k * M_PI / 150)) + "*x + " +
            std::to_string(0.8 * std::sin(k * M_PI / 150)) + "*y >= 0\"\n";
  const Json motion = json("simulate", text, {"--until", "3", "--every", "3"});
  EXPECT_EQ(motion["status"], "finished");
  EXPECT_LT(at(motion, motion["rows"].back(), "residual"), 1e-12);
}

// --- what is followed, refused and checked

const char* const two_masses =
    "[coordinates]\nx1 = { value = 1, rate = 0.1 }\ny1 = { value = 0, rate = 0.5 }\n"
    "x2 = { value = -1, rate = 0.2 }\ny2 = { value = 0.1, rate = -0.3 }\n"
    "[points.A]\nposition = [\"x1\", \"y1\", 0]\nmass = 2\n[points.B]\nposition = [\"x2\", \"y2\", 0]\nmass = 3\n"
    "[energy]\npotential = \"(norm(position(A) - position(B)) - 1)^2\"\n[simulate]\nuntil = 3\n";

TEST_F(EventsCommand, MomentaOfTranslationsAndRotationsAreFoundInCartesianCoordinatesAndFollowed) {
  const Json document = json("check", two_masses);
  std::map<std::string, double> found;
  for (const Json& integral : document["integrals"]) found[integral["name"]] = integral["value"];
  EXPECT_NEAR(found["momentum along x"], 2 * 0.1 + 3 * 0.2, 1e-15);
  EXPECT_NEAR(found["momentum along y"], 2 * 0.5 - 3 * 0.3, 1e-15);
  EXPECT_NEAR(found["angular momentum about z"], 2 * (1 * 0.5) + 3 * (-1 * -0.3 - 0.1 * 0.2), 1e-15);
  const CommandResult motion = run("simulate", two_masses, {});
  for (const Json& integral : document["integrals"])
    EXPECT_THAT(motion.err, HasSubstr(integral["name"].get<std::string>()));
  EXPECT_EQ(found.count("angular momentum about x"), 0u);
}

// One top in two descriptions: what a cyclic angle gives in one, a rotation of space gives in the other.
TEST(Symmetries, AQuaternionTopHasTheMomentumThatItsEulerAnglesHave) {
  const auto find = [](const std::string& model, const std::string& name) {
    const Json document = Json::parse(run_command({"check", model, "--json"}).out);
    for (const Json& integral : document["integrals"])
      if (integral["name"] == name) return integral["value"].get<double>();
    return std::nan("");
  };
  const double momentum = find("models:heavy_top_symmetric", "momentum of psi");
  EXPECT_NEAR(find("models:heavy_top_quaternion", "angular momentum about z"), momentum, 1e-14);
}

TEST_F(EventsCommand, APrimeOnAnAccelerationIsRefused) {
  const std::string text = std::string(flywheel) + "[outputs]\na = \"theta''\"\nb = \"a'\"\n";
  const CommandResult refused = run("simulate", text, {});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("the derivative of a is not known"));
}

TEST_F(EventsCommand, VerifyLooksAtARunRowByRow) {
  for (const char* model : {"models:bouncing_ball", "models:redundant_parallelogram", "models:heavy_top_quaternion"}) {
    const CommandResult result = run_command({"verify", model, "--json"}, {.seconds = 300, .folder = {}});
    const Json document = Json::parse(result.out);
    EXPECT_TRUE(document["ok"].get<bool>()) << model << ": " << result.out;
    EXPECT_THAT(result.out, HasSubstr("balance at every row of a run")) << model;
    EXPECT_THAT(result.out, HasSubstr("constraints at every row of a run")) << model;
  }
  EXPECT_THAT(run_command({"verify", "models:bouncing_ball"}).out, HasSubstr("events of a run"));
}

}  // namespace
}  // namespace dalembert::testing_support
