#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <dalembert/study/reactions.hpp>

#include "base/tolerances.hpp"
#include "study/reaction_state.hpp"

namespace dalembert {
namespace {

/// d written / d (the mention's symbols), in terms of t, q, q'.
Vector3 slope_of(const Constraint& constraint, const Mention& mention) {
  std::vector<Replacement> meaning;
  for (const Mention& other : constraint.mentions)
    for (std::size_t k = 0; k < 3; ++k) meaning.push_back({other.symbols[k], other.value[k]});
  std::vector<Expr> slope = gradient(constraint.written, mention.symbols);
  slope = substitute(slope, meaning);
  return {slope[0], slope[1], slope[2]};
}

ForceOn force_on(const Constraint& constraint, const Mention& mention, Expr multiplier, double value,
                 const std::vector<Binding>& bindings, Writer& write) {
  ForceOn force;
  force.on = mention.on;
  force.is_couple = mention.kind == Mention::Kind::omega;
  Vector3 slope = slope_of(constraint, mention);
  for (std::size_t k = 0; k < 3; ++k) {
    double factor = evaluate(slope[k], bindings);
    force.value[k] = factor == 0 ? 0 : value * factor;
    if (multiplier) force.formula[k] = write(multiplier * slope[k]);
  }
  return force;
}

/// Contacts follow the equations' own rows.
const ConstraintRow& row_of(const Equations& equations, std::size_t a) {
  return a < equations.rows.size() ? equations.rows[a] : equations.contacts[a - equations.rows.size()];
}

/// Of a multiplier while the same contacts stay closed; empty where there is none.
Expr formula_of(const ReactionState& at, std::size_t a) {
  const std::size_t rows = at.equations.rows.size();
  std::size_t solved = a;
  if (a >= rows) {
    const auto found = std::ranges::find(at.closed, a - rows);
    if (found == at.closed.end()) return std::isnan(at.multipliers[a]) ? Expr() : at.model.graph->constant(0);
    solved = rows + static_cast<std::size_t>(found - at.closed.begin());
  }
  return at.solution.multipliers.empty() ? Expr() : at.solution.multipliers[solved];
}

/// The model with a state as its initial one, in numbers of as many digits as a person may read.
Model started_at(const Model& model, const State& state) {
  Model here = model;
  const auto number = [&](double value) { return parse_expression(*model.graph, fmt::format("{:.12g}", value)); };
  for (std::size_t i = 0; i < here.coordinates.size(); ++i) {
    here.coordinates[i].value = number(state.q[i]);
    here.coordinates[i].rate_value = number(state.u[i]);
  }
  return here;
}

}  // namespace

std::vector<std::string> statics_remarks(const Equations& equations, const State& state) {
  Response motion = System(equations).evaluate_motion(state);
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < motion.acceleration.size(); ++i)
    if (std::fabs(motion.acceleration[i]) > tolerance::consistent)
      remarks.push_back(fmt::format("no equilibrium: {}'' would be {:.6g}", equations.model->coordinates[i].name,
                                    motion.acceleration[i]));
  return remarks;
}

std::vector<Reaction> find_reactions(const Equations& of, const State& state, const ReactionOptions& options) {
  if (of.model->constraints.empty() && of.model->releases.empty()) return {};
  const Equations equations = fork(of);
  const Model& model = *equations.model;
  const ReactionState at(equations, state, options);
  const Solution& solution = at.solution;
  Writer write(options.work);
  // Impacts and lift-offs change the constants of integrals: with contacts they are those of the state itself.
  const bool from_here = !equations.contacts.empty() && state.t != 0;
  const Model here = from_here ? started_at(model, state) : model;
  PositionWriter by_position(here, at.held, options.formulas ? options.work / 2 : 0, from_here ? state.t : 0);

  std::vector<Reaction> reactions;
  std::size_t row = 0, contact = equations.rows.size();
  for (const Constraint& constraint : model.constraints) {
    const std::size_t a = constraint.kind == ConstraintKind::one_sided ? contact++ : row++;
    if (constraint.is_unit) continue;
    Reaction reaction;
    reaction.name = constraint.name;
    reaction.value = at.multipliers[a];
    reaction.unique = at.rank.unique[a];
    reaction.generalized.assign(model.coordinates.size(), 0.0);
    for (const Entry& entry : row_of(equations, a).jacobian) {
      double factor = evaluate(entry.value, at.bindings);
      reaction.generalized[entry.column] = factor == 0 ? 0 : factor * reaction.value;
    }
    Expr multiplier = formula_of(at, a);
    if (multiplier) reaction.formula = write(multiplier);
    if (multiplier) reaction.of_position = by_position(multiplier);
    if (from_here && !reaction.of_position.constants.empty())
      reaction.of_position.remark =
          fmt::format("constants as of t = {:.6g}, after what contacts did until then", state.t);
    if (reaction.formula.empty() && options.formulas)
      reaction.remark = std::isnan(reaction.value) && a >= equations.rows.size()
                            ? "the contact is struck at this instant: an impulse acts, not a force"
                        : !reaction.unique        ? "the constraints are dependent, so it is not determined by itself"
                        : solution.remark.empty() ? "the formula grows too large to read"
                                                  : solution.remark;
    for (const Mention& mention : constraint.mentions)
      reaction.on.push_back(force_on(constraint, mention, multiplier, reaction.value, at.bindings, write));
    reactions.push_back(std::move(reaction));
  }
  for (const ReleasedReaction& release : derive_releases(model))
    reactions.push_back(describe_release(at, release, write, by_position));
  return reactions;
}

}  // namespace dalembert
