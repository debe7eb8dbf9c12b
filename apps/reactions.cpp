#include <fmt/format.h>

#include <algorithm>
#include <dalembert/report/report.hpp>
#include <dalembert/study/questions.hpp>
#include <memory>

#include "as_option.hpp"
#include "model_options.hpp"
#include "output.hpp"

using namespace dalembert;

namespace {

struct ReactionsArguments {
  ModelOptions model;
  std::optional<double> time;
  std::string joint;
  std::string by = "multipliers";
  std::vector<std::string> release;
  std::string as = "text";
  bool along = false, at_rest = false, json = false;
};

/// The model, with what the command line releases.
Model load(const ReactionsArguments& options) {
  return load_started_model(options.model, [&](Description& description) {
    auto is_there = [&](const std::string& name) {
      return std::ranges::any_of(description.releases, [&](const auto& entry) { return entry.name.text == name; });
    };
    for (const std::string& name : options.release)
      if (!is_there(name)) description.release(name);
    if (!options.joint.empty()) description.joint(options.joint);
  });
}

ReactionsReport find(const ReactionsArguments& options) {
  if (options.time && *options.time > 0) check_times({.until = options.time, .every = options.time}, {}, "--time");
  return describe_reactions(load(options), {.time = options.time,
                                            .by = options.by,
                                            .at_rest = options.at_rest,
                                            .along = options.along,
                                            .offers_joints = options.joint.empty(),
                                            .time_key = "--time"});
}

}  // namespace

void add_reactions(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<ReactionsArguments>();
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
  add_as_option(*command, options->as);
  add_json_option(*command, options->json);
  command->footer(
      "Examples: dalembert reactions models:rolling_disk_tilted --along\n"
      "          dalembert reactions models:double_pendulum --release l1");
  command->callback([options, &status] {
    ReactionsReport report = find(*options);
    put_as(report, options->json ? "json" : options->as);
    const bool broken = report.along && !*report.along;
    if (broken)
      say(fmt::format("note: the motion ends at t = {:.6g}: {}\n", report.along->last.t, report.along->message));
    status = broken ? ExitStatus::cannot_go_on : ExitStatus::fine;
  });
}
