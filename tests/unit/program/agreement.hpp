#pragma once
// Random graphs and the comparison of the ways to evaluate them; shared by the unit tests and the long run.

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <dalembert/program/program.hpp>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace dalembert::testing {

struct RandomGraph {
  Graph graph;
  std::vector<Expr> inputs, parameters, outputs;
};

/// A graph of about `size` nodes over every operation. Arguments are taken from recent nodes mostly, so that it is
/// deep.
inline void make_random_graph(RandomGraph& result, std::mt19937_64& random, std::size_t size,
                              bool with_functions = true) {
  Graph& g = result.graph;
  auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<Expr> pool;
  for (std::size_t i = 0, n = 1 + below(6); i < n; ++i) result.inputs.push_back(g.symbol(fmt::format("x{}", i)));
  for (std::size_t i = 0, n = below(5); i < n; ++i) result.parameters.push_back(g.symbol(fmt::format("p{}", i)));
  pool = result.inputs;
  pool.insert(pool.end(), result.parameters.begin(), result.parameters.end());
  pool.push_back(g.constant(mpq_class(7, 3)));
  pool.push_back(g.constant(-2));
  pool.push_back(g.pi());
  auto pick = [&] {
    std::size_t window = below(3) == 0 ? pool.size() : std::min<std::size_t>(pool.size(), 40);
    return pool[pool.size() - 1 - below(window)];
  };
  constexpr Op unary[] = {Op::sin,  Op::cos,  Op::tan,  Op::asin, Op::acos, Op::atan,
                          Op::sinh, Op::cosh, Op::tanh, Op::exp,  Op::log};
  // Small graphs try functions often, large ones rarely: nested functions soon leave the numbers.
  std::size_t rarity = 1 + size / 100;
  while (pool.size() < size + 8) {
    Expr a = pick(), b = pick();
    try {
      switch (below(12)) {
        case 0:
        case 1: pool.push_back(a + b); break;
        case 2: pool.push_back(a - 3 * b / 7); break;
        case 3:
        case 4: pool.push_back(a * b); break;
        case 5: pool.push_back(a * b + pick() * pick() - pick()); break;
        case 6: pool.push_back(a / b); break;
        case 7: pool.push_back(g.power(a, mpq_class(static_cast<long>(below(13)) - 6, 1 + below(2)))); break;
        case 8: pool.push_back(below(2) ? abs(a) : sign(a)); break;
        case 9: pool.push_back(below(2) ? min(a, b) : max(a, b)); break;
        case 10: {
          Expr terms[] = {2 * a, 2 * b * pick(), -2 * pick(), pick()};
          pool.push_back(g.sum(terms));
          break;
        }
        default:
          if (!with_functions || below(rarity) != 0) break;
          switch (below(4)) {
            case 0: pool.push_back(atan2(a, b)); break;
            case 1: pool.push_back(pow(a, b)); break;
            case 2: pool.push_back(g.power(a, mpq_class(1 + static_cast<long>(below(5)), 3))); break;
            default: pool.push_back(g.unary(unary[below(std::size(unary))], a)); break;
          }
      }
    } catch (const std::exception&) {  // division by an exact zero and the like
    }
  }
  for (std::size_t i = 0, n = 1 + below(8); i < n; ++i) result.outputs.push_back(pick());
  result.outputs.push_back(pool.back());
}

/// Ordinary numbers mostly, and every special kind.
inline double random_number(std::mt19937_64& random) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double special[] = {0.0,
                                -0.0,
                                inf,
                                -inf,
                                std::numeric_limits<double>::quiet_NaN(),
                                5e-324,
                                -5e-324,
                                1e-310,
                                1.0,
                                -1.0,
                                0.5,
                                2.0,
                                1e308,
                                -1e308,
                                1e-308,
                                3.141592653589793,
                                1e22};
  switch (random() % 8) {
    case 0: return special[random() % std::size(special)];
    case 1: return std::bit_cast<double>(random());
    default: return std::normal_distribution<double>(0, 1 + static_cast<double>(random() % 3))(random);
  }
}

inline bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Evaluates by interpreter and native code, scalar and lanes, at four random points; returns the number of values that
/// differ in any bit (NaN equals NaN).
inline std::size_t count_disagreements(const Program& program, std::mt19937_64& random, std::size_t* finite = nullptr) {
  constexpr std::size_t lanes = Function::lane_count;
  Function interpreter = compile(program, {.native = false});
  Function native = compile(program);
  std::size_t inputs = program.input_count(), parameters = program.parameter_count(), outputs = program.output_count();
  std::vector<double> x(inputs * lanes), p(parameters * lanes);
  for (double& value : x) value = random_number(random);
  for (double& value : p) value = random_number(random);
  std::vector<double> by_interpreter(outputs * lanes), by_native(outputs * lanes);
  Scratch first = interpreter.make_scratch(), second = native.make_scratch();
  interpreter.set_lane_parameters(first, p);
  native.set_lane_parameters(second, p);
  interpreter.evaluate_lanes(first, x, by_interpreter);
  native.evaluate_lanes(second, x, by_native);
  std::size_t differences = 0;
  for (std::size_t i = 0; i < outputs * lanes; ++i) differences += !same_bits(by_interpreter[i], by_native[i]);
  std::vector<double> one_x(inputs), one_p(parameters), one(outputs), two(outputs);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t i = 0; i < inputs; ++i) one_x[i] = x[lanes * i + lane];
    for (std::size_t i = 0; i < parameters; ++i) one_p[i] = p[lanes * i + lane];
    interpreter.set_parameters(first, one_p);
    native.set_parameters(second, one_p);
    interpreter.evaluate(first, one_x, one);
    native.evaluate(second, one_x, two);
    for (std::size_t i = 0; i < outputs; ++i) {
      differences += !same_bits(one[i], by_interpreter[lanes * i + lane]);
      differences += !same_bits(two[i], by_interpreter[lanes * i + lane]);
      if (finite != nullptr) *finite += std::isfinite(one[i]);
    }
  }
  return differences;
}

}  // namespace dalembert::testing
