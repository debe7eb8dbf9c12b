#pragma once
// What the command and the Python package ask of a model in the same words, each a call.

#include <dalembert/model/description.hpp>
#include <dalembert/study/compare.hpp>
#include <dalembert/study/reactions.hpp>

namespace dalembert {

/// The consistent initial state, or the one reached at a time. InputError about `key` where that lies before the start,
/// ComputationError where the motion ends before it.
State state_at(const System& system, const std::optional<double>& time, const std::atomic<bool>* stop = nullptr,
               const std::string& key = "time");

struct ReactionsOptions {
  std::optional<double> time = {};  ///< at the state reached then, else at the start
  std::string by = "multipliers";   ///< or hamel, projection
  bool at_rest = false;             ///< as statics: all rates zero
  bool along = false;               ///< also along the motion
  bool offers_joints = true;        ///< names frames whose joints could be asked for
  std::function<void(double)> progress = {};
  const std::atomic<bool>* stop = nullptr;
  std::string time_key = "time";  ///< what errors call it
};
/// Every reaction of a model whose start is settled.
ReactionsReport describe_reactions(const Model& model, const ReactionsOptions& options = {});

/// "left = right" in the words of a model file, with momentum(q), the derivative of the Lagrangian by a rate, and
/// beta(mu, nu, rho), Hamel's coefficients by names of quasi-velocities, besides. InputError about "equation" where it
/// is none.
Comparison compare_equation(Description description, const Overrides& overrides, const std::string& equation);

}  // namespace dalembert
