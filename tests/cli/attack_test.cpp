#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/folder.hpp"
#include "support/run_command.hpp"

// Nothing that a model says of itself is acted on by what reads the results: one attack a writer.

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using dalembert::testing_support::run_program;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

class Attack : public dalembert::testing_support::FolderTest {
 protected:
  /// A model of one mass with this name, written as TOML escapes it.
  void name(const std::string& text, const std::string& more = "") {
    write("m.toml", "name = \"" + text + "\"\nabout = \"" + text +
                        "\"\n[coordinates]\nx = { value = 1, rate = 2 }\n[energy]\nkinetic = \"x'^2/2\"\n"
                        "potential = \"x^2/2\"\n[simulate]\nuntil = 1\nevery = 0.5\n" +
                        more);
  }
  CommandResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin() + 1, "m.toml");
    return run_command(arguments, {.folder = folder.string()});
  }
};

/// Commands of a terminal, in all ways to write them.
const std::string terminal = R"(\u001b[2J\u001b]0;title\u0007\u009b31m\r\b\u007f\u202e)";

bool is_acted_on(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) return true;
    if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return true;
  }
  return text.find("\u202e") != std::string::npos;
}

TEST_F(Attack, TerminalsGetNoCommands) {
  name(terminal);
  for (std::vector<std::string> arguments : {std::vector<std::string>{"check"},
                                             {"derive"},
                                             {"simulate"},
                                             {"verify"},
                                             {"frame"},
                                             {"reactions"},
                                             {"action", "--unchecked"},
                                             {"gauss"}}) {
    CommandResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << arguments[0] << result.err;
    EXPECT_FALSE(is_acted_on(result.out)) << arguments[0];
    EXPECT_FALSE(is_acted_on(result.err)) << arguments[0];
  }
  EXPECT_THAT(run({"check"}).out, StartsWith(R"(\x1b[2J\x1b]0;title\x07\u009b31m\x0d\x08\x7f\u202e)"));
}

TEST_F(Attack, ErrorsGiveTerminalsNoCommands) {
  write("m.toml", "[coordinates]\nx = 0\n\"k\\u001b[2Jey\" = 1\n[forces]\n\"\\u009b31m\" = 1\n");
  CommandResult key = run({"check"});
  EXPECT_EQ(key.status, 2);
  EXPECT_FALSE(is_acted_on(key.err));
  EXPECT_THAT(key.err, HasSubstr("k\\x1b[2Jey"));
  for (std::vector<std::string> arguments : {std::vector<std::string>{"check", "no\x1b[2Jwhere\n.toml"},
                                             {"\x1b[2J"},
                                             {"check", "models:pendulum", "\x1b[2J"},
                                             {"check", "models:pendulum", "--\x1b[2J"},
                                             {"formula", "x \x1b[2J"},
                                             {"check", "models:\x1b[2J"},
                                             {"simulate", "models:pendulum", "--set", "\x1b[2J=1"},
                                             {"simulate", "models:pendulum", "--columns", "\x1b[2J"},
                                             {"simulate", "models:pendulum", "--until", "\x1b[2J"},
                                             {"simulate", "models:pendulum", "-o", "\x1b[2J"},
                                             {"simulate", "models:pendulum", "--from", "\x1b[2J"},
                                             {"simulate", "models:pendulum", "--by", "\xff\x1b[2J"}}) {
    CommandResult result = run_command(arguments);
    EXPECT_EQ(result.status, 2) << testing::PrintToString(arguments);
    EXPECT_FALSE(is_acted_on(result.err)) << testing::PrintToString(arguments);
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

TEST_F(Attack, ExportedCIsNothingButTheEquations) {
  name(R"(*/ int attacked(void) { return 1; } /*\n*/ int attacked(void); // ??/\n* \\\n/)");
  CommandResult result = run({"derive", "--as", "c"});
  ASSERT_EQ(result.status, 0) << result.err;
  write("out.c", result.out);
  CommandResult compiled = run_program("sh", {"-c", "cc -std=c99 -trigraphs -Wall -Werror -c out.c && nm out.o"},
                                       {.folder = folder.string()});
  EXPECT_EQ(compiled.status, 0) << compiled.err << result.out.substr(0, 400);
  EXPECT_THAT(compiled.out, testing::AllOf(HasSubstr(" T motion"), Not(HasSubstr("attacked"))));
}

TEST_F(Attack, SvgHoldsTextOnly) {
  name(R"(</text></title><script>alert(1)</script>\"&\u001b\u0000\uffff]]>)");
  ASSERT_EQ(run({"simulate", "-o", "a.svg"}).status, 0);
  EXPECT_THAT(read("a.svg"), Not(HasSubstr("<script")));
  CommandResult parsed =
      run_program("/usr/bin/python3",
                  {"-c", "import xml.dom.minidom as m; print(len(m.parse('a.svg').getElementsByTagName('script')))"},
                  {.folder = folder.string()});
  EXPECT_EQ(parsed.out, "0\n") << parsed.err;
}

TEST_F(Attack, JsonHoldsTextOnly) {
  name(R"(\", \"status\": \"forged\u0000)" + terminal);
  for (std::vector<std::string> arguments : {std::vector<std::string>{"check", "--json"},
                                             {"simulate", "--json"},
                                             {"frame", "--json"},
                                             {"verify", "--json"}}) {
    CommandResult result = run(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
    nlohmann::json document = nlohmann::json::parse(result.out);
    EXPECT_NE(document.value("status", ""), "forged");
    if (arguments[0] == "check") {
      EXPECT_THAT(document["name"].get<std::string>(), HasSubstr("\u009b31m"));
    }
    std::string bytes = result.out;  // what is left of the escapes is plain text
    EXPECT_EQ(bytes.find('\x1b'), std::string::npos);
    EXPECT_EQ(bytes.find("\u009b"), std::string::npos);
  }
}

TEST_F(Attack, CsvCellsAreNamesAndNumbers) {
  name("m", "[outputs]\n\"=1+1\" = \"x\"\n");  // what a spreadsheet would compute is no name
  EXPECT_EQ(run({"simulate"}).status, 2);
  write(
      "m.toml",
      "[parameters]\na = 1\nb = 2\n[coordinates]\nx = 0\n[points.P]\nposition = [\"x\", \"atan2(a, b)\", 0]\nmass = 1\n"
      "[release.\"atan2(a, b)\"]\n[simulate]\nuntil = 1\nevery = 1\n");
  CommandResult commas = run({"simulate"});
  ASSERT_EQ(commas.status, 0) << commas.err;
  EXPECT_THAT(commas.out, HasSubstr(",\"reaction(atan2(a, b))\","));
}

TEST_F(Attack, LatexHasNoCommandsOfTheModel) {
  for (const std::string forbidden : {"a}\\\\input{x", "$", "%", "a b", "\\\\immediate", "a^b"}) {
    write("m.toml", "[coordinates]\n\"" + forbidden + "\" = 0\n");
    EXPECT_EQ(run({"derive", "--as", "latex"}).status, 2) << forbidden;
  }
  name(R"(%\n\\input{secret} $)");
  CommandResult result = run({"derive", "--as", "latex"});
  ASSERT_EQ(result.status, 0);
  EXPECT_THAT(result.out, Not(HasSubstr("secret")));
}

TEST_F(Attack, LatexTellsNamesApart) {
  write(
      "m.toml",
      "[parameters]\na = 1\na_ = 2\na__ = 3\na_b = 4\na__b = 5\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n"
      "potential = \"x*a + x^2*a_ + x^3*a__ + x^4*a_b + x^5*a__b\"\n");
  CommandResult result = run({"derive", "--as", "latex"});
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char* shown : {"a_{\\_}", "a_{\\_,\\_}", "a_{b}", "a_{\\_,b}"}) EXPECT_THAT(result.out, HasSubstr(shown));
}

}  // namespace
