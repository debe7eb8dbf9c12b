#pragma once
// What an expression depends on, as a set of kinds of symbols.

#include <cstdint>
#include <dalembert/expr/expr.hpp>
#include <vector>

namespace dalembert {

enum Kinds : std::uint16_t {
  none = 0,
  of_parameters = 1,
  of_time = 2,
  of_coordinates = 4,
  of_rates = 8,
  of_accelerations = 16,
  of_reduced = 32,    ///< coordinates of [reduction]
  of_motion = 64,     ///< reactions and energy: known along a motion only
  of_mentions = 128,  ///< symbols that stand for position(P), ...
  in_positions = of_parameters | of_time | of_coordinates,
  in_states = in_positions | of_rates,
};

/// Answers in time that is linear over the whole life of a graph: each node is looked at once.
class KindsOfSymbols {
 public:
  explicit KindsOfSymbols(Graph& graph) : graph_(graph) {}

  void set(Expr symbol, Kinds kind);
  unsigned of(Expr expression);
  unsigned of_symbol(Expr symbol) const;

 private:
  Graph& graph_;
  std::vector<std::uint16_t> symbols_;  // by node, as far as set
  std::vector<std::uint16_t> kinds_;    // by node, as far as looked at
};

}  // namespace dalembert
