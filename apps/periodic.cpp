#include <fmt/format.h>

#include <dalembert/report/periodic.hpp>
#include <dalembert/report/report.hpp>

#include "diagram.hpp"
#include "model_options.hpp"
#include "output.hpp"
#include "range.hpp"

using namespace dalembert;

namespace {

struct PeriodicArguments {
  ModelOptions model;
  std::vector<std::string> free;
  std::string over, output;
  std::optional<double> period, tolerance;
  bool quiet = false, json = false;
};

ExitStatus run(const PeriodicArguments& options) {
  const std::string written = "a periodic motion is written as .json, with --over also as .csv or .svg";
  if (options.over.empty())
    try_output(options.output, options.json, {FileKind::json}, written);
  else
    try_output(options.output, options.json, {FileKind::csv, FileKind::json, FileKind::svg}, written);
  PeriodicOptions plan;
  const Model model = load_started_model(options.model, [&](Description& description) {
    plan = periodic_options(description);
    description = with_section(std::move(description));
  });
  if (!options.free.empty()) plan.free = options.free;
  plan.period = options.period;
  plan.tolerance = options.tolerance;
  if (!options.over.empty()) {
    write_diagram(options, follow_periodic(model, parse_range(options.over), plan), model.name);
    return ExitStatus::fine;
  }
  const PeriodicMotion found = find_periodic(model, plan);
  if (!options.output.empty()) write_file(options.output, write_json(found));
  if (options.json)
    put(write_json(found));
  else
    put_text(write_text(found));
  return ExitStatus::fine;
}

}  // namespace

void add_periodic(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<PeriodicArguments>();
  CLI::App* command = app.add_subcommand("periodic", "A periodic motion by shooting, with Floquet's multipliers");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  command
      ->add_option("--free", options->free,
                   "Initial values, rates and parameters to solve for, and T for the period; the model's [periodic] "
                   "free where none is named")
      ->delimiter(',')
      ->transform(trimmed)
      ->type_name("NAME,...");
  add_number_option(*command, "--period", options->period, "The period, or with T free where to start", "T", 0);
  add_number_option(*command, "--tolerance", options->tolerance, "Of the motion; 1e-12 where not given", "TOL", 0);
  command
      ->add_option("--over", options->over,
                   "Follow the motion over a parameter through folds, with folds, branch points, period doublings and "
                   "Neimark-Sacker points")
      ->type_name("NAME=FIRST:LAST:STEP");
  command->add_option("-o,--output", options->output, "File to write: .json; with --over also .csv or .svg");
  command->add_flag("--quiet", options->quiet, "With --over: no summary on standard error");
  add_json_option(*command, options->json);
  command->footer(
      "The model says what: [periodic] section = \"theta' = 0\", free = [\"theta\", \"T\"].\n"
      "Example: dalembert periodic clock.toml");
  command->callback([options, &status] { status = run(*options); });
}
