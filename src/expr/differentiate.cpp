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

/// d product / d factor k. The graph divides the factor out of the product; but long products, and all while it does
/// not flatten, it keeps whole: there what stands before and after the factor is multiplied.
class ProductPartial {
 public:
  explicit ProductPartial(Graph& graph) : graph_(graph) {}

  Expr operator()(NodeId id, std::size_t k) {
    if (graph_.flatten && graph_.parts(id).size() <= longest_divided) return graph_.partial_of_product(id, k);
    Part part = graph_.parts(id)[k];
    Expr exponent = graph_[part.weight];
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

/// Copied, since the graph grows while they are looked at.
void copy_children(const Graph& graph, NodeId id, std::vector<NodeId>& children) {
  children.clear();
  graph.for_each_child(id, [&](NodeId child) { children.push_back(child); });
}

}  // namespace

std::vector<Expr> directional_derivative(std::span<const Expr> expressions, std::span<const Replacement> direction) {
  if (expressions.empty()) return {};
  Graph& graph = expressions[0].graph();
  const Walk walk(graph, expressions);
  std::vector<Expr> seeds(walk.size());
  for (const Replacement& seed : direction) {
    const Expr by = graph[graph.id_of(seed.by)];
    if (walk.reached(graph.id_of(seed.symbol))) seeds[walk.index(seed.symbol.id())] = by;
  }
  std::vector<Expr> terms;
  std::vector<NodeId> children;
  ProductPartial product_partial(graph);
  std::vector<Expr> result = walk_values(walk, expressions, std::move(seeds), [&](NodeId id, auto& at) -> Expr {
    if (graph.op(id) == Op::symbol) return at(id);
    terms.clear();
    copy_children(graph, id, children);
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

namespace {

/// What the nodes that read a node add to its adjoint: lists in one piece of memory, most of them short.
class Contributions {
 public:
  explicit Contributions(std::size_t nodes) : last_(nodes, none) {}

  void add(std::size_t node, Expr term) {
    terms_.push_back({term, last_[node]});
    last_[node] = static_cast<std::uint32_t>(terms_.size() - 1);
  }
  /// In the order in which they were added; false where there are none.
  bool take(std::size_t node, std::vector<Expr>& terms) const {
    terms.clear();
    for (std::uint32_t at = last_[node]; at != none; at = terms_[at].before) terms.push_back(terms_[at].value);
    std::ranges::reverse(terms);
    return !terms.empty();
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Term {
    Expr value;
    std::uint32_t before;
  };
  GrowingArray<Term> terms_;
  std::vector<std::uint32_t> last_;
};

}  // namespace

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
  Contributions contributions(walk.size());
  std::vector<Expr> adjoint(walk.size()), terms;
  std::vector<NodeId> children;
  contributions.add(walk.index(expression.id()), graph.constant(1));
  for (std::size_t i = walk.size(); i-- > 0;) {
    if (!active[i] || !contributions.take(i, terms)) continue;
    adjoint[i] = graph.sum(terms);
    NodeId id = walk.order()[i];
    copy_children(graph, id, children);
    for (std::size_t k = 0; k < children.size(); ++k)
      if (std::size_t child = walk.index(children[k]); active[child])
        contributions.add(child, adjoint[i] * partial(graph, id, k, product_partial));
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

/// Stable; a sort with memory of its own would cost more than the few entries of most rows.
void sort_by_column(SparseRow& entries) {
  constexpr std::size_t few = 32;
  if (entries.size() > few) {
    std::ranges::stable_sort(entries, {}, &Entry::column);
    return;
  }
  for (std::size_t i = 1; i < entries.size(); ++i)
    for (std::size_t k = i; k > 0 && entries[k].column < entries[k - 1].column; --k)
      std::swap(entries[k - 1], entries[k]);
}

/// A row among the entries of all nodes, one after the other.
struct RowRange {
  std::size_t begin = 0, end = 0;
};

/// Entries of one column become one entry, columns ascending; they are put behind those of the other rows.
RowRange merge_columns(Graph& graph, SparseRow& entries, std::vector<Expr>& terms, GrowingArray<Entry>& all) {
  sort_by_column(entries);
  const std::size_t begin = all.size();
  for (std::size_t i = 0; i < entries.size();) {
    std::uint32_t column = entries[i].column;
    terms.clear();
    for (; i < entries.size() && entries[i].column == column; ++i) terms.push_back(entries[i].value);
    Expr value = terms.size() == 1 ? terms[0] : graph.sum(terms);
    if (!value.is_zero()) all.push_back({column, value});
  }
  return {begin, all.size()};
}

}  // namespace

std::vector<std::vector<Entry>> sparse_jacobian(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  if (expressions.empty()) return {};
  Graph& graph = expressions[0].graph();
  const Walk walk(graph, expressions);
  std::vector<RowRange> columns(walk.size());
  SparseRow entries;
  GrowingArray<Entry> all;
  for (std::size_t j = 0; j < symbols.size(); ++j) {
    if (!walk.reached(graph.id_of(symbols[j]))) continue;
    columns[walk.index(symbols[j].id())] = {all.size(), all.size() + 1};
    all.push_back({static_cast<std::uint32_t>(j), graph.constant(1)});
  }
  std::vector<Expr> terms;
  std::vector<NodeId> children;
  ProductPartial product_partial(graph);
  const auto make = [&](NodeId id, auto& at) -> RowRange {
    if (graph.op(id) == Op::symbol) return at(id);
    entries.clear();
    copy_children(graph, id, children);
    for (std::size_t k = 0; k < children.size(); ++k) {
      const RowRange inner = at(children[k]);
      if (inner.begin == inner.end) continue;
      Expr outer = partial(graph, id, k, product_partial);
      for (std::size_t i = inner.begin; i < inner.end; ++i) entries.push_back({all[i].column, outer * all[i].value});
    }
    return merge_columns(graph, entries, terms, all);
  };
  const std::vector<RowRange> rows = walk_values(walk, expressions, std::move(columns), make);
  std::vector<SparseRow> jacobian;
  jacobian.reserve(rows.size());
  for (const RowRange& row : rows) jacobian.emplace_back(all.data() + row.begin, all.data() + row.end);
  return jacobian;
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
