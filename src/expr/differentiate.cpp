#include <algorithm>
#include <dalembert/expr.hpp>

#include "expr/walk.hpp"

// Derivatives. One table of local partial derivatives serves the forward, the reverse and the sparse forward sweep.

namespace dalembert {
namespace {

/// d function / d argument for the functions of one argument.
Expr unary_partial(Graph& graph, NodeId id) {
  Expr self = graph[id];
  Expr x = graph[graph.arguments(id)[0]];
  switch (graph.op(id)) {
    case Op::sin: return cos(x);
    case Op::cos: return -sin(x);
    case Op::tan: return 1 + pow(self, 2);
    case Op::asin: return 1 / sqrt(1 - pow(x, 2));
    case Op::acos: return -1 / sqrt(1 - pow(x, 2));
    case Op::atan: return 1 / (1 + pow(x, 2));
    case Op::sinh: return cosh(x);
    case Op::cosh: return sinh(x);
    case Op::tanh: return 1 - pow(self, 2);
    case Op::exp: return self;
    case Op::log: return 1 / x;
    case Op::abs: return sign(x);
    default: return graph.constant(0);  // sign
  }
}

/// 1 where argument k alone is the extremum, 0 where it is not, in between where it ties: each comparison contributes
/// (1 + sign(difference))/2, so two that tie share equally.
Expr extremum_partial(Graph& graph, NodeId id, std::size_t k) {
  std::vector<NodeId> arguments(graph.arguments(id).begin(), graph.arguments(id).end());
  std::vector<Expr> factors;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i == k) continue;
    Expr ahead = graph[arguments[i]] - graph[arguments[k]];
    if (graph.op(id) == Op::max) ahead = -ahead;
    factors.push_back((1 + sign(ahead)) / 2);
  }
  return graph.product(factors);
}

/// d node / d (its k-th child), children counted as for_each_child gives them.
Expr partial(Graph& graph, NodeId id, std::size_t k) {
  Expr self = graph[id];
  switch (graph.op(id)) {
    case Op::sum: return graph[graph.parts(id)[k].weight];
    case Op::product: {
      Part part = graph.parts(id)[k];
      Expr factors[] = {graph[part.weight], self, pow(graph[part.node], -1)};
      return graph.product(factors);
    }
    case Op::power: {
      Expr base = graph[graph.arguments(id)[0]];
      Expr exponent = graph[graph.arguments(id)[1]];
      return k == 0 ? exponent * pow(base, exponent - 1) : log(base) * self;
    }
    case Op::atan2: {
      Expr y = graph[graph.arguments(id)[0]];
      Expr x = graph[graph.arguments(id)[1]];
      Expr square = pow(x, 2) + pow(y, 2);
      return k == 0 ? x / square : -y / square;
    }
    case Op::min:
    case Op::max: return extremum_partial(graph, id, k);
    default: return unary_partial(graph, id);
  }
}

std::vector<NodeId> children_of(const Graph& graph, NodeId id) {
  std::vector<NodeId> children;
  graph.for_each_child(id, [&](NodeId child) { children.push_back(child); });
  return children;
}

}  // namespace

std::vector<Expr> directional_derivative(std::span<const Expr> expressions, std::span<const Replacement> direction) {
  if (expressions.empty()) return {};
  Graph& graph = expressions[0].graph();
  std::unordered_map<NodeId, Expr> seeds;
  for (const Replacement& seed : direction) seeds[seed.symbol.id()] = seed.by;
  std::vector<Expr> terms;
  std::vector<Expr> result = walk_values<Expr>(graph, expressions, [&](NodeId id, auto& at) -> Expr {
    if (graph.op(id) == Op::symbol) {
      auto found = seeds.find(id);
      return found == seeds.end() ? Expr() : found->second;
    }
    terms.clear();
    std::vector<NodeId> children = children_of(graph, id);
    for (std::size_t k = 0; k < children.size(); ++k)
      if (Expr inner = at(children[k])) terms.push_back(partial(graph, id, k) * inner);
    return terms.empty() ? Expr() : graph.sum(terms);
  });
  for (Expr& entry : result)
    if (!entry) entry = graph.constant(0);
  return result;
}

Expr directional_derivative(Expr expression, std::span<const Replacement> direction) {
  return directional_derivative(std::span<const Expr>(&expression, 1), direction)[0];
}

std::vector<Expr> derivative(std::span<const Expr> expressions, Expr symbol) {
  Replacement seed{symbol, symbol.graph().constant(1)};
  return directional_derivative(expressions, {&seed, 1});
}

Expr derivative(Expr expression, Expr symbol) { return derivative(std::span<const Expr>(&expression, 1), symbol)[0]; }

std::vector<Expr> gradient(Expr expression, std::span<const Expr> symbols) {
  Graph& graph = expression.graph();
  Walk walk(graph, {&expression, 1});
  std::vector<bool> active(walk.size(), false);
  for (const Expr& symbol : symbols)
    if (walk.reached(symbol.id())) active[walk.index(symbol.id())] = true;
  for (std::size_t i = 0; i < walk.size(); ++i)
    graph.for_each_child(walk.order()[i], [&](NodeId child) {
      if (active[walk.index(child)]) active[i] = true;
    });

  std::vector<std::vector<Expr>> contributions(walk.size());
  std::vector<Expr> adjoint(walk.size());
  contributions[walk.index(expression.id())].push_back(graph.constant(1));
  for (std::size_t i = walk.size(); i-- > 0;) {
    if (!active[i] || contributions[i].empty()) continue;
    adjoint[i] = graph.sum(contributions[i]);
    contributions[i] = {};
    NodeId id = walk.order()[i];
    std::vector<NodeId> children = children_of(graph, id);
    for (std::size_t k = 0; k < children.size(); ++k)
      if (std::size_t child = walk.index(children[k]); active[child])
        contributions[child].push_back(adjoint[i] * partial(graph, id, k));
  }

  std::vector<Expr> result;
  for (const Expr& symbol : symbols) {
    Expr entry = walk.reached(symbol.id()) ? adjoint[walk.index(symbol.id())] : Expr();
    result.push_back(entry ? entry : graph.constant(0));
  }
  return result;
}

namespace {

using SparseRow = std::vector<Entry>;

/// Entries of one column become one entry, columns ascending.
SparseRow merge_columns(Graph& graph, SparseRow& entries) {
  std::ranges::stable_sort(entries, {}, &Entry::column);
  SparseRow row;
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < entries.size();) {
    std::uint32_t column = entries[i].column;
    terms.clear();
    for (; i < entries.size() && entries[i].column == column; ++i) terms.push_back(entries[i].value);
    Expr value = terms.size() == 1 ? terms[0] : graph.sum(terms);
    if (!value.is_zero()) row.push_back({column, value});
  }
  return row;
}

}  // namespace

std::vector<std::vector<Entry>> sparse_jacobian(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  if (expressions.empty()) return {};
  Graph& graph = expressions[0].graph();
  std::unordered_map<NodeId, std::uint32_t> columns;
  for (std::size_t j = 0; j < symbols.size(); ++j) columns[symbols[j].id()] = static_cast<std::uint32_t>(j);
  SparseRow entries;
  return walk_values<SparseRow>(graph, expressions, [&](NodeId id, auto& at) -> SparseRow {
    if (graph.op(id) == Op::symbol) {
      auto found = columns.find(id);
      return found == columns.end() ? SparseRow{} : SparseRow{{found->second, graph.constant(1)}};
    }
    entries.clear();
    std::vector<NodeId> children = children_of(graph, id);
    for (std::size_t k = 0; k < children.size(); ++k) {
      const SparseRow& inner = at(children[k]);
      if (inner.empty()) continue;
      Expr outer = partial(graph, id, k);
      for (const Entry& entry : inner) entries.push_back({entry.column, outer * entry.value});
    }
    return merge_columns(graph, entries);
  });
}

std::vector<std::vector<Expr>> jacobian(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  std::vector<std::vector<Expr>> dense;
  for (const SparseRow& row : sparse_jacobian(expressions, symbols)) {
    dense.emplace_back(symbols.size(), expressions[0].graph().constant(0));
    for (const Entry& entry : row) dense.back()[entry.column] = entry.value;
  }
  return dense;
}

}  // namespace dalembert
