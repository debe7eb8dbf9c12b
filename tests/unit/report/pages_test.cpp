// Equations on a page: lines that fit, families once, names that mean one thing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/base/work_limit.hpp>
#include <dalembert/dalembert.hpp>
#include <random>
#include <sstream>

#include "../bench/models.hpp"
#include "report/scribe.hpp"
#include "study/index_families.hpp"

namespace dalembert {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string without_spaces(const std::string& text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

TEST(Wrapping, FitsThePageAndChangesNoFormula) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 50; ++trial) {
    std::string line = "  a = ";
    for (int term = 0; term < 60; ++term)
      line += std::string(term == 0 ? "" : (random() % 2 == 0 ? " + " : " - ")) +
              (random() % 5 == 0 ? "f(x" + std::to_string(term) + ", (b + c*d - e))"
                                 : "x" + std::to_string(random() % 999));
    const std::string wrapped = wrap_text(line);
    std::istringstream lines(wrapped);
    for (std::string each; std::getline(lines, each);) EXPECT_LE(each.size(), widest_line);
    EXPECT_EQ(without_spaces(wrapped), without_spaces(line));
  }
  EXPECT_EQ(wrap_text("  short = 1"), "  short = 1");
}

TEST(FamiliesOnAPage, AreThoseThatDifferInTheIndexOnly) {
  Description d("chain");
  for (const char* name : {"x1", "x2", "x3", "x4"}) d.coordinate(name, {.value = "0.3"});
  d.energy.kinetic = "(x1'^2 + x2'^2 + x3'^2 + x4'^2)/2";
  const Families families(make_model(d));
  EXPECT_EQ(families.with_index("x3'' - x2 + 3*x4", 3), "x{k}'' - x{k-1} + 3*x{k+1}");
  const auto groups = families.group({"x1'", "x2'", "x3'", "x4'"}, {"x1 = 0", "x2 - x1 = 0", "x3 - x2 = 0", "x4 = 1"});
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[1].members, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(families.write_sum({"x1'^2/2", "-x1", "x2'^2/2", "-x2", "x3'^2/2", "-x3", "-7*c"}),
            "sum(k = 1..3, x{k}'^2/2) + sum(k = 1..3, -x{k}) - 7*c");
  EXPECT_EQ(families.write_sum({"-x1 + x2", "-x2 + x3", "x4"}), "-x1 + x2 - x2 + x3 + x4");
}

TEST(Pages, OfAThousandLinksShowEachFamilyOnce) {
  const std::string text = write_text(derive_multipliers(load_model("models:chain_1000")));
  EXPECT_LE(text.size(), 5000u);
  EXPECT_THAT(text, HasSubstr("(k = 2..999)"));
}

/// Units of work that the equations of such a chain take to be written.
double work_of_page(int links) {
  const Equations equations = derive_multipliers(make_model(parse_description(bench::chain_in_relative_angles(links))));
  constexpr double allowed = 1e12;
  const WorkLimit limit(allowed);
  write_text(equations);
  return allowed - detail::work_left;
}

// Its mass matrix has as many entries as the square of that, which share their parts: these are not counted anew for
// each equation.
TEST(Pages, OfAChainInAnglesTakeNoMoreThanTwiceTheWorkForTwiceItsLength) {
  EXPECT_LE(work_of_page(200), 2 * work_of_page(100));
}

TEST(Pages, OfAThousandLinksHaveTheirEnergyAndGausssConstraintOnALine) {
  const Model chain = load_model("models:chain_1000");
  const std::string energy = write_text(check_model(derive_multipliers(chain)));
  EXPECT_LE(energy.size(), 5000u);
  EXPECT_THAT(energy, HasSubstr("sum(k = 1..1000, 981*y{k}/100)"));
  const std::string z = write_text(derive_gauss(chain));
  EXPECT_LE(z.size(), 5000u);
  EXPECT_THAT(z, HasSubstr("Z = sum(k = 1..1000, "));
}

TEST(Pages, OfABodyTurnedByAQuaternionHaveNothingThatCancelsInItsAngularAcceleration) {
  const Model model = make_model(parse_description(R"toml(
name = "body"
gravity = [0, 0, "-g"]
[parameters]
m = 2
A = 1
B = 2
C = 3
g = 9.81
[coordinates]
x = 0
y = 0
z = 0
e0 = 1
e1 = 0
e2 = 0
e3 = 0
[frames.body]
origin = ["x", "y", "z"]
rotate = [["quaternion", "e0", "e1", "e2", "e3"]]
[bodies.body]
frame = "body"
mass = "m"
inertia = ["A", "B", "C"]
)toml"));
  const std::string text = without_spaces(write_text(derive_multipliers(model)));
  EXPECT_THAT(text, HasSubstr("alpha_body=[2*(e0*e1''-e1*e0''-e2*e3''+e3*e2''),"
                              "2*(e0*e2''+e1*e3''-e2*e0''-e3*e1''),2*(e0*e3''-e1*e2''+e2*e1''-e3*e0'')]"));
}

TEST(Pages, OfTheBicycleByProjectionHoldWhatSomebodyReads) {
  const Model model = load_model("models:whipple_bicycle");
  ProjectionReport report{derive_projection(model), {}, {}};
  const System system(derive_multipliers(model));
  report.at = evaluate_geometry(report.geometry, system.make_initial_start().state);
  const std::string text = write_text(report, {});
  EXPECT_LE(text.size(), 20000u);
  EXPECT_THAT(text, HasSubstr("G, the projector: 8 x 8 numbers, --json has them"));
  EXPECT_THAT(text, Not(HasSubstr("e-17")));  // rounding is written as 0
}

TEST(Pages, OfGausssConstraintHaveNoDenominatorInCommon) {
  const std::string text = write_text(derive_gauss(load_model("models:boom_with_skate")));
  EXPECT_THAT(text, Not(HasSubstr(")/(25*M)")));
  EXPECT_THAT(text, HasSubstr("m*b^2*a''^2"));
}

TEST(Pages, OfSmallSystemsHaveNoListing) {
  const std::string text = write_text(derive_multipliers(load_model("models:double_pendulum")));
  EXPECT_THAT(text, Not(HasSubstr("kinematics, each")));
}

TEST(Pages, OfTheBicycleNameItsFramesAndDefinitions) {
  const Equations equations = derive_multipliers(load_model("models:whipple_bicycle"));
  const std::string text = write_text(equations);
  EXPECT_THAT(text, HasSubstr("omega_rear = "));
  EXPECT_THAT(text, HasSubstr("axle.x = "));
  EXPECT_THAT(write_latex(equations), HasSubstr("\\omega_{\\mathit{rear}"));
}

}  // namespace
}  // namespace dalembert
