#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/study/reactions.hpp>

#include "study/metric_reactions.hpp"
#include "study/writer.hpp"

// Reactions from the surplus equations (Hamel 1904, section 3): the equation of a velocity that a constraint forbids,
// evaluated on the motion, gives that constraint's reaction without the others.

namespace dalembert {
namespace {

/// The formula in t, q and the velocities where their derivatives can be written out, else with these.
std::string write_formula(const Equations& equations, const ReactionFormula& reaction, const Solution& solution,
                          double work) {
  CanonicalLimits limits;
  limits.work = work;
  auto text = [&](Expr formula) {
    Displayed shown = make_display(formula, equations.velocities, limits);
    std::string written = shown.complete ? to_text(shown.shown) : std::string();
    return written.size() > longest_formula ? std::string() : written;
  };
  if (!solution.accelerations.empty()) {
    std::vector<Replacement> motion;
    for (std::size_t i = 0; i < solution.accelerations.size(); ++i)
      motion.push_back({equations.accelerations[i], solution.accelerations[i]});
    if (std::string written = text(substitute(reaction.value, motion)); !written.empty()) return written;
  }
  return text(reaction.value);
}

/// The reaction with another value: what it exerts changes with it.
void set_value(Reaction& reaction, double value) {
  const double part = reaction.value == 0 ? 1 : value / reaction.value;
  for (double& force : reaction.generalized) force *= part;
  for (ForceOn& force : reaction.on)
    for (double& component : force.value) component *= part;
  reaction.by = "surplus";
  reaction.value = value;
}

/// Of many coordinates: the frame is the constraints' velocities and what is orthogonal to them.
void set_large(const Model& model, const State& state, std::vector<Reaction>& reactions) {
  const KineticGeometry geometry = derive_projection(model);
  const MetricReactions at = evaluate_metric_reactions(geometry, state);
  for (Reaction& reaction : reactions) {
    const auto row = std::ranges::find(geometry.equations.rows, reaction.name, &ConstraintRow::name);
    if (row == geometry.equations.rows.end()) continue;
    set_value(reaction, at.lambda[static_cast<std::size_t>(row - geometry.equations.rows.begin())]);
    reaction.remark = "none is short";
  }
}

}  // namespace

std::vector<Reaction> find_surplus_reactions(const Model& model, const ModelState& state,
                                             const ReactionOptions& options) {
  const Equations multipliers = derive_multipliers(model);
  const State in_rates{state.t, state.q, state.rates};
  ReactionOptions values = options;
  values.formulas = false;
  std::vector<Reaction> reactions = find_reactions(multipliers, in_rates, values);
  if (model.coordinates.size() > most_dense) {
    set_large(model, in_rates, reactions);
    return reactions;
  }
  const Equations motion = derive_hamel_motion(model).equations;
  Equations shown;
  Solution solution;
  bool readable = options.formulas && !motion.recovery;
  if (readable) {
    shown = derive_hamel(model);
    solution = solve_symbolically_in(shown, work_to_solve);
  }
  const System system(motion);
  Workspace workspace = system.make_workspace();
  std::vector<double> row = system.evaluate_row(workspace, system.to_state(workspace, state));
  for (Reaction& reaction : reactions) {
    const auto& columns = system.columns();
    auto column = std::ranges::find(columns, reaction_symbol(reaction.name));
    if (column == columns.end()) continue;
    set_value(reaction, row[static_cast<std::size_t>(column - columns.begin())]);
    reaction.remark = readable ? "none is short" : "the constraints are dependent";
    if (!readable) continue;
    auto formula = std::ranges::find(shown.quasi->reactions, reaction.name, &ReactionFormula::name);
    if (formula != shown.quasi->reactions.end())
      reaction.formula = write_formula(shown, *formula, solution, work_to_write);
    if (reaction.formula.empty()) continue;
    reaction.formula_by = "hamel";
    reaction.remark.clear();
  }
  return reactions;
}

}  // namespace dalembert
