#include <gtest/gtest.h>

#include <chrono>
#include <dalembert/description.hpp>
#include <filesystem>

namespace dalembert {
namespace {

TEST(Bundled, EveryModelLoads) {
  for (const auto& entry : std::filesystem::directory_iterator(DALEMBERT_SOURCE_FOLDER "/models")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path());
    Model model;
    try {
      model = load_model(entry.path());
    } catch (const InputError& e) {
      ADD_FAILURE() << e.what();
      continue;
    }
    EXPECT_FALSE(model.name.empty()) << entry.path();
    EXPECT_FALSE(model.coordinates.empty()) << entry.path();
  }
}

TEST(Families, AChainOfAThousandMassesLoadsFast) {
  auto start = std::chrono::steady_clock::now();
  Model model = load_model(DALEMBERT_SOURCE_FOLDER "/models/chain_1000.toml");
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(model.coordinates.size(), 2000);
  EXPECT_EQ(model.constraints.size(), 1000);
  std::printf("%g s\n", seconds);
}

}  // namespace
}  // namespace dalembert
