#include "model_options.hpp"

#include <fmt/format.h>

using namespace dalembert;

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.add_option("MODEL", options.model, "A model file, or models:NAME for a bundled one (dalembert models)")
      ->required();
  command
      .add_option("--set", options.set, "Override a parameter or an initial value or rate: --set l=2 --set \"x'=1\"")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
}

Model load_model(const ModelOptions& options) {
  return load_model(options, [](Description&) {});
}

Model load_model(const ModelOptions& options, const std::function<void(Description&)>& change) {
  Overrides overrides;
  for (const std::string& text : options.set) {
    std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError({"", {}, "--set", fmt::format("'{}' does not say what to set", text), "write --set NAME=VALUE"});
    overrides.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  Description description = read_description(find_model(options.model));
  change(description);
  return make_model(description, overrides);
}

void add_time_option(CLI::App& command, std::optional<double>& time) {
  command.add_option("--time", time, "Evaluate at the state reached at this time")->type_name("T");
}

State state_at(const Model& model, const Equations& equations, const std::optional<double>& time) {
  System system(model, equations);
  State start = system.make_consistent_start(system.initial_state(), false).state;
  if (!time || *time == start.t) return start;
  SimulateOptions options = simulate_options(model);
  options.until = *time;
  options.every = *time;
  Trajectory trajectory = simulate(model, equations, options);
  if (trajectory.status != Status::finished)
    throw std::runtime_error(fmt::format("the motion ends at t = {:.6g}, before t = {:.6g}: {}", trajectory.last.t,
                                         *time, trajectory.message));
  return trajectory.last;
}
