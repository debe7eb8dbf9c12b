#pragma once
// The parts of make_scene.

#include <dalembert/program/program.hpp>
#include <dalembert/study/scene.hpp>
#include <random>
#include <span>

namespace dalembert {

/// Formulas of scene_inputs at the model's parameters.
class SceneFormulas {
 public:
  SceneFormulas(const Model& model, std::span<const Expr> outputs);
  std::vector<double> operator()(std::span<const double> inputs);

 private:
  Function function_;
  Scratch scratch_;
};

/// Numbers of a scene's places at states of the motion and beside them, in every direction that the geometric
/// constraints leave.
class SceneProbe {
 public:
  SceneProbe(const Scene& scene, const Trajectory& motion);

  /// Places on either side of a state, and what divides their difference to a rate.
  struct Sample {
    std::vector<double> before, here, after;
    double step;
  };
  const std::vector<Sample>& samples() const { return samples_; }
  /// Where the numbers of a place begin: position, then rotation by rows.
  std::size_t offset(std::size_t place) const { return offsets_[place]; }
  /// How far the places are from the world's origin, or travel.
  double extent() const { return extent_; }
  /// Values of formulas of parameters, at the model's start.
  double at_start(Expr formula) const;

 private:
  const Model& model_;
  std::vector<std::size_t> offsets_;
  std::vector<Sample> samples_;
  double extent_ = 0;
};

/// Balls, boxes, cylinders and wheels; a body whose moments no solid has is shown by a marker.
void add_solids(Scene& scene, const SceneProbe& probe);
/// [shapes], on the places that come last.
void add_shapes(Scene& scene);
/// The triangles of a shape's STL file, text or binary. InputError naming the model's line where there are none.
SceneMesh read_stl(const Model& model, const Shape& shape);
/// Of the model's frames, points and bodies, the world's origin included: places of [shapes] come after.
std::size_t model_place_count(const Model& model);
/// Rods between places that keep their distance.
void add_rods(Scene& scene, const SceneProbe& probe);
/// Rods to points in space that a constraint keeps a place's distance to, where these are no places of the model. They
/// become the scene's last places.
void add_anchors(Scene& scene, const SceneProbe& probe);
/// The forces of constraints and released constants.
void add_arrows(Scene& scene);
std::optional<std::size_t> find_plane_normal(const Scene& scene, const SceneProbe& probe);

/// The place of a point, else of a body's centre, else of a frame's origin.
std::optional<std::size_t> find_place(const Scene& scene, const std::string& name);

}  // namespace dalembert
