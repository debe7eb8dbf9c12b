#include "mechanics/listing/unit_norm.hpp"

#include <dalembert/expr/canonical.hpp>

#include "expr/walk.hpp"
#include "model/time_derivative.hpp"

namespace dalembert {

OnUnitQuaternions::OnUnitQuaternions(const Model& model) {
  const TimeDerivative derive(model);
  for (const Constraint& constraint : model.constraints) {
    if (!constraint.is_unit) continue;
    Graph& graph = *model.graph;
    const Expr square = constraint.f + 1;
    by_[square.id()] = graph.constant(1).id();
    Expr rate = derive(square);
    for (const Expr& multiple : {rate, rate / 2}) by_[multiple.id()] = graph.constant(0).id();
  }
}

Expr OnUnitQuaternions::operator()(Expr expression) const {
  if (by_.empty()) return expression;
  Graph& graph = expression.graph();
  std::vector<Expr> arguments;
  return walk_values<Expr>(graph, {&expression, 1}, [&](NodeId id, auto& at) {
    if (auto found = by_.find(id); found != by_.end()) return graph[found->second];
    arguments.clear();
    bool changed = false;
    graph.for_each_child(id, [&](NodeId child) {
      arguments.push_back(at(child));
      changed |= arguments.back().id() != child;
    });
    return changed ? graph.rebuild(id, arguments) : graph[id];
  })[0];
}

Expr OnUnitQuaternions::simplify(Expr expression) const {
  if (by_.empty()) return expression;
  constexpr CanonicalLimits limits{.work = 3e6};
  const Displayed simple = make_canonical(expression, limits);
  return (*this)(simple.complete ? simple.expression : expression);
}

}  // namespace dalembert
