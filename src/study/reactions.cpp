#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <dalembert/study/reactions.hpp>

#include "base/tolerances.hpp"
#include "study/reaction_formulas.hpp"
#include "study/slope.hpp"

namespace dalembert {
namespace {

ForceOn force_on(const ReactionState& at, const Constraint& constraint, const Mention& mention,
                 const ReactionText& multiplier, double value) {
  ForceOn force;
  force.on = mention.on;
  force.is_couple = mention.kind == Mention::Kind::omega;
  Vector3 slope = slope_of(constraint, mention);
  for (std::size_t k = 0; k < 3; ++k) {
    double factor = evaluate(slope[k], at.bindings);
    force.value[k] = factor == 0 ? 0 : value * factor;
  }
  if (at.formulas) force.formula = write_load(at, constraint.name, multiplier, slope);
  return force;
}

/// Contacts follow the equations' own rows.
const ConstraintRow& row_of(const Equations& equations, std::size_t a) {
  return a < equations.rows.size() ? equations.rows[a] : equations.contacts[a - equations.rows.size()];
}

/// Of a multiplier while the same contacts stay closed; empty where there is none.
ReactionText formula_of(const ReactionState& at, ReactionFormulas& formulas, std::size_t a) {
  const std::size_t rows = at.equations.rows.size();
  if (a < rows) return formulas(a);
  const auto found = std::ranges::find(at.closed, a - rows);
  if (found != at.closed.end()) return formulas(rows + static_cast<std::size_t>(found - at.closed.begin()));
  if (std::isnan(at.multipliers[a])) return {};
  return {"0", "multipliers", at.model.graph->constant(0)};
}

std::string why_none(const ReactionState& at, const Reaction& reaction, std::size_t a) {
  if (std::isnan(reaction.value) && a >= at.equations.rows.size())
    return "the contact is struck at this instant: an impulse acts, not a force";
  return reaction.unique ? "none is short" : "the constraints are dependent, so it is not determined by itself";
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

Vector3 slope_of(const Constraint& constraint, const Mention& mention) {
  std::vector<Replacement> meaning;
  for (const Mention& other : constraint.mentions)
    for (std::size_t k = 0; k < 3; ++k) meaning.push_back({other.symbols[k], other.value[k]});
  std::vector<Expr> slope = gradient(constraint.written, mention.symbols);
  slope = substitute(slope, meaning);
  return {slope[0], slope[1], slope[2]};
}

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
  ReactionFormulas formulas(at);
  // Impacts and lift-offs change the constants of integrals: with contacts they are those of the state itself.
  const bool from_here = !equations.contacts.empty() && state.t != 0;
  const Model here = from_here ? started_at(model, state) : model;
  PositionWriter by_position(here, at.acting, options.formulas ? options.work / 6 : 0, from_here ? state.t : 0);

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
    const ReactionText multiplier = formula_of(at, formulas, a);
    reaction.formula = multiplier.text;
    reaction.formula_by = multiplier.by;
    if (multiplier.formula && multiplier.by != "balance") reaction.of_position = by_position(multiplier.formula);
    if (from_here && !reaction.of_position.constants.empty())
      reaction.of_position.remark =
          fmt::format("constants as of t = {:.6g}, after what contacts did until then", state.t);
    if (reaction.formula.empty() && options.formulas) reaction.remark = why_none(at, reaction, a);
    for (const Mention& mention : constraint.mentions)
      if (bears_force(constraint, mention))
        reaction.on.push_back(force_on(at, constraint, mention, multiplier, reaction.value));
    reactions.push_back(std::move(reaction));
  }
  for (const ReleasedReaction& release : derive_releases(equations.model))
    reactions.push_back(describe_release(at, release, by_position));
  return reactions;
}

}  // namespace dalembert
