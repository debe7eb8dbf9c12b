#include <fmt/format.h>

#include <dalembert/reactions.hpp>
#include <dalembert/report.hpp>
#include <memory>

#include "model_options.hpp"

using namespace dalembert;

namespace {

struct Options {
  ModelOptions model;
  std::optional<double> time;
  std::string joint;
  std::string by = "multipliers";
  bool along = false, at_rest = false, json = false;
};

/// Velocities zero; whether the forces then balance is for the report to say.
State at_rest(State state) {
  std::ranges::fill(state.u, 0.0);
  return state;
}

ReactionsReport find(const Options& options) {
  if (!options.joint.empty())
    throw InputError({"",
                      {},
                      "--joint",
                      "joint loads are not available in this release",
                      "write the joint as constraints between points of the two bodies and use reactions"});
  Model model = load_model(options.model);
  Equations equations = derive_multipliers(model);
  ReactionsReport report;
  State state = state_at(model, equations, options.time);
  if (options.at_rest) state = at_rest(std::move(state));
  report.state = state;
  report.at_rest = options.at_rest;
  report.reactions =
      options.by == "hamel" ? find_surplus_reactions(model, state) : find_reactions(model, equations, state);
  if (options.at_rest) report.remarks = statics_remarks(model, equations, state);
  for (const Release& release : model.releases)
    report.remarks.push_back(
        fmt::format("[release.{}] is passed over: releases are not available in this release", release.name));
  if (options.along) report.along = simulate(model, equations, simulate_options(model));
  return report;
}

}  // namespace

void add_reactions(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("reactions", "Every constraint's reaction: formula, value, force on each point");
  add_model_options(*command, options->model);
  add_time_option(*command, options->time);
  command->add_option("--by", options->by, "multipliers, or hamel: each from the surplus equation of its own velocity")
      ->check(CLI::IsMember({"multipliers", "hamel"}))
      ->capture_default_str();
  command->add_flag("--along", options->along, "Also along the motion, with the largest value of each");
  command->add_option("--joint", options->joint, "The six loads at a joint")->type_name("NAME");
  command->add_flag("--at-rest", options->at_rest,
                    "As statics: all rates zero, with a warning if it is no equilibrium");
  add_json_option(*command, options->json);
  command->footer("Example: dalembert reactions models:rolling_disk_tilted --along");
  command->callback([options, &status] {
    ReactionsReport report = find(*options);
    fmt::print("{}", options->json ? write_json(report) : write_text(report));
    bool broken = report.along && report.along->status != Status::finished && report.along->status != Status::event;
    status = broken ? ExitStatus::cannot_go_on : ExitStatus::fine;
  });
}
