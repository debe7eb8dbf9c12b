#include <algorithm>
#include <dalembert/expr/print.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/study/reactions.hpp>
#include <memory>

#include "model_options.hpp"
#include "output.hpp"
#include "stop.hpp"

using namespace dalembert;

namespace {

struct Options {
  ModelOptions model;
  std::optional<double> time;
  std::string joint;
  std::string by = "multipliers";
  std::vector<std::string> release;
  bool along = false, at_rest = false, json = false;
};

/// Velocities zero; whether the forces then balance is for the report to say.
State at_rest(State state) {
  std::ranges::fill(state.u, 0.0);
  return state;
}

/// The model, with what the command line releases.
Model load(const Options& options) {
  return load_started_model(options.model, [&](Description& description) {
    auto is_there = [&](const std::string& name) {
      return std::ranges::any_of(description.releases, [&](const auto& entry) { return entry.name.text == name; });
    };
    for (const std::string& name : options.release)
      if (!is_there(name)) description.release(name);
    if (!options.joint.empty()) description.joint(options.joint);
  });
}

ReactionsReport find(const Options& options) {
  Model model = load(options);
  const Equations equations = derive_multipliers(model);
  ReactionsReport report;
  State state = state_at(System(equations), options.time);
  if (options.at_rest) state = at_rest(std::move(state));
  report.state = state;
  report.at_rest = options.at_rest;
  report.reactions = options.by == "hamel"        ? find_surplus_reactions(model, {state.t, state.q, state.u})
                     : options.by == "projection" ? find_projected_reactions(model, {state.t, state.q, state.u})
                                                  : find_reactions(equations, state);
  report.joints = find_joint_loads(equations, state);
  for (std::string& name : find_releasable(model))
    if (std::ranges::none_of(model.releases, [&](const Release& release) {
          return release.name == name || to_text(release.released) == name;
        }))
      report.releasable.push_back(std::move(name));
  for (std::size_t i = 1; i < model.frames.size() && options.joint.empty(); ++i)
    report.hung.push_back(model.frames[i].name);
  if (options.at_rest) report.remarks = statics_remarks(equations, state);
  if (options.along) report.along = System(with_joint_outputs(equations)).simulate({.stop = catch_stops()});
  return report;
}

}  // namespace

void add_reactions(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "reactions", "Every reaction, of constraints and released constants: formula, value, force on each point");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_time_option(*command, options->time);
  command
      ->add_option("--by", options->by,
                   "multipliers; hamel: each from the surplus equation of its own velocity; or projection: "
                   "along the constraints' unit vectors")
      ->check(CLI::IsMember({"multipliers", "hamel", "projection"}))
      ->capture_default_str();
  command->add_flag("--along", options->along, "Also along the motion, with the largest value of each");
  command
      ->add_option("--release", options->release,
                   "Also the reaction that holds this constant: a parameter, or a formula as the model has it")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--joint", options->joint,
                   "Force and couple that the parent exerts on this frame or body, in world and parent axes")
      ->type_name("NAME");
  command->add_flag("--at-rest", options->at_rest,
                    "As statics: all rates zero, with a warning if it is no equilibrium");
  add_json_option(*command, options->json);
  command->footer(
      "Examples: dalembert reactions models:rolling_disk_tilted --along\n"
      "          dalembert reactions models:double_pendulum --release l1");
  command->callback([options, &status] {
    ReactionsReport report = find(*options);
    options->json ? put(write_json(report)) : put_text(write_text(report));
    const bool broken = report.along && !*report.along;
    status = broken ? ExitStatus::cannot_go_on : ExitStatus::fine;
  });
}
