#pragma once
// Long tables on a page are cut.

#include <fmt/format.h>

#include <span>
#include <string>

namespace dalembert {

inline constexpr std::size_t most_rows = 40;

/// What stands below the first rows of so many.
inline std::string tell_rest(std::size_t count) {
  return count > most_rows ? fmt::format("  ... and {} more: --json has all\n", count - most_rows) : "";
}

/// A family of hundreds is told by its first members.
inline std::string join_first(std::span<const std::string> words, std::size_t most = 12) {
  if (words.size() <= most) return fmt::format("{}", fmt::join(words, ", "));
  return fmt::format("{}, ... ({} in all)", fmt::join(words.first(most), ", "), words.size());
}

}  // namespace dalembert
