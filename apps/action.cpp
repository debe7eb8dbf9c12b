#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report/report.hpp>
#include <memory>

#include "model_options.hpp"
#include "output.hpp"

using namespace dalembert;

namespace {

struct ActionArguments {
  ModelOptions model;
  std::optional<double> until;
  std::vector<std::string> from, to;
  bool unchecked = false, json = false;
};

/// NAME=VALUE for every coordinate; the others take `otherwise`, or are missed where that is empty.
std::vector<double> configuration(const Model& model, const char* option, const std::vector<std::string>& texts,
                                  std::vector<double> otherwise) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : model.coordinates) names.push_back(coordinate.name);
  std::vector<bool> given(names.size(), !otherwise.empty());
  std::vector<double> values = otherwise.empty() ? std::vector<double>(names.size(), 0.0) : std::move(otherwise);
  refuse_twice(option, texts);
  for (const std::string& text : texts) {
    std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw InputError({"", {}, option, fmt::format("'{}' gives no value", text), "write NAME=VALUE"});
    std::string name = trimmed(text.substr(0, equals));
    auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      std::string nearest = nearest_name(name, names);
      throw InputError({"",
                        {},
                        option,
                        fmt::format("there is no coordinate {}", name),
                        nearest.empty() ? "name a coordinate" : fmt::format("did you mean {}?", nearest)});
    }
    const auto i = static_cast<std::size_t>(found - names.begin());
    values[i] = number_of(model, option, text.substr(equals + 1));
    given[i] = true;
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!given[i])
      throw InputError({"", {}, option, fmt::format("the value of {} is missing", names[i]), "give all coordinates"});
  return values;
}

}  // namespace

void add_action(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<ActionArguments>();
  CLI::App* command = app.add_subcommand(
      "action", "The action along the motion, or Hamilton's principal function between two configurations");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_number_option(*command, "--until", options->until, "Time of arrival; default the model's until", "T", 0);
  command->add_option("--to", options->to, "Configuration to reach, NAME=VALUE for every coordinate; may repeat")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command->add_option("--from", options->from, "Configuration at t = 0 instead of the model's")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command->add_flag("--unchecked", options->unchecked, "Do not compare the momenta with differences of the action");
  add_json_option(*command, options->json);
  command->footer("Example: dalembert action models:oscillator --from q=0.4 --to q=-0.9 --until 0.8");
  command->callback([options, &status] {
    Model model = load_started_model(options->model);
    ActionOptions plan;
    plan.until = options->until.value_or(model.simulate.until);
    check_times({.until = plan.until, .every = plan.until}, model.simulate);
    if (options->from.empty()) static_cast<void>(System(derive_multipliers(model)).make_initial_start());
    plan.from = configuration(model, "--from", options->from, initial_state(model).q);
    if (!options->to.empty()) plan.to = configuration(model, "--to", options->to, {});
    plan.check = !options->unchecked;
    ActionReport report = evaluate_action(model, plan);
    options->json ? put(write_json(report)) : put_text(write_text(report));
    status = report.ok ? ExitStatus::fine : ExitStatus::check_failed;
  });
}
