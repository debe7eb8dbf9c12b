#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/formula.hpp>

#include "command.hpp"

namespace {

constexpr std::array all_commands = {"check", "derive",  "simulate", "reactions", "verify",    "frame",  "hodograph",
                                     "gauss", "formula", "action",   "models",    "linearize", "export", "sweep"};

void report(const std::string& message) { fmt::print(stderr, "dalembert: error: {}\n", message); }

/// Formulas may begin with a minus: such an argument is no option, and -- before it says so.
std::vector<std::string> protect_formulas(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0] != "formula") return arguments;
  auto is_option = [](const std::string& text) { return text == "-h" || (text.starts_with("--") && text != "--"); };
  auto formula = std::stable_partition(arguments.begin() + 1, arguments.end(), is_option);
  if (formula != arguments.end() && *formula != "--") arguments.insert(formula, "--");
  return arguments;
}

bool has_command(CLI::App& app, const std::string& name) {
  return std::ranges::any_of(app.get_subcommands({}), [&](CLI::App* command) { return command->get_name() == name; });
}

/// What is wrong with a first argument that is no command; empty if nothing is.
std::string complain_about_command(CLI::App& app, const std::string& name) {
  if (name.starts_with("-") || has_command(app, name)) return {};
  if (std::ranges::find(all_commands, name) != all_commands.end())
    return fmt::format("this release does not have the command '{}' yet; dalembert -h lists those it has", name);
  std::vector<std::string> known(all_commands.begin(), all_commands.end());
  std::string nearest = dalembert::nearest_name(name, known);
  return fmt::format("unknown command '{}'; {}", name,
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

/// What is wrong with arguments that nothing takes.
std::string complain_about_extras(const CLI::App& app, std::vector<std::string> extras) {
  std::erase(extras, "--");
  std::string rest = fmt::format("dalembert {}-h tells what is expected", chosen_command(app));
  if (extras.empty() || !extras[0].starts_with("--"))
    return fmt::format("unexpected '{}'; {}", fmt::join(extras, "', '"), rest);
  std::vector<std::string> known;
  for (const CLI::Option* option : chosen_app(app).get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  std::string given = extras[0].substr(0, extras[0].find('=')), nearest = dalembert::nearest_name(given, known);
  return fmt::format("there is no option '{}'; {}", given,
                     nearest.empty() ? rest : fmt::format("did you mean '{}'?", nearest));
}

int run(CLI::App& app, const ExitStatus& status, std::vector<std::string> arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", app.help());
    return static_cast<int>(ExitStatus::wrong_input);
  }
  if (std::string wrong = complain_about_command(app, arguments[0]); !wrong.empty()) {
    report(wrong);
    return static_cast<int>(ExitStatus::wrong_input);
  }
  try {
    arguments = protect_formulas(std::move(arguments));
    std::ranges::reverse(arguments);  // as CLI11 takes them
    app.parse(std::move(arguments));
  } catch (const CLI::Success& success) {  // -h, --version
    return app.exit(success);
  } catch (const CLI::ExtrasError&) {
    report(complain_about_extras(app, app.remaining(true)));
    return static_cast<int>(ExitStatus::wrong_input);
  } catch (const CLI::ParseError& error) {
    report(fmt::format("{}; dalembert {}-h tells what is expected", error.what(), chosen_command(app)));
    return static_cast<int>(ExitStatus::wrong_input);
  }
  return static_cast<int>(status);
}

}  // namespace

int main(int count, char** values) {
  CLI::App app("dalembert: equations of motion, reactions and motions of mechanical systems with constraints");
  app.name("dalembert");
  app.set_version_flag("--version", DALEMBERT_VERSION);
  app.require_subcommand(1);
  app.footer("dalembert COMMAND -h explains a command and shows an example.");
  ExitStatus status = ExitStatus::fine;
  for (auto add : {add_check, add_derive, add_simulate, add_reactions, add_verify, add_frame, add_gauss, add_hodograph,
                   add_action, add_formula, add_models})
    add(app, status);
  try {
    return run(app, status, std::vector<std::string>(values + 1, values + count));
  } catch (const dalembert::InputError& error) {
    report(error.what());
    return static_cast<int>(ExitStatus::wrong_input);
  } catch (const std::exception& error) {
    report(fmt::format("the computation could not go on: {}", error.what()));
    return static_cast<int>(ExitStatus::cannot_go_on);
  }
}
