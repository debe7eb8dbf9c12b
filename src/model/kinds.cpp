#include "model/kinds.hpp"

namespace dalembert {

void KindsOfSymbols::set(Expr symbol, Kinds kind) {
  if (symbol.id() >= symbols_.size()) symbols_.resize(symbol.id() + 1, none);
  symbols_[symbol.id()] = kind;
  // In a graph that held the symbol before, what was looked at too early is looked at again.
  if (symbol.id() < kinds_.size() && kinds_[symbol.id()] != kind) kinds_.resize(symbol.id());
}

unsigned KindsOfSymbols::of_symbol(Expr symbol) const {
  return symbol.id() < symbols_.size() ? symbols_[symbol.id()] : 0U;
}

unsigned KindsOfSymbols::of(Expr expression) {
  for (std::size_t id = kinds_.size(); id <= expression.id(); ++id) {
    unsigned kinds = 0;
    NodeId node = static_cast<NodeId>(id);
    if (graph_.op(node) == Op::symbol) kinds = of_symbol(graph_[node]);
    graph_.for_each_child(node, [&](NodeId child) { kinds |= kinds_[child]; });
    kinds_.push_back(static_cast<std::uint16_t>(kinds));
  }
  return kinds_[expression.id()];
}

}  // namespace dalembert
