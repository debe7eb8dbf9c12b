#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "report/scribe.hpp"

// \left( and \right) make TeX measure what is between. Around a factor of names and powers they come out as ( and ) do,
// but for a gap before them, and of a long page they are a third. Those of a function's argument stay as they are
// written everywhere.

namespace dalembert {
namespace {

constexpr std::string_view open = "\\left(", close = "\\right)";

/// Higher than a line: what brackets grow with.
bool is_tall(std::string_view inside) {
  constexpr std::string_view tall[] = {"\\frac", "\\sqrt", "\\begin", "\\sum", "\\big", "\\\\"};
  return std::ranges::any_of(tall, [&](std::string_view each) { return inside.find(each) != std::string_view::npos; });
}

/// After "\\cos" or "\\cos^{2}", without a space.
bool is_argument(std::string_view before, std::size_t at) {
  return at > 0 && (before[at - 1] == '}' || std::isalpha(static_cast<unsigned char>(before[at - 1])) != 0);
}

}  // namespace

std::string plain_brackets(const std::string& latex) {
  std::string made;
  std::vector<std::size_t> opened;  // places in `made`
  for (std::size_t i = 0; i < latex.size();) {
    const std::string_view rest = std::string_view(latex).substr(i);
    if (rest.starts_with(close) && !opened.empty()) {
      const std::size_t at = opened.back();
      opened.pop_back();
      const bool stays = is_argument(made, at) || is_tall(std::string_view(made).substr(at));
      if (!stays) made.replace(at, open.size(), "(");
      made += stays ? close : ")";
      i += close.size();
    } else if (rest.starts_with(open)) {
      opened.push_back(made.size());
      made += open;
      i += open.size();
    } else {
      made += latex[i++];
    }
  }
  return made;
}

}  // namespace dalembert
