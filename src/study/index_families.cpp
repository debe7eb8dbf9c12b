#include "study/index_families.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dalembert {
namespace {

constexpr std::size_t fewest_members = 3;  // of a family

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

/// x12 -> ("x", 12); no index where there are no digits at the end, or too many.
std::pair<std::string, std::optional<long>> split(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  constexpr std::size_t most_digits = 9;
  if (end == name.size() || end == 0 || name.size() - end > most_digits) return {name, std::nullopt};
  return {name.substr(0, end), std::stol(name.substr(end))};
}

}  // namespace

Families::Families(const Model& model) {
  auto count = [&](const auto& list) {
    for (const auto& each : list)
      if (auto [stem, index] = split(each.name); index) ++stems_[stem];
  };
  count(model.coordinates);
  count(model.constraints);
  count(model.parameters);
  count(model.points);
  count(model.frames);
  std::erase_if(stems_, [](const auto& entry) { return entry.second < fewest_members; });
}

std::optional<long> Families::index_of(const std::string& name) const {
  auto [stem, index] = split(name.substr(0, name.find('\'')));
  return stems_.contains(stem) ? index : std::nullopt;
}

std::string Families::with_index(const std::string& text, long k) const {
  constexpr long furthest = 3;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    std::string name = text.substr(i, end - i);
    auto [stem, index] = split(name);
    const long offset = index ? *index - k : 0;
    if (index && stems_.contains(stem) && std::abs(offset) <= furthest)
      name = stem + (offset == 0 ? "{k}" : (offset > 0 ? "{k+" : "{k-") + std::to_string(std::abs(offset)) + "}");
    out += name;
    i = end;
  }
  return out;
}

std::vector<EquationFamily> Families::group(const std::vector<std::string>& names,
                                            const std::vector<std::string>& texts) const {
  std::vector<EquationFamily> groups;
  std::unordered_map<std::string, std::size_t> open;  // by text with the index
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::optional<long> k = index_of(names[i]);
    if (!k) {
      groups.push_back({{i}});
      continue;
    }
    std::string key = with_index(names[i] + ": " + texts[i], *k);
    auto [found, is_new] = open.try_emplace(std::move(key), groups.size());
    if (!is_new && groups[found->second].last + 1 == *k) {
      groups[found->second].members.push_back(i);
      groups[found->second].last = *k;
      continue;
    }
    found->second = groups.size();
    groups.push_back({{i}, *k, *k});
  }
  return groups;
}

std::string Families::first_member(const std::string& text) const {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_name(text[end])) ++end;
    if (std::string name = text.substr(i, end - i); index_of(name)) return name;
    i = std::max(end, i + 1);
  }
  return {};
}

std::string Families::write_sum(const std::vector<std::string>& terms) const {
  std::vector<std::string> names, written;
  for (const std::string& term : terms) names.push_back(first_member(term));
  for (const EquationFamily& family : group(names, terms)) {
    if (family.members.size() < fewest_members)
      for (std::size_t member : family.members) written.push_back(terms[member]);
    else
      written.push_back(fmt::format("sum(k = {}..{}, {})", family.first, family.last,
                                    with_index(terms[family.members[0]], family.first)));
  }
  return join_terms(written);
}

std::string join_terms(const std::vector<std::string>& terms) {
  std::string sum;
  for (const std::string& term : terms) {
    const bool negative = term.starts_with('-') && !sum.empty();
    if (!sum.empty()) sum += negative ? " - " : " + ";
    sum += negative ? term.substr(1) : term;
  }
  return sum;
}

}  // namespace dalembert
