#include <algorithm>
#include <dalembert/expr/formula.hpp>

namespace dalembert {
namespace {

/// Edits that turn a into b: characters inserted, removed, replaced, or two neighbours exchanged.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 100;  // longer names are not worth the square of their length
  if (name.size() > longest) return {};
  std::string wanted = lower(name);
  // A third of the letters may be wrong, and at least one, unless that is the whole name.
  std::size_t bound = std::max<std::size_t>(1, name.size() / 3);
  std::string best;
  for (const std::string& candidate : candidates) {
    if (candidate == name || candidate.size() > name.size() + bound || candidate.size() + bound < name.size()) continue;
    std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance > bound || distance >= std::max(name.size(), candidate.size())) continue;
    if (best.empty() || distance < bound) {
      best = candidate;
      bound = distance;
    }
  }
  return best;
}

}  // namespace dalembert
