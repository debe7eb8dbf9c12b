#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/study/scene.hpp>

#include "study/scene/parts.hpp"

namespace dalembert {
namespace {

/// The world's origin, frames' origins, points, centres of bodies, then the places of [shapes].
void add_places(Scene& scene) {
  const Model& model = *scene.model;
  const Expr zero = model.graph->constant(0);
  scene.places.push_back({"world", {zero, zero, zero}, {}});
  for (std::size_t i = 1; i < model.frames.size(); ++i)
    scene.places.push_back({model.frames[i].name, model.frames[i].origin, model.frames[i].rotation});
  for (const Point& point : model.points) scene.places.push_back({point.name, point.position, {}});
  for (const Body& body : model.bodies)
    scene.places.push_back({body.name, body.centre, model.frames[body.frame].rotation});
  for (const Shape& shape : model.shapes) {
    if (shape.to)
      scene.places.push_back({shape.name, shape.at, {}});
    else
      scene.places.push_back({shape.name, shape.at, model.frames[shape.frame].rotation});
    if (shape.to) scene.places.push_back({shape.name, *shape.to, {}});
  }
}

/// A place that stays where it is has no path.
bool moves(const SceneProbe& probe, std::size_t place) {
  const std::size_t at = probe.offset(place);
  const std::vector<SceneProbe::Sample>& samples = probe.samples();
  return std::ranges::any_of(samples, [&](const SceneProbe::Sample& sample) {
    double distance = 0;
    for (std::size_t k = 0; k < 3; ++k)
      distance = std::hypot(distance, sample.here[at + k] - samples.front().here[at + k]);
    return distance > 1e-9 * probe.extent();
  });
}

/// Masses; without any, bodies; without any that move, points.
std::vector<std::size_t> find_traced(const Scene& scene, const SceneProbe& probe) {
  const Model& model = *scene.model;
  const std::size_t first_point = model.frames.size(), first_body = first_point + model.points.size();
  std::vector<std::size_t> traced;
  for (std::size_t i = 0; i < model.points.size(); ++i)
    if (model.points[i].mass) traced.push_back(first_point + i);
  if (traced.empty())
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      if (moves(probe, first_body + i)) traced.push_back(first_body + i);
  if (traced.empty())
    for (std::size_t i = 0; i < model.points.size(); ++i) traced.push_back(first_point + i);
  return traced;
}

/// Against gravity; without it, or where its direction is no number yet, the third axis, or the second of a plane
/// that the third is normal to.
std::array<double, 3> find_up(const Scene& scene, const SceneProbe& probe) {
  std::array<double, 3> up{};
  double length = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double part = scene.model->gravity[k] ? -probe.at_start(scene.model->gravity[k]) : 0;
    up[k] = k == scene.plane_normal ? 0 : part;
    length = std::hypot(length, up[k]);
  }
  if (std::isfinite(length) && length > 0) {
    for (double& part : up) part /= length;
    return up;
  }
  return scene.plane_normal == 2 ? std::array<double, 3>{0, 1, 0} : std::array<double, 3>{0, 0, 1};
}

}  // namespace

std::vector<Expr> scene_inputs(const Model& model) {
  std::vector<Expr> inputs{model.time};
  for (const Coordinate& coordinate : model.coordinates) inputs.push_back(coordinate.q);
  for (const Coordinate& coordinate : model.coordinates) inputs.push_back(coordinate.rate);
  return inputs;
}

std::vector<std::size_t> scene_columns(const Model& model, const Trajectory& motion) {
  std::vector<std::size_t> columns;
  for (const Expr& input : scene_inputs(model)) {
    const auto found = std::ranges::find(motion.columns, input.name());
    if (found == motion.columns.end())
      throw InputError(
          {"",
           {},
           "",
           fmt::format("the motion has no column {}, and a scene cannot be drawn without it", input.name()),
           "give the whole motion, not chosen columns of it"});
    columns.push_back(static_cast<std::size_t>(found - motion.columns.begin()));
  }
  return columns;
}

std::optional<std::size_t> find_place(const Scene& scene, const std::string& name) {
  const Model& model = *scene.model;
  const auto in = [&](const auto& list, std::size_t first) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(list, name, [](const auto& one) { return one.name; });
    if (found == list.end()) return {};
    return first + static_cast<std::size_t>(found - list.begin());
  };
  const std::size_t first_point = model.frames.size();
  if (auto place = in(model.points, first_point)) return place;
  if (auto place = in(model.bodies, first_point + model.points.size())) return place;
  return in(model.frames, 0);
}

Scene make_scene(const Model& model, const Trajectory& motion) {
  Scene scene;
  scene.model = std::make_shared<const Model>(fork(model));
  add_places(scene);
  if (scene.places.size() == 1) {
    scene.remark =
        "nothing to draw: the model names no points, bodies, frames or shapes; [points] with positions in terms of the "
        "coordinates show it";
    return scene;
  }
  const SceneProbe probe(scene, motion);
  scene.plane_normal = find_plane_normal(scene, probe);
  scene.up = find_up(scene, probe);
  scene.traced = find_traced(scene, probe);
  add_solids(scene, probe);
  if (std::ranges::all_of(model.shapes, [](const Shape& shape) { return shape.kind == ShapeKind::ground; })) {
    add_rods(scene, probe);
    add_anchors(scene, probe);
  }
  add_shapes(scene);
  add_arrows(scene);
  return scene;
}

}  // namespace dalembert
