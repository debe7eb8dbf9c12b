#pragma once
// Numbers that the environment may change, for tests that run as long as one likes.

#include <cstdint>
#include <cstdlib>

namespace dalembert::testing_support {

inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* given = std::getenv(name);
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 10);
}

}  // namespace dalembert::testing_support
