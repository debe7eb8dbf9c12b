#include "expr/walk.hpp"

#include <algorithm>
#include <dalembert/base/work_limit.hpp>
#include <memory>

#include "base/thread_value.hpp"

namespace dalembert {
namespace {

constexpr NodeId sparse = 32;           // to reach a node and to sort it takes as long as to pass by so many
constexpr std::size_t most_spare = 16;  // walks inside each other: room is made before, so that giving back cannot fail

/// Marks that no walk of this thread has at hand, all zero. They are the thread's and not the graph's, so that any
/// number of threads may read one graph.
using SpareMarks = std::vector<std::vector<std::uint32_t>>;
constinit thread_local SpareMarks* spare = nullptr;

void make_spare() {
  static const ThreadValue owner([](void* made) { delete static_cast<SpareMarks*>(made); });
  auto made = std::make_unique<SpareMarks>();
  made->reserve(most_spare);
  owner.set(made.get());
  spare = made.release();
}

}  // namespace

Walk::Walk(Graph& graph, std::span<const Expr> roots) : graph_(graph) {
  for (const Expr& root : roots) graph_.id_of(root);  // refused before anything is lent
  if (spare == nullptr) make_spare();
  if (!spare->empty()) {
    marks_ = std::move(spare->back());
    spare->pop_back();
  }
  if (marks_.size() < graph_.size()) marks_.resize(graph_.size() + graph_.size() / 2, 0);
  reach(roots);
  spend_work(static_cast<double>(order_.size()));
}

Walk::~Walk() {
  for (NodeId id : order_) marks_[id] = 0;
  if (spare->size() < most_spare) spare->push_back(std::move(marks_));
}

void Walk::reach(std::span<const Expr> roots) {
  NodeId high = 0;
  auto mark = [&](NodeId id) {
    if (marks_[id] != 0) return;
    marks_[id] = 1;
    order_.push_back(id);
  };
  for (const Expr& root : roots) {
    mark(root.id());
    high = std::max(high, root.id());
  }
  std::size_t next = 0;
  for (; next < order_.size() && order_.size() <= high / sparse; ++next) graph_.for_each_child(order_[next], mark);

  // Ids are topological. Once a good part of the graph is reached, the rest is reached by one pass down and put in
  // order by one pass up, which read the nodes as they lie in memory; a sparse set is sorted.
  if (next < order_.size()) {
    for (NodeId id = high + 1; id-- > 0;)
      if (marks_[id] != 0) graph_.for_each_child(id, [&](NodeId child) { marks_[child] = 1; });
    order_.clear();
    for (NodeId id = 0; id <= high; ++id)
      if (marks_[id] != 0) order_.push_back(id);
  } else {
    std::ranges::sort(order_);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) marks_[order_[i]] = static_cast<std::uint32_t>(i + 1);
}

}  // namespace dalembert
