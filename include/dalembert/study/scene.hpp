#pragma once
// What there is to see of a model: places that move, shapes on them, forces of constraints as arrows. Formulas of
// time, the model's coordinates and rates; how they are drawn is the reports' matter.

#include <dalembert/simulate/trajectory.hpp>

namespace dalembert {

/// Somewhere that a shape or an arrow can be put.
struct ScenePlace {
  std::string name;                 ///< of the point, body or frame
  Vector3 position;                 ///< world axes
  std::optional<Matrix3> rotation;  ///< takes components in the place's own axes to the world's; none where it has none
};

struct SceneShape {
  ShapeKind kind;
  std::string name;                          ///< of what it shows
  std::size_t at = 0;                        ///< index of a place
  std::optional<std::size_t> to = {};        ///< of a rod, line or spring
  std::vector<Expr> size = {};               ///< as said at the kind, in lengths; empty where the drawing decides
  std::size_t axis = 2;                      ///< of a cylinder, disk, wheel or ground
  std::optional<std::uint32_t> colour = {};  ///< 0xrrggbb
  std::optional<std::size_t> mesh = {};      ///< index of a mesh
};

using MeshCorner = std::array<float, 3>;
/// Triangles, three corners each.
using SceneMesh = std::vector<MeshCorner>;

/// The force (or couple) of a constraint on a place: the sum of multipliers, which are columns of a motion, times
/// vectors.
struct SceneArrow {
  struct Part {
    std::string column;
    Vector3 factor;
  };
  std::string name;    ///< of the constraint or the released constant
  std::size_t at = 0;  ///< index of a place
  bool is_couple = false;
  std::vector<Part> parts;
};

struct Scene {
  std::shared_ptr<const Model> model;  ///< of the scene alone: its graph is the formulas'
  std::vector<ScenePlace> places;      ///< the first is the world's origin
  std::vector<SceneShape> shapes;
  std::vector<SceneArrow> arrows;
  std::vector<SceneMesh> meshes;            ///< a file's once, however many shapes show it
  std::vector<std::size_t> traced;          ///< places whose paths are worth drawing
  std::optional<std::size_t> plane_normal;  ///< the world's axis that nothing moves along or turns from
  std::array<double, 3> up{0, 0, 1};        ///< against gravity, where there is any
  std::string remark;                       ///< why there is nothing to see, where that is so
};

/// Shapes as the model describes them, else by what it says: balls at masses, boxes, cylinders and wheels by the
/// moments of inertia (a wheel or a ball that rolls has the radius to its contact), rods between places that the
/// geometry keeps at their distance, and to points in space that a constraint keeps one at its distance to. That is
/// tested with numbers at states of the motion, which must have the model's coordinates and rates as columns. A body in
/// whose frame the model has shapes is shown by them, and a model with shapes other than ground has no other rods.
/// InputError for a mesh's file that cannot be read.
Scene make_scene(const Model& model, const Trajectory& motion);

using Numbers3 = std::array<double, 3>;
using Numbers9 = std::array<double, 9>;  ///< a matrix by rows

/// A scene's formulas along a motion, both of which it refers to: at one row after the other.
class SceneNumbers {
 public:
  SceneNumbers(const Scene& scene, const Trajectory& motion);
  ~SceneNumbers();
  SceneNumbers(const SceneNumbers&) = delete;
  SceneNumbers& operator=(const SceneNumbers&) = delete;

  std::size_t row_count() const;
  void move_to(std::size_t row);
  Numbers3 position(std::size_t place) const;
  Numbers9 rotation(std::size_t place) const;  ///< that of the world where a place has none
  /// Of a shape and an arrow of this scene; a force without its multipliers is NaN.
  std::vector<double> size(const SceneShape& shape) const;
  Numbers3 force(const SceneArrow& arrow) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Inputs of scene formulas, in this order: time, the model's coordinates, its rates.
std::vector<Expr> scene_inputs(const Model& model);
/// The columns that have them. InputError where a motion has not.
std::vector<std::size_t> scene_columns(const Model& model, const Trajectory& motion);

}  // namespace dalembert
