#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <dalembert/mechanics/equations.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/report/report.hpp>

using namespace dalembert;

namespace {

std::string write_named(const std::string& name) {
  Model model = load_model(find_model("models:pendulum"));
  model.name = name;
  return write_c(derive_multipliers(model));
}

/// What a compiler sees after the comment at the head.
std::string code_of(const std::string& source) {
  EXPECT_EQ(source.substr(0, 2), "/*");
  return source.substr(source.find("*/"));
}

TEST(CExport, AModelsNameStaysInsideItsComment) {
  const std::string harmless = write_named("harmless");
  for (const std::string name : {"*/ int evil(void) { return 0; } /*", "a\n*/ int evil;", "a *\\\n/ int evil;",
                                 "a *?\?/\n/ int evil;", "/* /* */", "*", "/", "ends in \\", "\r\n#error evil"}) {
    const std::string source = write_named(name);
    EXPECT_EQ(code_of(source), code_of(harmless)) << name;
    EXPECT_EQ(source.find("/*", 2), std::string::npos) << name;
    EXPECT_EQ(std::ranges::count(source, '\n'), std::ranges::count(harmless, '\n')) << name;
  }
}

TEST(CExport, OrdinaryNamesAreWrittenAsTheyAre) {
  const std::string name = "rolling disk, schr\xc3\xa4g (1)";
  EXPECT_THAT(write_named(name), ::testing::StartsWith("/* " + name + ": equations"));
}

}  // namespace
