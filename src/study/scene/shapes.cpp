#include <algorithm>

#include "study/scene/parts.hpp"

namespace dalembert {
namespace {

// What is not given, in radii.
constexpr double disk_thickness = 0.05, wheel_width = 0.12;
constexpr int spring_coils = 8;

/// All numbers of a kind, where its first one is there.
std::vector<Expr> complete_size(const Model& model, const Shape& shape) {
  std::vector<Expr> size = shape.size;
  Graph& graph = *model.graph;
  switch (shape.kind) {
    case ShapeKind::disk:
    case ShapeKind::wheel:
      if (size.size() == 1)
        size.push_back(size[0] *
                       graph.constant_from_double(shape.kind == ShapeKind::disk ? disk_thickness : wheel_width));
      break;
    case ShapeKind::spring:
      if (size.size() == 1) size.push_back(graph.constant(spring_coils));
      break;
    case ShapeKind::ground:
      if (size.size() == 1) size.push_back(size[0]);
      break;
    case ShapeKind::mesh:
      if (size.empty()) size.push_back(graph.constant(1));
      break;
    default: break;
  }
  return size;
}

}  // namespace

std::size_t model_place_count(const Model& model) {
  return model.frames.size() + model.points.size() + model.bodies.size();
}

void add_shapes(Scene& scene) {
  const Model& model = *scene.model;
  std::vector<std::string> files;  // of the meshes
  std::size_t place = model_place_count(model);
  for (const Shape& shape : model.shapes) {
    SceneShape made{shape.kind, shape.name, place++};
    if (shape.to) made.to = place++;
    made.size = complete_size(model, shape);
    made.axis = shape.axis;
    made.colour = shape.colour;
    if (shape.kind == ShapeKind::mesh) {
      const auto known = std::ranges::find(files, shape.file);
      made.mesh = static_cast<std::size_t>(known - files.begin());
      if (known == files.end()) {
        scene.meshes.push_back(read_stl(model, shape));
        files.push_back(shape.file);
      }
    }
    scene.shapes.push_back(std::move(made));
  }
}

}  // namespace dalembert
