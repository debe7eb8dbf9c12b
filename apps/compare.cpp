#include <dalembert/report/report.hpp>
#include <dalembert/study/questions.hpp>

#include "model_options.hpp"
#include "output.hpp"
#include "overrides.hpp"

using namespace dalembert;

namespace {

struct CompareArguments {
  ModelOptions model;
  std::string equation, with;
  bool json = false;
};

Comparison compare(const CompareArguments& options) {
  if (options.equation.empty() == options.with.empty())
    throw InputError(
        {"",
         {},
         "compare",
         options.with.empty() ? "nothing to compare the model with" : "two things to compare the model with",
         "give --equation \"left = right\", or --with another model file"});
  if (!options.equation.empty()) try {
      return compare_equation(read_description(find_model(options.model.model)), read_overrides(options.model),
                              options.equation);
    } catch (const InputError& error) {
      Complaint complaint = error.complaint();
      if (complaint.key == "equation") complaint.key = "--equation";
      throw InputError(complaint);
    }
  return compare_models(derive_multipliers(load_model(options.model)),
                        derive_multipliers(load_model(find_model(options.with))));
}

}  // namespace

void add_compare(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Proves or refutes a formula against the model's");
  add_model_options(*command, options->model);
  command->add_option("--equation", options->equation,
                      "An equation of t, q, q', q'', parameters, reaction(c), energy, momentum(q), beta(mu, nu, rho)");
  command->add_option("--with", options->with, "Another model file with the same coordinates, or models:NAME");
  add_json_option(*command, options->json);
  command->footer("Example: dalembert compare models:pendulum --equation \"theta'' = -g/l*sin(theta)\"");
  command->callback([options, &status] {
    const Comparison comparison = compare(*options);
    options->json ? put(write_json(comparison)) : put_text(write_text(comparison));
    status = comparison.equal == std::optional(false) ? ExitStatus::check_failed : ExitStatus::fine;
  });
}
