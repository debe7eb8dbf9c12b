#include <dalembert/base/error.hpp>
#include <dalembert/expr/expr.hpp>

#include "expr/walk.hpp"

// Passes that read or rewrite expressions without differentiating them.

namespace dalembert {

std::vector<Expr> free_symbols(std::span<const Expr> expressions) {
  std::vector<Expr> symbols;
  if (expressions.empty()) return symbols;
  Graph& graph = expressions[0].graph();
  Walk walk(graph, expressions);
  for (NodeId id : walk.order())
    if (graph.op(id) == Op::symbol) symbols.push_back(graph[id]);
  return symbols;
}

bool depends_on(Expr expression, Expr symbol) {
  Walk walk(expression.graph(), {&expression, 1});
  return walk.reached(expression.graph().id_of(symbol));
}

std::size_t count_nodes(std::span<const Expr> expressions) {
  if (expressions.empty()) return 0;
  return Walk(expressions[0].graph(), expressions).size();
}

double count_written(Expr expression) {
  Graph& graph = expression.graph();
  return walk_values<double>(graph, {&expression, 1}, [&](NodeId id, auto& at) {
    double size = 1;
    graph.for_each_child(id, [&](NodeId child) { size += at(child); });
    return size;
  })[0];
}

std::vector<Expr> substitute(std::span<const Expr> expressions, std::span<const Replacement> replacements) {
  if (expressions.empty()) return {};
  Graph& graph = expressions[0].graph();
  const Walk walk(graph, expressions);
  std::vector<Expr> replaced(walk.size());
  for (const Replacement& replacement : replacements) {
    const Expr by = graph[graph.id_of(replacement.by)];
    if (walk.reached(graph.id_of(replacement.symbol))) replaced[walk.index(replacement.symbol.id())] = by;
  }
  std::vector<Expr> arguments;
  return walk_values(walk, expressions, std::move(replaced), [&](NodeId id, auto& at) {
    if (graph.op(id) == Op::symbol) return at(id) ? at(id) : graph[id];
    arguments.clear();
    bool changed = false;
    graph.for_each_child(id, [&](NodeId child) {
      arguments.push_back(at(child));
      changed |= arguments.back().id() != child;
    });
    return changed ? graph.rebuild(id, arguments) : graph[id];
  });
}

Expr substitute(Expr expression, std::span<const Replacement> replacements) {
  return substitute(std::span<const Expr>(&expression, 1), replacements)[0];
}

namespace {

Expr rebuild_in(Graph& target, const Graph& source, NodeId id, std::span<const Expr> arguments) {
  switch (source.op(id)) {
    case Op::constant: return target.constant(source.value(id));
    case Op::pi: return target.pi();
    case Op::symbol: {
      const Expr symbol = target.symbol(source.name(id));
      if (source.is_nonnegative(id)) target.assume_nonnegative(symbol);
      return symbol;
    }
    case Op::sum: {
      std::vector<Expr> terms{target.constant(source.value(source.offset(id)))};
      for (std::size_t i = 0; i < arguments.size(); ++i)
        terms.push_back(target.constant(source.value(source.parts(id)[i].weight)) * arguments[i]);
      return target.sum(terms);
    }
    case Op::product: {
      std::vector<Expr> factors;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        factors.push_back(target.power(arguments[i], source.value(source.parts(id)[i].weight)));
      return target.product(factors);
    }
    case Op::power: return target.power(arguments[0], arguments[1]);
    case Op::atan2: return target.atan2(arguments[0], arguments[1]);
    case Op::min:
    case Op::max: return target.extremum(source.op(id), arguments);
    default: return target.unary(source.op(id), arguments[0]);
  }
}

}  // namespace

Expr rebind(Expr expression, Graph& copy) {
  if (!expression) return {};
  if (expression.id() >= copy.size() || copy.op(expression.id()) != expression.op())
    throw InputError({"",
                      {},
                      "",
                      "an expression is rebound to a graph that is no copy of its own",
                      "use copy_to for a graph of another origin"});
  return {copy, expression.id()};
}

std::vector<Expr> copy_to(Graph& target, std::span<const Expr> expressions) {
  if (expressions.empty()) return {};
  Graph& source = expressions[0].graph();
  std::vector<Expr> arguments;
  return walk_values<Expr>(source, expressions, [&](NodeId id, auto& at) {
    arguments.clear();
    source.for_each_child(id, [&](NodeId child) { arguments.push_back(at(child)); });
    return rebuild_in(target, source, id, arguments);
  });
}

}  // namespace dalembert
