#include "mechanics/release/signs.hpp"

namespace dalembert {

/// A parameter p of known sign is written as +-u^2, so that roots of its square open, and u as the root of +-p after.
Expr simplify_by_signs(const Model& model, Expr expression, const CanonicalLimits& limits) {
  Graph& graph = *model.graph;
  std::vector<Replacement> squares, roots;
  std::vector<double> values = parameter_values(model);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Expr parameter = model.parameters[i].symbol;
    if (values[i] == 0 || !depends_on(expression, parameter)) continue;
    Expr root = graph.symbol("root(" + parameter.name() + ")");
    const long sign = values[i] > 0 ? 1 : -1;
    squares.push_back({parameter, sign * pow(root, 2)});
    roots.push_back({root, sqrt(sign * parameter)});
  }
  Displayed opened = make_canonical(substitute(expression, squares), limits);
  if (!opened.complete) return expression;
  Displayed simple = make_canonical(substitute(opened.expression, roots), limits);
  return simple.complete && count_written(simple.expression) < count_written(expression) ? simple.expression
                                                                                         : expression;
}

}  // namespace dalembert
