#include "study/equilibria/balance.hpp"

#include <fmt/format.h>

#include <dalembert/base/work_limit.hpp>

#include "study/linearize/spectrum.hpp"
#include "study/written_out.hpp"

namespace dalembert {

Balance::Balance(const Equations& of, std::span<const std::size_t> inputs)
    : n_(of.coordinates.size()), rows_(of.rows.size()), inputs_(inputs.size()) {
  const Equations equations = fork(of);
  const Model& model = *equations.model;
  Graph& graph = *equations.graph;
  std::vector<Expr> unknowns = equations.coordinates, outputs = equations.bias, parameters;
  std::vector<Replacement> rest = write_out_parameters(model, inputs);
  rest.push_back({equations.time, graph.constant(0)});
  for (const Expr& velocity : equations.velocities) rest.push_back({velocity, graph.constant(0)});
  for (std::size_t r = 0; r < rows_; ++r) {
    const ConstraintRow& row = equations.rows[r];
    unknowns.push_back(graph.symbol(fmt::format("lambda[{}]", r)));  // no name of a model
    for (const Entry& entry : row.jacobian)
      outputs[entry.column] = outputs[entry.column] - entry.value * unknowns.back();
    outputs.push_back(row.position ? row.position : row.offset);
  }
  for (const Parameter& parameter : model.parameters) parameters.push_back(parameter.symbol);
  outputs = substitute(outputs, rest);
  std::vector<Expr> variables = unknowns;
  for (const std::size_t input : inputs) variables.push_back(model.parameters[input].symbol);
  const auto slopes = sparse_jacobian(outputs, variables);
  for (std::size_t i = 0; i < slopes.size(); ++i)
    for (const Entry& entry : slopes[i]) {
      places_.push_back({i, entry.column});
      outputs.push_back(entry.value);
    }
  const Kernel kernel(unknowns, parameters, outputs);
  kernel_ = BoundKernel(kernel);
  kernel_.set_parameters(parameter_values(model));
  values_.resize(kernel.output_count());
}

std::span<const double> Balance::evaluate_entries(std::span<const double> x) {
  constexpr double of_an_instruction = 0.1, at_least = 200;  // as of a linearisation's terms
  spend_work(at_least + of_an_instruction * static_cast<double>(kernel_.instruction_count()));
  kernel_(x.data(), values_.data());
  return values_;
}

CurveValues Balance::evaluate(std::span<const double> x) {
  const std::span<const double> entries = evaluate_entries(x);
  const std::size_t size = n_ + rows_;
  CurveValues made{{entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(size)},
                   NumberMatrix(size, size + inputs_)};
  for (std::size_t k = 0; k < places_.size(); ++k) made.slopes(places_[k].row, places_[k].column) = entries[size + k];
  return made;
}

std::vector<double> Balance::guess_multipliers(std::span<const double> q) {
  std::vector<double> x(q.begin(), q.end());
  x.resize(n_ + rows_, 0.0);
  const CurveValues at = evaluate(x);
  NumberMatrix slopes(n_, rows_);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t k = 0; k < rows_; ++k) slopes(i, k) = -at.slopes(i, n_ + k);
  return solve_least(slopes, {at.residual.begin(), at.residual.begin() + static_cast<std::ptrdiff_t>(n_)});
}

}  // namespace dalembert
