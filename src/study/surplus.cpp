#include <algorithm>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/study/reactions.hpp>
#include <map>

#include "mechanics/listing/unit_norm.hpp"
#include "study/metric_reactions.hpp"
#include "study/reaction_formulas.hpp"
#include "study/writer.hpp"

// Reactions from the surplus equations (Hamel 1904, section 3): the equation of a velocity that a constraint forbids,
// evaluated on the motion, gives that constraint's reaction without the others.

namespace dalembert {
namespace {

/// Reactions in t, q and the velocities where their derivatives can be written out, else with these.
class SurplusWriter {
 public:
  explicit SurplusWriter(Equations equations) : equations_(std::move(equations)), on_unit_(*equations_.model) {
    const Solution solution = solve_symbolically_in(equations_, work_to_solve);
    for (std::size_t i = 0; i < solution.accelerations.size(); ++i)
      motion_.push_back({equations_.accelerations[i], solution.accelerations[i]});
  }
  /// By reaction, empty where none is short. The smallest come first, so that few are tried in vain.
  std::map<std::string, std::string> run() {
    std::vector<const ReactionFormula*> order;
    for (const ReactionFormula& formula : equations_.quasi->reactions) order.push_back(&formula);
    std::ranges::stable_sort(order, {}, [](const ReactionFormula* formula) { return count_written(formula->value); });
    std::map<std::string, std::string> written;
    for (const ReactionFormula* formula : order) {
      std::string& text = written[formula->name];
      if (!motion_.empty()) text = write(substitute(formula->value, motion_), solved_);
      if (text.empty()) text = write(formula->value, unsolved_);
    }
    return written;
  }

 private:
  std::string write(Expr formula, Tries& tries) const {
    if (!tries.is_worth(formula)) return {};
    CanonicalLimits limits;
    limits.work = work_to_write;
    const Displayed shown = make_display(on_unit_(formula), equations_.velocities, limits);
    std::string written = shown.complete ? to_text(shown.shown) : std::string();
    if (!written.empty() && written.size() <= longest_formula) return written;
    tries.fail(formula);
    return {};
  }

  Equations equations_;
  OnUnitQuaternions on_unit_;
  std::vector<Replacement> motion_;
  Tries solved_, unsolved_;
};

/// In a frame of the constraints that are left when those which follow from them are not there.
std::map<std::string, std::string> write_surplus(const Model& model, const Equations& multipliers, const State& state) {
  const System system(multipliers);
  Workspace workspace = system.make_workspace();
  const Model independent = without_dependent(model, system.analyse_constraints(workspace, state));
  try {
    return SurplusWriter(derive_hamel(independent)).run();
  } catch (const ModelError&) {  // no frame for the formulas: there are values all the same
    return {};
  }
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
  if (reactions.empty()) return reactions;
  if (model.coordinates.size() > most_dense) {
    set_large(model, in_rates, reactions);
    return reactions;
  }
  const std::map<std::string, std::string> written =
      options.formulas ? write_surplus(model, multipliers, in_rates) : std::map<std::string, std::string>();
  const System system(derive_hamel_motion(model, Patience::none).equations);
  Workspace workspace = system.make_workspace();
  std::vector<double> row = system.evaluate_row(workspace, system.to_state(workspace, state));
  for (Reaction& reaction : reactions) {
    const auto& columns = system.columns();
    auto column = std::ranges::find(columns, reaction_symbol(reaction.name));
    if (column == columns.end()) continue;
    set_value(reaction, row[static_cast<std::size_t>(column - columns.begin())]);
    if (!reaction.formula.empty()) continue;  // of a contact that is open
    reaction.remark =
        reaction.unique ? "none is short" : "the constraints are dependent, so it is not determined by itself";
    const auto formula = written.find(reaction.name);
    if (!reaction.unique || formula == written.end() || formula->second.empty()) continue;
    reaction.formula = formula->second;
    reaction.formula_by = "hamel";
    reaction.remark.clear();
  }
  return reactions;
}

}  // namespace dalembert
