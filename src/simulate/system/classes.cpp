// What kind of quantity each coordinate is, as the formulas that read it tell.

#include <algorithm>

#include "expr/node_map.hpp"
#include "expr/walk.hpp"
#include "simulate/system/compiled.hpp"

namespace dalembert {

namespace {

/// Coordinates by their symbols.
using Places = NodeMap<std::size_t>;

Places places_of(const std::vector<Expr>& coordinates) {
  Places places(coordinates.size());
  for (std::size_t i = 0; i < coordinates.size(); ++i) places.set(coordinates[i].id(), i);
  return places;
}

/// Marks the coordinates that are summands of an argument of sin, cos or tan somewhere below the roots.
void mark_angles(Graph& graph, std::span<const Expr> roots, const Places& places, std::vector<Index>& class_of) {
  const auto mark = [&](NodeId id) {
    const std::size_t* place = places.find(id);
    if (place != nullptr && class_of[*place] == 0) class_of[*place] = 1;
  };
  const Walk walk(graph, roots);
  for (const NodeId id : walk.order()) {
    const Op op = graph.op(id);
    if (op != Op::sin && op != Op::cos && op != Op::tan) continue;
    const NodeId argument = graph.arguments(id)[0];
    mark(argument);
    if (graph.op(argument) != Op::sum) continue;
    for (const Part& part : graph.parts(argument)) mark(part.node);
  }
}

}  // namespace

std::vector<Index> find_classes(const Equations& equations, Index& length_rates) {
  const Model& model = *equations.model;
  const Places places = places_of(equations.coordinates);
  std::vector<Index> class_of(equations.coordinates.size(), 0);  // 0 length, 1 angle, 2.. quaternions
  Index classes = 2;
  for (const Frame& frame : model.frames) {
    bool used = false;
    for (std::size_t k : frame.quaternion) {
      if (const std::size_t* place = places.find(model.coordinates[k].q.id())) {
        class_of[*place] = classes;
        used = true;
      }
    }
    if (used) ++classes;
  }
  // What is carried along behind the coordinates (impulses, an action) is compared with nothing else.
  for (std::size_t i = equations.velocities.size(); !equations.quasi && i < equations.coordinates.size(); ++i)
    class_of[i] = classes++;
  std::vector<Expr> roots = equations.bias;
  roots.push_back(equations.lagrangian);
  roots.insert(roots.end(), equations.model_coordinates.begin(), equations.model_coordinates.end());
  for (const auto& row : equations.mass) {
    for (const Entry& entry : row) roots.push_back(entry.value);
  }
  for (const ConstraintRow& row : equations.rows) {
    roots.push_back(row.position);
    roots.push_back(row.drift);
    for (const Entry& entry : row.jacobian) roots.push_back(entry.value);
  }
  for (const Frame& frame : model.frames) {
    for (const Vector3& row : frame.rotation) roots.insert(roots.end(), row.begin(), row.end());
  }
  std::erase_if(roots, [](const Expr& root) { return !root; });
  mark_angles(*equations.graph, roots, places, class_of);

  std::vector<Index> blocks = class_of;
  length_rates = classes;
  if (!equations.quasi) {
    for (std::size_t i = 0; i < equations.velocities.size(); ++i) blocks.push_back(classes + blocks[i]);
    return blocks;
  }
  // A quasi-velocity is one of lengths if the rate of a length is in it, else one of angles.
  std::vector<Expr> rates;
  for (const Coordinate& coordinate : model.coordinates) rates.push_back(coordinate.rate);
  for (const auto& row : sparse_jacobian(equations.quasi->formulas, rates)) {
    const bool length = std::ranges::any_of(row, [&](const Entry& entry) { return blocks[entry.column] == 0; });
    blocks.push_back(classes + (length ? 0 : 1));
  }
  return blocks;
}

}  // namespace dalembert
