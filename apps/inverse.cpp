#include <fmt/format.h>

#include <dalembert/report/report.hpp>
#include <dalembert/study/inverse.hpp>

#include "model_options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "stop.hpp"

using namespace dalembert;

namespace {

struct InverseArguments {
  ModelOptions model;
  std::string output;
  std::vector<std::string> columns;
  std::optional<double> until, every, tolerance;
  bool quiet = false, json = false;
};

void write_output(const InverseArguments& options, const Trajectory& trajectory, const std::string& title,
                  const std::vector<std::string>& inputs) {
  const Trajectory chosen = options.columns.empty() ? trajectory : select_columns(trajectory, options.columns);
  if (!options.output.empty()) switch (file_kind(options.output)) {
      case FileKind::json: write_file(options.output, write_json(chosen)); break;
      case FileKind::svg:
        write_file(options.output, write_svg(chosen, {title, options.columns.empty() ? inputs : options.columns}));
        break;
      default: write_file(options.output, write_csv(chosen));
    }
  if (options.json)
    put(write_json(chosen));
  else if (options.output.empty())
    put(write_csv(chosen));
}

ExitStatus run(const InverseArguments& options) {
  try_output(options.output, options.json, {FileKind::csv, FileKind::json, FileKind::svg},
             "inputs along a motion are written as .csv, .json or .svg");
  InverseOptions plan{.until = options.until, .every = options.every, .tolerance = options.tolerance};
  const Model open = load_model(options.model, [&](Description& description) {
    for (std::size_t k = 0; k < description.inverse.follow.size(); ++k) {
      plan.follow.push_back(followed_name(description, k));
      plan.shown.push_back(description.inverse.follow[k].name.text);
    }
    for (const Text& input : description.inverse.by) plan.by.push_back(input.text);
    description = with_followed(std::move(description), Followed::outputs);
  });
  const Model bound = load_started_model(options.model, [](Description& description) {
    description = with_followed(std::move(description), Followed::constraints);
  });
  check_times({.until = plan.until, .every = plan.every}, bound.simulate);
  InverseMotion found;
  {
    ProgressBar bar;
    const double until = plan.until.value_or(bound.simulate.until);
    plan.progress = [&](double t) {
      catch_stops();  // there are rows now
      if (!bar.is_early()) bar.show(t / until, fmt::format("t = {:.4g}", t));
    };
    plan.stop = stop_request();
    found = solve_inverse(bound, open, plan);
  }
  write_output(options, found.motion, bound.name, plan.by);
  if (!options.quiet || !found.motion) say(write_summary(found.motion));
  return found.motion ? ExitStatus::fine : ExitStatus::cannot_go_on;
}

}  // namespace

void add_inverse(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<InverseArguments>();
  CLI::App* command =
      app.add_subcommand("inverse", "The inputs that make outputs follow functions of time, along the motion");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  command->add_option("-o,--output", options->output, "File to write: .csv, .json or .svg (a plot of the inputs)");
  command->add_option("--columns", options->columns, "Columns to write or plot, as theta,tau; t is always there")
      ->delimiter(',')
      ->transform(trimmed);
  add_number_option(*command, "--until", options->until, "Time to reach", "T", 0);
  add_number_option(*command, "--every", options->every, "Time between rows", "DT", 0);
  add_number_option(*command, "--tolerance", options->tolerance, "Local error relative to each component's size", "TOL",
                    0);
  command->add_flag("--quiet", options->quiet, "No summary on standard error, unless it failed");
  add_json_option(*command, options->json);
  command->footer(
      "The model says what: [inverse] follow = { \"theta\" = \"0.3*sin(t)\" }, by = [\"tau\"].\n"
      "Example: dalembert inverse arm.toml --columns tau -o torque.csv");
  command->callback([options, &status] { status = run(*options); });
}
