#include <cstring>

#include "study/verify/verify.hpp"

namespace dalembert {
namespace {

std::vector<Expr> program_outputs(const Equations& equations) {
  std::vector<Expr> outputs = equations.bias;
  for (const auto& row : equations.mass)
    for (const Entry& entry : row) outputs.push_back(entry.value);
  for (const ConstraintRow& row : equations.rows) {
    outputs.push_back(row.drift);
    for (const Entry& entry : row.jacobian) outputs.push_back(entry.value);
  }
  return outputs;
}

/// Zero for the same bits (NaN in both counts as the same), else at least the least positive number.
double bit_difference(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (std::memcmp(&a, &b, sizeof a) == 0) return 0;
  return std::max(std::abs(a - b), std::numeric_limits<double>::denorm_min());
}

}  // namespace

CompiledRoutes::CompiledRoutes(const Model& model, const Equations& equations)
    : equations_(equations), outputs_(program_outputs(equations)), parameters_(tracked_parameters(model)) {
  std::vector<Expr> inputs{equations.time}, symbols;
  inputs.insert(inputs.end(), equations.coordinates.begin(), equations.coordinates.end());
  inputs.insert(inputs.end(), equations.velocities.begin(), equations.velocities.end());
  for (const Parameter& parameter : model.parameters) symbols.push_back(parameter.symbol);
  Program program = make_program(inputs, symbols, outputs_);
  native_ = compile(program);
  interpreter_ = compile(std::move(program), {.native = false, .scalar = false, .lanes = false});
  native_space_ = native_.make_scratch();
  interpreter_space_ = interpreter_.make_scratch();
  std::vector<double> values = parameter_values(model);
  native_.set_parameters(native_space_, values);
  interpreter_.set_parameters(interpreter_space_, values);
}

void CompiledRoutes::compare(const State& state, Ledger& ledger) {
  std::vector<double> inputs{state.t}, native(outputs_.size()), interpreted(outputs_.size());
  inputs.insert(inputs.end(), state.q.begin(), state.q.end());
  inputs.insert(inputs.end(), state.u.begin(), state.u.end());
  native_.evaluate(native_space_, inputs, native);
  interpreter_.evaluate(interpreter_space_, inputs, interpreted);
  std::vector<Tracked> plain = evaluate_tracked(outputs_, tracked_state(parameters_, equations_, state));
  const std::string what = "M, h, A, drift (" + equations_.by + ")";
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (native_.is_native())
      ledger(what, "native code", "interpreter").add(bit_difference(native[i], interpreted[i]), 0);
    ledger(what, "program", "plain evaluation").add(interpreted[i] - plain[i].value, 4 * plain[i].error);
  }
}

}  // namespace dalembert
