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

/// The number that divides all terms of a sum and leaves whole numbers without a common divisor.
mpq_class content_of_sum(Graph& graph, NodeId id) {
  mpz_class above = 0, below = 1;
  const auto add = [&](const mpq_class& number) {
    if (sgn(number) == 0) return;
    above = gcd(above, number.get_num());
    below = lcm(below, number.get_den());
  };
  for (const Part& part : graph.parts(id)) add(graph.value(part.weight));
  add(graph.value(graph.offset(id)));
  return sgn(above) == 0 ? mpq_class(1) : mpq_class(above, below);
}

/// 6*(2*x - 2*y)*z as 12 and (x - y)*z; a sum by itself is left as it is.
std::pair<mpq_class, Expr> take_content(Expr expression) {
  Graph& graph = expression.graph();
  const auto copy_parts = [&](NodeId id) {
    const std::span<const Part> held = graph.parts(id);
    return std::vector<Part>(held.begin(), held.end());  // the graph grows
  };
  mpq_class number = 1;
  if (expression.op() == Op::sum) {
    const std::vector<Part> parts = copy_parts(expression.id());
    if (parts.size() != 1 || graph.offset(expression.id()) != graph.zero()) return {1, expression};
    number = graph.value(parts[0].weight);
    expression = graph[parts[0].node];
  }
  std::vector<Expr> factors{graph.constant(sgn(number))};
  number = abs(number);
  if (expression.op() != Op::product) return {number, factors[0] * expression};
  for (const Part& part : copy_parts(expression.id())) {
    Expr base = graph[part.node];
    if (part.weight == graph.one() && base.op() == Op::sum) {
      const mpq_class content = content_of_sum(graph, base.id());
      number *= content;
      base = graph.constant(1 / content) * base;
    }
    factors.push_back(graph.power(base, graph.value(part.weight)));
  }
  return {number, graph.product(factors)};
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
    bool is_given;
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
      const bool is_given = name != given_.end();
      chosen_.push_back({0, id, is_given ? name->second : "", is_given});
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
      auto found = chosen.find(id);
      if (found == chosen.end()) continue;
      made[i] = graph_.symbol(found->second->name);
      if (found->second->is_given) continue;
      const auto [number, rest] = take_content(inside[i]);
      inside[i] = rest;
      made[i] = graph_.constant(number) * made[i];
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
