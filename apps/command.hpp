#pragma once
// What every command shares. A command is one file: add_NAME adds it to the application; when the user chooses it, it
// runs and leaves its exit status. Wrong input is thrown as an InputError, and main reports it.

#include <CLI/CLI.hpp>

enum class ExitStatus : int {
  fine = 0,
  check_failed = 1,
  wrong_input = 2,
  cannot_go_on = 3,  ///< what was computed until then is written out
};

/// --json: the result as one JSON document on standard output.
inline void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Write the result as one JSON document");
}

void add_action(CLI::App& app, ExitStatus& status);
void add_check(CLI::App& app, ExitStatus& status);
void add_compare(CLI::App& app, ExitStatus& status);
void add_derive(CLI::App& app, ExitStatus& status);
void add_equilibria(CLI::App& app, ExitStatus& status);
void add_fit(CLI::App& app, ExitStatus& status);
void add_formula(CLI::App& app, ExitStatus& status);
void add_frame(CLI::App& app, ExitStatus& status);
void add_gallery(CLI::App& app, ExitStatus& status);
void add_gauss(CLI::App& app, ExitStatus& status);
void add_hodograph(CLI::App& app, ExitStatus& status);
void add_inverse(CLI::App& app, ExitStatus& status);
void add_linearize(CLI::App& app, ExitStatus& status);
void add_periodic(CLI::App& app, ExitStatus& status);
void add_sweep(CLI::App& app, ExitStatus& status);
void add_models(CLI::App& app, ExitStatus& status);
void add_reactions(CLI::App& app, ExitStatus& status);
void add_simulate(CLI::App& app, ExitStatus& status);
void add_verify(CLI::App& app, ExitStatus& status);
void add_view(CLI::App& app, ExitStatus& status);
