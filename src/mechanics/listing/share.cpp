#include "mechanics/listing/share.hpp"

#include <algorithm>

#include "expr/walk.hpp"
#include "mechanics/listing/vec.hpp"

namespace dalembert {
namespace {

constexpr std::size_t widest = 1'000'000;    // where counting ends
constexpr std::size_t least_shared = 16;     // characters: what is shorter is written each time
constexpr std::size_t name_width = 3;        // "z12"
constexpr std::size_t definition_width = 6;  // "z12 = " and the end of its line

std::size_t own_width(const Graph& graph, NodeId id) {
  switch (graph.op(id)) {
    case Op::constant: return graph.value(id).get_str().size();
    case Op::pi: return 2;
    case Op::symbol: return graph.name(id).size();
    case Op::sum: return 3 * graph.parts(id).size() + (graph.offset(id) == graph.zero() ? 0 : 3);
    case Op::product: return graph.parts(id).size();
    case Op::power: return 3;
    default: return function_name(graph.op(id)).size() + 2;
  }
}

/// With `width(child)` of what it reads.
template <class Width>
std::size_t width_of(const Graph& graph, NodeId id, Width&& width) {
  std::size_t total = own_width(graph, id);
  if (graph.op(id) == Op::sum || graph.op(id) == Op::product) {
    const bool product = graph.op(id) == Op::product;
    for (const Part& part : graph.parts(id)) {
      total += width(part.node);
      if (part.weight != graph.one()) total += graph.value(part.weight).get_str().size();
      if (product && graph.op(part.node) == Op::sum) total += 2;
    }
  } else {
    for (NodeId argument : graph.arguments(id)) total += width(argument);
  }
  return std::min(total, widest);
}

/// Finds and names what is shared.
class Sharing {
 public:
  Sharing(const Model& model, std::vector<NamedPart>& parts, std::vector<Expr>& results, GivenNames given)
      : model_(model), graph_(*model.graph), parts_(parts), results_(results), given_(std::move(given)) {
    for (const Definition& definition : model_.definitions)
      for (std::size_t c = 0; c < definition.value.size(); ++c)
        given_.try_emplace(definition.value[c].id(),
                           definition.value.size() == 1 ? definition.name : definition.name + "." + "xyz"[c]);
  }

  std::vector<NamedPart> run() {
    std::vector<Expr> roots;
    for_each_value([&](Expr& value, std::size_t) { roots.push_back(value); });
    if (roots.empty()) return parts_;
    Walk walk(graph_, roots);
    choose(walk, roots);
    find_places(walk);
    return rewrite(walk);
  }

 private:
  struct Chosen {
    std::size_t line;  // that reads it first
    NodeId node;
    std::string name;
  };

  /// Calls visit(value, line); results stand after the last part.
  template <class Visit>
  void for_each_value(Visit&& visit) {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (!parts_[i].vector)
        for (Expr& value : parts_[i].value) visit(value, i);
    for (Expr& result : results_) visit(result, parts_.size());
  }

  void choose(const Walk& walk, const std::vector<Expr>& roots) {
    std::vector<std::size_t> uses(walk.size(), 0), width(walk.size(), 0);
    for (NodeId id : walk.order()) graph_.for_each_child(id, [&](NodeId child) { ++uses[walk.index(child)]; });
    for (const Expr& root : roots) ++uses[walk.index(root.id())];
    for (std::size_t i = 0; i < walk.size(); ++i) {
      const NodeId id = walk.order()[i];
      const std::size_t w = width[i] = width_of(graph_, id, [&](NodeId child) { return width[walk.index(child)]; });
      if (graph_.op(id) <= Op::symbol || w < least_shared) continue;
      auto name = given_.find(id);
      const bool pays = uses[i] > 1 && uses[i] * w > w + definition_width + uses[i] * name_width;
      if (name == given_.end() && !pays) continue;
      chosen_.push_back({0, id, name == given_.end() ? "" : name->second});
      width[i] = name_width;
    }
  }

  /// The first line that reads each, and names in that order.
  void find_places(const Walk& walk) {
    constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    std::vector<std::size_t> first(walk.size(), nowhere);
    for_each_value([&](Expr& value, std::size_t line) {
      std::size_t& place = first[walk.index(value.id())];
      place = std::min(place, line);
    });
    for (std::size_t i = walk.size(); i-- > 0;)
      graph_.for_each_child(walk.order()[i], [&](NodeId child) {
        std::size_t& place = first[walk.index(child)];
        place = std::min(place, first[i]);
      });
    for (Chosen& each : chosen_) each.line = first[walk.index(each.node)];
    std::ranges::stable_sort(chosen_, {}, [](const Chosen& each) { return std::pair(each.line, each.node); });
    const std::unordered_set<std::string> taken = names_in(model_);
    std::string prefix = "z";
    auto clashes = [&](const std::string& name) {
      return name.starts_with(prefix) && name.size() > prefix.size() &&
             name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    };
    while (std::ranges::any_of(taken, clashes)) prefix += "_";
    std::size_t count = 0;
    for (Chosen& each : chosen_)
      if (each.name.empty()) each.name = prefix + std::to_string(++count);
  }

  std::vector<NamedPart> rewrite(const Walk& walk) {
    std::unordered_map<NodeId, const Chosen*> chosen;
    for (const Chosen& each : chosen_) chosen[each.node] = &each;
    std::vector<Expr> made(walk.size()), inside(walk.size());  // as others read it; what it is
    std::vector<Expr> arguments;
    for (std::size_t i = 0; i < walk.size(); ++i) {
      const NodeId id = walk.order()[i];
      arguments.clear();
      graph_.for_each_child(id, [&](NodeId child) { arguments.push_back(made[walk.index(child)]); });
      inside[i] = made[i] = arguments.empty() ? graph_[id] : graph_.rebuild(id, arguments);
      if (auto found = chosen.find(id); found != chosen.end()) made[i] = graph_.symbol(found->second->name);
    }
    // A line that is a shared part itself says what that is only if the part is not defined before it; under the same
    // name it has been said.
    for_each_value([&](Expr& value, std::size_t) { value = made[walk.index(value.id())]; });
    std::vector<NamedPart> lines;
    auto next = chosen_.begin();
    for (std::size_t i = 0; i <= parts_.size(); ++i) {
      const NamedPart::Kind kind = i < parts_.size() ? parts_[i].kind : NamedPart::Kind::equation;
      for (; next != chosen_.end() && next->line == i; ++next)
        lines.push_back({kind, next->name, "", {inside[walk.index(next->node)]}, {}});
      if (i < parts_.size() && !says_itself(parts_[i])) lines.push_back(std::move(parts_[i]));
    }
    return lines;
  }

  static bool says_itself(const NamedPart& part) {
    return part.value.size() == 1 && part.value[0].op() == Op::symbol && part.value[0].name() == part.name;
  }

  const Model& model_;
  Graph& graph_;
  std::vector<NamedPart>& parts_;
  std::vector<Expr>& results_;
  GivenNames given_;
  std::vector<Chosen> chosen_;
};

}  // namespace

std::unordered_set<std::string> names_in(const Model& model) {
  std::unordered_set<std::string> names;
  auto add = [&](const auto& list) {
    for (const auto& each : list) names.insert(each.name);
  };
  add(model.parameters), add(model.coordinates), add(model.definitions), add(model.quasi_velocities);
  add(model.outputs);
  if (model.reduction) add(model.reduction->coordinates);
  return names;
}

std::size_t estimate_width(Expr expression) {
  Graph& graph = expression.graph();
  return walk_values<std::size_t>(graph, {&expression, 1},
                                  [&](NodeId id, auto& width) { return width_of(graph, id, width); })[0];
}

std::vector<NamedPart> share_parts(const Model& model, std::vector<NamedPart> parts, std::vector<Expr>& results,
                                   const GivenNames& given) {
  return Sharing(model, parts, results, given).run();
}

std::vector<NamedPart> name_shared_parts(const Model& model, std::vector<Expr>& expressions) {
  return share_parts(model, {}, expressions);
}

}  // namespace dalembert
