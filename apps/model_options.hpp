#pragma once
// Options that every command on a model shares.

#include <dalembert/model/description.hpp>
#include <dalembert/simulate/start.hpp>
#include <dalembert/simulate/system.hpp>
#include <functional>
#include <limits>

#include "command.hpp"

struct ModelOptions {
  std::string model;
  std::vector<std::string> set, solve;
  std::vector<std::string> beside;  ///< as set, in its place where both have a name
  bool project_initial = false;
};

/// Without the spaces around it.
std::string trimmed(const std::string& text);

/// MODEL and --set.
void add_model_options(CLI::App& command, ModelOptions& options);
/// --solve and --project-initial, for commands that need a state.
void add_start_options(CLI::App& command, ModelOptions& options);

using ChangeDescription = std::function<void(dalembert::Description&)>;
/// The model as written and overridden, after a change of the description; what the options leave open at t = 0 is
/// marked as a guess. Throws InputError.
dalembert::Model load_model(const ModelOptions& options, const ChangeDescription& change = {});
/// The same with its start solved for.
dalembert::SettledStart load_start(const ModelOptions& options, const ChangeDescription& change = {});
/// The same; how far what was moved is said on standard error.
dalembert::Model load_started_model(const ModelOptions& options, const ChangeDescription& change = {});

/// An option that takes a finite number above `above`; anything else is refused with what is wrong and an example.
CLI::Option* add_number_option(CLI::App& command, const std::string& name, std::optional<double>& number,
                               const std::string& description, const std::string& type,
                               double above = -std::numeric_limits<double>::infinity());

/// An option that takes a whole number from `first` to `last`.
CLI::Option* add_count_option(CLI::App& command, const std::string& name, std::size_t& count,
                              const std::string& description, std::size_t first, std::size_t last);

/// What an option gives as a formula of parameters. InputError where that is no finite number.
double number_of(const dalembert::Model& model, const char* option, const std::string& text);

/// Throws InputError where an option of NAME=... that may repeat gives a name twice.
void refuse_twice(const char* option, const std::vector<std::string>& texts);

/// Times that can be followed: rows at multiples of `every` can be told apart up to `until`, and the squares of both
/// are numbers; what the plan leaves out is the model's `own`. Throws InputError naming the options; `until` is what
/// the first is called.
void check_times(const dalembert::SimulateOptions& plan, const dalembert::SimulateSettings& own,
                 const char* until = "--until");

/// --time T: the state reached at that time instead of the initial one.
void add_time_option(CLI::App& command, std::optional<double>& time);
/// The consistent initial state, or the state reached at `time`. Throws ComputationError where the motion ends
/// before.
dalembert::State state_of_option(const dalembert::System& system, const std::optional<double>& time);
