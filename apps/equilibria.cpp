#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <dalembert/base/failure.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/report/stability.hpp>

#include "diagram.hpp"
#include "model_options.hpp"
#include "output.hpp"
#include "range.hpp"

using namespace dalembert;

namespace {

struct EquilibriaArguments {
  ModelOptions model;
  std::vector<std::string> boxes;
  std::size_t starts = EquilibriaOptions{}.starts;
  std::uint64_t seed = EquilibriaOptions{}.seed;
  std::string over, output;
  bool quiet = false, json = false;
};

/// "a=-1:2".
SearchBox parse_box(const std::string& text) {
  const std::size_t equals = text.find('='), colon = text.find(':', std::min(equals, text.size()));
  SearchBox box;
  bool fine = equals != std::string::npos && colon != std::string::npos;
  const auto read = [&](std::string part, double& number) {
    part = trimmed(part);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    fine = fine && error == std::errc() && end == part.data() + part.size() && std::isfinite(number);
  };
  if (fine) {
    box.coordinate = trimmed(text.substr(0, equals));
    read(text.substr(equals + 1, colon - equals - 1), box.low);
    read(text.substr(colon + 1), box.high);
  }
  if (!fine)
    throw InputError(
        {"", {}, "--box", fmt::format("'{}' is no box", text), "write NAME=LOW:HIGH with numbers, as theta=-1.6:1.6"});
  return box;
}

ExitStatus run(const EquilibriaArguments& options) {
  const FileKind drawn = options.over.empty() ? FileKind::csv : FileKind::svg;
  try_output(options.output, options.json, {FileKind::csv, FileKind::json, drawn},
             "equilibria are written as .csv or .json, with --over also as .svg");
  EquilibriaOptions plan;
  refuse_twice("--box", options.boxes);
  for (const std::string& text : options.boxes) plan.boxes.push_back(parse_box(text));
  plan.starts = options.starts;
  plan.seed = options.seed;
  const Model model = load_started_model(options.model);
  if (!options.over.empty()) {
    write_diagram(options, follow_equilibria(model, parse_range(options.over), plan), model.name);
    return ExitStatus::fine;
  }
  const Equilibria found = find_equilibria(model, plan);
  if (found.found.empty() && found.starts == 1 && plan.starts != 1)
    throw ComputationError(
        fmt::format("no equilibrium was found: {}; start nearer to one", fmt::join(found.notes, "; ")));
  if (found.found.empty())
    throw ComputationError(fmt::format(
        "no equilibrium was found from {} starts; look in other boxes (--box), from more starts (--starts), "
        "or see with `dalembert linearize` which force nothing balances",
        found.starts));
  if (!options.output.empty())
    write_file(options.output, file_kind(options.output) == FileKind::csv ? write_csv(found) : write_json(found));
  if (options.json)
    put(write_json(found));
  else if (options.output.empty())
    put_text(write_text(found));
  return ExitStatus::fine;
}

}  // namespace

void add_equilibria(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<EquilibriaArguments>();
  CLI::App* command = app.add_subcommand("equilibria", "Static equilibria under constraints, each with its stability");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  command->add_option("--box", options->boxes, "Where to look for a coordinate; from -pi to pi where not given")
      ->type_name("NAME=LOW:HIGH")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--over", options->over,
                   "Follow the branches over a parameter through folds, with folds, branch points and Hopf points")
      ->type_name("NAME=FIRST:LAST:STEP");
  add_count_option(*command, "--starts", options->starts, "Starts of Newton's method", 1, 1'000'000);
  add_count_option(*command, "--seed", options->seed, "Of the starts", 0, SIZE_MAX);
  command->add_option("-o,--output", options->output, "File to write: .csv or .json; with --over also .svg");
  command->add_flag("--quiet", options->quiet, "With --over: no summary on standard error");
  add_json_option(*command, options->json);
  command->footer("Example: dalembert equilibria models:double_pendulum");
  command->callback([options, &status] { status = run(*options); });
}
