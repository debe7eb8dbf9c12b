#include <gtest/gtest.h>

#include <chrono>

#include "support/model_outcome.hpp"
#include "support/mutate_model.hpp"

namespace dalembert {
namespace {

std::string refused(const std::string& text) {
  try {
    make_model(parse_description(text, "m.toml"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Hostile, SizesAreLimitedByName) {
  EXPECT_NE(refused(std::string(17'000'000, '#')).find("(limit `file_size`)"), std::string::npos);
  EXPECT_NE(refused(repeated("a.", 100'000) + "b = 1\n").find("(limit `key_depth`)"), std::string::npos);
  EXPECT_NE(refused("[" + repeated("a.", 100'000) + "b]\n").find("(limit `key_depth`)"), std::string::npos);
  EXPECT_NE(refused("[coordinates]\n" + std::string(500, 'x') + " = 0\n").find("(limit `name_length`)"),
            std::string::npos);
  EXPECT_NE(refused("[coordinates]\nx = 0\n[energy]\npotential = \"sum(i,1,99999,sum(j,1,99999,x))\"\n")
                .find("(limit `formula_work`)"),
            std::string::npos);
  EXPECT_NE(refused("[coordinates]\nx = 0\n[energy]\npotential = \"" + repeated("sum(i,1,1,", 1000) + "x" +
                    std::string(1000, ')') + "\"\n")
                .find("limit"),
            std::string::npos);
  std::string chain = "[coordinates]\nx = 0\n[definitions]\n";
  for (int i = 0; i < 5000; ++i) chain += "d" + std::to_string(i) + " = \"d" + std::to_string(i + 1) + " + 1\"\n";
  EXPECT_NE(refused(chain + "d5000 = \"x\"\n").find("(limit `reference_depth`)"), std::string::npos);
  EXPECT_NE(refused("x = " + std::string(100'000, '[') + "\n").find("m.toml:1:"), std::string::npos);
  EXPECT_NE(refused("[coordinates]\nx = 1" + std::string(50'000, '0') + ".5\n").find("m.toml:2:"), std::string::npos);
}

TEST(Hostile, LongButOrderlyFilesLoad) {
  std::string text = "[coordinates]\nx = 0\n[parameters]\np20000 = 1\n[definitions]\nd0 = \"x\"\n";
  for (int i = 0; i < 20'000; ++i)
    text += "d" + std::to_string(i + 1) + " = \"d" + std::to_string(i) + "*d" + std::to_string(i) + "\"\n";
  EXPECT_EQ(refused(text).find("Error while"), std::string::npos);
}

TEST(Hostile, MutatedModelsLoadOrAreRefusedWithAPlace) {
  std::vector<std::string> files = testing_support::bundled_texts();
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    testing_support::Mutator mutator(seed);
    std::string text = mutator.mutate(files[mutator.below(files.size())], files);
    if (auto wrong = testing_support::wrong_outcome(text)) FAIL() << "seed " << seed << ": " << *wrong << "\n" << text;
  }
}

}  // namespace
}  // namespace dalembert
