// Random models and mutated bundled ones through all commands: a documented status in 10 s and 1 GB each.
// A million of them; the environment variables COMMANDS and SEED change how many and which.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "support/hostile_command.hpp"
#include "support/setting.hpp"

namespace dalembert {
namespace {

TEST(Commands, EndInGoodOrderOnAnyModel) {
  const std::vector<std::string> bundled = testing_support::bundled_texts();
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("commands_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::uint64_t count = testing_support::setting("COMMANDS", 1'000'000),
                      seed = testing_support::setting("SEED", 1);
  std::size_t wrong = 0;
  for (std::uint64_t i = seed; i < seed + count; ++i) {
    const auto found = testing_support::try_hostile_command(i, bundled, folder.string());
    if (!found) continue;
    const std::string kept = (folder / (std::to_string(i) + ".toml")).string();
    std::filesystem::copy_file(folder / "m.toml", kept, std::filesystem::copy_options::overwrite_existing);
    ADD_FAILURE() << "seed " << i << ", model " << kept << ": " << *found;
    if (++wrong > 100) FAIL() << "enough";
  }
}

}  // namespace
}  // namespace dalembert
