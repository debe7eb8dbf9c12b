#include <fmt/format.h>

#include <dalembert/report/report.hpp>

#include "as_option.hpp"
#include "model_options.hpp"

using namespace dalembert;

namespace {

struct GaussArguments {
  ModelOptions model;
  std::optional<double> time;
  std::vector<std::string> at;
  std::string as = "text";
  bool json = false;
};

[[noreturn]] void refuse_acceleration(const std::string& problem, const std::string& remedy) {
  throw InputError({"", {}, "--at", problem, remedy});
}

/// "q''=FORMULA", the formula one of parameters.
ImaginedAcceleration parse(const Model& model, const std::string& text) {
  std::size_t equals = text.find('=');
  std::string name = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || !name.ends_with("''"))
    refuse_acceleration(fmt::format("'{}' gives no acceleration", text),
                        "write --at \"q''=VALUE\" with a coordinate q");
  name = trimmed(name.substr(0, name.size() - 2));
  std::vector<std::string> names;
  for (const Coordinate& coordinate : model.coordinates) names.push_back(coordinate.name);
  auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    std::string nearest = nearest_name(name, names);
    refuse_acceleration(fmt::format("there is no coordinate {}", name),
                        nearest.empty() ? fmt::format("the coordinates are {}", fmt::join(names, ", "))
                                        : fmt::format("did you mean {}?", nearest));
  }
  return {static_cast<std::size_t>(found - names.begin()), number_of(model, "--at", text.substr(equals + 1))};
}

GaussReport find(const GaussArguments& options) {
  Model model = load_started_model(options.model);
  LeastConstraint gauss = derive_gauss(model);
  std::vector<ImaginedAcceleration> imagined;
  refuse_twice("--at", options.at);
  for (const std::string& text : options.at) imagined.push_back(parse(model, text));
  State state = state_of_option(System(derive_multipliers(model)), options.time);
  return evaluate_gauss(gauss, state, imagined);
}

}  // namespace

void add_gauss(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<GaussArguments>();
  CLI::App* command = app.add_subcommand("gauss", "Gauss's constraint Z and its parts, at imagined accelerations");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_time_option(*command, options->time);
  command
      ->add_option("--at", options->at,
                   "An acceleration to imagine, as \"q''=1.5\"; those not given are the actual ones")
      ->type_name("Q''=VALUE")
      ->expected(1)
      ->take_all();
  add_as_option(*command, options->as);
  add_json_option(*command, options->json);
  command->footer("Example: dalembert gauss models:double_pendulum --at \"a''=-11\" --at \"b''=8\"");
  command->callback([options, &status] {
    GaussReport report = find(*options);
    put_as(report, options->json ? "json" : options->as);
    status = ExitStatus::fine;
  });
}
