#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/study/reactions.hpp>

// Reactions from the surplus equations (Hamel 1904, section 3): the equation of a velocity that a constraint forbids,
// evaluated on the motion, gives that constraint's reaction without the others.

namespace dalembert {
namespace {

/// The formula in t, q and the velocities where their derivatives can be written out, else with these.
std::string write_formula(const Equations& equations, const ReactionFormula& reaction, const Solution& solution,
                          double work) {
  constexpr std::size_t longest = 4000;  // characters; beyond that nobody reads
  CanonicalLimits limits;
  limits.work = work;
  auto text = [&](Expr formula) {
    Displayed shown = make_display(formula, equations.velocities, limits);
    std::string written = shown.complete ? to_text(shown.shown) : std::string();
    return written.size() > longest ? std::string() : written;
  };
  if (!solution.accelerations.empty()) {
    std::vector<Replacement> motion;
    for (std::size_t i = 0; i < solution.accelerations.size(); ++i)
      motion.push_back({equations.accelerations[i], solution.accelerations[i]});
    if (std::string written = text(substitute(reaction.value, motion)); !written.empty()) return written;
  }
  return text(reaction.value);
}

}  // namespace

std::vector<Reaction> find_surplus_reactions(const Model& model, const ModelState& state,
                                             const ReactionOptions& options) {
  Equations multipliers = derive_multipliers(model), motion = derive_hamel_motion(model).equations;
  ReactionOptions values = options;
  values.formulas = false;
  std::vector<Reaction> reactions = find_reactions(multipliers, {state.t, state.q, state.rates}, values);
  Equations shown;
  Solution solution;
  bool readable = options.formulas && !motion.recovery;
  if (readable) {
    shown = derive_hamel(model);
    solution = solve_symbolically(shown, options.work / 2);
  }
  const System system(motion);
  Workspace workspace = system.make_workspace();
  std::vector<double> row = system.evaluate_row(workspace, system.to_state(workspace, state));
  for (Reaction& reaction : reactions) {
    const auto& columns = system.columns();
    auto column = std::ranges::find(columns, reaction_symbol(reaction.name));
    if (column == columns.end()) continue;
    double value = row[static_cast<std::size_t>(column - columns.begin())];
    double part = reaction.value == 0 ? 1 : value / reaction.value;
    for (double& force : reaction.generalized) force *= part;
    for (ForceOn& force : reaction.on)
      for (double& component : force.value) component *= part;
    reaction.by = "surplus";
    reaction.value = value;
    reaction.remark = readable ? "the formula grows too large to read" : "the constraints are dependent";
    if (!readable) continue;
    auto formula = std::ranges::find(shown.quasi->reactions, reaction.name, &ReactionFormula::name);
    if (formula != shown.quasi->reactions.end())
      reaction.formula = write_formula(shown, *formula, solution, options.work / 2);
    if (!reaction.formula.empty()) reaction.remark.clear();
  }
  return reactions;
}

}  // namespace dalembert
