#include "expr/walk.hpp"

#include <algorithm>

namespace dalembert {

Walk::Walk(Graph& graph, std::span<const Expr> roots) : graph_(graph), level_(graph.scratch_lent_++) {
  if (graph_.scratch_.size() <= level_) graph_.scratch_.emplace_back();
  std::vector<std::uint32_t>& marks = graph_.scratch_[level_];
  if (marks.size() < graph_.size()) marks.resize(graph_.size() + graph_.size() / 2, 0);
  reach(roots);
}

Walk::~Walk() {
  std::vector<std::uint32_t>& marks = graph_.scratch_[level_];
  for (NodeId id : order_) marks[id] = 0;
  --graph_.scratch_lent_;
}

void Walk::reach(std::span<const Expr> roots) {
  std::vector<std::uint32_t>& marks = graph_.scratch_[level_];
  auto mark = [&](NodeId id) {
    if (marks[id] != 0) return;
    marks[id] = 1;
    order_.push_back(id);
  };
  for (const Expr& root : roots) mark(root.id());
  for (std::size_t next = 0; next < order_.size(); ++next) graph_.for_each_child(order_[next], mark);

  // Ids are topological. A dense set is put in order by one pass over the range, a sparse one by sorting.
  auto [low, high] = std::ranges::minmax(order_.empty() ? std::vector<NodeId>{0} : order_);
  if (order_.size() * 16 > high - low) {
    std::size_t count = order_.size();
    order_.clear();
    for (NodeId id = low; count != 0 && order_.size() < count; ++id)
      if (marks[id] != 0) order_.push_back(id);
  } else {
    std::ranges::sort(order_);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) marks[order_[i]] = static_cast<std::uint32_t>(i + 1);
}

}  // namespace dalembert
