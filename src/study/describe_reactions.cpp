#include <algorithm>
#include <dalembert/expr/print.hpp>
#include <dalembert/study/questions.hpp>

namespace dalembert {
namespace {

std::vector<Reaction> find_by(const std::string& by, const Model& model, const Equations& equations,
                              const State& state) {
  if (by == "multipliers") return find_reactions(equations, state);
  if (by == "hamel") return find_surplus_reactions(model, {state.t, state.q, state.u});
  if (by == "projection") return find_projected_reactions(model, {state.t, state.q, state.u});
  throw InputError({"", {}, "by", "there are no reactions by " + by, "use multipliers, hamel or projection"});
}

/// Where a formula or a force is written with them.
std::vector<std::pair<std::string, double>> accelerations_read(const Equations& equations,
                                                               const ReactionsReport& report) {
  std::vector<std::pair<std::string, double>> accelerations;
  if (std::ranges::none_of(report.reactions, [](const Reaction& each) { return each.formula_by == "balance"; }))
    return accelerations;
  const Response motion = System(equations).evaluate_motion(report.state);
  for (std::size_t i = 0; i < motion.acceleration.size(); ++i) {
    const std::string name = equations.accelerations[i].name();
    if (std::ranges::any_of(report.reactions,
                            [&](const Reaction& each) { return each.formula.find(name) != std::string::npos; }))
      accelerations.emplace_back(name, motion.acceleration[i]);
  }
  return accelerations;
}

std::vector<std::string> find_unreleased(const Model& model) {
  std::vector<std::string> names = find_releasable(model);
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::any_of(model.releases, [&](const Release& release) {
      return release.name == name || to_text(release.released) == name;
    });
  });
  return names;
}

}  // namespace

ReactionsReport describe_reactions(const Model& model, const ReactionsOptions& options) {
  const Equations equations = derive_multipliers(model);
  ReactionsReport report;
  report.names = symbol_names(model);
  report.state = state_at(System(equations), options.time, options.stop, options.time_key);
  report.at_rest = options.at_rest;
  if (options.at_rest) std::ranges::fill(report.state.u, 0.0);
  report.reactions = find_by(options.by, model, equations, report.state);
  report.accelerations = accelerations_read(equations, report);
  report.joints = find_joint_loads(equations, report.state);
  report.releasable = find_unreleased(model);
  for (std::size_t i = 1; i < model.frames.size() && options.offers_joints; ++i)
    report.hung.push_back(model.frames[i].name);
  if (options.at_rest) report.remarks = statics_remarks(equations, report.state);
  if (options.along)
    report.along = System(with_joint_outputs(equations)).simulate({.progress = options.progress, .stop = options.stop});
  return report;
}

}  // namespace dalembert
