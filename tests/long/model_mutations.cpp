// Mutated model files either load or are refused with a place; none crashes, hangs or takes gigabytes.
// 100000 of them; the environment variables MUTATIONS and SEED change how many and which.

#include <gtest/gtest.h>

#include <chrono>

#include "support/model_outcome.hpp"
#include "support/mutate_model.hpp"
#include "support/setting.hpp"

namespace dalembert {
namespace {

TEST(ModelMutations, LoadOrAreRefusedWithAPlace) {
  std::vector<std::string> files = testing_support::bundled_texts();
  std::uint64_t count = testing_support::setting("MUTATIONS", 100'000), seed = testing_support::setting("SEED", 1);
  double longest = 0;
  std::size_t loaded = 0;
  for (std::uint64_t i = seed; i < seed + count; ++i) {
    testing_support::Mutator mutator(i);
    std::string text = mutator.mutate(files[mutator.below(files.size())], files);
    auto start = std::chrono::steady_clock::now();
    if (auto wrong = testing_support::wrong_outcome(text)) FAIL() << "seed " << i << ": " << *wrong << "\n" << text;
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds > longest) {
      longest = seconds;
      std::printf("seed %llu: %.3f s\n", static_cast<unsigned long long>(i), seconds);
    }
    EXPECT_LT(seconds, 30) << "seed " << i;
    loaded += 1;
  }
  std::printf("%zu mutants, the slowest took %.3f s\n", loaded, longest);
}

}  // namespace
}  // namespace dalembert
