#include "report/dense_terms.hpp"

namespace dalembert {

std::vector<Expr> dense_terms(const Equations& equations) {
  const std::size_t size = equations.velocities.size();
  Graph& graph = *equations.graph;
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<Expr> row(i + 1, graph.constant(0));
    for (const Entry& entry : equations.mass[i]) row[entry.column] = entry.value;
    terms.insert(terms.end(), row.begin(), row.end());
  }
  terms.insert(terms.end(), equations.bias.begin(), equations.bias.end());
  for (const ConstraintRow& row : equations.rows) {
    std::vector<Expr> dense(size, graph.constant(0));
    for (const Entry& entry : row.jacobian) dense[entry.column] = entry.value;
    terms.insert(terms.end(), dense.begin(), dense.end());
  }
  for (const ConstraintRow& row : equations.rows) terms.push_back(row.drift);
  return terms;
}

std::vector<Expr> state_symbols(const Equations& equations) {
  std::vector<Expr> symbols{equations.time};
  symbols.insert(symbols.end(), equations.coordinates.begin(), equations.coordinates.end());
  symbols.insert(symbols.end(), equations.velocities.begin(), equations.velocities.end());
  return symbols;
}

std::vector<Expr> parameter_symbols(const Model& model) {
  std::vector<Expr> symbols;
  for (const Parameter& parameter : model.parameters) symbols.push_back(parameter.symbol);
  return symbols;
}

}  // namespace dalembert
