#include <gtest/gtest.h>

#include <dalembert/expr/print.hpp>
#include <dalembert/model/description.hpp>
#include <filesystem>
#include <fstream>

// What the texts of a model file mean.

namespace dalembert {
namespace {

Model model_of(const std::string& text) { return make_model(parse_description(text, "m.toml")); }

const Constraint& constraint(const Model& model, const std::string& name) {
  for (const Constraint& each : model.constraints)
    if (each.name == name) return each;
  throw std::runtime_error("no constraint " + name);
}

TEST(Meaning, EveryBundledModelLoads) {
  std::size_t count = 0;
  for (const ModelFile& file : list_models()) {
    Model model = load_model(file.path);
    EXPECT_EQ(find_model("models:" + file.name), file.path);
    EXPECT_FALSE(model.coordinates.empty()) << file.path;
    ++count;
  }
  EXPECT_GE(count, 5);
  EXPECT_EQ(find_model("some/path.toml"), "some/path.toml");
  EXPECT_THROW(find_model("models:no_such_model"), ModelError);
  EXPECT_THROW(load_model("no/such/file.toml"), ModelError);
}

TEST(Meaning, DecimalsAreExactAsWritten) {
  Model model =
      model_of("[parameters]\na = 0.1\nb = 1_000.25e-2\nc = 0x10\nd = +3.0\n[coordinates]\nx = 0.30000000000000004\n");
  EXPECT_EQ(model.parameters[0].value.value(), mpq_class(1, 10));
  EXPECT_EQ(model.parameters[1].value.value(), mpq_class("4001/400"));
  EXPECT_EQ(model.parameters[3].value.value(), 3);
  EXPECT_EQ(model.coordinates[0].value.value(), mpq_class("7500000000000001/25000000000000000"));
}

TEST(Meaning, OrderIsTheOrderWritten) {
  Model model = model_of(
      "[coordinates]\nz = 0\na = 0\nm = 0\n[points.Q]\n[points.B]\n[points.P]\n[constraints]\ny = \"z = 1\"\nb = \"a = "
      "1\"\n");
  EXPECT_EQ(model.coordinates[0].name + model.coordinates[1].name + model.coordinates[2].name, "zam");
  EXPECT_EQ(model.points[0].name + model.points[1].name + model.points[2].name, "QBP");
  EXPECT_EQ(model.constraints[0].name + model.constraints[1].name, "yb");
}

TEST(Meaning, DefinitionsMayBeUsedBeforeTheyAreWrittenAndHaveRates) {
  Model model = model_of(
      "[coordinates]\nx = 0\n[definitions]\nb = \"2*a\"\na = \"x^2 + t\"\nv = \"[a, x, 0]\"\n"
      "[forces]\nx = \"b'\"\n[outputs]\ntwice = \"a''\"\nw = \"v'\"\n");
  Expr x = model.coordinates[0].q, rate = model.coordinates[0].rate, acceleration = model.coordinates[0].acceleration;
  EXPECT_EQ(model.forces[0], 4 * x * rate + 2);
  EXPECT_EQ(model.outputs[0].formula, 2 * pow(rate, 2) + 2 * x * acceleration);
  EXPECT_EQ(model.outputs[1].name, "w.x");
  EXPECT_EQ(model.outputs[2].formula, rate);
}

TEST(Meaning, ConstraintsAreSortedByWhatTheyDependOn) {
  Model model = model_of(
      "[coordinates]\nx = 0\ny = 0\n[constraints]\nrod = \"x^2 + y^2 = 4\"\nblade = \"x*y' = t\"\n"
      "floor = { relation = \"y <= 3\", restitution = 0.8 }\nwall = \"x >= 0\"\n"
      "fused = \"(x' + y')^3 = x'^3 + 3*x'^2*y' + 3*x'*y'^2 + y'^3 + y'\"\n");
  EXPECT_EQ(constraint(model, "rod").kind, ConstraintKind::geometric);
  EXPECT_EQ(constraint(model, "blade").kind, ConstraintKind::differential);
  EXPECT_EQ(constraint(model, "floor").kind, ConstraintKind::one_sided);
  EXPECT_EQ(constraint(model, "floor").relation, Relation::less_equal);
  EXPECT_EQ(constraint(model, "floor").restitution.value(), mpq_class(4, 5));
  EXPECT_TRUE(constraint(model, "wall").restitution.is_zero());
  // Affine only after simplification: written as affine.
  EXPECT_EQ(to_text(constraint(model, "fused").f), "-y'");
}

TEST(Meaning, VectorEquationsAreThreeAndSayWhatTheyName) {
  Model model = load_model(find_model("models:rolling_disk_body"));
  bool found = false;
  for (const Constraint& each : model.constraints) {
    EXPECT_EQ(each.mentions.empty(), each.written == each.f) << each.name;
    for (const Mention& mention : each.mentions) {
      found |= mention.kind == Mention::Kind::velocity && !mention.body.empty();
      // f is `written` with the values in the symbols' places.
      std::vector<Replacement> values;
      for (std::size_t c = 0; c < 3; ++c) values.push_back({mention.symbols[c], mention.value[c]});
      EXPECT_EQ(substitute(each.written, values), each.f);
    }
  }
  EXPECT_TRUE(found);
  Model plane = model_of(
      "[coordinates]\nx = 0\na = 0\n[frames.w]\norigin = [\"x\", 0, 1]\nrotate = [[\"y\", "
      "\"a\"]]\n[points.c]\nposition = [\"x\", 0, 0]\n"
      "[constraints]\nroll = \"velocity(w, c) = [0, 0, 0]\"\n[outputs]\nf = \"reaction(roll)\"\ng = "
      "\"reaction(roll.x)\"\n");
  EXPECT_EQ(plane.constraints[0].name, "roll.x");
  EXPECT_EQ(plane.constraints[0].f, plane.coordinates[0].rate - plane.coordinates[1].rate);
  EXPECT_EQ(plane.constraints[2].kind, ConstraintKind::differential);
  EXPECT_EQ(plane.outputs[1].formula.name(), reaction_symbol("roll.y"));
  EXPECT_EQ(plane.outputs[3].formula, plane.outputs[0].formula);
}

TEST(Meaning, MentionsAreSeenThroughDefinitionsAndTheirRates) {
  Model model = model_of(
      "[coordinates]\nx = 0\ny = 0\n[points.P]\nposition = [\"x\", \"y\", 0]\n[definitions]\nr2 = \"dot(position(P), "
      "position(P))\"\n"
      "[constraints]\nc = \"r2 = 1\"\nd = \"r2' = 0\"\n");
  ASSERT_EQ(constraint(model, "c").mentions.size(), 1);
  EXPECT_EQ(constraint(model, "c").mentions[0].kind, Mention::Kind::position);
  ASSERT_EQ(constraint(model, "d").mentions.size(), 2);
  Expr x = model.coordinates[0].q, y = model.coordinates[1].q;
  EXPECT_EQ(constraint(model, "d").f, 2 * x * model.coordinates[0].rate + 2 * y * model.coordinates[1].rate);
}

TEST(Meaning, QuasiVelocitiesAndOutputsMayBeUsedInOutputs) {
  Model model = model_of(
      "[coordinates]\nx = 0\n[frame]\nu = \"2*x'\"\n[outputs]\na = \"u^2\"\nb = \"a + u' + energy\"\n[events]\nstop = "
      "\"u - 1\"\n"
      "up = { when = \"x\", direction = \"rising\", action = \"record\" }\n");
  Expr rate = model.coordinates[0].rate;
  EXPECT_EQ(model.outputs[0].formula, 4 * pow(rate, 2));
  EXPECT_EQ(model.outputs[1].formula,
            4 * pow(rate, 2) + 2 * model.coordinates[0].acceleration + model.graph->symbol("energy"));
  EXPECT_TRUE(model.events[0].stop);
  EXPECT_EQ(model.events[0].direction, Direction::either);
  EXPECT_FALSE(model.events[1].stop);
  EXPECT_EQ(model.events[1].direction, Direction::rising);
}

TEST(Meaning, SettingsHaveTheirDefaults) {
  Model plain = model_of("[coordinates]\nx = 0\n");
  EXPECT_EQ(plain.simulate.until, 10);
  EXPECT_EQ(plain.simulate.every, 0.01);
  EXPECT_EQ(plain.simulate.tolerance, 1e-10);
  EXPECT_FALSE(plain.simulate.vakonomic);
  Model given = model_of(
      "[parameters]\nT = 3\n[coordinates]\nx = 0\ny = 0\n[constraints]\nb = \"x' = y\"\n[simulate]\nuntil = "
      "\"2*T\"\nprinciple = \"vakonomic\"\nmultipliers = { b = 0.5 }\n");
  EXPECT_EQ(given.simulate.until, 6);
  EXPECT_EQ(given.simulate.every, 0.006);
  EXPECT_TRUE(given.simulate.vakonomic);
  EXPECT_EQ(given.simulate.multipliers, (std::vector<std::pair<std::string, double>>{{"b", 0.5}}));
}

TEST(Meaning, ParametersMayReadLaterOnes) {
  Model model = model_of("[parameters]\na = \"b + 1\"\nb = \"c^2\"\nc = 3\n[coordinates]\nx = \"a/4\"\n");
  EXPECT_EQ(parameter_values(model), (std::vector<double>{10, 9, 3}));
  EXPECT_EQ(initial_state(model).q[0], 2.5);
}

TEST(Meaning, ReleasesKeepTheirConstraint) {
  Model model = model_of(
      "[parameters]\nl = 2\n[coordinates]\na = 0\n[points.P]\nposition = [\"l*sin(a)\", 0, \"-l*cos(a)\"]\nmass = 1\n"
      "[release.l]\nconstraint = \"norm(position(P)) - l\"\npoints = [\"P\"]\n[forces]\na = \"l'\"\n");
  ASSERT_EQ(model.releases.size(), 1);
  EXPECT_EQ(model.releases[0].released, model.parameters[0].symbol);
  EXPECT_EQ(model.releases[0].mentions.size(), 1);
  EXPECT_EQ(model.releases[0].points, std::vector<std::string>{"P"});
  EXPECT_TRUE(model.forces[0].is_zero());
}

TEST(Meaning, OtherLettersAreAllowedInNames) {
  Model model = model_of("[coordinates]\n\"θ\" = 0.5\n[energy]\npotential = \"cos(θ) + θ'*0\"\n");
  EXPECT_EQ(model.potential, cos(model.coordinates[0].q));
}

TEST(Meaning, PlacesCountCharactersAndLinesOfLongTexts) {
  auto place_of = [](const std::string& text) {
    try {
      model_of(text);
    } catch (const ModelError& error) {
      return std::pair(error.complaint().place.line, error.complaint().place.column);
    }
    return std::pair<std::size_t, std::size_t>(0, 0);
  };
  using Pair = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(place_of("[coordinates]\n\"θ\" = 0\n[energy]\npotential = \"cos(θ) + zz\"\n"), Pair(4, 23));
  EXPECT_EQ(place_of("[coordinates]\nx = 0\n[energy]\npotential = \"\"\"\nx +\n  zz\"\"\"\n"), Pair(6, 3));
  EXPECT_EQ(place_of("[coordinates]\r\nx = 0\r\n[energy]\r\npotential = 'zz'\r\n"), Pair(4, 14));
}

// --- C++ and back to TOML

std::string shape(const Model& model) {
  std::string text;
  auto add = [&](Expr e) { text += e ? std::to_string(e.id()) + " " : "- "; };
  for (const Parameter& each : model.parameters) text += each.name + "=", add(each.value);
  for (const Coordinate& each : model.coordinates) text += each.name + "=", add(each.value), add(each.rate_value);
  for (const Frame& each : model.frames)
    for (std::size_t c = 0; c < 3; ++c) add(each.origin[c]), add(each.omega[c]), add(each.rotation[0][c]);
  for (const Point& each : model.points)
    text += each.name, add(each.mass), add(each.position[0]), add(each.velocity[1]);
  for (const Body& each : model.bodies) text += each.name, add(each.mass), add(each.inertia[0][1]), add(each.centre[2]);
  add(model.kinetic), add(model.potential), add(model.dissipation), add(model.lagrangian);
  for (const Expr& each : model.forces) add(each);
  for (const Constraint& each : model.constraints)
    text += each.name, add(each.f), add(each.written), add(each.restitution);
  for (const QuasiVelocity& each : model.quasi_velocities) text += each.name, add(each.formula);
  for (const Release& each : model.releases) text += each.name + each.constraint, add(each.f);
  if (model.reduction)
    for (const Expr& each : model.reduction->embedding) add(each);
  for (const Output& each : model.outputs) text += each.name, add(each.formula);
  for (const Event& each : model.events) text += each.name + (each.stop ? "!" : "."), add(each.when);
  return text + std::to_string(model.simulate.until) + std::to_string(model.simulate.every);
}

TEST(Descriptions, WrittenBackTheySayTheSame) {
  ASSERT_FALSE(list_models().empty());
  for (const ModelFile& file : list_models()) {
    Description first = read_description(file.path);
    std::string written = write_toml(first);
    Description second = parse_description(written, "written");
    EXPECT_EQ(write_toml(second), written) << file.path;
    // The same steps build the same graph, so that equal ids are equal expressions.
    EXPECT_EQ(shape(make_model(second)), shape(make_model(first))) << file.path << "\n" << written;
  }
}

TEST(Descriptions, BuiltInCppTheyAreTheModelOfTheFile) {
  Description d("Sleigh");
  d.parameter("m", 1).parameter("J", 0.2).parameter("a", "3/10");
  d.coordinate("x", {.rate = 1}).coordinate("y").coordinate("theta", {.value = 0, .rate = 0.5});
  d.frame("sled", {.origin = {"x", "y", 0}, .rotate = {{"z", "theta"}}});
  d.body("sled", {.frame = "sled", .centre = {"a", 0, 0}, .mass = "m", .inertia = {0, 0, "J"}});
  d.constraint("blade", "-sin(theta)*x' + cos(theta)*y' = 0");
  Model built = make_model(d);
  Model read = model_of(
      "[parameters]\nm = 1\nJ = 0.2\na = \"3/10\"\n[coordinates]\nx = { value = 0, rate = 1 }\ny = 0\ntheta = { value "
      "= 0, rate = 0.5 }\n"
      "[frames.sled]\norigin = [\"x\", \"y\", 0]\nrotate = [[\"z\", \"theta\"]]\n"
      "[bodies.sled]\nframe = \"sled\"\ncentre = [\"a\", 0, 0]\nmass = \"m\"\ninertia = [0, 0, \"J\"]\n"
      "[constraints]\nblade = \"-sin(theta)*x' + cos(theta)*y' = 0\"\n");
  EXPECT_EQ(shape(built), shape(read));
  EXPECT_EQ(shape(make_model(parse_description(write_toml(d)))), shape(built));
}

TEST(Descriptions, AwkwardTextsSurviveWriting) {
  Description d("a \"quoted\" \\ name\nwith a line and a tab\t");
  d.coordinate("θ", {.value = "1e400"}).coordinate("x", {.value = "007"});
  Description back = parse_description(write_toml(d));
  EXPECT_EQ(back.name, d.name);
  EXPECT_EQ(back.coordinates[0].what.value.text, "1e400");
  EXPECT_EQ(back.coordinates[1].what.value.text, "007");
}

}  // namespace
}  // namespace dalembert
