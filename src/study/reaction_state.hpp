#pragma once
// What reactions are read from: the motion at a state, and the solution by formulas.

#include "study/writer.hpp"

namespace dalembert {

struct ReactionState {
  /// Writes to the graph of the equations, which are the caller's alone.
  ReactionState(const Equations& equations, const State& state, const ReactionOptions& options);

  /// Are the multipliers of these constraints each determined?
  bool are_unique(const std::vector<std::string>& constraints) const;
  /// A formula of t, q, q', q'' and reaction(c) with the last two put in where they are known as formulas.
  Expr eliminate(Expr formula) const { return eliminate_accelerations(acting, solution, formula); }

  const Model& model;
  const Equations& equations;
  bool formulas;  ///< are wanted
  Response motion;
  std::vector<double> multipliers;  ///< of the equations' rows, then of the contacts; NaN: being struck
  std::vector<std::size_t> closed;  ///< contacts that hold
  Equations acting;                 ///< with these as equations
  RankReport rank;                  ///< names and uniqueness of all of them
  Solution solution;
  std::vector<Binding> bindings;  ///< t, parameters, q, q', q'', reaction(c)
};

inline bool is_readable(const std::array<std::string, 3>& formulas) {
  return !formulas[0].empty() && !formulas[1].empty() && !formulas[2].empty();
}

Reaction describe_release(const ReactionState& at, const ReleasedReaction& release, PositionWriter& by_position);

}  // namespace dalembert
