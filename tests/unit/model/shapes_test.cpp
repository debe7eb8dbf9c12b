// [shapes]: every kind is read with its place, its size and its colour, and what is wrong is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/model/description.hpp>

namespace dalembert {
namespace {

using testing::HasSubstr;

const std::string arm = R"(
[parameters]
l = 2
[coordinates]
q = 0.5
[frames.arm]
rotate = [["z", "q"]]
[points.P]
frame = "arm"
position = ["l", 0, 0]
mass = 1
[bodies.link]
frame = "arm"
mass = 1
)";

Model model_with(const std::string& shapes) { return make_model(parse_description(arm + shapes, "arm.toml")); }

std::string complaint_of(const std::string& shapes) {
  try {
    model_with(shapes);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

double value(const Model& model, Expr formula) {
  return evaluate(formula, bind_symbols(model, initial_state(model), parameter_values(model)));
}

TEST(Shapes, StandWhereTheirFrameTakesThem) {
  const Model model = model_with(
      "[shapes.tip]\nkind = \"box\"\nframe = \"link\"\nat = [\"l/2\", 0, 1]\n"
      "size = [\"l\", 0.1, 0.2]\ncolour = \"#ff8000\"\n");
  ASSERT_EQ(model.shapes.size(), 1u);
  const Shape& tip = model.shapes[0];
  EXPECT_EQ(tip.kind, ShapeKind::box);
  EXPECT_EQ(tip.frame, 1u);
  EXPECT_NEAR(value(model, tip.at[0]), std::cos(0.5), 1e-15);
  EXPECT_NEAR(value(model, tip.at[1]), std::sin(0.5), 1e-15);
  EXPECT_EQ(value(model, tip.at[2]), 1);
  EXPECT_EQ(value(model, tip.size[0]), 2);
  EXPECT_EQ(tip.colour, 0xff8000u);
}

TEST(Shapes, BetweenTwoThingsHaveTwoEnds) {
  const Model model =
      model_with("[shapes.s]\nkind = \"spring\"\nbetween = [\"world\", \"P\"]\nsize = [0.1, 5]\ncolour = \"red\"\n");
  const Shape& spring = model.shapes[0];
  EXPECT_EQ(value(model, spring.at[0]), 0);
  ASSERT_TRUE(spring.to.has_value());
  EXPECT_NEAR(value(model, (*spring.to)[0]), 2 * std::cos(0.5), 1e-15);
}

TEST(Shapes, OfAFamilyAreOneAMember) {
  const Model model = model_with(
      "[repeat]\nk = \"1..3\"\n[shapes.\"ball{k}\"]\nkind = \"sphere\"\nframe = \"arm\"\n"
      "at = [\"l*{k}/3\", 0, 0]\nsize = 0.1\n");
  ASSERT_EQ(model.shapes.size(), 3u);
  EXPECT_EQ(model.shapes[2].name, "ball3");
  EXPECT_NEAR(value(model, model.shapes[2].at[0]), 2 * std::cos(0.5), 1e-15);
}

TEST(Shapes, AMeshLiesBesideTheModelFile) {
  const Description d = parse_description(arm + "[shapes.m]\nkind = \"mesh\"\nfile = \"part.stl\"\n", "a/b/arm.toml");
  EXPECT_EQ(make_model(d).shapes[0].file, "a/b/part.stl");
}

TEST(Shapes, WrittenAndReadAgainAreTheSame) {
  const Description first = parse_description(
      arm +
      "[shapes.a]\nkind = \"wheel\"\nframe = \"arm\"\naxis = \"y\"\nat = [1, 0, \"q\"]\nsize = [0.3, 0.1]\n"
      "[shapes.b]\nkind = \"rod\"\nbetween = [\"world\", \"P\"]\ncolour = \"steel\"\n"
      "[shapes.c]\nkind = \"mesh\"\nfile = \"x.stl\"\nsize = 0.001\n[shapes.d]\nkind = \"ground\"\n");
  const std::string written = write_toml(first);
  EXPECT_EQ(write_toml(parse_description(written)), written);
  for (const char* part : {"[shapes.a]\nkind = \"wheel\"\nframe = \"arm\"\nsize = [0.3, 0.1]\nat = [1, 0, \"q\"]\n",
                           "between = [\"world\", \"P\"]\ncolour = \"steel\"", "file = \"x.stl\"", "[shapes.d]"})
    EXPECT_THAT(written, HasSubstr(part));
  EXPECT_EQ(make_model(first).shapes.size(), make_model(parse_description(written)).shapes.size());
}

TEST(Shapes, WhatIsWrongIsSaidWithItsPlace) {
  const std::pair<const char*, const char*> wrong[] = {
      {"[shapes.a]\nsize = 1\n", "arm.toml:15:9: shapes.a.kind: a shape needs a kind; expected one of box, sphere"},
      {"[shapes.a]\nkind = \"spehre\"\nsize = 1\n",
       "arm.toml:16:9: shapes.a.kind: there is no kind 'spehre'; did you mean 'sphere'?"},
      {"[shapes.a]\nkind = \"box\"\nsize = 1\n",
       "shapes.a.size: a box takes 3 numbers, and here are 1; write size = ["},
      {"[shapes.a]\nkind = \"sphere\"\nframe = \"amr\"\nsize = 1\n", "there is no frame 'amr'; did you mean 'arm'?"},
      {"[shapes.a]\nkind = \"rod\"\n", "shapes.a.between: a rod is between two places; write between = [\"A\", \"B\"]"},
      {"[shapes.a]\nkind = \"rod\"\nbetween = [\"P\"]\n", "1 names; write between = [\"A\", \"B\"]: two"},
      {"[shapes.a]\nkind = \"rod\"\nbetween = [\"P\", \"Q\"]\n", "there is no point, body or frame 'Q'"},
      {"[shapes.a]\nkind = \"box\"\nbetween = [\"P\", \"world\"]\nsize = [1, 1, 1]\n", "on a frame, not between"},
      {"[shapes.a]\nkind = \"rod\"\nbetween = [\"P\", \"world\"]\nat = [0, 0, 0]\n",
       "`between` says where it is already"},
      {"[shapes.a]\nkind = \"sphere\"\nsize = 1\ncolour = \"bleu\"\n", "'bleu' is not a colour; did you mean 'blue'?"},
      {"[shapes.a]\nkind = \"sphere\"\nsize = 1\ncolour = \"#12345\"\n", "'#12345' is not a colour; write \"#3b7dd8\""},
      {"[shapes.a]\nkind = \"wheel\"\nsize = 1\naxis = \"w\"\n", "'w' is not an axis; write \"x\", \"y\" or \"z\""},
      {"[shapes.a]\nkind = \"mesh\"\n", "a mesh needs a file; write file = \"part.stl\""},
      {"[shapes.a]\nkind = \"sphere\"\nsize = 1\nfile = \"a.stl\"\n", "a sphere has no file"},
      {"[shapes.a]\nkind = \"sphere\"\nsize = \"q'\"\n", "shapes.a.size"},
      {"[shapes.a]\nkind = \"sphere\"\nradius = 1\n", "shapes.a.radius: unknown key; expected one of kind, frame"},
  };
  for (const auto& [text, message] : wrong) EXPECT_THAT(complaint_of(text), HasSubstr(message)) << text;
}

TEST(Shapes, ChangeNothingOfTheMechanics) {
  const Model without = model_with(""), with = model_with("[shapes.g]\nkind = \"ground\"\nsize = 3\n");
  EXPECT_EQ(without.points.size(), with.points.size());
  EXPECT_EQ(with.constraints.size(), 0u);
  EXPECT_EQ(parameter_values(without), parameter_values(with));
}

}  // namespace
}  // namespace dalembert
