// Shapes of a model in its scene, and meshes from files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>
#include <dalembert/study/scene.hpp>
#include <filesystem>
#include <fstream>

namespace dalembert {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

const std::string arm = R"(
[coordinates]
q = 0.5
[frames.arm]
rotate = [["z", "q"]]
[points.P]
frame = "arm"
position = [2, 0, 0]
mass = 1
[bodies.link]
frame = "arm"
centre = [1, 0, 0]
mass = 1
inertia = [1, 1, 0.2]
)";

class SceneShapes : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  Scene see(const std::string& shapes) const {
    const Model model = make_model(parse_description(arm + shapes, (folder / "arm.toml").string()));
    return make_scene(model, System(derive_multipliers(model)).simulate({.until = 0.3, .every = 0.1}));
  }
  Scene see_mesh(const std::string& bytes) const {
    std::ofstream(folder / "part.stl", std::ios::binary) << bytes;
    return see("[shapes.m]\nkind = \"mesh\"\nframe = \"arm\"\nfile = \"part.stl\"\n");
  }
  std::string complaint_of(const std::string& bytes) const {
    try {
      see_mesh(bytes);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder = fs::path(testing::TempDir()) / ("shapes_" + std::to_string(::getpid()));
};

std::size_t count(const Scene& scene, ShapeKind kind) {
  return static_cast<std::size_t>(std::ranges::count(scene.shapes, kind, &SceneShape::kind));
}

/// One triangle, as text and as bytes.
const std::string text_of_one =
    "solid part\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1.5 0 0\n"
    "   vertex 0 +2e0 0\n  endloop\n endfacet\nendsolid part\n";
std::string bytes_of(std::uint32_t said, std::uint32_t given) {
  std::string bytes(80, '\0');
  bytes.append(reinterpret_cast<const char*>(&said), 4);
  const float numbers[12] = {0, 0, 1, 0, 0, 0, 1.5, 0, 0, 0, 2, 0};
  for (std::uint32_t i = 0; i < given; ++i) {
    bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
    bytes.append(2, '\0');
  }
  return bytes;
}

TEST_F(SceneShapes, TakeThePlaceOfWhatWouldBeFoundForTheirBody) {
  const Scene found = see("");
  EXPECT_EQ(count(found, ShapeKind::cylinder) + count(found, ShapeKind::box) + count(found, ShapeKind::wheel), 1u);
  EXPECT_GE(count(found, ShapeKind::rod), 1u);
  const Scene given = see("[shapes.a]\nkind = \"sphere\"\nframe = \"arm\"\nsize = 0.3\n");
  EXPECT_EQ(count(given, ShapeKind::sphere), 1u);
  EXPECT_EQ(count(given, ShapeKind::cylinder) + count(given, ShapeKind::box) + count(given, ShapeKind::wheel), 0u);
  EXPECT_EQ(count(given, ShapeKind::rod), 0u);
}

TEST_F(SceneShapes, GroundLeavesTheRestAsItIs) {
  const Scene found = see(""), given = see("[shapes.g]\nkind = \"ground\"\naxis = \"y\"\n");
  EXPECT_EQ(given.shapes.size(), found.shapes.size() + 1);
  EXPECT_EQ(given.plane_normal, found.plane_normal);
}

TEST_F(SceneShapes, AloneAreEnoughToSeeAModel) {
  const Model model =
      make_model(parse_description("[coordinates]\nz = 1\n[energy]\nkinetic = \"z'^2/2\"\n[shapes.b]\nkind = \"box\"\n"
                                   "at = [0, 0, \"z\"]\nsize = [1, 1, 1]\n"));
  const Trajectory motion = System(derive_multipliers(model)).simulate({.until = 1, .every = 0.5});
  const Scene scene = make_scene(model, motion);
  EXPECT_EQ(scene.remark, "");
  EXPECT_EQ(scene.plane_normal, std::optional<std::size_t>(1));  // it moves along z
}

TEST_F(SceneShapes, MeshesAsTextAndAsBytesAreTheSame) {
  const Scene text = see_mesh(text_of_one), bytes = see_mesh(bytes_of(1, 1));
  ASSERT_EQ(text.meshes.size(), 1u);
  EXPECT_EQ(text.meshes, bytes.meshes);
  EXPECT_EQ(text.meshes[0], (SceneMesh{{0, 0, 0}, {1.5, 0, 0}, {0, 2, 0}}));
}

TEST_F(SceneShapes, AFileIsReadOnceHoweverManyShowIt) {
  std::ofstream(folder / "part.stl") << text_of_one;
  const Scene scene =
      see("[shapes.a]\nkind = \"mesh\"\nfile = \"part.stl\"\n"
          "[shapes.b]\nkind = \"mesh\"\nfile = \"part.stl\"\nsize = 2\n");
  EXPECT_EQ(scene.meshes.size(), 1u);
  EXPECT_EQ(count(scene, ShapeKind::mesh), 2u);
}

TEST_F(SceneShapes, FilesThatAreNoMeshAreRefusedWithASentence) {
  EXPECT_THAT(complaint_of(""), HasSubstr("is not an STL file"));
  EXPECT_THAT(complaint_of("hello"), HasSubstr("is not an STL file"));
  EXPECT_THAT(complaint_of("solid nothing\nendsolid\n"), HasSubstr("has no triangles"));
  EXPECT_THAT(complaint_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan?\n"),
              HasSubstr("has 'nan?' at line 4; expected `a number`"));
  EXPECT_THAT(complaint_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0"), HasSubstr("has its end at line 4"));
  EXPECT_THAT(complaint_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\nvertex 0 0 0\nvertex 1 0 0\n"),
              HasSubstr("not finite"));
  EXPECT_THAT(complaint_of(bytes_of(2, 1)), HasSubstr("is not an STL file"));            // says more than it has
  EXPECT_THAT(complaint_of(bytes_of(0xffffffffu, 1)), HasSubstr("is not an STL file"));  // and much more
  EXPECT_THAT(complaint_of(bytes_of(50'001, 50'001)), HasSubstr("limit `mesh_triangles`"));
  EXPECT_THAT(complaint_of("hello"), HasSubstr("arm.toml:"));
  EXPECT_THAT(complaint_of("hello"), HasSubstr("shapes.m.file"));
}

TEST_F(SceneShapes, WhatIsNoFileIsRefused) {
  for (const char* file : {"missing.stl", ".", "/dev/zero"}) try {
      see(std::string("[shapes.m]\nkind = \"mesh\"\nfile = \"") + file + "\"\n");
      ADD_FAILURE() << file;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is not a file that can be read"));
    }
}

}  // namespace
}  // namespace dalembert
