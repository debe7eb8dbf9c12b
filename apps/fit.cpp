#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <dalembert/report/fit.hpp>
#include <dalembert/report/report.hpp>

#include "model_options.hpp"
#include "output.hpp"

using namespace dalembert;

namespace {

struct FitArguments {
  ModelOptions model;
  std::string data, output;
  std::vector<std::string> parameters, bounds, deviations, columns;
  std::optional<double> tolerance;
  bool json = false;
};

/// "NAME=A:B" or "NAME=A": the name and its numbers, an empty one being without limit.
std::pair<std::string, std::vector<std::optional<double>>> parse(const char* option, const std::string& text,
                                                                 std::size_t count, const std::string& form) {
  const std::size_t equals = text.find('=');
  std::vector<std::optional<double>> numbers;
  bool fine = equals != std::string::npos && equals > 0;
  std::string rest = fine ? text.substr(equals + 1) : "";
  for (std::size_t begin = 0; fine && begin <= rest.size();) {
    const std::size_t end = std::min(rest.find(':', begin), rest.size());
    const std::string part = trimmed(rest.substr(begin, end - begin));
    double value = 0;
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool is_number = error == std::errc() && stop == part.data() + part.size() && std::isfinite(value);
    fine = is_number || (part.empty() && count > 1);
    numbers.push_back(is_number ? std::optional(value) : std::nullopt);
    begin = end + 1;
  }
  if (!fine || numbers.size() != count)
    throw InputError({"", {}, option, fmt::format("'{}' cannot be read", text), "write " + form});
  return {trimmed(text.substr(0, equals)), numbers};
}

FitOptions make_plan(const FitArguments& options) {
  FitOptions plan;
  plan.columns = options.columns;
  plan.tolerance = options.tolerance;
  for (const std::string& name : options.parameters) plan.parameters.push_back({name});
  refuse_twice("--bounds", options.bounds);
  for (const std::string& text : options.bounds) {
    const auto [name, numbers] = parse("--bounds", text, 2, "NAME=LOW:HIGH, as l=0.1:2 or l=0:");
    const auto found = std::ranges::find(plan.parameters, name, &FitParameter::name);
    if (found == plan.parameters.end())
      throw InputError({"", {}, "--bounds", fmt::format("{} is not fitted", name), "name it in --parameters"});
    if (numbers[0]) found->low = *numbers[0];
    if (numbers[1]) found->high = *numbers[1];
  }
  refuse_twice("--deviation", options.deviations);
  for (const std::string& text : options.deviations) {
    const auto [name, numbers] = parse("--deviation", text, 1, "COLUMN=NUMBER, as theta=0.01");
    plan.deviations.emplace_back(name, *numbers[0]);
  }
  return plan;
}

ExitStatus run(const FitArguments& options) {
  try_output(options.output, options.json, {FileKind::csv, FileKind::json, FileKind::svg},
             "residuals are written as .csv or .svg, the result as .json");
  const FitOptions plan = make_plan(options);
  const CsvTable data = read_csv(options.data);
  const Model model = load_started_model(options.model);
  const Fit found = fit(model, data, plan);
  if (!options.output.empty()) switch (file_kind(options.output)) {
      case FileKind::svg: write_file(options.output, write_svg(found, model.name)); break;
      case FileKind::json: write_file(options.output, write_json(found)); break;
      default: write_file(options.output, write_csv(found.residuals));
    }
  if (options.json)
    put(write_json(found));
  else
    put_text(write_text(found));
  return found.converged ? ExitStatus::fine : ExitStatus::cannot_go_on;
}

}  // namespace

void add_fit(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<FitArguments>();
  CLI::App* command = app.add_subcommand("fit", "Parameters from measured columns, with what they are good to");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  command->add_option("DATA", options->data, "A CSV file with a column t and measured columns, named as simulate's")
      ->required();
  command
      ->add_option("--parameters", options->parameters,
                   "Parameters, initial values and rates to find, as l,b,theta'; they start from the model's")
      ->required()
      ->delimiter(',')
      ->transform(trimmed)
      ->type_name("NAME,...");
  command->add_option("--columns", options->columns, "Columns of the file to fit; all where none is named")
      ->delimiter(',')
      ->transform(trimmed)
      ->type_name("NAME,...");
  command->add_option("--bounds", options->bounds, "Bounds of a parameter, as l=0.1:2, or l=0: for one")
      ->type_name("NAME=LOW:HIGH")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--deviation", options->deviations,
                   "Standard deviation of a column's measurements; estimated from the residuals where not given")
      ->type_name("COLUMN=NUMBER")
      ->expected(1)
      ->take_all();
  add_number_option(*command, "--tolerance", options->tolerance, "Of the motions", "TOL", 0);
  command->add_option("-o,--output", options->output, "Residuals as .svg or .csv, or the result as .json");
  add_json_option(*command, options->json);
  command->footer("Example: dalembert fit models:pendulum measured.csv --parameters l,theta -o residuals.svg");
  command->callback([options, &status] { status = run(*options); });
}
