// LaTeX of the commands that give reports: documents that a LaTeX processor takes, formulas as in the text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string latex(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--as", "latex"});
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(std::ranges::count(result.out, '{'), std::ranges::count(result.out, '}')) << result.out;
  return result.out;
}

}  // namespace

TEST(Latex, OfReactionsHasFormulaAndValue) {
  const std::string text = latex({"reactions", "models:rolling_disk_vertical"});
  EXPECT_THAT(text, HasSubstr("\\begin{align}"));
  EXPECT_THAT(text, HasSubstr("\\lambda_{\\mathit{upright}} &="));
  EXPECT_THAT(text, Not(HasSubstr("reaction(")));
}

TEST(Latex, OfCheckFrameAndGauss) {
  EXPECT_THAT(latex({"check", "models:pendulum"}), HasSubstr("\\text{energy} &= "));
  EXPECT_THAT(latex({"frame", "models:free_body_space_frame"}), HasSubstr("\\beta_{"));
  EXPECT_THAT(latex({"gauss", "models:double_pendulum"}), HasSubstr("Z - \\varphi &= "));
}

TEST(Latex, OfCheckHasTheTableOfConstraintsAndWhatIsRedundant) {
  const std::string text = latex({"check", "models:redundant_parallelogram"});
  EXPECT_THAT(text, HasSubstr("constraint & kind & time & integrability & residual & reaction"));
  EXPECT_THAT(text, HasSubstr("left & geometric & scleronomic &"));
  EXPECT_THAT(text, HasSubstr("degrees of freedom & "));
  EXPECT_THAT(text, HasSubstr("redundant: "));
}

TEST(Latex, OfCheckHasThePartsOfALongEnergy) {
  const std::string text = latex({"check", "models:whipple_bicycle"});
  EXPECT_THAT(text, HasSubstr("v_{\\mathit{lean}} &= "));
  EXPECT_THAT(text, HasSubstr("rear\\_x & differential"));
}

/// As in text: accelerations on the left, reactions on the right, however long the left is; constraints = 0.
TEST(Latex, OfLongEquationsHasTheSidesOfText) {
  const std::string text = latex({"derive", "models:rolling_disk_tilted"});
  EXPECT_THAT(text, HasSubstr("m \\ddot{X} &= \\lambda_{"));
  EXPECT_THAT(text, Not(HasSubstr("&= m \\ddot{X}")));
  EXPECT_THAT(text, Not(HasSubstr("0 &=")));
  for (const std::string model : {"models:whipple_bicycle", "models:iftomm_A02_fourbar"})
    EXPECT_THAT(latex({"derive", model}), Not(HasSubstr("  0 &="))) << model;
}

namespace {

class ModelFile {
 public:
  ModelFile(const std::string& name, const char* text)
      : path_(testing::TempDir() + name + "_" + std::to_string(::getpid()) + ".toml") {
    std::ofstream(path_) << text;
  }
  ~ModelFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Names that LaTeX has to spell: I_a, J_s, and velocities that the constraints rolls and same forbid.
constexpr const char* wheel_text = R"toml(
name = "wheel"
[parameters]
Ia = 0.2
Js = 0.1
m = 1
r = 0.3
g = 9.81
[coordinates]
x = 0
phi = 0.1
psi = 0.1
[energy]
kinetic = "m*x'^2/2 + Ia*phi'^2/2 + Js*psi'^2/2"
potential = "m*g*x*sin(phi)"
[constraints]
rolls = "x' = r*phi'"
same = "psi = phi"
)toml";

}  // namespace

TEST(Latex, SpellsNamesInEveryCommand) {
  const ModelFile wheel("wheel", wheel_text);
  for (const char* command : {"derive", "check", "reactions", "frame"}) {
    const std::string text = latex({command, wheel.path()});
    EXPECT_THAT(text, HasSubstr("I_{a}")) << command;
    EXPECT_THAT(text, Not(HasSubstr("0 &= 0"))) << command;
    EXPECT_THAT(text, Not(HasSubstr("-0 "))) << command;
  }
  EXPECT_THAT(latex({"derive", wheel.path()}), HasSubstr("J_{s} \\ddot{\\psi} &= \\lambda_{\\mathit{same}}"));
  EXPECT_THAT(latex({"gauss", wheel.path()}), HasSubstr("\\ddot{\\phi} &= "));
  // The velocity that a constraint forbids.
  EXPECT_THAT(latex({"derive", wheel.path(), "--by", "hamel"}),
              HasSubstr("\\mathit{constraint}_{\\mathit{rolls}} &= "));
  EXPECT_THAT(
      latex({"frame", wheel.path()}),
      HasSubstr("\\frac{\\partial L}{\\partial \\mathit{constraint}_{\\mathit{rolls}}} &= m \\left(r \\dot{\\psi} - r "
                "\\mathit{constraint}_{\\mathit{same}} + \\mathit{constraint}_{\\mathit{rolls}}\\right)"));
}

TEST(Latex, BreaksALongEquationInsideOneNumber) {
  const std::string text = latex({"derive", "models:three_link_arm"});
  EXPECT_THAT(text, HasSubstr("\\begin{aligned}[t] & "));
  // One align, so one number an equation: a break inside `aligned` makes no further one.
  EXPECT_EQ(text.find("\\begin{align}"), text.rfind("\\begin{align}"));
}

TEST(Latex, SidesThatDoNotFitOnALineStandOneBelowTheOtherInOneNumber) {
  const std::string block = latex({"derive", "models:block_on_table"});
  EXPECT_THAT(block, HasSubstr("  & \\begin{aligned}[t] & \\begin{aligned}[t] & m \\mathit{cy} \\ddot{x}"));
  EXPECT_THAT(block, HasSubstr("\n    & = \\begin{aligned}[t] & \\cos\\left(\\mathit{pit}\\right) \\bigl("));
  // A gap that is wide is not written twice.
  EXPECT_THAT(block, HasSubstr("&\\ge 0 \\quad \\perp \\quad \\lambda_{\\mathit{front\\_left}} \\ge 0"));
  EXPECT_THAT(latex({"derive", "models:bouncing_ball"}), Not(HasSubstr("\\perp")));
}

namespace {

/// Pairs of names that the notation does not tell apart.
constexpr const char* alike = R"toml(
name = "alike"
[parameters]
m1 = 1
m_1 = 2
Ia = 0.2
I_a = 0.3
[coordinates]
theta = { value = 0.1, rate = 1 }
"θ" = { value = 0.2, rate = 2 }
x1 = 0.3
x_1 = 0.3
[energy]
kinetic = "m1*x1'^2/2 + m_1*x_1'^2/2 + Ia*theta'^2/2 + I_a*θ'^2/2"
potential = "m1*sin(x1) + m_1*cos(x_1)*theta^2"
[constraints]
c1 = "x1 = x_1"
c_1 = "θ = 2*theta"
[frame]
u1 = "x1'"
u_1 = "x_1'"
w = "theta'"
"ω" = "θ'"
)toml";

}  // namespace

TEST(Latex, NamesThatWouldLookAlikeAreToldApartInEveryCommand) {
  const ModelFile file("alike", alike);
  const std::string& path = file.path();
  struct Case {
    std::vector<std::string> arguments;
    std::vector<std::string> has;
  };
  const std::vector<Case> cases = {
      {{"derive", path},
       {"m_{1} (\\ddot{x}_{1}", "\\mathit{m\\_1} (\\ddot{\\mathit{x\\_1}}", "\\lambda_{c,1}", "\\ddot{\\theta}",
        "\\ddot{\\mathit{theta}}"}},
      {{"derive", path, "--by", "hamel"}, {"\\mathit{u\\_1}"}},
      {{"reactions", path}, {"\\lambda_{c,1}", "\\mathit{reaction(c\\_1)}", "\\mathit{theta}"}},
      {{"check", path}, {"\\mathit{m\\_1}", "m_{1}"}},
      {{"frame", path}, {"\\mathit{u\\_1}", "u_{1}"}},
      {{"gauss", path}, {"\\ddot{\\mathit{theta}}", "\\ddot{\\theta}"}}};
  for (const Case& each : cases) {
    const std::string text = latex(each.arguments);
    for (const std::string& name : each.has) EXPECT_THAT(text, HasSubstr(name)) << each.arguments[0] << "\n" << text;
  }
}
