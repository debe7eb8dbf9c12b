#include <algorithm>
#include <dalembert/expr/print.hpp>
#include <dalembert/simulate/system.hpp>

#include "study/reaction_formulas.hpp"

namespace dalembert {
namespace {

/// The formula with accelerations and multipliers put in, or as it is where that is shorter to read.
ReactionText write_formula(const ReactionState& at, Expr formula, double work) {
  if (!at.formulas) return {};
  const Expr solved = at.eliminate(formula);
  const ReactionText put_in{write_if_short(solved, work), "multipliers", solved};
  if (solved == formula) return put_in;
  return choose_readable(put_in, {write_if_short(formula, work), "balance", formula});
}

/// Each formula has its share of the work; a vector that cannot be read in the parent's axes is not tried in the
/// world's.
JointVector describe_vector(const ReactionState& at, const Vector3& world, const Vector3& parent, double work) {
  JointVector result;
  auto write = [&](Expr formula) { return write_formula(at, formula, work).text; };
  for (std::size_t k = 0; k < 3; ++k) {
    result.world[k] = evaluate(world[k], at.bindings);
    result.parent[k] = evaluate(parent[k], at.bindings);
    result.parent_formula[k] = write(parent[k]);
  }
  for (std::size_t k = 0; k < 3 && is_readable(result.parent_formula); ++k)
    result.world_formula[k] = world[k] == parent[k] ? result.parent_formula[k] : write(world[k]);
  return result;
}

}  // namespace

ReactionState::ReactionState(const Equations& by_equations, const State& state, const ReactionOptions& options)
    : model(*by_equations.model), equations(by_equations), formulas(options.formulas) {
  const System system(equations);
  Workspace workspace = system.make_workspace();
  ContactResponse contacts = system.evaluate_contacts(workspace, state);
  motion = contacts.response;
  closed = contacts.closed;
  acting = hold_contacts(equations, closed);
  multipliers = motion.multipliers;
  multipliers.insert(multipliers.end(), contacts.multipliers.begin(), contacts.multipliers.end());
  rank = system.analyse_constraints(workspace, state);
  for (const ConstraintRow& contact : equations.contacts) rank.names.push_back(contact.name);
  rank.unique = contacts.unique;
  if (formulas) solution = solve_symbolically_in(acting, work_to_solve);
  bindings = bind_symbols(equations, state, workspace.parameters());
  for (std::size_t i = 0; i < motion.acceleration.size(); ++i)
    bindings.push_back({equations.accelerations[i], motion.acceleration[i]});
  std::vector<ConstraintRow> rows = equations.rows;
  rows.insert(rows.end(), equations.contacts.begin(), equations.contacts.end());
  for (std::size_t a = 0; a < rows.size(); ++a)
    bindings.push_back({model.graph->symbol(reaction_symbol(rows[a].name)), multipliers[a]});
}

bool ReactionState::are_unique(const std::vector<std::string>& constraints) const {
  return std::ranges::all_of(constraints, [&](const std::string& name) {
    auto found = std::ranges::find(rank.names, name);
    return found == rank.names.end() || rank.unique[static_cast<std::size_t>(found - rank.names.begin())];
  });
}

Reaction describe_release(const ReactionState& at, const ReleasedReaction& release, PositionWriter& by_position) {
  Reaction reaction;
  reaction.name = release.name;
  reaction.by = "release";
  reaction.value = evaluate(release.lambda, at.bindings);
  const ReactionText lambda = write_formula(at, release.lambda, work_to_write);
  reaction.formula = lambda.text;
  reaction.formula_by = lambda.by;
  reaction.unique = at.are_unique(release.carried);
  reaction.generalized.assign(at.model.coordinates.size(), 0.0);  // rho_h = 0 for the other coordinates
  if (reaction.formula.empty() && at.formulas) reaction.remark = "none is short";
  if (!at.solution.accelerations.empty()) reaction.of_position = by_position(at.eliminate(release.lambda));

  ReleasedText text;
  text.rho = evaluate(release.rho, at.bindings);
  text.rho_formula = release.gradient ? write_formula(at, release.rho, work_to_write).text : reaction.formula;
  if (release.rate) {
    text.power = evaluate(release.rho * release.rate, at.bindings);
    text.power_formula = write_formula(at, release.rho * release.rate, work_to_write).text;
  }
  text.orthogonal = release.orthogonal;
  text.remark = release.remark;
  reaction.released = text;

  for (const PointLoad& load : release.on) {
    ForceOn force;
    force.on = load.on;
    force.is_known = load.direction.has_value();
    for (std::size_t k = 0; force.is_known && k < 3; ++k) {
      Expr component = release.lambda * (*load.direction)[k];
      force.value[k] = (*load.direction)[k].is_zero() ? 0 : evaluate(component, at.bindings);
    }
    if (force.is_known && at.formulas) force.formula = write_load(at, release.name, lambda, *load.direction);
    reaction.on.push_back(std::move(force));
  }
  return reaction;
}

std::vector<JointReport> find_joint_loads(const Equations& of, const State& state, const ReactionOptions& options) {
  std::vector<JointReport> reports;
  if (of.model->joints.empty()) return reports;
  const Equations equations = fork(of);
  const ReactionState at(equations, state, options);
  const double each = options.work / 100;
  for (const JointLoad& load : derive_joints(equations.model)) {
    JointReport report;
    report.name = load.name;
    report.parent = load.parent;
    report.unique = at.are_unique(load.carried);
    report.force = describe_vector(at, load.force, load.force_parent, each);
    report.couple = describe_vector(at, load.couple, load.couple_parent, each);
    if (options.formulas && !(is_readable(report.force.parent_formula) && is_readable(report.couple.parent_formula)))
      report.remark = "the formulas grow too large to read";
    reports.push_back(std::move(report));
  }
  return reports;
}

Equations with_joint_outputs(const Equations& of) {
  Equations equations = fork(of);
  auto own = std::make_shared<Model>(*equations.model);
  Model& model = *own;
  for (const JointLoad& load : derive_joints(equations.model)) {
    auto add = [&](const std::string& name, const Vector3& vector) {
      for (std::size_t k = 0; k < 3; ++k)
        model.outputs.push_back({"joint(" + load.name + ")." + name + "." + "xyz" [k], vector[k], {}});
    };
    add("force", load.force);
    add("couple", load.couple);
    add("parent.force", load.force_parent);
    add("parent.couple", load.couple_parent);
  }
  equations.model = std::move(own);
  return equations;
}

}  // namespace dalembert
