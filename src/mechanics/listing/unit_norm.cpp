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
    const Expr first = free_symbols({&square, 1})[0];
    first_square_.push_back({first, 1 - square + pow(first, 2)});
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

/// c0 + c1 e + c2 e^2 with e^2 put in; as it is where that is not all.
Expr OnUnitQuaternions::without_first_square(Expr expression) const {
  for (const auto& [first, square] : first_square_) {
    const Expr slope = derivative(expression, first), bend = derivative(slope, first) / 2;
    if (depends_on(bend, first) || bend.is_zero()) continue;
    const Replacement at_zero{first, expression.graph().constant(0)};
    expression = substitute(expression, {&at_zero, 1}) + substitute(slope, {&at_zero, 1}) * first + bend * square;
  }
  return expression;
}

Expr OnUnitQuaternions::simplify(Expr expression) const {
  if (by_.empty()) return expression;
  constexpr CanonicalLimits limits{.work = 3e6};
  Expr shortest = (*this)(expression);
  auto offer = [&](Expr other) {
    if (count_written(other) < count_written(shortest)) shortest = other;
  };
  const Displayed simple = make_canonical(expression, limits);
  if (!simple.complete) return shortest;
  offer((*this)(simple.expression));
  const Displayed reduced = make_canonical(without_first_square(shortest), limits);
  if (reduced.complete) offer((*this)(reduced.expression));
  return shortest;
}

}  // namespace dalembert
