#pragma once
// The one walk under every pass: the nodes below some roots, arguments before the nodes that read them, with an index
// for memos. No recursion, so depth costs nothing.

#include <dalembert/expr/expr.hpp>
#include <utility>

namespace dalembert {

class Walk {
 public:
  Walk(Graph& graph, std::span<const Expr> roots);
  ~Walk();
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  /// Ascending ids: arguments first. Stays as it is while the graph grows.
  const std::vector<NodeId>& order() const { return order_; }
  std::size_t size() const { return order_.size(); }
  /// Position in order() of a node that was reached.
  std::size_t index(NodeId id) const { return marks_[id] - 1; }
  bool reached(NodeId id) const { return id < marks_.size() && marks_[id] != 0; }

 private:
  void reach(std::span<const Expr> roots);

  Graph& graph_;
  std::vector<std::uint32_t> marks_;  // by node: one more than its position in order_, or zero; lent (walk.cpp)
  std::vector<NodeId> order_;
};

/// A value for each reached node, made by make(id, at) from those of its arguments; returns those of the roots. `given`
/// has what some nodes have beforehand, by position: at(id) while id itself is made.
template <class T, class Make>
std::vector<T> walk_values(const Walk& walk, std::span<const Expr> roots, std::vector<T> given, Make&& make) {
  auto at = [&](NodeId id) -> const T& { return given[walk.index(id)]; };
  for (std::size_t i = 0; i < walk.size(); ++i) given[i] = make(walk.order()[i], at);
  std::vector<T> values;
  values.reserve(roots.size());
  for (const Expr& root : roots) values.push_back(at(root.id()));
  return values;
}

template <class T, class Make>
std::vector<T> walk_values(Graph& graph, std::span<const Expr> roots, Make&& make) {
  const Walk walk(graph, roots);
  return walk_values(walk, roots, std::vector<T>(walk.size()), std::forward<Make>(make));
}

}  // namespace dalembert
