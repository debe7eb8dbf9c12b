// Where formulas change from one piece to another.

#include <algorithm>

#include "expr/walk.hpp"
#include "simulate/system/compiled.hpp"

namespace dalembert {

std::vector<Expr> find_switches(Graph& graph, std::span<const Expr> formulas) {
  std::vector<Expr> found;
  const std::vector<NodeId> order = Walk(graph, formulas).order();  // the graph grows below
  for (NodeId id : order) {
    const Op op = graph.op(id);
    if (op != Op::sign && op != Op::abs && op != Op::min && op != Op::max) continue;
    const std::span<const NodeId> read = graph.arguments(id);
    const std::vector<NodeId> arguments(read.begin(), read.end());
    if (arguments.size() == 1) found.emplace_back(graph, arguments[0]);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) found.push_back(Expr(graph, arguments[i]) - Expr(graph, arguments[j]));
  }
  std::ranges::sort(found, {}, [](const Expr& switching) { return switching.id(); });
  const auto is_same = [](const Expr& a, const Expr& b) { return a.id() == b.id(); };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  std::erase_if(found, [](const Expr& switching) { return switching.is_constant(); });
  return found;
}

}  // namespace dalembert
