#include <dalembert/report/report.hpp>

#include "model_options.hpp"
#include "output.hpp"

using namespace dalembert;

namespace {

struct VerifyArguments {
  ModelOptions model;
  std::optional<double> time;
  VerifyOptions verify;
  bool json = false;
};

ExitStatus run(VerifyArguments options) {
  Model model = load_started_model(options.model);
  if (options.time) options.verify.around = state_of_option(System(derive_multipliers(model)), options.time);
  Verification result = verify(model, options.verify);
  options.json ? put(write_json(result)) : put_text(write_text(result));
  return result.ok ? ExitStatus::fine : ExitStatus::check_failed;
}

}  // namespace

void add_verify(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand("verify", "All routes to the same numbers against each other");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_time_option(*command, options->time);
  add_count_option(*command, "--states", options->verify.states, "How many random states to compare at", 1, 10000);
  add_count_option(*command, "--seed", options->verify.seed, "Of the random states", 0, SIZE_MAX);
  add_json_option(*command, options->json);
  command->footer(
      "Status 1 if anything disagrees by more than its bound.\nExample: dalembert verify models:spherical_pendulum");
  command->callback([options, &status] { status = run(*options); });
}
