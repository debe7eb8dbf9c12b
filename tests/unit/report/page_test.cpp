// A page: names are data, only its own scripts run, long motions are thinned and keep their extremes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/report/page.hpp>

#include "report/document.hpp"
#include "report/page/assets.hpp"
#include "report/page/bytes.hpp"

using namespace dalembert;

namespace {

std::string hex(const std::array<unsigned char, 32>& digest) {
  std::string text;
  for (unsigned char byte : digest) {
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  return text;
}

TEST(Page, HashesAreThoseOfTheStandard) {
  // FIPS 180-2, appendix B, and lengths about the end of a block, by coreutils' sha256sum.
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1000000, 'a'))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Page, Base64IsThatOfRfc4648) {
  EXPECT_EQ(to_base64(std::string_view("")), "");
  EXPECT_EQ(to_base64(std::string_view("f")), "Zg==");
  EXPECT_EQ(to_base64(std::string_view("fo")), "Zm8=");
  EXPECT_EQ(to_base64(std::string_view("foobar")), "Zm9vYmFy");
  const double one = 1;
  EXPECT_EQ(to_base64(std::span(&one, 1)), "AAAAAAAA8D8=");  // 3ff0000000000000, its last byte first
}

Trajectory long_motion(std::size_t rows) {
  Trajectory motion;
  motion.columns = {"t", "x"};
  motion.rows = Table(2);
  for (std::size_t i = 0; i < rows; ++i) {
    const double row[] = {static_cast<double>(i), i == 777 ? 5.0 : i == 1234 ? -9.0 : 0.0};
    motion.rows.add(row);
  }
  return motion;
}

TEST(Page, AShortMotionIsKeptWhole) {
  EXPECT_EQ(thin_rows(long_motion(100), 100).size(), 100u);
  EXPECT_TRUE(thin_rows(long_motion(0), 100).empty());
}

TEST(Page, AThinnedMotionKeepsItsEndsAndExtremes) {
  const std::vector<std::size_t> kept = thin_rows(long_motion(10000), 100);
  EXPECT_LE(kept.size(), 101u);
  EXPECT_GE(kept.size(), 90u);
  EXPECT_EQ(kept.front(), 0u);
  EXPECT_EQ(kept.back(), 9999u);
  EXPECT_THAT(kept, testing::IsSupersetOf({std::size_t{777}, std::size_t{1234}}));
  EXPECT_TRUE(std::ranges::is_sorted(kept));
}

std::string page_of(const std::string& name) {
  Model model =
      make_model(parse_description("[coordinates]\nq = 1\n[points.P]\nposition = [\"q\", 0, 0]\nmass = 1\n", "m.toml"));
  model.name = name;
  const Trajectory motion = System(derive_multipliers(model)).simulate({.until = 1.0, .every = 0.5});
  return write_page(make_scene(model, motion), motion, {.not_live = "of a test"});
}

/// A page is too long to be shown where a test fails.
bool has(const std::string& page, std::string_view text) { return page.find(text) != std::string::npos; }

TEST(Page, AMotionWithTooManyColumnsForTheirExtremesKeepsRowsAtEqualSteps) {
  EXPECT_THAT(thin_rows(long_motion(10), 4), testing::ElementsAre(0u, 3u, 6u, 9u));
}

TEST(Page, OfManyColumnsNumbersHaveTheDigitsOfAFloat) {
  const Model model =
      make_model(parse_description("[coordinates]\nq = 1\n[points.P]\nposition = [\"q\", 0, 0]\nmass = 1\n", "m.toml"));
  const Trajectory motion = System(derive_multipliers(model)).simulate({.until = 1.0, .every = 0.5});
  const Scene scene = make_scene(model, motion);
  const std::vector<double> times{0, 0.5, 1};
  const std::string doubles = to_base64(times), floats = to_base64(std::vector<float>(times.begin(), times.end()));
  const std::string whole = write_page(scene, motion), wide = write_page(scene, motion, {.most_doubles = 2});
  EXPECT_TRUE(has(whole, doubles));
  EXPECT_FALSE(has(whole, floats));
  EXPECT_FALSE(has(whole, "\"single\":true"));
  EXPECT_TRUE(has(wide, floats));
  EXPECT_FALSE(has(wide, doubles));
  EXPECT_TRUE(has(wide, "\"single\":true"));
}

Json tabs_of(const std::string& model) {
  const System system(derive_multipliers(load_model(find_model("models:" + model))));
  const std::string page = write_page(system, system.simulate({.until = 0.1, .every = 0.05}));
  const std::size_t start = page.find('>', page.find("<script type=\"application/json\"")) + 1;
  const Json data = Json::parse(page.substr(start, page.find("</script>", start) - start));
  Json tabs;
  for (const Json& tab : data["tabs"]) tabs[tab["title"].get<std::string>()] = tab;
  return tabs;
}

TEST(Page, ReportsHaveTheirFormulasTermByTerm) {
  const Json tabs = tabs_of("pendulum");
  const Json& reaction = tabs["Reactions"]["lines"][0];
  EXPECT_EQ(reaction["left"][0]["latex"], "\\lambda_{l}");
  EXPECT_TRUE(reaction["left"][0].contains("value"));
  EXPECT_EQ(reaction["right"].size(), 1u);
  EXPECT_TRUE(reaction["right"][0]["negative"]);
  EXPECT_TRUE(reaction["right"][0].contains("value"));
  EXPECT_EQ(tabs["Reactions"]["lines"][1]["left"][0]["vector"].size(), 3u);  // the force on P
  EXPECT_EQ(tabs["Check"]["lines"][0]["left"][0]["latex"], "\\text{energy}");
  EXPECT_TRUE(tabs["Check"]["lines"][0]["left"][0].contains("value"));
  EXPECT_EQ(tabs["Verify"]["table"]["rows"][0].size(), 6u);
}

TEST(Page, FormulasWithRootsHaveValuesToo) {
  for (const char* model : {"pendulum_with_rod", "relativistic_circle_angle"}) {
    const Json reaction = tabs_of(model)["Reactions"]["lines"][0];
    ASSERT_FALSE(reaction["right"].empty()) << model;
    for (const Json& term : reaction["right"]) EXPECT_TRUE(term.contains("value")) << model << term;
  }
}

TEST(Page, WideProductsAreMultipliedOutInTheirTerms) {
  const Json energy = tabs_of("rolling_disk_body")["Check"]["lines"][0];
  EXPECT_EQ(energy["right"].size(), 8u);  // m (a + ... + h)/8
  for (const Json& term : energy["right"]) EXPECT_TRUE(term.contains("value")) << term;
}

TEST(Page, WhatIsTooLargeToReadIsInTermsOfPartsThatHaveValues) {
  const Json lines = tabs_of("whipple_bicycle")["Check"]["lines"];
  EXPECT_GT(lines.size(), 10u);
  for (const Json& line : lines) {
    const Json& left = line["left"][0];
    EXPECT_TRUE(left.contains("value") || left["vector"].size() == 3) << left;
    EXPECT_FALSE(line["right"].empty());
  }
}

TEST(Page, NamesAreDataAndNeverMarkup) {
  const std::string page = page_of("</script><img src=x onerror=alert(1)>");
  EXPECT_TRUE(has(page, "<title>&lt;/script&gt;&lt;img"));
  EXPECT_TRUE(has(page, "\\u003c/script>\\u003cimg"));
  EXPECT_FALSE(has(page, "<img src=x"));
  std::size_t ends = 0;
  for (std::size_t at = page.find("</script>"); at != std::string::npos; at = page.find("</script>", at + 1)) ++ends;
  EXPECT_EQ(ends, 3u);  // data, programs, viewer
}

TEST(Page, OnlyItsOwnScriptsMayRunAndNothingMayBeLoaded) {
  const std::string page = page_of("a");
  EXPECT_TRUE(has(page, "default-src 'none'; script-src 'sha256-"));
  EXPECT_FALSE(has(page, "unsafe-inline"));
  EXPECT_FALSE(has(page, "src=\"http"));
}

TEST(Page, WithoutDataItIsSmall) { EXPECT_LE(page_of("a").size(), 1'300'000u); }

TEST(Page, TheViewerEndsNoElement) {
  for (std::string_view asset : {viewer_script(), viewer_style()}) {
    EXPECT_GT(asset.size(), 1000u);
    EXPECT_EQ(asset.find("</script"), std::string_view::npos);
    EXPECT_EQ(asset.find("</style"), std::string_view::npos);
    EXPECT_EQ(asset.find("<!--"), std::string_view::npos);
  }
}

}  // namespace
