#include <cmath>
#include <dalembert/base/work_limit.hpp>
#include <dalembert/expr/evaluator.hpp>
#include <limits>
#include <numbers>

#include "expr/node_map.hpp"
#include "expr/rational.hpp"
#include "expr/walk.hpp"

namespace dalembert {
namespace {

double apply_unary(Op op, double x) {
  switch (op) {
    case Op::sin: return std::sin(x);
    case Op::cos: return std::cos(x);
    case Op::tan: return std::tan(x);
    case Op::asin: return std::asin(x);
    case Op::acos: return std::acos(x);
    case Op::atan: return std::atan(x);
    case Op::sinh: return std::sinh(x);
    case Op::cosh: return std::cosh(x);
    case Op::tanh: return std::tanh(x);
    case Op::exp: return std::exp(x);
    case Op::log: return std::log(x);
    case Op::abs: return std::fabs(x);
    default: return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0));  // sign
  }
}

double apply_exponent(double base, double exponent) {
  if (exponent == 1) return base;
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent == -0.5) return 1 / std::sqrt(base);
  return std::pow(base, exponent);
}

}  // namespace

Evaluator::Evaluator(std::span<const Expr> formulas, std::span<const Expr> symbols) {
  if (formulas.empty()) return;
  Graph& graph = formulas[0].graph();
  Walk walk(graph, formulas);
  spend_work(5 * static_cast<double>(walk.size() + symbols.size()));
  NodeMap<std::uint32_t> given(symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (NodeId id = graph.id_of(symbols[i]); walk.reached(id)) given.set(id, static_cast<std::uint32_t>(i));
  steps_.reserve(walk.size());
  for (NodeId id : walk.order()) {
    Step step{graph.op(id), static_cast<std::uint32_t>(operands_.size()), 0, 0};
    if (step.op == Op::constant) step.constant = nearest_double(graph.value(id));
    if (step.op == Op::sum) step.constant = nearest_double(graph.value(graph.offset(id)));
    if (const std::uint32_t* found = given.find(id); step.op == Op::symbol && found != nullptr) {
      step.begin = *found;
      step.count = 1;
    }
    auto index = [&](NodeId node) { return static_cast<std::uint32_t>(walk.index(node)); };
    for (const Part& part : graph.parts(id))
      operands_.push_back({index(part.node), nearest_double(graph.value(part.weight))});
    for (NodeId argument : graph.arguments(id)) operands_.push_back({index(argument), 1});
    if (step.op != Op::symbol) step.count = static_cast<std::uint32_t>(operands_.size()) - step.begin;
    steps_.push_back(step);
  }
  for (const Expr& formula : formulas) results_.push_back(static_cast<std::uint32_t>(walk.index(formula.id())));
}

double Evaluator::value_of(const Step& step, const std::vector<double>& done, std::span<const double> values) const {
  auto operand = [&](std::uint32_t k) -> const Operand& { return operands_[step.begin + k]; };  // a symbol has none
  auto at = [&](std::uint32_t k) { return done[operand(k).step]; };
  switch (step.op) {
    case Op::constant: return step.constant;
    case Op::pi: return std::numbers::pi;
    case Op::symbol: return step.count == 0 ? std::numeric_limits<double>::quiet_NaN() : values[step.begin];
    case Op::sum: {
      double total = step.constant;
      for (std::uint32_t k = 0; k < step.count; ++k) total += operand(k).weight * at(k);
      return total;
    }
    case Op::product: {
      double total = 1;
      for (std::uint32_t k = 0; k < step.count; ++k) total *= apply_exponent(at(k), operand(k).weight);
      return total;
    }
    case Op::power: return std::pow(at(0), at(1));
    case Op::atan2: return std::atan2(at(0), at(1));
    case Op::min:
    case Op::max: {
      double best = at(0);
      for (std::uint32_t k = 0; k < step.count; ++k)  // not a number where one of them is none, as in programs
        if (const double x = at(k); std::isnan(x) || (step.op == Op::min ? x < best : x > best)) best = x;
      return best;
    }
    default: return apply_unary(step.op, at(0));
  }
}

std::vector<double> Evaluator::operator()(std::span<const double> values) const {
  std::vector<double> done;
  done.reserve(steps_.size());
  for (const Step& step : steps_) done.push_back(value_of(step, done, values));
  std::vector<double> results;
  results.reserve(results_.size());
  for (std::uint32_t result : results_) results.push_back(done[result]);
  return results;
}

std::vector<double> evaluate(std::span<const Expr> expressions, std::span<const Binding> bindings) {
  std::vector<Expr> symbols;
  std::vector<double> values;
  for (const Binding& binding : bindings) {
    symbols.push_back(binding.symbol);
    values.push_back(binding.value);
  }
  return Evaluator(expressions, symbols)(values);
}

double evaluate(Expr expression, std::span<const Binding> bindings) {
  return evaluate(std::span<const Expr>(&expression, 1), bindings)[0];
}

}  // namespace dalembert
