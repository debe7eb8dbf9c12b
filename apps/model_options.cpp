#include "model_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <dalembert/base/failure.hpp>
#include <dalembert/study/questions.hpp>
#include <set>

#include "output.hpp"
#include "overrides.hpp"

using namespace dalembert;

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.add_option("MODEL", options.model, "A model file, or models:NAME for a bundled one (dalembert models)")
      ->required();
  command
      .add_option("--set", options.set, "Override a parameter or an initial value or rate: --set l=2 --set \"x'=1\"")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
}

std::string trimmed(const std::string& text) {
  std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

void add_start_options(CLI::App& command, ModelOptions& options) {
  command
      .add_option("--solve", options.solve,
                  "Initial values and rates to take as guesses and solve for, as beta,x'; the others are kept")
      ->delimiter(',')
      ->transform(trimmed)
      ->type_name("NAME,...");
  command.add_flag("--project-initial", options.project_initial,
                   "Take all initial values and rates as guesses: move them onto the constraints, and say by how much");
}

namespace {

/// Each name once.
Overrides read_pairs(const char* option, const std::vector<std::string>& texts) {
  Overrides overrides;
  for (const std::string& text : texts) {
    std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError({"",
                        {},
                        option,
                        fmt::format("'{}' does not say what to set", text),
                        fmt::format("write {} NAME=VALUE", option)});
    const std::string name = trimmed(text.substr(0, equals)), value = trimmed(text.substr(equals + 1));
    for (const Override& earlier : overrides)
      if (earlier.name == name)
        throw InputError({"",
                          {},
                          option,
                          fmt::format("{} is set twice, to {} and to {}", name, earlier.value, value),
                          "set it once; for several values use sweep"});
    overrides.push_back({name, value});
  }
  return overrides;
}

}  // namespace

Overrides read_overrides(const ModelOptions& options) {
  Overrides overrides = read_pairs("--set", options.set);
  for (const Override& instead : read_pairs("--beside", options.beside)) {
    std::erase_if(overrides, [&](const Override& each) { return each.name == instead.name; });
    overrides.push_back(instead);
  }
  return overrides;
}

Model load_model(const ModelOptions& options, const ChangeDescription& change) {
  const Overrides overrides = read_overrides(options);
  Description description = read_description(find_model(options.model));
  if (change) change(description);
  Model model = with_guesses(make_model(description, overrides), options.solve);
  return options.project_initial ? with_all_guesses(std::move(model)) : model;
}

SettledStart load_start(const ModelOptions& options, const ChangeDescription& change) {
  return settle_start(load_model(options, change));
}

Model load_started_model(const ModelOptions& options, const ChangeDescription& change) {
  SettledStart start = load_start(options, change);
  if (!start.report.empty()) say(fmt::format("note: {}\n", start.report));
  return std::move(start.model);
}

CLI::Option* add_number_option(CLI::App& command, const std::string& name, std::optional<double>& number,
                               const std::string& description, const std::string& type, double above) {
  auto complain = [above](const std::string& text) -> std::string {
    double value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      return fmt::format("'{}' is not a number; write it as 2.5 or 1e-3", text);
    return value > above ? "" : fmt::format("{} is too small; give a number above {}", text, above);
  };
  return command.add_option(name, number, description)->type_name(type)->check(CLI::Validator(complain, ""));
}

CLI::Option* add_count_option(CLI::App& command, const std::string& name, std::size_t& count,
                              const std::string& description, std::size_t first, std::size_t last) {
  static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));  // seeds are taken so too
  auto complain = [first, last](const std::string& text) -> std::string {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    if (is_whole && value >= first && value <= last) return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, first, last);
  };
  return command.add_option(name, count, description)
      ->check(CLI::Validator(complain, ""))
      ->type_name("N")
      ->capture_default_str();
}

double number_of(const Model& model, const char* option, const std::string& text) {
  try {
    const Expr formula = parse_expression(*model.graph, text);
    const std::vector<double> values = parameter_values(model);
    std::vector<Binding> bindings;
    for (std::size_t i = 0; i < values.size(); ++i) bindings.push_back({model.parameters[i].symbol, values[i]});
    const double value = evaluate(formula, bindings);
    if (std::isfinite(value)) return value;
  } catch (const InputError&) {
    // said below
  }
  throw InputError(
      {"", {}, option, fmt::format("'{}' is no number", trimmed(text)), "give a number or a formula of parameters"});
}

void refuse_twice(const char* option, const std::vector<std::string>& texts) {
  std::set<std::string> names;
  for (const std::string& text : texts)
    if (const std::string name = trimmed(text.substr(0, text.find('='))); !names.insert(name).second)
      throw InputError({"", {}, option, fmt::format("{} is given twice", name), "give it once"});
}

void check_times(const SimulateOptions& plan, const SimulateSettings& own, const char* until) {
  constexpr double shortest = 1e-150, longest = 1e150;
  auto check = [&](const char* option, double time) {
    if (!(time >= shortest && time <= longest))
      throw InputError({"",
                        {},
                        option,
                        fmt::format("a time of {} cannot be followed", time),
                        fmt::format("give one between {} and {}", shortest, longest)});
  };
  const double last = plan.until.value_or(own.until), every = plan.every.value_or(own.every);
  check(until, last);
  if (!plan.every && !own.every_given) return;  // a part of `until`
  check("--every", every);
  if (!(last / every < 0x1p53))
    throw InputError({"",
                      {},
                      "--every",
                      fmt::format("multiples of {} cannot be told apart at t = {}", every, last),
                      "give a larger --every, or count time from nearer the start"});
}

void add_time_option(CLI::App& command, std::optional<double>& time) {
  add_number_option(command, "--time", time, "Evaluate at the state reached at this time", "T");
}

State state_of_option(const System& system, const std::optional<double>& time) {
  if (time && *time > 0) check_times({.until = time, .every = time}, {}, "--time");
  return dalembert::state_at(system, time, nullptr, "--time");
}
