#pragma once
// Tells texts apart that chance or a broken disk made different; not those that somebody wants to look alike.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace dalembert {

/// FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo).
class Fnv {
 public:
  /// The length first, so that no two lists of texts run into each other.
  void add(std::string_view text) {
    for (const char c : fmt::format("{}:", text.size())) take(c);
    for (const char c : text) take(c);
  }
  /// 16 hexadecimal ones.
  std::string digits() const { return fmt::format("{:016x}", state_); }

 private:
  void take(char c) { state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3; }
  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace dalembert
