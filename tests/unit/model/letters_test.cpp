#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>

// Letters beyond ASCII, which the TOML library never sees: what is read and where errors are said to be must not show
// that.

namespace dalembert {
namespace {

Model model_of(const std::string& text) { return make_model(parse_description(text, "m.toml")); }

std::string refused(const std::string& text) {
  try {
    model_of(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

std::string name_of(const std::string& quoted) { return parse_description("name = " + quoted + "\n").name; }

TEST(Letters, AreKeptInStringsOfEveryKind) {
  EXPECT_EQ(name_of("\"Kugel θ 𝛼\""), "Kugel θ 𝛼");
  EXPECT_EQ(name_of("\"a\\tθ\\\"\\u03B8\""), "a\tθ\"θ");
  EXPECT_EQ(name_of("'a\\t\"θ\"'"), "a\\t\"θ\"");
  EXPECT_EQ(name_of("\"\"\"\nθ \"quoted\"\n  φ\\\n   χ\"\"\"\"\""), "θ \"quoted\"\n  φχ\"\"");
  EXPECT_EQ(name_of("'''\nθ \"quoted\" \\\n  'φ'\\'''''"), "θ \"quoted\" \\\n  'φ'\\''");
  EXPECT_EQ(name_of("'''θ'''"), "θ");
  EXPECT_EQ(name_of("\"\\\\\" # θ \"φ\" 'χ"), "\\");
}

TEST(Letters, DistinguishNames) {
  Model model = model_of(
      "\xef\xbb\xbf# θ\n[coordinates]\n\"θ\" = 0\n'φ' = 1\n\"u03B8\" = 2\n"
      "[energy]\nkinetic = \"\"\"θ'^2 + φ'^2 + u03B8'^2\"\"\"\n");
  ASSERT_EQ(model.coordinates.size(), 3u);
  EXPECT_EQ(model.coordinates[0].name, "θ");
  EXPECT_EQ(model.coordinates[1].name, "φ");
  EXPECT_EQ(model.coordinates[2].name, "u03B8");
}

TEST(Letters, DoNotShiftThePlacesOfErrors) {
  const std::string head = "[coordinates]\n\"θ\" = 0\n";
  EXPECT_NE(refused(head + "[energy]\npotential = 'θ + \"𝛼' # θ\n").find("m.toml:4:18:"), std::string::npos);
  EXPECT_NE(refused(head + "[forces]\n\"θφχψ\" = 0\n").find("m.toml:4:2:"), std::string::npos);
  EXPECT_NE(refused(head + "[frames]\n\"θφ\" = { 'ωωω' = 1, origin = 2 }\n").find("m.toml:4:10:"), std::string::npos);
  EXPECT_NE(refused(head + "[frames]\n\"θφ\" = { parent = 'ωω', rotate = 7 }\n").find("m.toml:4:34:"),
            std::string::npos);
  // An error of the TOML library itself, after letters in a string and in a comment.
  EXPECT_NE(refused("[parameters] # θθθ\n\"θθ\" = 1 2\n").find("m.toml:2:10:"), std::string::npos);
}

TEST(Letters, OutsideStringsAndCommentsAreRefusedWithTheirPlace) {
  EXPECT_NE(refused("[coordinates]\n  θ = 0\n").find("m.toml:2:3: a character that TOML allows in strings"),
            std::string::npos);
  EXPECT_NE(refused("name = \"\\θ\"\n").find("m.toml:1:10: a backslash before"), std::string::npos);
}

TEST(Letters, TextThatIsNotUtf8IsRefusedWithItsPlace) {
  for (const char* bytes : {"\xff", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
    EXPECT_NE(refused(std::string("name = \"θ") + bytes + "\"\n").find("m.toml:1:10: the text is not valid UTF-8"),
              std::string::npos);
    EXPECT_NE(refused(std::string("\n# ") + bytes + "\n").find("m.toml:2:3:"), std::string::npos);
    EXPECT_NE(refused(std::string("x") + bytes).find("m.toml:1:2:"), std::string::npos);
  }
}

TEST(Letters, InBrokenTextsAreRefusedAndNothingElseHappens) {
  for (const char* text :
       {"4=2_\0 2&'[_\xce\xb8", "a = '\xce\xb8", "a = \"\xc2\xa0\n\xce\xb8 = 1", "a = '''\xe3\x80\x80",
        "a = \"\"\"\\\n \xce\xb8", "'\xce\xb8", "a = \"\\", "a = '\xce\xb8'\xce\xb8", "\xef\xbb\xbf\xef\xbb\xbf"})
    EXPECT_NE(refused(text).find("m.toml:"), std::string::npos) << text;
  EXPECT_NE(refused(std::string("4=2_\0 2&'[_\xce\xb8", 14)).find("m.toml:1:"), std::string::npos);
}

}  // namespace
}  // namespace dalembert
