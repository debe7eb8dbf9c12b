#include <fmt/format.h>

#include <dalembert/report/report.hpp>

#include "model_options.hpp"
#include "output.hpp"
#include "stop.hpp"

using namespace dalembert;

namespace {

/// The arc and the curve are wanted to more digits than a motion to look at.
constexpr double default_tolerance = 1e-13;

struct HodographArguments {
  ModelOptions model;
  std::string output;
  std::optional<double> until, every, tolerance;
  bool transport = false, quiet = false, json = false;
};

SimulateOptions settings(const HodographArguments& options, const Model& model, const KineticGeometry& geometry) {
  SimulateOptions plan;
  plan.until = options.until;
  plan.every = options.every;
  const double fine = std::min(model.simulate.tolerance, default_tolerance);
  plan.tolerance = options.tolerance.value_or(is_large_hodograph(geometry) ? model.simulate.tolerance : fine);
  plan.stop = catch_stops();
  check_times(plan, model.simulate);
  return plan;
}

ExitStatus run(const HodographArguments& options) {
  try_output(options.output, options.json, {FileKind::csv, FileKind::json}, "a hodograph is written as .csv or .json");
  Model model = load_started_model(options.model);
  KineticGeometry geometry = derive_projection(model);
  SimulateOptions plan = settings(options, model, geometry);
  Hodograph hodograph = find_hodograph(geometry, plan);
  if (hodograph.status == Status::step_underflow && !options.tolerance && model.simulate.tolerance > plan.tolerance) {
    plan.tolerance = model.simulate.tolerance;
    std::string problem = hodograph.message;
    hodograph = find_hodograph(geometry, plan);
    hodograph.notes.push_back(fmt::format("computed at the model's tolerance {:.3g}, since at {:.3g} {}",
                                          *plan.tolerance, default_tolerance, problem));
  }
  if (!options.output.empty())
    write_file(options.output, file_kind(options.output) == FileKind::csv ? write_csv(hodograph)
                                                                          : write_json(hodograph, options.transport));
  if (options.json)
    put(write_json(hodograph, options.transport));
  else if (options.output.empty())
    put(write_csv(hodograph));
  const bool fine = hodograph.status == Status::finished || hodograph.status == Status::event;
  if (!options.quiet || !fine) say(write_summary(hodograph));
  return fine ? ExitStatus::fine : ExitStatus::cannot_go_on;
}

}  // namespace

void add_hodograph(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<HodographArguments>();
  CLI::App* command =
      app.add_subcommand("hodograph", "The velocity carried back along the motion, and the length of its curve");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  command->add_option("-o,--output", options->output, "File to write: .csv or .json");
  add_number_option(*command, "--until", options->until, "Time to reach", "T", 0);
  add_number_option(*command, "--every", options->every, "Time between rows", "DT", 0);
  add_number_option(*command, "--tolerance", options->tolerance,
                    "Local error relative to each component's size (1e-13)", "TOL", 0);
  command->add_flag("--transport", options->transport, "In JSON also the matrices of parallel transport");
  command->add_flag("--quiet", options->quiet, "No summary on standard error, unless it failed");
  add_json_option(*command, options->json);
  command->footer("Example: dalembert hodograph models:projectile_polar -o hodograph.csv");
  command->callback([options, &status] { status = run(*options); });
}
