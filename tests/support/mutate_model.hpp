#pragma once
// Seeded damage to model files: wrong types, names, numbers, structure and size.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace dalembert::testing_support {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  /// One to six changes to a text; `others` lends lines.
  std::string mutate(std::string text, const std::vector<std::string>& others) {
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(text, others);
    return text;
  }
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

 private:
  const std::string& word() {
    static const std::vector<std::string> words = {"0",
                                                   "-1",
                                                   "1e999",
                                                   "1e-999",
                                                   "nan",
                                                   "inf",
                                                   "true",
                                                   "\"\"",
                                                   "[]",
                                                   "{}",
                                                   "[1, 2]",
                                                   "[[\"z\", 1]]",
                                                   "1979-05-27",
                                                   "\"x\"",
                                                   "\"t\"",
                                                   "\"pi\"",
                                                   "\"x'\"",
                                                   "\"x''\"",
                                                   "\"1/0\"",
                                                   "\"[1, 2, 3]\"",
                                                   "\"{k}\"",
                                                   "\"x{k-1}\"",
                                                   "\"1..9999999\"",
                                                   "\"9^9^9\"",
                                                   "\"sum(k, 1, 99999, x{k})\"",
                                                   "\"sum(k, 1, 99, sum(j, 1, 99, {k}*{j}))\"",
                                                   "\"position(P)\"",
                                                   "\"velocity(B, P)\"",
                                                   "\"omega(world)\"",
                                                   "\"axis(world, x)\"",
                                                   "\"reaction(c)\"",
                                                   "\"energy\"",
                                                   "\"world\"",
                                                   "\"a = b\"",
                                                   "\"x >= 0\"",
                                                   "\"(((\"",
                                                   "\"log(0)\"",
                                                   "\"sqrt(-1)\"",
                                                   "99999999999999999999",
                                                   "0x7fffffffffffffff",
                                                   "'''\nx'''",
                                                   "\"\\u03b8\"",
                                                   "\"[x, y, z].x\"",
                                                   "\"norm([t, 0, 0])\""};
    return words[below(words.size())];
  }
  const std::string& scrap() {
    static const std::vector<std::string> scraps = {"[",
                                                    "]",
                                                    "{",
                                                    "}",
                                                    "\"",
                                                    "'",
                                                    "=",
                                                    ",",
                                                    ".",
                                                    "\n",
                                                    "#",
                                                    "''",
                                                    "''''",
                                                    "(",
                                                    ")",
                                                    "^",
                                                    "*",
                                                    "/",
                                                    "\\",
                                                    "\xff",
                                                    "\xce\xb8",
                                                    "\r\n",
                                                    "[[",
                                                    "\"\"\"",
                                                    "[repeat]\nk = \"1..20\"\n",
                                                    "[parameters]\n",
                                                    "[coordinates]\n",
                                                    "[points.P]\n",
                                                    "[frames.F]\nparent = \"F\"\n",
                                                    "[simulate]\n",
                                                    "[frame]\n",
                                                    "[reduction]\n",
                                                    "[release.l]\n",
                                                    "a.b.c.d = 1\n",
                                                    "{k}",
                                                    "{k-1}",
                                                    "x",
                                                    "t",
                                                    "x'"};
    return scraps[below(scraps.size())];
  }

  static std::vector<std::size_t> line_starts(const std::string& text) {
    std::vector<std::size_t> starts{0};
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
      if (text[i] == '\n') starts.push_back(i + 1);
    return starts;
  }

  static std::string line_at(const std::string& text, std::size_t start) {
    std::size_t end = text.find('\n', start);
    return text.substr(start, end == std::string::npos ? end : end - start + 1);
  }

  void change(std::string& text, const std::vector<std::string>& others) {
    std::vector<std::size_t> starts = line_starts(text);
    std::size_t start = starts[below(starts.size())];
    std::string line = line_at(text, start);
    std::size_t at = below(text.size() + 1);
    switch (below(11)) {
      case 0: text.erase(start, line.size()); break;
      case 1: text.insert(start, line); break;
      case 2: replace_value(text, start, line); break;
      case 3: rename(text); break;
      case 4: text.insert(at, scrap()); break;
      case 5: text.erase(at, 1 + below(8)); break;
      case 6: {
        const std::string& other = others[below(others.size())];
        std::vector<std::size_t> from = line_starts(other);
        text.insert(start, line_at(other, from[below(from.size())]));
        break;
      }
      case 7: change_number(text); break;
      case 8: {
        std::size_t other = starts[below(starts.size())];
        std::string moved = line_at(text, other);
        text.erase(other, moved.size());
        text.insert(std::min(start, text.size()), moved);
        break;
      }
      case 9: text.resize(at); break;
      default: grow(text, start, line); break;
    }
  }

  void replace_value(std::string& text, std::size_t start, const std::string& line) {
    std::size_t equals = line.find('=');
    if (equals != std::string::npos) text.replace(start + equals + 1, line.size() - equals - 1, " " + word() + "\n");
  }

  /// Some word becomes another word of the text, everywhere or once.
  void rename(std::string& text) {
    std::vector<std::pair<std::size_t, std::size_t>> words;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
      if (end > i) words.emplace_back(i, end - i);
      i = end + 1;
    }
    if (words.empty()) return;
    auto [from, size] = words[below(words.size())];
    auto [to, other] = words[below(words.size())];
    text.replace(from, size, text.substr(to, other));
  }

  void change_number(std::string& text) {
    std::vector<std::size_t> digits;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) digits.push_back(i);
    if (digits.empty()) return;
    std::size_t at = digits[below(digits.size())];
    static const std::vector<std::string> numbers = {"0",   "-1",  "999",          "1e30", "1e-30",
                                                     "0.5", "1/3", "123456789012", ".",    "e"};
    text.replace(at, 1, numbers[below(numbers.size())]);
  }

  void grow(std::string& text, std::size_t start, const std::string& line) {
    std::string more;
    std::size_t times = 1 + below(300);
    switch (below(3)) {
      case 0:
        for (std::size_t i = 0; i < times; ++i) more += line;
        break;
      case 1: more = std::string(times, "([{^-"[below(5)]); break;
      default:
        for (std::size_t i = 0; i < times; ++i) more += scrap();
    }
    text.insert(std::min(start + below(line.size() + 1), text.size()), more);
  }

  std::mt19937_64 random_;
};

}  // namespace dalembert::testing_support
