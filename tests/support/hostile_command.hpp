#pragma once
// A seeded command on a seeded model: it ends with a documented status, soon and in bounds.

#include <fstream>
#include <optional>

#include "support/model_outcome.hpp"
#include "support/mutate_model.hpp"
#include "support/random_model.hpp"
#include "support/run_command.hpp"

namespace dalembert::testing_support {

/// What is wrong with how it ended; the model is left in `folder`/m.toml.
inline std::optional<std::string> try_hostile_command(std::uint64_t seed, const std::vector<std::string>& bundled,
                                                      const std::string& folder) {
  static const std::vector<std::vector<std::string>> commands = {
      {"check"},
      {"derive"},
      {"derive", "--by", "reduced"},
      {"derive", "--by", "hamel", "--time", "0.1"},
      {"derive", "--by", "gauss", "--as", "latex"},
      {"derive", "--by", "projection"},
      {"derive", "--as", "c"},
      {"derive", "--as", "json"},
      {"simulate"},
      {"simulate", "--project-initial"},
      {"simulate", "--by", "hamel", "--project-initial"},
      {"simulate", "--by", "gauss", "--tolerance", "1e-4"},
      {"simulate", "--by", "projection"},
      {"simulate", "-o", "m.svg"},
      {"reactions"},
      {"reactions", "--by", "surplus", "--json"},
      {"reactions", "--time", "0.2"},
      {"verify"},
      {"frame"},
      {"gauss"},
      {"hodograph"},
      {"action"},
  };
  Mutator mutator(seed);
  const bool mutate = mutator.below(2) == 0;
  const std::string text =
      mutate ? mutator.mutate(bundled[mutator.below(bundled.size())], bundled) : ModelMaker(seed).make();
  std::ofstream(folder + "/m.toml") << text;
  std::vector<std::string> arguments = commands[mutator.below(commands.size())];
  arguments.insert(arguments.begin() + 1, "m.toml");
#if defined(DALEMBERT_SMALL_TESTS)  // the sanitizers take their time, and memory of their own
  constexpr int most = 60;
  arguments.insert(arguments.end(), {"--limit-work", "0.2"});
#else
  constexpr int most = 10;
  arguments.insert(arguments.end(), {"--limit-work", "2", "--limit-memory", "1GB"});
#endif
  std::string line;
  for (const std::string& argument : arguments) line += argument + " ";
  // Time of its own, however busy the machine is.
  const CommandResult result = run_line("ulimit -t " + std::to_string(most) + "; exec \"$dalembert\" " + line,
                                        {.seconds = 600, .folder = folder});
  if (result.timed_out || result.status == 128 + SIGXCPU || result.status == 128 + SIGKILL)
    return line + "took too long";
  if (result.status < 0 || result.status > 3)
    return line + "ended with status " + std::to_string(result.status) + ": " + result.err;
  if (result.status >= 2 && result.err.empty()) return line + "failed without a word";
  return std::nullopt;
}

}  // namespace dalembert::testing_support
