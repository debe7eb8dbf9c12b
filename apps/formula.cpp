#include <dalembert/report/formula.hpp>
#include <memory>

#include "command.hpp"
#include "output.hpp"

using namespace dalembert;

void add_formula(CLI::App& app, ExitStatus& status) {
  struct FormulaArguments {
    std::string formula;
    bool json = false;
  };
  auto options = std::make_shared<FormulaArguments>();
  CLI::App* command = app.add_subcommand("formula", "Canonical form, LaTeX and zero test of a formula");
  command->add_option("FORMULA", options->formula, "An expression; of an equation a = b the difference a - b")
      ->required();
  add_json_option(*command, options->json);
  command->footer("Example: dalembert formula \"sin(a)*cos(b) + cos(a)*sin(b) = sin(a + b)\"");
  command->callback([options, &status] {
    Graph graph;
    const FormulaReport report = judge_formula(read_difference(options->formula, plain_scope(graph)));
    if (options->json) put(write_json(report));
    if (!options->json) put_text(write_text(report));
    status = ExitStatus::fine;
  });
}
