#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using Json = nlohmann::json;
using testing::HasSubstr;

namespace {

TEST(LinearizeCommand, gives_matrices_and_modes_as_json) {
  const CommandResult result = run_command({"linearize", "models:pendulum", "--set", "theta=0", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json document = Json::parse(result.out);
  const double w = std::sqrt(9.81 / 0.9);
  EXPECT_EQ(document["independent"], Json({"theta", "theta'"}));
  EXPECT_NEAR(document["A"][1][0].get<double>(), -w * w, 1e-13);
  EXPECT_NEAR(std::abs(document["eigenvalues"][0][1].get<double>()), w, 1e-13);
  EXPECT_NEAR(std::abs(document["modes"][0]["components"]["theta'"][1].get<double>()), w, 1e-13);
  EXPECT_NEAR(document["K"][0][0].get<double>(), 1.3 * 9.81 * 0.9, 1e-13);
  EXPECT_EQ(document["stable"], true);
}

TEST(LinearizeCommand, writes_latex_and_csv) {
  const CommandResult latex = run_command({"linearize", "models:pendulum", "--set", "theta=0", "--as", "latex"});
  EXPECT_EQ(latex.status, 0);
  EXPECT_THAT(latex.out, HasSubstr("A = \\begin{pmatrix}\n  0 & 1 \\\\\n  -10.9 & 0\n\\end{pmatrix}"));
  EXPECT_THAT(latex.out, HasSubstr("\\delta \\theta"));
  const CommandResult csv = run_command({"linearize", "models:pendulum", "--set", "theta=0", "--as", "csv"});
  EXPECT_THAT(csv.out, HasSubstr("matrix,row,column,value\nA,theta,theta,0\nA,theta,theta',1\nA,theta',theta,-10."));
}

TEST(LinearizeCommand, tells_matrices_that_fit_no_page_by_their_size) {
  for (const std::string form : {"text", "latex"}) {
    const CommandResult result =
        run_command({"linearize", "models:chain_1000", "--frozen", "--as", form, "--limit-work", "20"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr(form == "text" ? "A: 2000 x 2000, 1000 entries not zero"
                                                     : "A \\in \\mathbb{R}^{2000 \\times 2000}"));
    EXPECT_LT(result.out.size(), 2000);
  }
}

/// A chain of equal masses at rest below its end.
std::string write_hanging_chain() {
  const std::string file = testing::TempDir() + "hanging_chain.toml";
  std::ofstream(file) << R"toml(
gravity = [0, -9.81, 0]
[repeat]
k = "1..N"
[parameters]
N = 201
[definitions]
x0 = "0"
y0 = "0"
[coordinates]
"x{k}" = 0
"y{k}" = "-{k}/N"
[points."P{k}"]
position = ["x{k}", "y{k}", 0]
mass = 1
[constraints]
"link{k}" = "(x{k} - x{k-1})^2 + (y{k} - y{k-1})^2 = 1/N^2"
)toml";
  return file;
}

TEST(LinearizeCommand, finds_the_modes_of_many_states_only_when_asked_for) {
  const std::string file = write_hanging_chain();
  const CommandResult text = run_command({"linearize", file});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("stable: the energy has a minimum here"));
  EXPECT_THAT(text.out, HasSubstr("note: eigenvalues and modes of more than 400 states are found with --modes"));
  const Json document = Json::parse(run_command({"linearize", file, "--json"}).out);
  EXPECT_EQ(document["stable"], true);
  EXPECT_EQ(document["A"].size(), 402);
  for (const char* unknown : {"eigenvalues", "modes", "zero_roots"}) EXPECT_EQ(document[unknown], nullptr) << unknown;
}

TEST(LinearizeCommand, lists_forty_modes_and_names_the_largest_components) {
  const CommandResult result = run_command({"linearize", write_hanging_chain(), "--set", "N=60"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("mostly\n"));
  EXPECT_THAT(result.out, HasSubstr("... and 20 more: --json has all\n"));
  EXPECT_LT(result.out.size(), 6000);
}

TEST(LinearizeCommand, draws_and_lists_a_root_locus) {
  const std::string file = testing::TempDir() + "locus.svg";
  const CommandResult drawn =
      run_command({"linearize", "models:rotating_hoop", "--set", "theta=0", "--over", "W=1:10:0.5", "-o", file});
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_THAT(drawn.err, HasSubstr("W = 4.95227220577  divergence"));
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("<svg"));
  const CommandResult listed =
      run_command({"linearize", "models:rotating_hoop", "--set", "theta=0", "--over", "W=1:10:0.5", "--json"});
  const Json document = Json::parse(listed.out);
  EXPECT_EQ(document["values"].size(), 19);
  EXPECT_EQ(document["eigenvalues"].size(), 19);
  EXPECT_NEAR(document["changes"][0]["value"].get<double>(), std::sqrt(9.81 / 0.4), 2e-11);
}

TEST(LinearizeCommand, says_what_is_wrong_and_what_to_do) {
  const auto complaint = [](std::vector<std::string> more) {
    std::vector<std::string> all{"linearize", "models:rotating_hoop"};
    all.insert(all.end(), more.begin(), more.end());
    const CommandResult result = run_command(all);
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_THAT(complaint({}), HasSubstr("theta'' = 2.41898, where zero is expected; change the start with --set"));
  EXPECT_THAT(complaint({"--over", "W=1:2"}), HasSubstr("write NAME=FIRST:LAST:STEP"));
  EXPECT_THAT(complaint({"--over", "W=1:2:0"}), HasSubstr("STEP above zero"));
  EXPECT_THAT(complaint({"--over", "V=1:2:0.1"}), HasSubstr("there is no parameter, initial value or rate V"));
  EXPECT_THAT(complaint({"-o", "x.svg"}), HasSubstr("draw a root locus with --over"));
  EXPECT_THAT(complaint({"--as", "pdf"}), HasSubstr("use text, latex or csv"));
}

// (I1 - I3) cos(theta) psi'^2 - I3 phi' psi' + m g c = 0 with I1 about the fixed point.
TEST(LinearizeCommand, solves_for_what_the_model_calls_steady) {
  const std::string file = testing::TempDir() + "steady_top.toml";
  std::ofstream(file) << R"toml(
gravity = [0, 0, -9.81]
[coordinates]
psi = { value = 0, rate_guess = 1 }
theta = 0.5
phi = { value = 0, rate = 60 }
[frames.top]
rotate = [["z", "psi"], ["x", "theta"], ["z", "phi"]]
[bodies.top]
frame = "top"
mass = 1
centre = [0, 0, 0.2]
inertia = [0.01, 0.01, 0.02]
[steady]
constant = ["psi'", "theta", "phi'"]
)toml";
  const CommandResult found = run_command({"linearize", file, "--json"});
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(found.err, "");
  const Json state = Json::parse(found.out)["state"];
  const double psi = state["psi'"].get<double>();
  EXPECT_NEAR((0.05 - 0.02) * std::cos(0.5) * psi * psi - 0.02 * 60 * psi + 9.81 * 0.2, 0, 1e-12);
  EXPECT_EQ(state["phi'"], 60.0);
}

TEST(LinearizeCommand, says_how_an_input_that_varies_becomes_a_constant) {
  const std::string file = testing::TempDir() + "varying_input.toml";
  std::ofstream(file) << "[inputs]\nf = \"sin(t)\"\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n"
                         "potential = \"x^2/2\"\n[forces]\nx = \"f\"\n";
  EXPECT_THAT(run_command({"linearize", file}).err, HasSubstr("with --set f=0 it is a constant"));
  EXPECT_EQ(run_command({"linearize", file, "--set", "f=0"}).err, "");
}

// With the hoop's speed W = w^3/4: d(th'')/dw = dW/dw sin(th) cos(th), where cos(th) = g/W.
TEST(LinearizeCommand, an_input_is_felt_through_the_parameters_that_are_formulas_of_it) {
  const std::string file = testing::TempDir() + "formulas_of_an_input.toml";
  std::ofstream(file) << "[parameters]\nw = 4\nW = \"k*w^2\"\nk = \"w/4\"\n[coordinates]\nth = { guess = 0.9 }\n"
                         "[energy]\nkinetic = \"th'^2/2\"\npotential = \"-9.81*cos(th) - W*sin(th)^2/2\"\n";
  const CommandResult result = run_command({"linearize", file, "--inputs", "w", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const double cosine = 9.81 / 16, slope = 12 * cosine * std::sqrt(1 - cosine * cosine);
  EXPECT_NEAR(Json::parse(result.out)["B"][1][0].get<double>(), slope, 1e-11);
}

}  // namespace
