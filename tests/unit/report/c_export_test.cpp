#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/mechanics/equations.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/report/report.hpp>

using namespace dalembert;

namespace {

/// What a compiler sees after the comment at the head.
std::string code_of(const std::string& source) {
  EXPECT_EQ(source.substr(0, 2), "/*");
  return source.substr(source.find("*/"));
}

TEST(CExport, AModelsNameStaysInsideItsComment) {
  Model model = load_model(find_model("models:pendulum"));
  const Equations equations = derive_multipliers(model);
  model.name = "harmless";
  const std::string harmless = code_of(write_c(model, equations));
  for (std::string name : {"*/ int evil(void) { return 0; } /*", "a\n*/ int evil;", "a *\\\n/ int evil;",
                           "a *?\?/\n/ int evil;", "/* /* */", "*", "ends in \\", "\r\n#error evil"}) {
    model.name = name;
    const std::string source = write_c(model, equations);
    EXPECT_EQ(code_of(source), harmless) << name;
    const std::string comment = source.substr(2, source.find("*/") - 2);
    EXPECT_THAT(comment, ::testing::Not(::testing::HasSubstr("/*"))) << name;
    EXPECT_THAT(comment, ::testing::Not(::testing::HasSubstr("\\"))) << name;
    EXPECT_EQ(std::ranges::count(comment, '\n'),
              std::ranges::count(write_c(model, equations), '\n') - std::ranges::count(harmless, '\n'))
        << name;
  }
}

TEST(CExport, OrdinaryNamesAreWrittenAsTheyAre) {
  Model model = load_model(find_model("models:pendulum"));
  model.name = "rolling disk, schr\xc3\xa4g (1)";
  EXPECT_THAT(write_c(model, derive_multipliers(model)), ::testing::StartsWith("/* " + model.name + ": equations"));
}

}  // namespace
