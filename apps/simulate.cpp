#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <dalembert/report/report.hpp>
#include <dalembert/simulate/system.hpp>

#include "model_options.hpp"
#include "output.hpp"
#include "principle.hpp"
#include "stop.hpp"

using namespace dalembert;

namespace {

struct Options {
  ModelOptions model;
  std::string by = "multipliers";
  std::string method = "dop853";
  std::string output, from;
  std::vector<std::string> columns;
  std::optional<double> until, every, tolerance;
  bool estimate_error = false, json = false, quiet = false;
};

/// A bar on standard error, where that is a terminal and the work takes longer than half a second.
class ProgressBar {
 public:
  ProgressBar(double from, double until) : from_(from), until_(until), enabled_(isatty(STDERR_FILENO) == 1) {}
  ~ProgressBar() {
    if (drawn_) say_raw(fmt::format("\r{:60}\r", ""));
  }
  void operator()(double t) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point now = Clock::now();
    if (!enabled_ || now - last_ < std::chrono::milliseconds(drawn_ ? 100 : 500)) return;
    double part = std::clamp((t - from_) / (until_ - from_), 0.0, 1.0);
    std::string bar(static_cast<std::size_t>(std::lround(30 * part)), '#');
    say_raw(fmt::format("\r[{:<30}] {:3.0f} %  t = {:.4g} ", bar, 100 * part, t));
    last_ = now;
    drawn_ = true;
  }

 private:
  double from_, until_;
  bool enabled_, drawn_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// --- what to do

/// The last row of a run of the same equations; quasi-velocities start from the model's rates.
State read_start(const std::string& file, const System& system) {
  const CsvRow row = read_csv_last_row(file);
  const Equations& equations = system.equations();
  if (equations.quasi) {
    ModelState state{row.value("t"), {}, {}};
    for (const Coordinate& coordinate : system.model().coordinates) {
      state.q.push_back(row.value(coordinate.name));
      state.rates.push_back(row.value(coordinate.rate.name()));
    }
    return system.to_state(state);
  }
  State state{row.value("t"), {}, {}};
  for (const Expr& symbol : equations.coordinates) state.q.push_back(row.value(symbol.name()));
  for (const Expr& symbol : equations.velocities) state.u.push_back(row.value(symbol.name()));
  return state;
}

SimulateOptions settings(const Options& options, const System& system) {
  SimulateOptions result;
  result.until = options.until;
  result.every = options.every;
  result.tolerance = options.tolerance;
  if (options.method != "dop853")
    throw InputError({"", {}, "--method", fmt::format("there is no method {}", options.method), "use dop853"});
  result.method = options.method;
  result.project_initial = options.model.project_initial;
  result.estimate_error = options.estimate_error;
  result.stop = catch_stops();
  if (!options.from.empty()) {
    result.start = read_start(options.from, system);
    const double until = result.until.value_or(system.model().simulate.until);
    if (result.start->t >= until)
      throw InputError({options.from,
                        {},
                        "",
                        fmt::format("its last row is at t = {}, not before --until {}", result.start->t, until),
                        "give a later --until"});
  }
  check_times(result, system.model().simulate);
  return result;
}

/// Names are checked before the work is done.
void check_columns(const Options& options, const System& system) {
  if (options.columns.empty()) return;
  Trajectory names;
  names.columns = system.columns();
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

void write_output(const Options& options, const System& system, const Trajectory& trajectory) {
  const std::string& name = system.model().name;
  const Trajectory chosen = options.columns.empty() ? trajectory : select_columns(trajectory, options.columns);
  if (!options.output.empty()) {
    switch (file_kind(options.output)) {
      case FileKind::csv: write_file(options.output, write_csv(chosen)); break;
      case FileKind::json: write_file(options.output, write_json(chosen)); break;
      case FileKind::hdf5: write_file(options.output, write_hdf5(chosen, name)); break;
      case FileKind::svg:
        write_file(options.output, write_svg(chosen, {name, options.columns.empty() ? default_plot(system.equations())
                                                                                    : options.columns}));
        break;
    }
  }
  if (options.json)
    put(write_json(chosen));
  else if (options.output.empty())
    put(write_csv(chosen));
}

ExitStatus run(const Options& options) {
  if (!options.output.empty()) try_file(options.output);
  if (options.json || options.output.empty()) try_standard_output();
  // The start is the file's, if there is one; else the model's.
  auto [model, report] = options.from.empty() ? load_start(options.model) : SettledStart{load_model(options.model), {}};
  if (model.simulate.vakonomic && options.by != "multipliers")
    throw InputError({"",
                      {},
                      "--by",
                      "a vakonomic motion is integrated by its multipliers only",
                      "leave --by out, or use principle = \"dalembert\""});
  if (model.simulate.vakonomic && !model.releases.empty()) {
    say("note: [release] is passed over: a vakonomic motion has no reactions\n");
    model.releases.clear();
  }
  const System system(model.simulate.vakonomic ? derive_vakonomic(model) : derive_motion_by(model, options.by));
  SimulateOptions plan = settings(options, system);
  check_columns(options, system);
  Trajectory trajectory;
  {
    ProgressBar bar(plan.start ? plan.start->t : 0, plan.until.value_or(model.simulate.until));
    plan.progress = [&bar](double t) { bar(t); };
    trajectory = system.simulate(plan);
  }
  if (!report.empty()) trajectory.notes.insert(trajectory.notes.begin(), report);
  write_output(options, system, trajectory);
  if (!options.quiet) say(write_summary(trajectory));
  return trajectory ? ExitStatus::fine : ExitStatus::cannot_go_on;
}

}  // namespace

void add_simulate(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("simulate", "The motion, as CSV on standard output or in a file");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_by_option(*command, options->by);
  command->add_option("-o,--output", options->output, "File to write: .csv, .json, .h5, or .svg (a plot)");
  command->add_option("--columns", options->columns, "Columns to write or plot, as x,x',energy; t is always there")
      ->delimiter(',')
      ->transform(trimmed);
  add_number_option(*command, "--until", options->until, "Time to reach", "T", 0);
  add_number_option(*command, "--every", options->every, "Time between rows", "DT", 0);
  add_number_option(*command, "--tolerance", options->tolerance, "Local error relative to each component's size", "TOL",
                    0);
  command->add_option("--method", options->method, "Integrator: dop853")->capture_default_str();
  command->add_flag("--estimate-error", options->estimate_error, "Run again at a tenth of the tolerance and compare");
  command->add_option("--from", options->from, "Start from the last row of a CSV file of this model");
  command->add_flag("--quiet", options->quiet, "No summary on standard error");
  add_json_option(*command, options->json);
  command->footer(
      "Example: dalembert simulate models:spherical_pendulum -o motion.svg --columns \"x,z,reaction(rod)\"");
  command->callback([options, &status] { status = run(*options); });
}
