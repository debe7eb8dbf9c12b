#include <fmt/format.h>

#include <algorithm>
#include <dalembert/report/report.hpp>
#include <dalembert/report/stability.hpp>

#include "model_options.hpp"
#include "output.hpp"
#include "range.hpp"

using namespace dalembert;

namespace {

struct LinearizeArguments {
  ModelOptions model;
  LinearizeOptions linearize;
  std::string over, output, as = "text";
  bool quiet = false, json = false;
};

/// Before the work is done.
void check_output(const LinearizeArguments& options) {
  if (options.as != "text" && options.as != "latex" && options.as != "csv")
    throw InputError({"", {}, "--as", fmt::format("there is no form {}", options.as), "use text, latex or csv"});
  if (options.over.empty())
    try_output(options.output, options.json, {FileKind::csv, FileKind::json},
               "linear equations are written as .csv or .json", "choose one of them, or draw a root locus with --over");
  else
    try_output(options.output, options.json, {FileKind::csv, FileKind::json, FileKind::svg},
               "a root locus is written as .csv, .json or .svg");
}

void write_one(const LinearizeArguments& options, const Model& model, const Linearization& result) {
  if (!options.output.empty())
    write_file(options.output, file_kind(options.output) == FileKind::csv ? write_csv(result) : write_json(result));
  if (options.json)
    put(write_json(result));
  else if (options.as == "latex")
    put(write_latex(result, derive_second_order(model, result)));
  else if (options.as == "csv")
    put(write_csv(result));
  else
    put_text(write_text(result));
}

void write_locus(const LinearizeArguments& options, const RootLocus& locus, const std::string& title) {
  if (!options.output.empty()) switch (file_kind(options.output)) {
      case FileKind::svg: write_file(options.output, write_svg(locus, title)); break;
      case FileKind::json: write_file(options.output, write_json(locus)); break;
      default: write_file(options.output, write_csv(locus));
    }
  if (options.json)
    put(write_json(locus));
  else if (options.output.empty())
    put(write_csv(locus));
  if (!options.quiet) say(write_summary(locus));
}

bool is_constant(const Model& model, const std::string& input) {
  return std::ranges::find(model.parameters, input, &Parameter::name) != model.parameters.end();
}

/// There is no B for what is a function of time.
void explain_varying(const std::vector<std::string>& inputs, const Model& model) {
  for (const std::string& input : inputs)
    if (!is_constant(model, input))
      say(fmt::format(
          "note: the input {0} varies with time; with --set {0}=0 it is a constant, and B has a column for it\n",
          input));
}

ExitStatus run(const LinearizeArguments& options) {
  check_output(options);
  std::vector<std::string> inputs;
  LinearizeOptions plan = options.linearize;
  const auto [model, moved] = load_start(options.model, [&](Description& description) {
    for (const Named<InputText>& input : description.inputs) inputs.push_back(input.name.text);
    for (const Text& constant : description.steady.constant) plan.constant.push_back(constant.text);
  });
  // What [steady] asks for moves the guesses once more.
  if (!moved.empty() && plan.constant.empty()) say(fmt::format("note: {}\n", moved));
  explain_varying(inputs, model);
  if (plan.inputs.empty())
    std::ranges::copy_if(inputs, std::back_inserter(plan.inputs),
                         [&](const auto& name) { return is_constant(model, name); });
  if (options.over.empty())
    write_one(options, model, linearize(model, plan));
  else
    write_locus(options, find_root_locus(model, parse_range(options.over), plan), model.name);
  return ExitStatus::fine;
}

}  // namespace

void add_linearize(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<LinearizeArguments>();
  CLI::App* command = app.add_subcommand(
      "linearize", "Small motions about a steady one: matrices, eigenvalues, modes, stability; root loci");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  command
      ->add_option("--independent", options->linearize.independent,
                   "Coordinates to write the equations in, as phi,delta; the engine adds those that act on them")
      ->delimiter(',')
      ->transform(trimmed)
      ->type_name("NAME,...");
  command
      ->add_option("--inputs", options->linearize.inputs,
                   "Parameters to take as inputs, as torque,push: B and D; the model's [inputs] where none is named")
      ->delimiter(',')
      ->transform(trimmed)
      ->type_name("NAME,...");
  command
      ->add_option(
          "--steady", options->linearize.steady,
          "Initial values and rates to solve for besides guesses, as theta,psi', so that the motion is steady; others "
          "are kept")
      ->delimiter(',')
      ->transform(trimmed)
      ->type_name("NAME,...");
  command->add_flag("--frozen", options->linearize.frozen,
                    "The matrices at the start even where it is not steady; no eigenvalues, no verdict");
  command->add_flag("--modes", options->linearize.modes,
                    fmt::format("Eigenvalues and modes of more than {} states too: ten seconds for a thousand",
                                most_states_with_modes));
  command
      ->add_option("--over", options->over,
                   "Root locus over a parameter, an initial value or a rate, with the values where stability changes")
      ->type_name("NAME=FIRST:LAST:STEP");
  command->add_option("--as", options->as, "Form of the result: text, latex or csv")->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write: .csv or .json; of a root locus also .svg");
  command->add_flag("--quiet", options->quiet, "With --over: no summary on standard error");
  add_json_option(*command, options->json);
  command->footer(
      "Example: dalembert linearize models:whipple_bicycle --set \"phi'=0\" --over v=0:10:0.05 -o locus.svg");
  command->callback([options, &status] { status = run(*options); });
}
