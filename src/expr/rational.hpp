#pragma once
// Exact rational arithmetic beyond what GMP's classes offer.

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>

namespace dalembert {

/// Numerators and denominators beyond this are refused: exact numbers of hostile formulas would fill the memory.
constexpr std::size_t largest_constant_bits = 1 << 17;

std::uint32_t hash_of(const mpq_class& value);
inline bool is_integer(const mpq_class& value) { return value.get_den() == 1; }
bool is_even_integer(const mpq_class& value);
/// The nearest double, ties to even (GMP's own conversion truncates); infinite where it is too large.
double nearest_double(const mpq_class& value);

/// base ^ exponent = outside * base ^ (remaining exponent).
struct RationalPower {
  mpq_class outside;
  mpq_class exponent;
};

/// What of base ^ exponent is a rational number of bearable size; the remaining exponent is 0, in (0, 1) or, where the
/// size would be unbearable or the power is not real, the whole.
RationalPower rational_power(const mpq_class& base, const mpq_class& exponent);
/// True where rational_power would take something outside.
bool rational_power_changes(const mpq_class& base, const mpq_class& exponent);

}  // namespace dalembert
