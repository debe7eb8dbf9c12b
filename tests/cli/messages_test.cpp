#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/folder.hpp"
#include "support/run_command.hpp"

// What people write by habit from elsewhere: accepted where it is harmless, else an error that teaches.

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class Messages : public dalembert::testing_support::FolderTest {
 protected:
  CommandResult check(const std::string& model) {
    write("m.toml", model);
    return run_command({"check", "m.toml"}, {.folder = folder.string()});
  }
  void expect_refused(const std::string& model, const std::string& message) {
    CommandResult result = check(model);
    EXPECT_EQ(result.status, 2) << model;
    EXPECT_THAT(result.err, HasSubstr(message));
  }
  /// A model with this potential.
  static std::string potential(const std::string& formula) {
    return "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"" + formula + "\"\n";
  }
};

TEST_F(Messages, UnitsAndDegrees) {
  expect_refused(potential("1 kg"),
                 "m.toml:5:16: energy.potential: expected an operator, found 'kg'; write * for a "
                 "product; units are not written: keep to one system, as kg, m and s");
  expect_refused(potential("30 deg"), "angles are in radians: write *pi/180 for degrees");
  expect_refused(potential("30°"), "angles are in radians: write *pi/180 for degrees");
  expect_refused(potential("2 x"), "write * for a product\n");
  expect_refused("[parameters]\nm = \"1 kg\"\n[coordinates]\nx = 0\n",
                 "m.toml:2:8: parameters.m: expected an operator");
}

TEST_F(Messages, FunctionsOfOtherLanguages) {
  expect_refused(potential("sin x"), "the function sin needs brackets: write sin(...)");
  expect_refused(potential("diff(x)"), "unknown function 'diff'; write a prime for a time derivative, as x'");
  expect_refused(potential("ln(x)"), "write log(...)");
  expect_refused(potential("pow(x, 2)"), "write a^b for a power");
  expect_refused(potential("arcsin(x)"), "write asin(...)");
  expect_refused(potential("x(2)"), "write * before ( for a product");
  expect_refused(potential("3*sin^2(x)"), "the power of a function stands behind it: write sin(...)^2");
  expect_refused(potential("2(x)"), "write * for a product\n");
  for (const std::string choice : {"if(x > 0, 1, 2)", "where(x, 1, 2)", "piecewise(x)"})
    expect_refused(potential(choice), "write what changes with abs, min, max or sign, as (1 + sign(x))/2");
  expect_refused(potential("heaviside(x)"), "write (1 + sign(x))/2");
}

TEST_F(Messages, RatesAsTheyAreCalledElsewhere) {
  for (const std::string rate : {"x_dot", "xdot", "x_ddot", "dx"})
    expect_refused(potential(rate), "unknown name '" + rate + "'; write x' for the rate of x, and x'' for its");
  expect_refused(potential("dz"), "unknown name 'dz'; define it, or correct the name");
}

TEST_F(Messages, MomentsOfInertiaThatNoBodyHas) {
  const auto body = [](const std::string& inertia) {
    return "[parameters]\nA = 1\n[coordinates]\na = 0\n[frames.F]\nrotate = [[\"z\", \"a\"]]\n[bodies.B]\nframe = "
           "\"F\"\nmass = 1\ninertia = [" +
           inertia + "]\n";
  };
  const std::string none = "bodies.B.inertia: no body has these moments of inertia: of the principal ones ";
  expect_refused(body("1, 1, 5"), none + "5 is more than 1 and 1 together; give xx yy zz of a body; write 0 for");
  expect_refused(body("2, 2, 2, 1.5, 0, 0"), none + "3.5 is more than 2 and 0.5 together");
  expect_refused(body("0, 0, -1"), "bodies.B.inertia: a principal moment of inertia is -1; give xx yy zz");
  for (const char* inertia : {"1, 1, 2", "0.333, 0.333, 0.667", "0, 0, 3", "1, 0, 3", "2, 2, 2, 0.5, 0, 0"})
    EXPECT_EQ(check(body(inertia)).status, 0) << inertia;
  // A parameter may be meant to have another value.
  write("m.toml", body("\"A\", 1, 1.5"));
  for (const auto& [value, remarks] : {std::pair("A=1", 0), std::pair("A=9", 1)}) {
    const CommandResult set = run_command({"check", "m.toml", "--set", value}, {.folder = folder.string()});
    EXPECT_EQ(set.status, 0) << set.err;
    EXPECT_EQ(set.out.find(none + "9 is more than 1.5 and 1 together") != std::string::npos, remarks == 1) << value;
  }
}

TEST_F(Messages, ATimeThatIsNotReachedIsToldOnce) {
  const CommandResult result = run_command({"reactions", "models:pendulum", "--time", "1e9", "--limit-work", "0.05"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("the motion does not reach t = 1e+09: the work allowed is used up at t = "));
}

TEST_F(Messages, AWrongNameKeepsItsPrimes) {
  expect_refused(potential("X'"), "unknown name 'X''; did you mean 'x''?");
  expect_refused(potential("X"), "did you mean 'x'?");
}

TEST_F(Messages, NegativeMasses) {
  expect_refused("[coordinates]\nx = 0\n[points.P]\nposition = [\"x\", 0, 0]\nmass = -2\n",
                 "m.toml:5:8: points.P.mass: the mass is -2; expected zero or a positive number");
  expect_refused(
      "[parameters]\nm = 1\n[coordinates]\nx = 0\n[frames.F]\norigin = [\"x\", 0, 0]\n[bodies.B]\n"
      "frame = \"F\"\nmass = \"m - 3\"\ninertia = [1, 1, 1]\n",
      "bodies.B.mass: the mass is -2; expected zero or a positive number");
}

TEST_F(Messages, DecimalCommas) {
  expect_refused("[parameters]\nm = 1,5\n[coordinates]\nx = 0\n", "m.toml:2:6: ");
  expect_refused("[parameters]\nm = 1,5\n[coordinates]\nx = 0\n", "; write decimals with a point, as 1.5");
  expect_refused("[parameters]\nm = \"1,5\"\n[coordinates]\nx = 0\n", "write numbers with a point (0.5)");
  expect_refused("[parameters]\nm = [1,5\n", "expected a TOML file");
}

TEST_F(Messages, SpacesInOptionsAreHarmless) {
  const std::vector<std::string> plain{"simulate", "models:pendulum", "--until", "1", "--quiet"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), plain.begin(), plain.end());
    return run_command(more);
  };
  CommandResult columns = with({"--columns", " theta , energy "});
  EXPECT_EQ(columns.status, 0) << columns.err;
  EXPECT_THAT(columns.out, StartsWith("t,theta,energy\n"));
  CommandResult set = with({"--set", " l = 2 "});
  EXPECT_EQ(set.status, 0) << set.err;
  EXPECT_EQ(set.out, with({"--set", "l=2"}).out);
  CommandResult to = run_command({"action", "models:oscillator", "--unchecked", "--to", "q = -0.9", "--until", "0.8"});
  EXPECT_EQ(to.status, 0) << to.err;
}

TEST_F(Messages, OptionsThatAreRepeated) {
  CommandResult result = run_command({"simulate", "models:pendulum", "--until", "1", "--until", "2"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--until is given twice; give it once"));
  EXPECT_THAT(run_command({"derive", "models:pendulum", "--as=c", "--as", "text"}).err,
              HasSubstr("--as is given twice; give it once"));
  EXPECT_EQ(run_command({"check", "models:pendulum", "--set", "l=2", "--set", "m=3"}).status, 0);
  const CommandResult set = run_command({"check", "models:pendulum", "--set", "l=2", "--set", "m=1", "--set", "l = 3"});
  EXPECT_EQ(set.status, 2);
  EXPECT_THAT(set.err, HasSubstr("--set: l is set twice, to 2 and to 3; set it once; for several values use sweep"));
  EXPECT_THAT(run_command({"simulate", "models:pendulum", "--until"}).err, HasSubstr("--until needs a value"));
}

TEST_F(Messages, ErrorsAreJsonWhereJsonWasAskedFor) {
  write("m.toml", "[coordinates]\nx = 0\n[energy]\npotential = \"1 kg\"\n");
  CommandResult result = run_command({"check", "m.toml", "--json"}, {.folder = folder.string()});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, StartsWith("dalembert: error: m.toml:4:16: energy.potential: "));
  nlohmann::json error = nlohmann::json::parse(result.out)["error"];
  EXPECT_EQ(error["status"], 2);
  EXPECT_EQ(error["file"], "m.toml");
  EXPECT_EQ(error["line"], 4);
  EXPECT_EQ(error["column"], 16);
  EXPECT_EQ(error["key"], "energy.potential");
  EXPECT_EQ(error["problem"], "expected an operator, found 'kg'");
  EXPECT_THAT(error["remedy"].get<std::string>(), StartsWith("write * for a product"));
}

TEST_F(Messages, EveryKindOfErrorHasItsJson) {
  struct Case {
    std::vector<std::string> arguments;
    int status;
    std::string problem;
  };
  for (const Case& one : {Case{{"chek", "--json"}, 2, "unknown command 'chek'"},
                          {{"check", "models:pendulum", "--jsn", "--json"}, 2, "there is no option '--jsn'"},
                          {{"simulate", "models:pendulum", "--json", "--until", "soon"}, 2, "'soon' is not a number"},
                          {{"simulate", "models:pendulm", "--json"}, 2, "there is no bundled model of that name"},
                          {{"simulate", "models:pendulum", "--json", "--columns", "q"}, 2, "there is no column q"},
                          {{"formula", "1/0", "--json"}, 2, "division by zero"}}) {
    CommandResult result = run_command(one.arguments);
    EXPECT_EQ(result.status, one.status);
    nlohmann::json error = nlohmann::json::parse(result.out)["error"];
    EXPECT_EQ(error["status"], one.status);
    EXPECT_THAT(error["problem"].get<std::string>() + error["file"].dump(), HasSubstr(one.problem));
    for (const char* field : {"file", "line", "column", "key", "remedy"}) EXPECT_TRUE(error.contains(field)) << field;
  }
  // A name after -- is no option.
  EXPECT_EQ(run_command({"formula", "--", "--json"}).out.find("\"error\""), std::string::npos);
}

TEST_F(Messages, WrongArgumentsOfEveryCommandAreToldWithARemedy) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"simulate", "pendulum"}, "pendulum: there is no such file; models:pendulum is the bundled model"},
      {{"simulate", std::string(300, 'a')}, "give the path of a model file, or models:NAME"},
      {{"view", std::string(300, 'a')}, "give the path of a model file, or models:NAME"},
      {{"sweep", std::string(300, 'a')}, "give the path of a study file"},
      {{"simulate", "pendulun"}, "give the path of a model file, or models:NAME"},
      {{"simulate", "models:pendulun"}, "did you mean 'models:pendulum'?"},
      {{"simulate", "models:pendulum", "-o", ""}, "--output: the value is empty"},
      {{"simulate", "models:pendulum", "-o", "p.pdf"}, "expected .csv, .json, .h5, .svg, .png or .html"},
      {{"simulate", "models:pendulum", "--picture", "0,x", "-o", "p.svg"}, "--picture: '0,x' has something that is no"},
      {{"simulate", "models:pendulum", "--picture", "99", "-o", "p.svg"}, "give times within it"},
      {{"simulate", "models:pendulum", "-o", "p.html", "--columns", "a"}, "there is no column a; there are t, theta"},
      {{"simulate", "models:pendulum", "--from", "/dev/null"}, "no ordinary file"},
      {{"simulate", "models:pendulum", "--set", "theta="}, "--set theta: expected a value"},
      {{"simulate", "models:pendulum", "--set", "theta=1/0"}, "division by zero"},
      {{"simulate", "models:pendulum", "--set", "m=theta"}, "expected a formula of parameters"},
      {{"simulate", "models:pendulum", "--tolerance", "1"}, "give a number from 1e-15 to 0.1"},
      {{"reactions", "models:pendulum", "--time", "-1"}, "give a later time"},
      {{"reactions", "models:pendulum", "--joint", "a"}, "there is no frame or body 'a'"},
      {{"derive", "models:pendulum", "models:pendulum"}, "unexpected 'models:pendulum'"},
      {{"linearize", "models:pendulum", "--over", "m=1:2:-1"}, "a STEP above zero"},
      {{"linearize", "models:pendulum", "--over", "m=1:1e9:1e-9"}, "values; give a larger STEP"},
      {{"linearize", "models:pendulum", "--independent", "phi"}, "the coordinates are theta"},
      {{"linearize", "models:pendulum", "--inputs", "theta"}, "inputs are parameters that loads read"},
      {{"linearize", "models:pendulum", "--steady", "a"}, "the state has theta, theta'"},
      {{"equilibria", "models:pendulum", "--box", "theta"}, "write NAME=LOW:HIGH"},
      {{"equilibria", "models:pendulum", "--box", "theta=3:1"}, "with LOW < HIGH"},
      {{"equilibria", "models:pendulum", "--box", "m=1:2"}, "there is no coordinate m"},
      {{"equilibria", "models:pendulum", "--over", "theta=0:1:0.1"}, "there is no parameter theta"},
      {{"equilibria", "models:pendulum", "-o", "nowhere/x.csv"}, "create it first, or choose another"},
      {{"compare", "models:pendulum"}, "give --equation \"left = right\""},
      {{"compare", "models:pendulum", "--equation", "theta''"}, "write one formula, =, and another"},
      {{"compare", "models:pendulum", "--equation", "reaction(q) = 1"}, "there is no constraint or release 'q'"},
      {{"compare", "models:pendulum", "--with", "models:double_pendulum"}, "written in the same coordinates"},
      {{"gallery", "models:pendulum"}, "--output is required"},
      {{"gallery", "models:nothing", "-o", "g"}, "`dalembert models` lists them"},
      {{"gallery", "models:pendulum", "models:pendulum", "-o", "g"}, "would both be pendulum.html; give each once"},
      {{"gallery", "models:pendulum", "-o", "/dev/null"}, "the folder cannot be made"},
      {{"gallery", "models:pendulum", "-o", std::string(300, 'a')}, "the folder cannot be made"},
  };
  for (const auto& [arguments, message] : wrong) {
    const CommandResult result = run_command(arguments, {.folder = folder.string()});
    EXPECT_EQ(result.status, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(result.err, HasSubstr(message)) << testing::PrintToString(arguments);
    EXPECT_THAT(result.err, StartsWith("dalembert: error: ")) << testing::PrintToString(arguments);
    EXPECT_TRUE(result.out.empty()) << testing::PrintToString(arguments);
  }
  EXPECT_EQ(count_files(), 0U) << "nothing is written";
}

}  // namespace
