// What kind of quantity each coordinate is, as the formulas that read it tell.

#include <algorithm>
#include <unordered_map>

#include "simulate/system/compiled.hpp"

namespace dalembert {

namespace {

/// Marks the names that are summands of an argument of sin, cos or tan somewhere below the roots.
void mark_angles(Graph& graph, std::span<const Expr> roots, std::unordered_map<std::string, Index>& class_of) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<NodeId> stack;
  const auto push = [&](NodeId id) {
    if (!seen[id]) {
      seen[id] = true;
      stack.push_back(id);
    }
  };
  const auto mark = [&](NodeId id) {
    if (graph.op(id) != Op::symbol) return;
    const auto found = class_of.find(graph.name(id));
    if (found != class_of.end() && found->second == 0) found->second = 1;
  };
  for (const Expr& root : roots) {
    if (root) push(root.id());
  }
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    const Op op = graph.op(id);
    if (op == Op::sin || op == Op::cos || op == Op::tan) {
      const NodeId argument = graph.arguments(id)[0];
      mark(argument);
      if (graph.op(argument) == Op::sum) {
        for (const Part& part : graph.parts(argument)) mark(part.node);
      }
    }
    graph.for_each_child(id, push);
  }
}

}  // namespace

std::vector<Index> find_classes(const Equations& equations, Index& length_rates) {
  const Model& model = *equations.model;
  std::unordered_map<std::string, Index> class_of;  // 0 length, 1 angle, 2.. quaternions
  for (const Expr& q : equations.coordinates) class_of[q.name()] = 0;
  Index classes = 2;
  for (const Frame& frame : model.frames) {
    bool used = false;
    for (std::size_t k : frame.quaternion) {
      const auto found = class_of.find(model.coordinates[k].name);
      if (found != class_of.end()) {
        found->second = classes;
        used = true;
      }
    }
    if (used) ++classes;
  }
  // What is carried along behind the coordinates (impulses, an action) is compared with nothing else.
  for (std::size_t i = equations.velocities.size(); !equations.quasi && i < equations.coordinates.size(); ++i)
    class_of[equations.coordinates[i].name()] = classes++;
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
  mark_angles(*equations.graph, roots, class_of);
  roots.clear();
  for (const Frame& frame : model.frames) {
    for (const Vector3& row : frame.rotation) roots.insert(roots.end(), row.begin(), row.end());
  }
  mark_angles(*model.graph, roots, class_of);

  std::vector<Index> blocks;
  for (const Expr& q : equations.coordinates) blocks.push_back(class_of[q.name()]);
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
