#include "model_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

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

CLI::Option* add_number_option(CLI::App& command, const std::string& name, std::optional<double>& number,
                               const std::string& description, const std::string& type, double above) {
  auto complain = [above](const std::string& text) -> std::string {
    double value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      return fmt::format("'{}' is not a number; write it as 2.5 or 1e-3", text);
    return value > above ? "" : fmt::format("{} is too small; give a number above {}", text, above);
  };
  return command.add_option(name, number, description)->type_name(type)->check(CLI::Validator(complain, ""));
}

void add_time_option(CLI::App& command, std::optional<double>& time) {
  add_number_option(command, "--time", time, "Evaluate at the state reached at this time", "T");
}

State state_at(const System& system, const std::optional<double>& time) {
  State start = system.make_consistent_start(system.initial_state(), false).state;
  if (!time || *time == start.t) return start;
  if (*time < start.t)
    throw InputError({"",
                      {},
                      "--time",
                      fmt::format("{} lies before the start at t = {}", *time, start.t),
                      "motions are followed forwards: give a later time"});
  const Trajectory trajectory = system.simulate({.until = time, .every = time});
  if (trajectory.status != Status::finished)
    throw std::runtime_error(fmt::format("the motion ends at t = {:.6g}, before t = {:.6g}: {}", trajectory.last.t,
                                         *time, trajectory.message));
  return trajectory.last;
}
