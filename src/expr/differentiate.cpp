#include <algorithm>
#include <dalembert/expr/expr.hpp>

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

/// 1 where argument k alone is the extremum, 0 where it is not; arguments that tie share equally. Of two by the sign of
/// their difference; of more by 1 - |sign(argument - extremum)|, which is 1 for each that attains it, over their
/// number.
Expr extremum_partial(Graph& graph, NodeId id, std::size_t k) {
  std::vector<NodeId> arguments(graph.arguments(id).begin(), graph.arguments(id).end());
  Expr toward = graph.constant(graph.op(id) == Op::min ? 1 : -1);
  if (arguments.size() == 2) return (1 + sign(toward * (graph[arguments[1 - k]] - graph[arguments[k]]))) / 2;
  std::vector<Expr> attained;
  for (NodeId argument : arguments) attained.push_back(1 - sign(toward * (graph[argument] - graph[id])));
  return attained[k] / graph.sum(attained);
}

/// d product / d factor k. The graph divides the factor out of the product, so that this is no division by zero; but
/// long products, and all while it does not flatten, it keeps whole: there what stands before and after the factor is
/// multiplied.
class ProductPartial {
 public:
  explicit ProductPartial(Graph& graph) : graph_(graph) {}

  Expr operator()(NodeId id, std::size_t k) {
    Part part = graph_.parts(id)[k];
    Expr exponent = graph_[part.weight];
    if (graph_.flatten && graph_.parts(id).size() <= longest_divided) {
      Expr factors[] = {exponent, graph_[id], pow(graph_[part.node], -1)};
      return graph_.product(factors);
    }
    if (id != product_) multiply(id);
    Expr power = graph_.power(graph_[part.node], mpq_class(exponent.value() - 1));
    Expr factors[] = {exponent, power, before_[k], after_[k + 1]};
    return graph_.product(factors);
  }

 private:
  static constexpr std::size_t longest_divided = 32;  // well below what the graph keeps whole

  void multiply(NodeId id) {
    product_ = id;
    std::vector<Part> parts(graph_.parts(id).begin(), graph_.parts(id).end());
    auto factor = [&](std::size_t k) {
      return graph_.power(graph_[parts[k].node], mpq_class(graph_.value(parts[k].weight)));
    };
    before_.assign(parts.size() + 1, graph_.constant(1));
    after_ = before_;
    for (std::size_t k = 0; k < parts.size(); ++k) before_[k + 1] = before_[k] * factor(k);
    for (std::size_t k = parts.size(); k > 0; --k) after_[k - 1] = after_[k] * factor(k - 1);
  }

  Graph& graph_;
  NodeId product_ = 0;
  std::vector<Expr> before_, after_;
};

/// d node / d (its k-th child), children counted as for_each_child gives them.
Expr partial(Graph& graph, NodeId id, std::size_t k, ProductPartial& product_partial) {
  Expr self = graph[id];
  switch (graph.op(id)) {
    case Op::sum: return graph[graph.parts(id)[k].weight];
    case Op::product: return product_partial(id, k);
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
  for (const Replacement& seed : direction) seeds[graph.id_of(seed.symbol)] = graph[graph.id_of(seed.by)];
  std::vector<Expr> terms;
  ProductPartial product_partial(graph);
  std::vector<Expr> result = walk_values<Expr>(graph, expressions, [&](NodeId id, auto& at) -> Expr {
    if (graph.op(id) == Op::symbol) {
      auto found = seeds.find(id);
      return found == seeds.end() ? Expr() : found->second;
    }
    terms.clear();
    std::vector<NodeId> children = children_of(graph, id);
    for (std::size_t k = 0; k < children.size(); ++k)
      if (Expr inner = at(children[k])) terms.push_back(partial(graph, id, k, product_partial) * inner);
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
    if (walk.reached(graph.id_of(symbol))) active[walk.index(symbol.id())] = true;
  for (std::size_t i = 0; i < walk.size(); ++i)
    graph.for_each_child(walk.order()[i], [&](NodeId child) {
      if (active[walk.index(child)]) active[i] = true;
    });

  ProductPartial product_partial(graph);
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
        contributions[child].push_back(adjoint[i] * partial(graph, id, k, product_partial));
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
  for (std::size_t j = 0; j < symbols.size(); ++j) columns[graph.id_of(symbols[j])] = static_cast<std::uint32_t>(j);
  SparseRow entries;
  ProductPartial product_partial(graph);
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
      Expr outer = partial(graph, id, k, product_partial);
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
