// Pages, pictures and galleries by the command. What a browser makes of a page is tested in viewer/browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using dalembert::testing_support::run_line;
using dalembert::testing_support::run_program;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

namespace fs = std::filesystem;

class PageCommand : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  std::string read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return text.str();
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  /// What the page was given.
  nlohmann::json data_of(const std::string& name) const {
    const std::string page = read(name), begin = "id=\"data\">";
    const std::size_t first = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(first, page.find("</script>", first) - first));
  }

  fs::path folder = fs::path(testing::TempDir()) / ("page_" + std::to_string(::getpid()));
};

TEST_F(PageCommand, APageHasTheMotionTheSceneAndTheTexts) {
  const CommandResult result = run_command({"simulate", "models:spherical_pendulum", "-o", path("a.html")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(read("a.html"), StartsWith("<!doctype html>"));
  const nlohmann::json data = data_of("a.html");
  EXPECT_GE(data["motion"]["rows"], 1000);
  EXPECT_EQ(data["motion"]["rows"], data["motion"]["computed"]);
  EXPECT_EQ(data["scene"]["arrows"].size(), 1u);
  EXPECT_EQ(data["tabs"][0]["title"], "Equations");
  EXPECT_THAT(data["tabs"][0]["lines"].dump(), HasSubstr("lambda"));
  EXPECT_EQ(data["live"]["reason"], "");
}

TEST_F(PageCommand, RowsThatWereAskedForAreTakenAsTheyAre) {
  EXPECT_EQ(
      run_command({"simulate", "models:pendulum", "--until", "1", "--every", "0.25", "-o", path("a.html")}).status, 0);
  EXPECT_EQ(data_of("a.html")["motion"]["rows"], 5);
}

TEST_F(PageCommand, WhatThePageCannotComputeIsSaid) {
  EXPECT_EQ(run_command({"simulate", "models:bouncing_ball", "-o", path("a.html")}).status, 0);
  EXPECT_THAT(data_of("a.html")["live"]["reason"], HasSubstr("contacts"));
  EXPECT_EQ(run_command({"simulate", "models:spherical_pendulum", "--by", "reduced", "-o", path("b.html")}).status, 0);
  EXPECT_THAT(data_of("b.html")["live"]["reason"], HasSubstr("another principle"));
}

TEST_F(PageCommand, ThePageIsTheSameEachTime) {
  for (const char* name : {"a.html", "b.html"})
    EXPECT_EQ(run_command({"simulate", "models:double_pendulum", "--until", "1", "-o", path(name)}).status, 0);
  nlohmann::json a = data_of("a.html"), b = data_of("b.html");
  for (nlohmann::json* each : {&a, &b}) (*each)["motion"].erase("summary");  // it has the seconds that were needed
  EXPECT_EQ(a, b);
}

TEST_F(PageCommand, APictureHasTheMechanismAtEachTime) {
  const CommandResult result =
      run_command({"simulate", "models:double_pendulum", "--picture", "0,0.2,0.4", "-o", path("a.svg")});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string picture = read("a.svg");
  EXPECT_THAT(picture, StartsWith("<svg"));
  std::size_t balls = 0;
  for (std::size_t at = picture.find("<circle"); at != std::string::npos; at = picture.find("<circle", at + 1)) ++balls;
  EXPECT_EQ(balls, 3 * 2u);
}

TEST_F(PageCommand, APictureThatCannotBeDrawnSaysWhy) {
  const auto complaint = [&](std::vector<std::string> arguments) {
    const CommandResult result = run_command(arguments);
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_THAT(complaint({"simulate", "models:pendulum", "--picture", "0"}), HasSubstr("add -o FILE.svg"));
  EXPECT_THAT(complaint({"simulate", "models:pendulum", "--picture", "99", "-o", path("a.svg")}),
              HasSubstr("not within the motion"));
  EXPECT_THAT(complaint({"simulate", "models:oscillator", "--picture", "0", "-o", path("a.svg")}),
              HasSubstr("names no points"));
  EXPECT_FALSE(fs::exists(path("a.svg")));
}

TEST_F(PageCommand, EveryTermOfAnEquationHasItsLatexAndItsPlaceAmongTheValues) {
  EXPECT_EQ(run_command({"simulate", "models:pendulum", "--until", "0.1", "-o", path("a.html")}).status, 0);
  const nlohmann::json lines = data_of("a.html")["tabs"][0]["lines"];
  std::set<std::size_t> values;
  for (const nlohmann::json& line : lines)
    for (const char* side : {"left", "right"})
      for (const nlohmann::json& term : line[side]) {
        EXPECT_NE(term["latex"], "");
        EXPECT_TRUE(values.insert(term["value"].get<std::size_t>()).second) << "each term has a value of its own";
      }
  EXPECT_EQ(*values.rbegin() + 1, values.size());
}

TEST_F(PageCommand, ASecondMotionIsPutBesideTheFirst) {
  const CommandResult result = run_command({"simulate", "models:pendulum", "--until", "1", "--beside", "l=1.5",
                                            "--beside-by", "hamel", "-o", path("a.html"), "--quiet"});
  EXPECT_EQ(result.status, 0) << result.err;
  const nlohmann::json data = data_of("a.html");
  EXPECT_EQ(data["beside"]["title"], "l=1.5, by hamel");
  EXPECT_EQ(data["beside"]["motion"]["rows"], data["motion"]["rows"]);
  EXPECT_NE(data["beside"]["motion"]["data"][1], data["motion"]["data"][1]);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < data["parameters"].size(); ++i)
    changed += data["parameters"][i]["value"] != data["beside"]["parameters"][i] ? 1 : 0;
  EXPECT_EQ(changed, 1u);
  // The same motion by the same principle is the same, to the last bit.
  EXPECT_EQ(run_command({"simulate", "models:pendulum", "--until", "1", "--beside-by", "multipliers", "-o",
                         path("b.html"), "--quiet"})
                .status,
            0);
  EXPECT_EQ(data_of("b.html")["beside"]["motion"]["data"], data_of("b.html")["motion"]["data"]);
}

TEST_F(PageCommand, TwoMotionsAreShownInAPageOnly) {
  const CommandResult result = run_command({"simulate", "models:pendulum", "--beside", "l=2", "-o", path("a.csv")});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--beside: two motions are shown in a page; add -o FILE.html"));
  const CommandResult sized =
      run_command({"simulate", "models:chain_10", "--beside", "N=4", "-o", path("a.html"), "--until", "0.1"});
  EXPECT_EQ(sized.status, 2) << sized.err;
}

TEST_F(PageCommand, APngIsDrawnWhereTheProgramForItIsThere) {
  const std::vector<std::string> arguments{"simulate", "models:pendulum", "--picture", "0,0.3",
                                           "-o",       path("a.png"),     "--quiet"};
  const bool has_program = run_program("sh", {"-c", "command -v rsvg-convert"}).status == 0;
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.status, has_program ? 0 : 2) << result.err;
  if (has_program) {
    EXPECT_THAT(read("a.png"), StartsWith("\x89PNG"));
  }
  const CommandResult without = run_line("PATH=/nowhere \"$dalembert\" simulate models:pendulum -o " + path("b.png"));
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, HasSubstr("rsvg-convert, which is not installed; install librsvg2-bin, or write an .svg"));
  EXPECT_FALSE(fs::exists(path("b.png")));
}

TEST_F(PageCommand, AGalleryListsItsPagesWithPictures) {
  const CommandResult result = run_command({"gallery", "models:pendulum", "models:oscillator", "-o", path("gallery")});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string list = read("gallery/index.html");
  EXPECT_THAT(list, HasSubstr("<a href=\"pendulum.html\">"));
  EXPECT_THAT(list, HasSubstr("data:image/svg+xml;base64,"));
  EXPECT_THAT(list, HasSubstr("plots only"));
  EXPECT_THAT(list, Not(HasSubstr("<script")));
  EXPECT_TRUE(fs::exists(path("gallery/pendulum.html")));
  EXPECT_TRUE(fs::exists(path("gallery/oscillator.html")));
}

}  // namespace
