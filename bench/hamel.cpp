// Accelerations by Hamel's equations against the multiplier form: machine instructions, and time. Exit status 1 if a
// ratio is over its limit.

#include <fmt/format.h>

#include <cmath>
#include <dalembert/expr/linear.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/mechanics/state.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/program/program.hpp>
#include <stdexcept>

#include "measure.hpp"

using namespace dalembert;

namespace {

std::vector<Expr> negative(std::vector<Expr> list) {
  for (Expr& entry : list) entry = -entry;
  return list;
}

/// u' = M^-1 (A^T lambda - bias) with (A M^-1 A^T) lambda = A M^-1 bias - drift, factors unrolled.
std::vector<Expr> accelerations(const Equations& equations) {
  Graph& graph = *equations.graph;
  LdltFactor mass = factor_ldlt(equations.mass);
  std::vector<Expr> motion = solve_ldlt(mass, negative(equations.bias)), right;
  std::vector<std::vector<Expr>> response, gram(equations.rows.size());
  auto times = [&](const ConstraintRow& row, const std::vector<Expr>& column) {
    std::vector<Expr> terms;
    for (const Entry& entry : row.jacobian) terms.push_back(entry.value * column[entry.column]);
    return graph.sum(terms);
  };
  for (const ConstraintRow& row : equations.rows) {
    std::vector<Expr> column(motion.size(), graph.constant(0));
    for (const Entry& entry : row.jacobian) column[entry.column] = entry.value;
    response.push_back(solve_ldlt(mass, column));
    right.push_back(-row.drift - times(row, motion));
  }
  if (response.empty()) return motion;
  for (std::size_t a = 0; a < response.size(); ++a)
    for (std::size_t b = 0; b < response.size(); ++b) gram[a].push_back(times(equations.rows[a], response[b]));
  std::vector<Expr> multipliers = solve_ldlt(factor_ldlt(make_symmetric_rows(gram)), right);
  for (std::size_t a = 0; a < response.size(); ++a)
    for (std::size_t i = 0; i < motion.size(); ++i) motion[i] += response[a][i] * multipliers[a];
  return motion;
}

Function compiled(const Equations& equations, const std::vector<Expr>& outputs) {
  std::vector<Expr> inputs{equations.time}, parameters;
  inputs.insert(inputs.end(), equations.coordinates.begin(), equations.coordinates.end());
  inputs.insert(inputs.end(), equations.velocities.begin(), equations.velocities.end());
  if (equations.has_choice())
    inputs.insert(inputs.end(), equations.quasi->completion->symbols.begin(),
                  equations.quasi->completion->symbols.end());
  for (const Parameter& parameter : equations.model->parameters) parameters.push_back(parameter.symbol);
  return compile(make_program(inputs, parameters, outputs), {.lanes = false});
}

double time_of(const Model& model, const Function& function, const std::vector<double>& inputs,
               std::vector<double>& outputs) {
  Scratch scratch = function.make_scratch();
  function.set_parameters(scratch, parameter_values(model));
  outputs.assign(function.output_count(), 0.0);
  return bench::seconds([&] { function.evaluate(scratch, inputs, outputs); });
}

std::vector<double> start_of(const Equations& equations) {
  const State start = initial_state(equations, parameter_values(*equations.model));
  std::vector<double> inputs{0};
  inputs.insert(inputs.end(), start.q.begin(), start.q.end());
  inputs.insert(inputs.end(), start.u.begin(), start.u.end());
  inputs.insert(inputs.end(), start.choice.begin(), start.choice.end());
  return inputs;
}

/// What is timed must be right: the same accelerations of the model's coordinates.
void expect_same_motion(const Model& model, const Equations& hamel, const std::vector<double>& u,
                        const std::vector<double>& q) {
  const std::vector<double> parameters = parameter_values(model);
  std::vector<Binding> bindings = bind_symbols(hamel, initial_state(hamel, parameters), parameters);
  for (std::size_t i = 0; i < u.size(); ++i) bindings.push_back({hamel.accelerations[i], u[i]});
  std::vector<double> seen = evaluate(hamel.model_accelerations, bindings);
  for (std::size_t i = 0; i < q.size(); ++i)
    if (!(std::abs(seen[i] - q[i]) <= 1e-9 * (1 + std::abs(q[i])))) throw std::runtime_error("the motions differ");
}

void compare(const std::string& name, double limit, double microseconds) {
  Model model = load_model(find_model("models:" + name));
  Equations multipliers = derive_multipliers(model), hamel;
  const double deriving = bench::seconds_once([&] { hamel = derive_hamel_motion(model).equations; });
  std::vector<Expr> reduced = accelerations(hamel), with_rates = reduced;
  with_rates.insert(with_rates.end(), hamel.rates.begin(), hamel.rates.end());
  Function full = compiled(multipliers, accelerations(multipliers)), small = compiled(hamel, reduced),
           whole = compiled(hamel, with_rates);
  std::vector<double> q, u, all;
  double long_time = time_of(model, full, start_of(multipliers), q);
  double short_time = time_of(model, small, start_of(hamel), u);
  double whole_time = time_of(model, whole, start_of(hamel), all);
  expect_same_motion(model, hamel, u, q);
  auto count = [](const Function& function) {
    std::size_t machine = function.machine_instruction_count();
    return static_cast<double>(machine > 0 ? machine : function.program().body.code.size());
  };
  fmt::print(
      "{}: {:.0f} instructions by multipliers, {:.0f} by Hamel, {:.0f} with the coordinates' rates; {:.1f}, {:.1f} "
      "and {:.1f} ns\n",
      name, count(full), count(small), count(whole), 1e9 * long_time, 1e9 * short_time, 1e9 * whole_time);
  bench::report(name + ": instructions, Hamel / multipliers", count(small) / count(full), limit, "");
  bench::report(name + ": Hamel's equations, once", deriving, 1, "s");
  bench::report(name + ": accelerations and rates by Hamel", 1e6 * whole_time, microseconds, "us");
}

}  // namespace

int main() {
  compare("rolling_disk_tilted", 0.5, 0.2);
  compare("chaplygin_sleigh_offset", 0.7, 0.1);
  compare("whipple_bicycle", 2.5, 3);
  return bench::all_within ? 0 : 1;
}
