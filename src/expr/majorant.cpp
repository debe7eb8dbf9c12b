#include <dalembert/expr/expr.hpp>
#include <utility>

#include "expr/walk.hpp"

namespace dalembert {
namespace {

/// The parts of a node, kept while the graph grows.
std::vector<Part> parts_of(const Graph& graph, NodeId id) {
  const std::span<const Part> parts = graph.parts(id);
  return {parts.begin(), parts.end()};
}

template <class At>
Expr of_sum(Graph& graph, NodeId id, At&& at) {
  std::vector<Expr> terms{abs(graph[graph.offset(id)])};
  for (const Part& part : parts_of(graph, id)) terms.push_back(abs(graph[part.weight]) * at(part.node));
  return graph.sum(terms);
}

/// Base^exponent, and what rounding of the base makes of it. A root is measured by that of the base: its slope grows
/// beyond all bounds where the base vanishes.
template <class At>
std::pair<Expr, Expr> of_power(Graph& graph, const Part& part, At&& at) {
  const Expr base = abs(graph[part.node]), size = at(part.node);
  const mpq_class exponent = graph.value(part.weight);
  if (exponent > 0 && exponent < 1) return {graph.power(base, exponent), graph.power(size, exponent)};
  return {graph.power(base, exponent), graph.power(base, exponent - 1) * size};
}

/// |f g| and what is beyond it: errors of factors add up, relative to each, where the product of their sizes would
/// multiply what each is magnified by.
template <class At>
Expr of_product(Graph& graph, NodeId id, At&& at) {
  Expr value, size;
  for (const Part& part : parts_of(graph, id)) {
    const auto [factor, its_size] = of_power(graph, part, at);
    size = value ? size * factor + value * (its_size - factor) : its_size;
    value = value ? value * factor : factor;
  }
  return size;
}

template <class At>
Expr of_function(Graph& graph, NodeId id, At&& at) {
  const std::span<const NodeId> read = graph.arguments(id);
  const std::vector<NodeId> arguments(read.begin(), read.end());
  std::vector<Expr> stand_ins, terms{abs(graph[id])};
  std::vector<Replacement> actual;
  for (NodeId argument : arguments) {
    stand_ins.push_back(graph.symbol("argument " + std::to_string(stand_ins.size())));
    actual.push_back({stand_ins.back(), graph[argument]});
  }
  const std::vector<Expr> slopes = substitute(gradient(graph.rebuild(id, stand_ins), stand_ins), actual);
  for (std::size_t k = 0; k < slopes.size(); ++k) terms.push_back(abs(slopes[k]) * at(arguments[k]));
  return graph.sum(terms);
}

}  // namespace

std::vector<Expr> majorant(std::span<const Expr> expressions) {
  if (expressions.empty()) return {};
  Graph& graph = expressions[0].graph();
  return walk_values<Expr>(graph, expressions, [&](NodeId id, auto&& at) {
    switch (graph.op(id)) {
      case Op::constant:
      case Op::pi:
      case Op::symbol: return abs(graph[id]);
      case Op::sum: return of_sum(graph, id, at);
      case Op::product: return of_product(graph, id, at);
      default: return of_function(graph, id, at);
    }
  });
}

}  // namespace dalembert
