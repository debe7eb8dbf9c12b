#include <dalembert/expr/expr.hpp>

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

/// A factor that is divided by brings its own relative error.
template <class At>
Expr of_product(Graph& graph, NodeId id, At&& at) {
  std::vector<Expr> factors;
  for (const Part& part : parts_of(graph, id)) {
    const Expr size = at(part.node);
    const mpq_class exponent = graph.value(part.weight);
    if (exponent > 0) {
      factors.push_back(graph.power(size, exponent));
    } else {
      factors.push_back(graph.power(abs(graph[part.node]), exponent - 1));
      factors.push_back(size);
    }
  }
  return graph.product(factors);
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
