#include <fmt/format.h>

#include <algorithm>
#include <dalembert/mechanics/release.hpp>
#include <map>

#include "study/scene/parts.hpp"
#include "study/slope.hpp"

namespace dalembert {
namespace {

/// Components of one vector constraint, "roll.x" and "roll.y", are parts of one arrow.
std::string base_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string::npos && dot + 2 == name.size() ? name.substr(0, dot) : name;
}

class ArrowList {
 public:
  explicit ArrowList(Scene& scene) : scene_(scene) {
    const std::vector<Expr> inputs = scene_inputs(*scene.model);
    for (const Expr& input : inputs) known_.push_back(input.id());
    for (const Parameter& parameter : scene.model->parameters) known_.push_back(parameter.symbol.id());
    std::ranges::sort(known_);
  }

  /// Nothing is drawn for what reads more than the state, such as an acceleration.
  void add(const std::string& constraint, std::size_t at, bool is_couple, const Vector3& factor) {
    if (std::ranges::all_of(factor, [](const Expr& part) { return part.is_zero(); })) return;
    for (const Expr& symbol : free_symbols(factor))
      if (!std::ranges::binary_search(known_, symbol.id())) return;
    const std::string name = base_name(constraint);
    auto found = std::ranges::find_if(scene_.arrows, [&](const SceneArrow& arrow) {
      return arrow.name == name && arrow.at == at && arrow.is_couple == is_couple;
    });
    if (found == scene_.arrows.end())
      found = scene_.arrows.insert(scene_.arrows.end(), SceneArrow{name, at, is_couple, {}});
    found->parts.push_back({reaction_symbol(constraint), factor});
  }

 private:
  Scene& scene_;
  std::vector<NodeId> known_;
};

/// lambda d written / d mention: the same forces as those of find_reactions.
void add_mentioned(ArrowList& arrows, const Scene& scene, const Constraint& constraint) {
  for (const Mention& mention : constraint.mentions) {
    if (!bears_force(constraint, mention)) continue;
    const std::optional<std::size_t> at = find_place(scene, mention.on);
    if (!at) continue;
    arrows.add(constraint.name, *at, mention.kind == Mention::Kind::omega, slope_of(constraint, mention));
  }
}

/// The points' components that read a coordinate, each as 3 * point + axis.
using Readers = std::map<NodeId, std::vector<std::size_t>>;

Readers find_readers(const Model& model) {
  Readers readers;
  for (const Coordinate& coordinate : model.coordinates) readers[coordinate.q.id()];
  for (std::size_t i = 0; i < model.points.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      for (const Expr& symbol : free_symbols({&model.points[i].position[k], 1}))
        if (const auto found = readers.find(symbol.id()); found != readers.end()) found->second.push_back(3 * i + k);
  return readers;
}

/// A constraint on coordinates that are components of points themselves: the generalized force is a force.
void add_cartesian(ArrowList& arrows, const Scene& scene, const Constraint& constraint, const Readers& readers) {
  const Model& model = *scene.model;
  const bool on_rates = constraint.kind == ConstraintKind::differential;
  const Expr zero = model.graph->constant(0);
  std::map<std::size_t, Vector3> force;
  const std::vector<Expr> symbols = free_symbols({&constraint.f, 1});
  for (const Coordinate& coordinate : model.coordinates) {
    const Expr variable = on_rates ? coordinate.rate : coordinate.q;
    if (std::ranges::find(symbols, variable) == symbols.end()) continue;
    const Expr slope = derivative(constraint.f, variable);
    if (slope.is_zero()) continue;
    const std::vector<std::size_t>& by = readers.at(coordinate.q.id());
    if (by.size() != 1) return;
    const std::size_t point = by[0] / 3, axis = by[0] % 3;
    if (model.points[point].position[axis] != coordinate.q) return;
    force.try_emplace(point, Vector3{zero, zero, zero}).first->second[axis] = slope;
  }
  for (const auto& [point, vector] : force) arrows.add(constraint.name, model.frames.size() + point, false, vector);
}

}  // namespace

void add_arrows(Scene& scene) {
  ArrowList arrows(scene);
  const Model& model = *scene.model;
  const Readers readers = find_readers(model);
  for (const Constraint& constraint : model.constraints) {
    if (constraint.is_unit) continue;
    constraint.mentions.empty() ? add_cartesian(arrows, scene, constraint, readers)
                                : add_mentioned(arrows, scene, constraint);
  }
  for (const ReleasedReaction& release : derive_releases(scene.model))
    for (const PointLoad& load : release.on)
      if (const std::optional<std::size_t> at = find_place(scene, load.on); at && load.direction)
        arrows.add(release.name, *at, false, *load.direction);
}

}  // namespace dalembert
