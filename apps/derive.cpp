#include <fmt/format.h>

#include <dalembert/report.hpp>
#include <memory>

#include "model_options.hpp"
#include "principle.hpp"

using namespace dalembert;

void add_derive(CLI::App& app, ExitStatus& status) {
  struct Options {
    ModelOptions model;
    std::string by = "multipliers", as = "text";
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("derive", "The equations of motion");
  add_model_options(*command, options->model);
  add_by_option(*command, options->by);
  command->add_option("--as", options->as, "text, latex, json or c")
      ->check(CLI::IsMember({"text", "latex", "json", "c"}))
      ->capture_default_str();
  add_json_option(*command, options->json);
  command->footer("Example: dalembert derive models:double_pendulum --as latex");
  command->callback([options, &status] {
    Model model = load_model(options->model);
    Equations equations = derive_by(model, options->by);
    std::string as = options->json ? "json" : options->as;
    std::string text = as == "json"    ? write_json(equations)
                       : as == "latex" ? write_latex(equations)
                       : as == "c"     ? write_c(model, equations)
                                       : write_text(equations);
    fmt::print("{}", text);
    status = ExitStatus::fine;
  });
}
