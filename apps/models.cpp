#include <dalembert/report/report.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "model_options.hpp"
#include "output.hpp"

using namespace dalembert;

void add_models(CLI::App& app, ExitStatus& status) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("models", "List the bundled models; models:NAME stands for one anywhere");
  add_json_option(*command, *json);
  command->footer("Example: dalembert models");
  command->callback([json, &status] {
    nlohmann::ordered_json document = nlohmann::ordered_json::array();
    TextTable table({"model", "what it is"});
    for (const ModelFile& file : list_models()) {
      document.push_back({{"name", file.name}, {"about", file.about}, {"path", file.path}});
      table.add({"models:" + file.name, file.about});
    }
    using Handler = nlohmann::ordered_json::error_handler_t;  // a path may be anything but UTF-8
    *json ? put(nlohmann::ordered_json{{"models", document}}.dump(2, ' ', false, Handler::replace) + "\n")
          : put_text(table.text());
    status = ExitStatus::fine;
  });
}
