#include <dalembert/report/report.hpp>
#include <memory>

#include "as_option.hpp"
#include "model_options.hpp"

using namespace dalembert;

void add_frame(CLI::App& app, ExitStatus& status) {
  struct FrameArguments {
    ModelOptions model;
    std::string as = "text";
    bool json = false, reciprocal = false;
  };
  auto options = std::make_shared<FrameArguments>();
  CLI::App* command = app.add_subcommand(
      "frame", "Quasi-velocities: Hamel's transition coefficients, the group, integrability, momenta");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  command->add_flag("--reciprocal", options->reciprocal,
                    "Also the reciprocal frame along the motion: fields that commute with those of the frame");
  add_as_option(*command, options->as);
  add_json_option(*command, options->json);
  command->footer("Example: dalembert frame models:free_body_space_frame");
  command->callback([options, &status] {
    Model model = options->reciprocal ? load_started_model(options->model) : load_model(options->model);
    FrameReport report = describe_frame(model);
    if (options->reciprocal) report.reciprocal = integrate_reciprocal_frame(model, {.until = model.simulate.until});
    put_as(report, options->json ? "json" : options->as);
    status = ExitStatus::fine;
  });
}
