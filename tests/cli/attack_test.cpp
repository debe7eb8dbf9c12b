#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/folder.hpp"
#include "support/paths.hpp"
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
    EXPECT_EQ(bytes.find("\u202e"), std::string::npos);
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

/// A name that is code to whatever reads documents of elements.
const std::string elements =
    R"(</text></title></script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\u001b]]>)";

/// Elements that run something, and attributes that do, in these files.
std::string count_code(const std::string& folder, const std::string& files) {
  const CommandResult counted = run_program("/usr/bin/python3",
                                            {"-c", R"(
import html.parser, sys
class Counter(html.parser.HTMLParser):
    code = 0
    def handle_starttag(self, tag, attributes):
        self.code += tag in ('script', 'img', 'iframe', 'object') or any(name.startswith('on') for name, _ in attributes)
for name in sys.argv[1:]:
    counter = Counter()
    counter.feed(open(name).read())
    print(counter.code, end=' ')
)",
                                             files},
                                            {.folder = folder});
  EXPECT_EQ(counted.status, 0) << counted.err;
  return counted.out;
}

TEST_F(Attack, PagesAndTheirListRunTheirOwnScriptsOnly) {
  name("harmless");
  ASSERT_EQ(run({"simulate", "-o", "a.html"}).status, 0);
  const std::string own = count_code(folder, "a.html");
  name(elements);
  ASSERT_EQ(run({"simulate", "-o", "a.html"}).status, 0);
  EXPECT_EQ(count_code(folder, "a.html"), own);
  ASSERT_EQ(run({"gallery", "-o", "pages"}).status, 0);
  EXPECT_EQ(count_code(folder, "pages/m.html"), own);
  EXPECT_EQ(count_code(folder, "pages/index.html"), "0 ");
  EXPECT_THAT(read("pages/index.html"), HasSubstr("&lt;script&gt;alert(1)"));
}

TEST_F(Attack, PagesShowWhatTurnsTheDirectionOfWriting) {
  name(terminal);
  ASSERT_EQ(run({"simulate", "-o", "a.html"}).status, 0);
  ASSERT_EQ(run({"gallery", "-o", "pages"}).status, 0);
  for (const std::string page : {"a.html", "pages/m.html", "pages/index.html"}) {
    const std::string text = read(page), own = text.substr(0, text.find("<script>"));  // before dalembert's own scripts
    EXPECT_FALSE(is_acted_on(own)) << page;
    EXPECT_TRUE(own.find("\\u202e") != std::string::npos) << page;
  }
}

TEST_F(Attack, PicturesOfStudiesHoldTextOnly) {
  write("m.toml", "name = \"" + elements +
                      "\"\n[parameters]\nk = 1\n[inputs]\nu = 0\n[coordinates]\nx = { guess = 0, rate_guess = 0 }\n"
                      "[points.P]\nposition = [\"x\", 0, 0]\nmass = 1\n[energy]\npotential = \"k*x^2/2\"\n"
                      "[forces]\nx = \"u\"\n[inverse]\nfollow = { x = \"1 - cos(t)\" }\nby = [\"u\"]\n"
                      "[simulate]\nuntil = 1\nevery = 0.5\n");
  write("study.toml", "model = \"m.toml\"\n[vary]\nk = [1, 2]\n[keep]\nend = \"x\"\n");
  write("data.csv", "t,x\n0,0\n0.5,0.1\n1,0.3\n");
  for (const std::string line :
       {"simulate m.toml -o p.svg --picture 0,0.5", "linearize m.toml --over k=1:2:0.5 -o p.svg",
        "equilibria m.toml --over k=1:2:0.5 -o p.svg", "inverse m.toml -o p.svg",
        "fit m.toml data.csv --parameters x -o p.svg", "sweep study.toml -o p.svg --x k --y end"}) {
    const CommandResult result = run_program("sh", {"-c", "\"$0\" " + line, dalembert::testing_support::command_path},
                                             {.folder = folder.string()});
    EXPECT_EQ(result.status, 0) << line << "\n" << result.err;
    EXPECT_EQ(count_code(folder, "p.svg"), "0 ") << line;
    const CommandResult parsed = run_program(
        "/usr/bin/python3", {"-c", "import xml.dom.minidom as m; m.parse('p.svg')"}, {.folder = folder.string()});
    EXPECT_EQ(parsed.status, 0) << line << "\n" << parsed.err;
    std::filesystem::remove(folder / "p.svg");
  }
}

/// What a run failed of is a cell, whatever it says.
TEST_F(Attack, TablesOfSweepsHaveOneRowARun) {
  name("m");
  write("study.toml", "model = \"m.toml\"\n[vary]\nx = [1, 1e300]\n[keep]\n\"=1+1\" = \"x\"\n");
  EXPECT_EQ(run_command({"sweep", "study.toml"}, {.folder = folder.string()}).status, 2) << "no name of a column";
  write("study.toml", "model = \"m.toml\"\n[vary]\nx = [1, 1e300]\n[keep]\nend = \"atan2(x, 1)\"\n");
  const CommandResult result =
      run_command({"sweep", "study.toml", "-o", "s.csv", "-o", "s.h5"}, {.folder = folder.string()});
  ASSERT_EQ(result.status, 0) << result.err;
  const CommandResult rows = run_program(
      "/usr/bin/python3", {"-c", "import csv; print([len(row) for row in csv.reader(open('s.csv', newline=''))])"},
      {.folder = folder.string()});
  EXPECT_EQ(rows.out, "[6, 6, 6]\n") << rows.err << read("s.csv");
  EXPECT_THAT(read("s.h5"), StartsWith("\x89HDF"));
}

}  // namespace
