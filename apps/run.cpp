#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <dalembert/base/failure.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/report/report.hpp>
#include <sstream>

#include "command.hpp"
#include "limits.hpp"
#include "output.hpp"

namespace {

constexpr std::array all_commands = {"check", "derive",  "simulate", "reactions", "verify",  "frame",     "hodograph",
                                     "gauss", "formula", "action",   "models",    "gallery", "linearize", "equilibria",
                                     "fit",   "compare", "export",   "sweep",     "view",    "periodic",  "inverse"};

/// Says what went wrong, to people always and to programs where they asked for JSON.
int end_with(const dalembert::Failure& failure, bool json) {
  say(fmt::format("dalembert: error: {}\n", to_text(failure.complaint)));
  if (json) put(write_json(failure));
  return failure.status;
}

/// Asked for anywhere but behind --, also where the arguments are otherwise wrong.
bool wants_json(const std::vector<std::string>& arguments) {
  auto end = std::ranges::find(arguments, "--");
  return std::find(arguments.begin(), end, "--json") != end;
}

/// Formulas may begin with a minus: such an argument is no option, and -- before it says so.
std::vector<std::string> protect_formulas(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0] != "formula") return arguments;
  auto is_option = [](const std::string& text) { return text == "-h" || (text.starts_with("--") && text != "--"); };
  auto formula = std::stable_partition(arguments.begin() + 1, arguments.end(), is_option);
  if (formula != arguments.end() && *formula != "--") arguments.insert(formula, "--");
  return arguments;
}

[[noreturn]] void refuse(std::string problem, std::string remedy) {
  throw dalembert::InputError({"", {}, "", std::move(problem), std::move(remedy)});
}

bool has_command(CLI::App& app, const std::string& name) {
  return std::ranges::any_of(app.get_subcommands({}), [&](CLI::App* command) { return command->get_name() == name; });
}

/// A first argument that is no command.
void check_command(CLI::App& app, const std::string& name) {
  if (name.starts_with("-") || has_command(app, name)) return;
  if (std::ranges::find(all_commands, name) != all_commands.end())
    refuse(fmt::format("this release does not have the command '{}' yet", name), "dalembert -h lists those it has");
  std::vector<std::string> known(all_commands.begin(), all_commands.end());
  std::string nearest = dalembert::nearest_name(name, known);
  refuse(fmt::format("unknown command '{}'", name),
         nearest.empty() ? "dalembert -h lists them" : fmt::format("did you mean '{}'?", nearest));
}

/// The command that reads its arguments, or the application while there is none.
const CLI::App& chosen_app(const CLI::App& app) {
  std::vector<const CLI::App*> chosen = app.get_subcommands([](const CLI::App* command) { return command->parsed(); });
  return chosen.empty() ? app : *chosen[0];
}

/// "formula " while that command reads its arguments.
std::string chosen_command(const CLI::App& app) {
  const CLI::App& chosen = chosen_app(app);
  return &chosen == &app ? "" : chosen.get_name() + " ";
}

std::string see_help(const CLI::App& app) {
  return fmt::format("dalembert {}-h tells what is expected", chosen_command(app));
}

/// Arguments that nothing takes.
[[noreturn]] void refuse_extras(const CLI::App& app, std::vector<std::string> extras) {
  std::erase(extras, "--");
  if (extras.empty() || !extras[0].starts_with("--"))
    refuse(fmt::format("unexpected '{}'", fmt::join(extras, "', '")), see_help(app));
  std::vector<std::string> known;
  for (const CLI::Option* option : chosen_app(app).get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  std::string given = extras[0].substr(0, extras[0].find('=')), nearest = dalembert::nearest_name(given, known);
  refuse(fmt::format("there is no option '{}'", given),
         nearest.empty() ? see_help(app) : fmt::format("did you mean '{}'?", nearest));
}

/// "--until: At Most 1 required but received 2" and "--until: 1 required T missing" in our words.
[[noreturn]] void refuse_count(const CLI::App& app, const std::string& message) {
  const std::string option = message.substr(0, message.find(':'));
  if (message.find("received") != std::string::npos) refuse(option + " is given twice", "give it once");
  refuse(option + " needs a value", see_help(app));
}

/// "Could not convert: --picture = 0,x" in our words.
[[noreturn]] void refuse_value(const CLI::App& app, const std::string& message) {
  const std::size_t begin = message.find("--"), equals = message.find(" = ");
  if (begin == std::string::npos || equals == std::string::npos) refuse(message, see_help(app));
  refuse(fmt::format("{}: '{}' has something that is no number", message.substr(begin, equals - begin),
                     message.substr(equals + 3)),
         see_help(app));
}

int run(CLI::App& app, const ExitStatus& status, std::vector<std::string> arguments) {
  if (arguments.empty()) {
    say(app.help());
    return static_cast<int>(ExitStatus::wrong_input);
  }
  check_command(app, arguments[0]);
  try {
    arguments = protect_formulas(std::move(arguments));
    std::ranges::reverse(arguments);  // as CLI11 takes them
    app.parse(std::move(arguments));
  } catch (const CLI::Success& success) {  // -h, --version
    std::ostringstream text;
    int code = app.exit(success, text, text);
    put(text.str());
    return code;
  } catch (const CLI::ExtrasError&) {
    refuse_extras(app, app.remaining(true));
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_count(app, error.what());
  } catch (const CLI::ConversionError& error) {
    refuse_value(app, error.what());
  } catch (const CLI::ParseError& error) {
    refuse(error.what(), see_help(app));
  }
  return static_cast<int>(status);
}

/// An empty text is what a shell makes of a variable that is not set: no option means by it that it is not there.
void refuse_empty_values(CLI::App& command) {
  const auto complain = [](const std::string& text) {
    return text.empty() ? std::string("the value is empty; give one, or leave the option out") : std::string();
  };
  for (CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty() && option->get_expected_max() > 0) option->check(CLI::Validator(complain, ""));
}

int run_guarded(const std::vector<std::string>& arguments) {
  Limits limits;
  try {
    CLI::App app("dalembert: equations of motion, reactions and motions of mechanical systems with constraints");
    app.name("dalembert");
    app.set_version_flag("--version", DALEMBERT_VERSION);
    app.require_subcommand(1);
    app.footer("dalembert COMMAND -h explains a command and shows an example.");
    ExitStatus status = ExitStatus::fine;
    for (auto add : {add_check,     add_derive,    add_simulate,   add_reactions, add_verify,  add_frame, add_gauss,
                     add_hodograph, add_linearize, add_equilibria, add_periodic,  add_inverse, add_sweep, add_fit,
                     add_action,    add_compare,   add_formula,    add_models,    add_gallery, add_view})
      add(app, status);
    for (CLI::App* command : app.get_subcommands({})) {
      limits.add_options(*command);
      refuse_empty_values(*command);
    }
    return run(app, status, arguments);
  } catch (const std::exception& error) {
    return end_with(dalembert::describe_failure(error), wants_json(arguments));
  }
}

}  // namespace

int run_dalembert(const std::vector<std::string>& arguments) {
  try {
    return run_guarded(arguments);
  } catch (const std::bad_alloc&) {
    say_raw("dalembert: error: there is not enough memory\n");
    return static_cast<int>(ExitStatus::cannot_go_on);
  } catch (...) {  // an error was said, but could not be written as JSON
    return static_cast<int>(ExitStatus::cannot_go_on);
  }
}
