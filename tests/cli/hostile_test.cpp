#include <gtest/gtest.h>

#include "support/folder.hpp"
#include "support/hostile_command.hpp"

// A seeded part of tests/long/commands.cpp.

namespace {

class Hostile : public dalembert::testing_support::FolderTest {};

TEST_F(Hostile, RandomAndMutatedModelsEndEveryCommandInGoodOrder) {
#if defined(DALEMBERT_SMALL_TESTS)
  constexpr std::uint64_t count = 60;
#else
  constexpr std::uint64_t count = 400;
#endif
  const std::vector<std::string> bundled = dalembert::testing_support::bundled_texts();
  for (std::uint64_t seed = 1'000'000'000; seed < 1'000'000'000 + count; ++seed) {
    const auto wrong = dalembert::testing_support::try_hostile_command(seed, bundled, folder.string());
    EXPECT_FALSE(wrong) << "seed " << seed << ": " << *wrong << "\n" << read("m.toml");
  }
}

}  // namespace
