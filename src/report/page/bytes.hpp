#pragma once
// Bytes as text.

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace dalembert {

std::string to_base64(std::string_view bytes);
/// Doubles as little-endian bytes in base64.
std::string to_base64(std::span<const double> numbers);
std::string to_base64(std::span<const float> numbers);
/// FIPS 180-4.
std::array<unsigned char, 32> sha256(std::string_view bytes);

}  // namespace dalembert
