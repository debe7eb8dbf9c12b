#include "expr/walk.hpp"

#include <algorithm>

namespace dalembert {

Walk::Walk(Graph& graph, std::span<const Expr> roots) : graph_(graph), level_(graph.scratch_.lent) {
  for (const Expr& root : roots) graph_.id_of(root);  // refused before anything is lent
  ++graph_.scratch_.lent;
  if (graph_.scratch_.marks.size() <= level_) graph_.scratch_.marks.emplace_back();
  std::vector<std::uint32_t>& marks = graph_.scratch_.marks[level_];
  if (marks.size() < graph_.size()) marks.resize(graph_.size() + graph_.size() / 2, 0);
  marks_ = marks.data();
  reach(roots);
}

Walk::~Walk() {
  std::vector<std::uint32_t>& marks = graph_.scratch_.marks[level_];
  for (NodeId id : order_) marks[id] = 0;
  --graph_.scratch_.lent;
}

void Walk::reach(std::span<const Expr> roots) {
  std::vector<std::uint32_t>& marks = graph_.scratch_.marks[level_];
  NodeId high = 0;
  auto mark = [&](NodeId id) {
    if (marks[id] != 0) return;
    marks[id] = 1;
    order_.push_back(id);
  };
  for (const Expr& root : roots) {
    mark(root.id());
    high = std::max(high, root.id());
  }
  std::size_t next = 0;
  for (; next < order_.size() && order_.size() <= high / 4; ++next) graph_.for_each_child(order_[next], mark);

  // Ids are topological. Once much of the graph is reached, the rest is reached by one pass down and put in order by
  // one pass up, which read the nodes as they lie in memory; a sparse set is sorted.
  if (next < order_.size()) {
    for (NodeId id = high + 1; id-- > 0;)
      if (marks[id] != 0) graph_.for_each_child(id, [&](NodeId child) { marks[child] = 1; });
    order_.clear();
    for (NodeId id = 0; id <= high; ++id)
      if (marks[id] != 0) order_.push_back(id);
  } else {
    std::ranges::sort(order_);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) marks[order_[i]] = static_cast<std::uint32_t>(i + 1);
}

}  // namespace dalembert
