#include <dalembert/report/report.hpp>
#include <memory>

#include "model_options.hpp"
#include "output.hpp"
#include "principle.hpp"

using namespace dalembert;

namespace {

const Equations& equations_of(const Equations& equations) { return equations; }
const Equations& equations_of(const LeastConstraint& gauss) { return gauss.equations; }
const Equations& equations_of(const ProjectionReport& projection) { return projection.geometry.equations; }

ProjectionReport find_projection(const Model& model, const std::optional<double>& time) {
  ProjectionReport report{derive_projection(model), {}, {}};
  State state = state_at(System(derive_multipliers(model)), time);
  report.at = evaluate_geometry(report.geometry, state);
  report.exceptional = decide_exceptional(report.geometry, state);
  return report;
}

/// Coordinates: the connection has a number for every three of them, and nobody reads a million.
constexpr std::size_t largest_geometry = 60;

/// With `time`: the values of all parts at the state reached then.
template <class Derived>
void write(const Derived& derived, const std::string& as, const EquationStyle& style,
           const std::optional<double>& time) {
  const Equations& equations = equations_of(derived);
  std::string text = as == "json"    ? write_json(derived, style)
                     : as == "latex" ? write_latex(derived, style)
                     : as == "c"     ? write_c(equations)
                                     : write_text(derived, style);
  if (time) {
    EquationValues values = evaluate_equations(equations, state_at(System(equations), time));
    text = as == "json" ? add_values(text, values) : text + write_text(equations, values);
  }
  as == "text" ? put_text(text) : put(text);
}

}  // namespace

void add_derive(CLI::App& app, ExitStatus& status) {
  struct Options {
    ModelOptions model;
    std::string by = "multipliers", as = "text";
    std::optional<double> time;
    EquationStyle style;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("derive", "The equations of motion");
  add_model_options(*command, options->model);
  add_by_option(*command, options->by);
  command->add_option("--as", options->as, "text, latex, json or c")
      ->check(CLI::IsMember({"text", "latex", "json", "c"}))
      ->capture_default_str();
  command->add_flag("--expand", options->style.expand, "Write everything out: no names for parts of what is large");
  add_time_option(*command, options->time);
  add_json_option(*command, options->json);
  command->footer("Example: dalembert derive models:double_pendulum --as latex");
  command->callback([options, &status] {
    Model model = load_model(options->model);
    std::string as = options->json ? "json" : options->as;
    if (options->time && (as == "latex" || as == "c"))
      throw InputError(
          {"", {}, "--time", "values at a state are written as text and JSON only", "leave out --as " + as});
    if (options->by == "gauss")
      write(derive_gauss(model), as, options->style, options->time);
    else if (options->by == "projection" && model.coordinates.size() <= largest_geometry)
      write(find_projection(model, options->time), as, options->style, options->time);
    else
      write(derive_by(model, options->by), as, options->style, options->time);
    status = ExitStatus::fine;
  });
}
