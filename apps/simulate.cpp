#include <fmt/format.h>

#include <algorithm>
#include <dalembert/report/picture.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/simulate/system.hpp>
#include <dalembert/study/gradient.hpp>
#include <dalembert/study/reactions.hpp>

#include "beside.hpp"
#include "model_options.hpp"
#include "output.hpp"
#include "png.hpp"
#include "principle.hpp"
#include "progress.hpp"
#include "restart.hpp"
#include "stop.hpp"

using namespace dalembert;

namespace {

struct SimulateArguments {
  ModelOptions model;
  BesideOptions beside;
  std::string by = "multipliers";
  std::string method = "dop853";
  std::string output, from;
  std::vector<std::string> columns, gradient, joints;
  std::vector<double> picture;
  std::optional<double> until, every, tolerance;
  bool estimate_error = false, json = false, quiet = false;
};

// --- what to do

/// What is looked at: rows may then be closer than the model's.
bool is_seen(const SimulateArguments& options) {
  return !options.output.empty() && (file_kind(options.output) == FileKind::html || !options.picture.empty());
}

SimulateOptions settings(const SimulateArguments& options, const System& system, const Restart* restart) {
  SimulateOptions result;
  result.until = options.until;
  result.every = options.every;
  result.tolerance = options.tolerance;
  if (options.method != "dop853")
    throw InputError({"", {}, "--method", fmt::format("there is no method {}", options.method), "use dop853"});
  result.method = options.method;
  result.project_initial = options.model.project_initial;
  result.estimate_error = options.estimate_error;
  if (restart != nullptr) {
    result.start = restart->state;
    const double until = result.until.value_or(system.model().simulate.until);
    if (result.start->t >= until)
      throw InputError({options.from,
                        {},
                        "",
                        fmt::format("its last row is at t = {}, not before --until {}", result.start->t, until),
                        "give a later --until"});
  }
  check_times(result, system.model().simulate);
  if (is_seen(options) && !options.every) {
    const SimulateSettings& model = system.model().simulate;
    const double until = result.until.value_or(model.until);
    result.every = page_interval(until, model.every_given ? model.every : until / 1000);
  }
  return result;
}

/// Names are checked before the work is done.
void check_columns(const SimulateArguments& options, const System& system) {
  if (options.columns.empty()) return;
  Trajectory names;
  names.columns = system.columns();
  for (const std::string& by : options.gradient)
    for (const std::string& column : system.columns())
      if (column != "t" && column != "residual") names.columns.push_back(gradient_column(column, by));
  names.rows = Table(names.columns.size());
  select_columns(names, options.columns);
}

std::vector<std::string> default_plot(const Equations& equations) {
  constexpr std::size_t most = 12;
  std::vector<std::string> columns;
  for (const Expr& symbol : equations.coordinates)
    if (columns.size() < most) columns.push_back(symbol.name());
  if (columns.size() < equations.coordinates.size())
    say(fmt::format("note: plotting the first {} of {} coordinates; --columns chooses\n", most,
                    equations.coordinates.size()));
  return columns;
}

/// The mechanism at chosen times, or curves.
std::string draw(const SimulateArguments& options, const System& system, const Trajectory& trajectory,
                 const Trajectory& chosen) {
  if (!options.picture.empty())
    return write_picture(make_scene(system.model(), trajectory), trajectory, {.times = options.picture});
  return write_svg(chosen,
                   {system.model().name, options.columns.empty() ? default_plot(system.equations()) : options.columns});
}

void write_output(const SimulateArguments& options, const System& system, const Trajectory& trajectory,
                  std::optional<PageBeside> beside) {
  const std::string& name = system.model().name;
  const Trajectory chosen = options.columns.empty() ? trajectory : select_columns(trajectory, options.columns);
  if (!options.output.empty()) {
    switch (file_kind(options.output)) {
      case FileKind::csv: write_file(options.output, write_csv(chosen)); break;
      case FileKind::json: write_file(options.output, write_json(chosen)); break;
      case FileKind::hdf5: write_file(options.output, write_hdf5(chosen, name)); break;
      case FileKind::svg: write_file(options.output, draw(options, system, trajectory, chosen)); break;
      case FileKind::png: write_file(options.output, make_png(draw(options, system, trajectory, chosen))); break;
      case FileKind::html:
        write_file(options.output,
                   write_page(system, trajectory,
                              {.plot = options.columns,
                               .tolerance = options.tolerance.value_or(system.model().simulate.tolerance),
                               .beside = std::move(beside)}));
        break;
    }
  }
  if (options.json)
    put(write_json(chosen));
  else if (options.output.empty())
    put(write_csv(chosen));
}

/// The motion with its derivatives; those of the times of events go into its notes.
Trajectory simulate_gradient(const SimulateArguments& options, const Model& model, SimulateOptions plan) {
  if (options.by != "multipliers")
    throw InputError({"", {}, "--gradient", "gradients are of the motion by multipliers", "leave out --by"});
  if (!options.joints.empty())
    throw InputError({"", {}, "--gradient", "the loads of joints have no gradients yet", "leave out --joint"});
  GradientSystem system(model, options.gradient);
  plan.stop = catch_stops();
  GradientMotion found = system.simulate(plan);
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < found.event_times.size() && i < most; ++i) {
    const EventRecord& event = found.motion.events[i];
    std::string list;
    for (const auto& [name, slope] : found.event_times[i])
      if (std::isfinite(slope)) list += fmt::format("{}d(t)/d({}) = {:.10g}", list.empty() ? "" : ", ", name, slope);
    if (!list.empty()) found.motion.notes.push_back(fmt::format("{} at t = {:.10g}: {}", event.name, event.t, list));
  }
  return std::move(found.motion);
}

/// What can only be written to files of some kind.
void check_output(const SimulateArguments& options) {
  const auto writes = [&](FileKind kind) { return !options.output.empty() && file_kind(options.output) == kind; };
  if (!options.picture.empty() && !writes(FileKind::svg) && !writes(FileKind::png))
    throw InputError({"", {}, "--picture", "a picture is an SVG or PNG file", "add -o FILE.svg"});
  if (options.beside.empty()) return;
  if (!writes(FileKind::html))
    throw InputError({"", {}, "--beside", "two motions are shown in a page", "add -o FILE.html"});
  if (!options.from.empty())
    throw InputError(
        {"", {}, "--beside", "a motion from a file's last row has no other beside it", "leave --from out"});
}

ExitStatus run(const SimulateArguments& options) {
  check_output(options);
  if (!options.output.empty()) try_file(options.output);
  if (options.json || options.output.empty()) try_standard_output();
  // The start is the file's, if there is one; else the model's.
  const ChangeDescription add_joints = [&](Description& description) {
    for (const std::string& name : options.joints) description.joint(name);
  };
  auto [model, report] = options.from.empty() ? load_start(options.model, add_joints)
                                              : SettledStart{load_model(options.model, add_joints), {}};
  const Equations equations = derive_motion(model, options.by);
  const System system(options.joints.empty() ? equations : with_joint_outputs(equations));
  std::optional<Restart> restart;
  if (!options.from.empty()) restart = read_restart(options.from, system, options.model);
  if (restart) report = restart->note;
  SimulateOptions plan = settings(options, system, restart ? &*restart : nullptr);
  check_columns(options, system);
  Trajectory trajectory;
  {
    ProgressBar bar;
    const double from = plan.start ? plan.start->t : 0, until = plan.until.value_or(model.simulate.until);
    plan.progress = [&](double t) {
      if (!bar.is_early()) bar.show((t - from) / (until - from), fmt::format("t = {:.4g}", t));
    };
    if (options.gradient.empty()) {
      plan.stop = catch_stops();
      trajectory = system.simulate(plan);
    } else {
      trajectory = simulate_gradient(options, model, plan);
    }
  }
  if (!report.empty()) trajectory.notes.insert(trajectory.notes.begin(), report);
  std::optional<PageBeside> beside;
  if (!options.beside.empty()) {
    plan.progress = {};
    beside = simulate_beside(options.beside, options.model, options.by, system, plan);
  }
  write_output(options, system, trajectory, std::move(beside));
  if (!options.quiet || !trajectory) say(write_summary(trajectory));
  return trajectory ? ExitStatus::fine : ExitStatus::cannot_go_on;
}

}  // namespace

void add_simulate(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<SimulateArguments>();
  CLI::App* command = app.add_subcommand("simulate", "The motion, as CSV on standard output or in a file");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_by_option(*command, options->by);
  command->add_option("-o,--output", options->output,
                      "File to write: .csv, .json, .h5, .svg or .png (a plot) or .html (a page to look at)");
  add_beside_options(*command, options->beside);
  command->add_option("--columns", options->columns, "Columns to write or plot, as x,x',energy; t is always there")
      ->delimiter(',')
      ->transform(trimmed);
  command
      ->add_option(
          "--picture", options->picture,
          "Times, as 0,0.5,1: with -o FILE.svg or .png the mechanism at these times over each other, not a plot")
      ->type_name("T,...")
      ->delimiter(',');
  command
      ->add_option(
          "--joint", options->joints,
          "Adds the loads at a frame's joint as columns joint(NAME).force.x, ..., in world and parent's axes; may "
          "repeat")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--gradient", options->gradient,
                   "Parameters, initial values and rates, as l,theta': adds columns d(x)/d(l) of every column")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->transform(trimmed);
  add_number_option(*command, "--until", options->until, "Time to reach", "T", 0);
  add_number_option(*command, "--every", options->every, "Time between rows", "DT", 0);
  add_number_option(*command, "--tolerance", options->tolerance, "Local error relative to each component's size", "TOL",
                    0);
  command->add_option("--method", options->method, "Integrator: dop853")->capture_default_str();
  command->add_flag("--estimate-error", options->estimate_error, "Run again at a tenth of the tolerance and compare");
  command->add_option("--from", options->from, "Start from the last row of a CSV file of this model");
  command->add_flag("--quiet", options->quiet, "No summary on standard error, unless it failed");
  add_json_option(*command, options->json);
  command->footer(
      "Example: dalembert simulate models:spherical_pendulum -o motion.svg --columns \"x,z,reaction(rod)\"");
  command->callback([options, &status] { status = run(*options); });
}
