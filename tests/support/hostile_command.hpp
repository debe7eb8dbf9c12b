#pragma once
// A seeded command on a seeded model: it ends with a documented status, soon and in bounds.

#include <fmt/ranges.h>

#include <filesystem>
#include <functional>
#include <optional>

#include "support/command_lines.hpp"
#include "support/model_outcome.hpp"
#include "support/mutate_model.hpp"
#include "support/random_model.hpp"
#include "support/run_command.hpp"

namespace dalembert::testing_support {

struct HostileResult : CommandResult {
  double megabytes = 0;  ///< the most that it had in memory at once; 0 where that was not looked at
};

struct HostileOptions {
  std::vector<std::string> bundled;  ///< texts to mutate
  std::string folder;                ///< for its files only; the model is m.toml there
  /// Runs the command with these arguments, in that folder, for so many seconds of one core.
  std::function<HostileResult(const std::vector<std::string>& arguments, int seconds)> run;
};

/// What is wrong with how it ended, with the command.
inline std::optional<std::string> try_hostile_command(std::uint64_t seed, const HostileOptions& options) {
  Mutator mutator(seed);
  const std::vector<std::string>& bundled = options.bundled;
  const bool mutate = mutator.below(2) == 0;
  const std::string text =
      mutate ? mutator.mutate(bundled[mutator.below(bundled.size())], bundled) : ModelMaker(seed).make();
  for (const auto& entry : std::filesystem::directory_iterator(options.folder))
    std::filesystem::remove_all(entry.path());
  std::vector<std::string> arguments = prepare_command(mutator.below(command_lines().size()), text, options.folder);
#if defined(DALEMBERT_SMALL_TESTS)  // the sanitizers take their time, and memory of their own
  constexpr int most = 60;
  arguments.insert(arguments.end(), {"--limit-work", "0.2"});
#else
  constexpr int most = 10;
  arguments.insert(arguments.end(), {"--limit-work", "2", "--limit-memory", "1GB"});
#endif
  const HostileResult result = options.run(arguments, most);
  const std::string line = fmt::format("{}: ", fmt::join(arguments, " "));
  if (result.timed_out || result.status == 128 + SIGXCPU || result.status == 128 + SIGKILL)
    return line + "took too long";
  if (result.status < 0 || result.status > 3)
    return line + "ended with status " + std::to_string(result.status) + ": " + result.err;
  if (result.status >= 2 && result.err.empty()) return line + "failed without a word";
  // What the standard library and functions of the library say to a programmer.
  for (const std::string inner : {"std::", "vector::", "basic_string", "map::at", "bad optional", "an empty Function",
                                  "an empty expression", "no such place in the table"})
    if (result.err.find(inner) != std::string::npos) return line + "lets an inner message through: " + result.err;
  if (result.megabytes > 1000) return line + fmt::format("took {:.0f} MB", result.megabytes);
  return std::nullopt;
}

}  // namespace dalembert::testing_support
