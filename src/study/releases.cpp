#include <algorithm>
#include <dalembert/expr/print.hpp>
#include <dalembert/simulate/system.hpp>

#include "study/reaction_state.hpp"

namespace dalembert {
namespace {

/// The formula with accelerations and multipliers put in, or as it is where that is too large to read.
std::string write_formula(const ReactionState& at, Expr formula, Writer& write) {
  if (!at.formulas) return {};
  std::string text = write(at.eliminate(formula));
  if (text.empty()) text = Writer(3e7)(formula);
  constexpr double longest = 500;  // signs; beyond that an unsimplified formula is of no use
  return text.empty() && count_written(formula) < longest ? to_text(formula) : text;
}

bool is_readable(const std::array<std::string, 3>& formulas) {
  return std::ranges::none_of(formulas, [](const std::string& text) { return text.empty(); });
}

/// Each formula has its share of the work; a vector that cannot be read in the parent's axes is not tried in the
/// world's.
JointVector describe_vector(const ReactionState& at, const Vector3& world, const Vector3& parent, double work) {
  JointVector result;
  auto write = [&](Expr formula) {
    Writer own(work);
    return write_formula(at, formula, own);
  };
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
  held = hold_contacts(equations, closed);
  multipliers = motion.multipliers;
  multipliers.insert(multipliers.end(), contacts.multipliers.begin(), contacts.multipliers.end());
  rank = system.analyse_constraints(workspace, state);
  for (const ConstraintRow& contact : equations.contacts) rank.names.push_back(contact.name);
  rank.unique = contacts.unique;
  if (formulas) solution = solve_symbolically(held, options.work / 2);
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

Reaction describe_release(const ReactionState& at, const ReleasedReaction& release, Writer& write,
                          PositionWriter& by_position) {
  Reaction reaction;
  reaction.name = release.name;
  reaction.by = "release";
  reaction.value = evaluate(release.lambda, at.bindings);
  reaction.formula = write_formula(at, release.lambda, write);
  reaction.unique = at.are_unique(release.carried);
  reaction.generalized.assign(at.model.coordinates.size(), 0.0);  // rho_h = 0 for the other coordinates
  if (reaction.formula.empty() && at.formulas) reaction.remark = "the formula grows too large to read";
  if (!at.solution.accelerations.empty()) reaction.of_position = by_position(at.eliminate(release.lambda));

  ReleasedText text;
  text.rho = evaluate(release.rho, at.bindings);
  text.rho_formula = release.gradient ? write_formula(at, release.rho, write) : reaction.formula;
  if (release.rate) {
    text.power = evaluate(release.rho * release.rate, at.bindings);
    text.power_formula = write_formula(at, release.rho * release.rate, write);
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
      force.formula[k] = write_formula(at, component, write);
    }
    reaction.on.push_back(std::move(force));
  }
  return reaction;
}

std::vector<JointReport> find_joint_loads(const Equations& of, const State& state, const ReactionOptions& options) {
  std::vector<JointReport> reports;
  if (of.model->joints.empty()) return reports;
  const Equations equations = fork(of);
  const Model& model = *equations.model;
  const ReactionState at(equations, state, options);
  const double each = options.work / 12;
  for (const Joint& joint : model.joints) {
    JointLoad load = derive_joint(model, joint);
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
  for (const Joint& joint : model.joints) {
    JointLoad load = derive_joint(model, joint);
    auto add = [&](const std::string& name, const Vector3& vector) {
      for (std::size_t k = 0; k < 3; ++k)
        model.outputs.push_back({"joint(" + joint.name + ")." + name + "." + "xyz" [k], vector[k], {}});
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
