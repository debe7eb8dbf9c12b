#pragma once
// Long tables on a page are cut.

#include <fmt/format.h>

#include <string>

namespace dalembert {

inline constexpr std::size_t most_rows = 40;

/// What stands below the first rows of so many.
inline std::string tell_rest(std::size_t count) {
  return count > most_rows ? fmt::format("  ... and {} more: --json has all\n", count - most_rows) : "";
}

}  // namespace dalembert
