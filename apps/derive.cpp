#include <fmt/format.h>

#include <algorithm>
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
  State state = state_of_option(System(derive_multipliers(model)), time);
  report.at = evaluate_geometry(report.geometry, state);
  report.exceptional = decide_exceptional(report.geometry, state);
  return report;
}

/// Coordinates: the connection has a number for every three of them, and nobody reads a million.
constexpr std::size_t largest_geometry = 60;

/// More quasi-velocities than this are not written down: a page has no room for what each is in terms of all rates.
constexpr std::size_t largest_frame = 60;

template <class Derived>
std::string write_as(const std::string& as, const Derived& derived, const EquationStyle& style) {
  return as == "json"    ? write_json(derived, style)
         : as == "latex" ? write_latex(derived, style)
         : as == "c"     ? write_c(equations_of(derived))
                         : write_text(derived, style);
}

/// With `time`: the values of all parts at the state reached then.
void put_written(std::string text, const Equations& equations, const std::string& as,
                 const std::optional<double>& time) {
  if (time) {
    EquationValues values = evaluate_equations(equations, state_of_option(System(equations), time));
    text = as == "json" ? add_values(text, values) : text + write_text(equations, values);
  }
  as == "text" ? put_text(text) : put(text);
}

template <class Derived>
void write(const Derived& derived, const std::string& as, const EquationStyle& style,
           const std::optional<double>& time) {
  put_written(write_as(as, derived, style), equations_of(derived), as, time);
}

/// The frame in words, on standard error where the equations are for programs, and what it is a frame for.
void write_large_frame(const Model& model, const std::string& as, const EquationStyle& style,
                       const std::optional<double>& time) {
  const std::size_t constraints = static_cast<std::size_t>(std::ranges::count_if(
      model.constraints, [](const Constraint& c) { return c.kind != ConstraintKind::one_sided; }));
  const std::string told = fmt::format(
      "{} quasi-velocities, too many to write down: {} that vanish, one for each constraint, and others that complete "
      "them.\nTheir equations are combinations of those by multipliers, which follow.\n",
      model.coordinates.size(), constraints);
  as == "text" ? put_text("Equations of motion by hamel\n\n" + told + "\n") : say("note: " + told);
  write(derive_multipliers(model), as, style, time);
}

/// What the engine chose as a frame is told in short where its equations fill a book.
void write_hamel(const Model& model, const std::string& as, const EquationStyle& style,
                 const std::optional<double>& time) {
  constexpr std::size_t longest = 60'000;  // characters: thirty pages
  const bool is_read = (as == "text" || as == "latex") && !style.expand && model.quasi_velocities.empty();
  if (model.coordinates.size() > largest_frame) return write_large_frame(model, as, style, time);
  const Equations equations = derive_by(model, "hamel");
  std::string text = write_as(as, equations, style);
  if (is_read && text.size() > longest) return write_large_frame(model, as, style, time);
  put_written(std::move(text), equations, as, time);
}

}  // namespace

void add_derive(CLI::App& app, ExitStatus& status) {
  struct DeriveArguments {
    ModelOptions model;
    std::string by = "multipliers", as = "text";
    std::optional<double> time;
    EquationStyle style;
    bool json = false;
  };
  auto options = std::make_shared<DeriveArguments>();
  CLI::App* command = app.add_subcommand("derive", "The equations of motion");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_by_option(*command, options->by);
  command->add_option("--as", options->as, "text, latex, json or c")
      ->check(CLI::IsMember({"text", "latex", "json", "c"}))
      ->capture_default_str();
  command->add_flag("--expand", options->style.expand, "Write everything out: no names for parts of what is large");
  add_time_option(*command, options->time);
  add_json_option(*command, options->json);
  command->footer("Example: dalembert derive models:double_pendulum --as latex");
  command->callback([options, &status] {
    const bool at_state = options->time || options->by == "projection";
    Model model = at_state ? load_started_model(options->model) : load_model(options->model);
    std::string as = options->json ? "json" : options->as;
    if (options->time && (as == "latex" || as == "c"))
      throw InputError(
          {"", {}, "--time", "values at a state are written as text and JSON only", "leave out --as " + as});
    if (options->by == "gauss")
      write(derive_gauss(model), as, options->style, options->time);
    else if (options->by == "projection" && model.coordinates.size() <= largest_geometry)
      write(find_projection(model, options->time), as, options->style, options->time);
    else if (options->by == "hamel")
      write_hamel(model, as, options->style, options->time);
    else
      write(derive_by(model, options->by), as, options->style, options->time);
    status = ExitStatus::fine;
  });
}
