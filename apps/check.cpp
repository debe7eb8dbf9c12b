#include <dalembert/report/report.hpp>
#include <dalembert/study/check.hpp>
#include <memory>

#include "as_option.hpp"
#include "model_options.hpp"

using namespace dalembert;

void add_check(CLI::App& app, ExitStatus& status) {
  struct CheckArguments {
    ModelOptions model;
    std::string as = "text";
    bool json = false;
  };
  auto options = std::make_shared<CheckArguments>();
  CLI::App* command =
      app.add_subcommand("check", "What the system is: degrees of freedom, constraints, first integrals");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_as_option(*command, options->as);
  add_json_option(*command, options->json);
  command->footer("Example: dalembert check models:rolling_disk_tilted");
  command->callback([options, &status] {
    Model model = load_started_model(options->model);
    const CheckReport report = check_model(derive_multipliers(model));
    put_as(report, options->json ? "json" : options->as);
    if (report.refused) throw ModelError(*report.refused);
    status = ExitStatus::fine;
  });
}
