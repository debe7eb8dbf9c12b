#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "simulate/numeric.hpp"

namespace dalembert {

namespace {
constexpr double block_part = 1e-3;
}

Sizes::Sizes(std::vector<Index> block_of) : block_of_(std::move(block_of)), largest_(block_of_.size(), 0.0) {
  Index blocks = 0;
  for (Index b : block_of_) blocks = std::max(blocks, b + 1);
  floor_.assign(blocks, 0.0);
  block_largest_.assign(blocks, 0.0);
}

void Sizes::include(const double* y) {
  for (std::size_t i = 0; i < largest_.size(); ++i) largest_[i] = std::max(largest_[i], std::abs(y[i]));
}

double Sizes::block_size(Index block) const {
  double size = floor_[block];
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    if (block_of_[i] == block) size = std::max(size, largest_[i]);
  }
  return size;
}

void Sizes::evaluate(std::span<double> sizes, const double* trial) const {
  std::fill(block_largest_.begin(), block_largest_.end(), 0.0);
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    sizes[i] = trial ? std::max(largest_[i], std::abs(trial[i])) : largest_[i];
    block_largest_[block_of_[i]] = std::max(block_largest_[block_of_[i]], sizes[i]);
  }
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    const Index b = block_of_[i];
    sizes[i] = std::max({sizes[i], block_part * block_largest_[b], floor_[b]});
  }
}

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

std::vector<Index> make_blocks(const Model& model, const Equations& equations) {
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
  for (const Impulse& impulse : equations.impulses)
    class_of[equations.coordinates[impulse.coordinate].name()] = classes++;
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
  if (equations.velocity_formulas.empty()) {
    for (std::size_t i = 0; i < equations.velocities.size(); ++i) blocks.push_back(classes + blocks[i]);
    return blocks;
  }
  // A quasi-velocity is one of lengths if the rate of a length is in it, else one of angles.
  std::vector<Expr> rates;
  for (const Coordinate& coordinate : model.coordinates) rates.push_back(coordinate.rate);
  for (const auto& row : sparse_jacobian(equations.velocity_formulas, rates)) {
    const bool length = std::ranges::any_of(row, [&](const Entry& entry) { return blocks[entry.column] == 0; });
    blocks.push_back(classes + (length ? 0 : 1));
  }
  return blocks;
}

}  // namespace dalembert
