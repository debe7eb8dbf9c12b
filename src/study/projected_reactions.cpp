#include <algorithm>
#include <cmath>
#include <dalembert/study/geometry.hpp>
#include <dalembert/study/reactions.hpp>

#include "study/metric_reactions.hpp"

namespace dalembert {
namespace {

/// What the projector gives of each constraint that has a row, and of those that give a vector of their own.
struct Projected {
  std::vector<std::string> constraints, basis;
  std::vector<double> lambda, theta;
};

Projected project(const Model& model, const State& state) {
  const KineticGeometry geometry = derive_projection(model);
  if (model.coordinates.size() <= most_dense) {
    GeometryReport at = evaluate_geometry(geometry, state);
    return {std::move(at.constraints), std::move(at.basis), std::move(at.lambda), std::move(at.theta)};
  }
  MetricReactions at = evaluate_metric_reactions(geometry, state);
  std::vector<std::string> names;
  for (const ConstraintRow& row : geometry.equations.rows) names.push_back(row.name);
  return {names, names, std::move(at.lambda), std::move(at.theta)};
}

}  // namespace

std::vector<Reaction> find_projected_reactions(const Model& model, const ModelState& in_model,
                                               const ReactionOptions& options) {
  const State state{in_model.t, in_model.q, in_model.rates};
  const Projected at = project(model, state);
  std::vector<Reaction> reactions = find_reactions(derive_multipliers(model), state, options);
  std::erase_if(reactions, [](const Reaction& reaction) { return reaction.by != "multiplier"; });
  auto index = [](const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  std::erase_if(reactions, [&](const Reaction& reaction) {  // one-sided ones are not among the projector's rows
    return index(at.constraints, reaction.name) == at.constraints.size();
  });
  for (Reaction& reaction : reactions) {
    const double value = at.lambda[index(at.constraints, reaction.name)];
    const double ratio = std::isfinite(reaction.value) && reaction.value != 0 ? value / reaction.value : 1;
    reaction.by = "projection";
    reaction.value = value;
    for (double& load : reaction.generalized) load *= ratio;
    for (ForceOn& force : reaction.on)
      for (double& component : force.value) component *= ratio;
    if (std::size_t a = index(at.basis, reaction.name); a < at.basis.size()) reaction.theta = at.theta[a];
  }
  return reactions;
}

}  // namespace dalembert
